"""The command, run as a person or a script would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from run_command import run, run_process


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.txt"
    path.write_text(made_up(300)[11]["text"], encoding="utf-8")
    return path


def test_build_query_info_verify_get(collection: Path, draft: Path, tmp_path: Path) -> None:
    target = tmp_path / "docs.pocket"
    built = run_process("build", collection, "-o", target, "--profile", "learn")

    assert (built.returncode, built.stdout) == (0, "")
    assert "300 read, 300 indexed, 0 skipped" in built.stderr
    assert f"{target}: 300 documents, {target.stat().st_size:,} bytes" in built.stderr
    assert "\r" not in built.stderr

    found = run_process("query", target, draft)
    assert found.returncode == 0
    assert found.stdout.splitlines()[0] == "  1  1.000  Document 11 — Übersicht  <doc-11>"
    assert found.stderr == ""

    assert "300" in run_process("info", target).stdout
    assert run_process("verify", target).stdout == f"{target}: whole, 300 documents\n"
    assert run_process("get", target, "nobody").returncode == 1
    assert run_process("query", target).returncode == 2
    assert run_process("info", draft).returncode == 3
    assert run_process("get", target, "doc-4").stdout == "doc-4\tDocument 4 — Übersicht\t\n"


def test_json_everywhere(collection: Path, pocket: Path, draft: Path, tmp_path: Path) -> None:
    hits = [
        json.loads(line)
        for line in run("query", pocket, draft, "--json", "--top", "2").stdout.splitlines()
    ]
    assert list(hits[0]) == ["rank", "id", "title", "url", "similarity", "similarity_error"]
    assert hits[0]["rank"] == 1
    assert hits[0]["similarity"] == 1.0
    assert hits[0]["url"].startswith("https://example.org/doc-11?t=")

    info = json.loads(run("info", pocket, "--json").stdout)
    assert info["documents"] == 300
    assert info["bytes_per_document"]["look-up"] == pytest.approx(
        (info["sections"]["tables"] + info["sections"]["sketches"]) / 300, abs=1e-3
    )
    assert info["scheme"] == "rff"
    assert len(info["profile_fingerprint"]) == 16

    assert json.loads(run("verify", pocket, "--json").stdout) == {
        "path": str(pocket),
        "ok": True,
        "documents": 300,
    }
    assert json.loads(run("get", pocket, "doc-0", "--json").stdout)["id"] == "doc-0"

    report = json.loads(run("build", collection, "-o", tmp_path / "x.pocket", "--json").stdout)
    assert (report["read"], report["indexed"], report["skipped"]) == (300, 300, {})


def test_explain(pocket: Path, draft: Path) -> None:
    shown = run("query", pocket, draft, "--explain", "--top", "1").stdout
    assert "168 of 168 components agree, 100% of their weight; found by the scan" in shown
    assert (
        "found by key 0\n"
        in run("query", pocket, draft, "--explain", "--top", "1", "--probes", "1").stdout
    )
    assert "terms that weigh most: " in shown

    line = json.loads(run("query", pocket, draft, "--explain", "--json", "--top", "1").stdout)
    assert line["explanation"]["agreement"] == 1.0
    assert line["explanation"]["terms"][0].keys() == {"term", "count", "weight"}


def test_batch(pocket: Path) -> None:
    lines = [
        json.dumps(made_up(3)[2]),
        "",
        json.dumps({"text": "too short"}),
        "no json",
        json.dumps({"id": 7, "text": made_up(9)[8]["text"]}),
    ]
    done = run("query", pocket, "--batch", "-", "--top", "1", stdin="\n".join(lines))
    out = [json.loads(line) for line in done.stdout.splitlines()]

    assert [o["id"] for o in out] == ["doc-2", "3", "4", "7"]
    assert out[0]["hits"][0] == {
        "rank": 1,
        "id": "doc-2",
        "title": "Document 2 — Übersicht",
        "url": out[0]["hits"][0]["url"],
        "similarity": 1.0,
        "similarity_error": 0.0,
    }
    assert out[1] == {"id": "3", "error": "too short", "hits": []}
    assert out[2] == {
        "id": "4",
        "error": "<stdin>:4: bad line: not JSON: Expecting value at character 1",
        "hits": [],
    }
    assert out[3]["hits"][0]["id"] == "doc-8"
    assert (done.returncode, "1 record was no document" in done.stderr) == (2, True)


def test_a_batch_says_why_a_file_of_a_folder_is_no_document(pocket: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text(made_up(1)[0]["text"])
    (folder / "b.txt").write_text("")
    (folder / "c.epub").write_bytes(b"no archive")
    done = run("query", pocket, "--batch", folder, "--top", "1")
    good, empty, broken = map(json.loads, done.stdout.splitlines())

    assert good["id"] == "a.txt"
    assert empty["error"] == f"{folder / 'b.txt'}: empty: the file is empty"
    assert broken["error"].startswith(f"{folder / 'c.epub'}: unreadable: ")
    assert done.returncode == 2
    assert f"{folder}: 2 records were no document" in done.stderr


def test_an_id_that_is_named_is_needed(pocket: Path, collection: Path) -> None:
    """Where it is not named, it is the number of the line."""
    one = json.dumps({"text": made_up(1)[0]["text"]})
    assert json.loads(run("query", pocket, "--batch", "-", stdin=one).stdout)["id"] == "1"

    done = run("query", pocket, "--batch", "-", "--id", "nope", stdin=one)
    assert json.loads(done.stdout) == {
        "id": "1",
        "error": '<stdin>:1: no id: no field "nope" among "text"; name the field that has the id '
        "with --id FIELD",
        "hits": [],
    }
    assert done.returncode == 2

    done = run("check", pocket, collection, "--id", "nope")
    assert (done.returncode, 'no field "nope" among "id"' in done.stderr) == (2, True)


def test_exit_codes(pocket: Path, draft: Path, tmp_path: Path) -> None:
    assert run("query", pocket, "-", stdin=made_up(1)[0]["text"]).returncode == 0

    unlike = run(
        "query",
        pocket,
        "-",
        "--probes",
        "1",
        stdin="Entirely different words about quantum chromodynamics, gluons, lattices and "
        "asymptotic freedom",
    )
    assert (unlike.returncode, unlike.stdout, unlike.stderr.split(":")[0]) == (
        1,
        "",
        "nothing similar found",
    )
    assert run("get", pocket, "nobody").returncode == 1

    for arguments in (
        ("query", pocket),
        ("query", pocket, draft, "--batch", draft),
        ("query", pocket, tmp_path / "none.txt"),
        ("query", tmp_path / "none.pocket", draft),
        ("query", pocket, draft, "--top", "0"),
        ("query", pocket, draft, "--probes", "x"),
        ("build", tmp_path / "none.jsonl", "-o", tmp_path / "x.pocket"),
        ("frobnicate",),
        (),
    ):
        done = run(*arguments)
        assert done.returncode == 2, arguments
        assert done.stderr, arguments
        assert "Traceback" not in done.stderr, done.stderr

    damaged = tmp_path / "damaged.pocket"
    content = bytearray(pocket.read_bytes())
    content[len(content) // 2] ^= 4
    damaged.write_bytes(content)
    done = run("verify", damaged)
    assert done.returncode == 3
    assert done.stderr.startswith(f"pocketindex: {damaged}: damaged: section ")
    assert done.stderr.endswith("; copy or download the file again\n")
    assert run("info", draft).returncode == 3


def test_messages_name_what_is_missing(pocket: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.txt"
    assert run("query", pocket, none).stderr == f"pocketindex: {none}: No such file or directory\n"
    assert run("query", pocket, "-", stdin="basket candle").stderr == (
        "pocketindex: the text has 2 terms besides stop words; 3 are needed to find similar "
        "documents, and no document has exactly this text; give more text\n"
    )


def test_too_few_words_name_what_searches_for_them(collection: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.pocket"
    assert run("build", collection, "-o", path, "--index", "documents,words").returncode == 0
    assert run("query", path, "-", stdin="basket candle lantern").stderr == (
        "pocketindex: the text has 3 terms besides stop words; with fewer than 5, it is compared "
        "by its words alone, and no document is similar; `pocketindex search` finds documents that "
        "have some of them\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"%PDF-1.7\n%...", "unreadable: "),
        (
            b"\x7fELF\x02\x01\x01\0",
            "expected a text, found binary data; name its format (--format) or its encoding "
            "(--encoding)",
        ),
        (
            b" \n",
            "empty: it has neither a text nor a title of its own; give a document with a text",
        ),
        (
            b'{"text": "one"}\n{"text": "two"}\n',
            "expected one document, found more; give one, or many by --batch, or say --format text",
        ),
    ],
)
def test_a_document_that_is_no_text(
    pocket: Path, tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "draft"
    path.write_bytes(content)
    for given, shown, stdin in ((str(path), str(path), b""), ("-", "<stdin>", content)):
        done = run("query", pocket, given, stdin=stdin)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"pocketindex: {shown}: {message}")


def test_a_title_cannot_steer_the_terminal(tmp_path: Path) -> None:
    document = {**made_up(1)[0], "title": "red \x1b[31m alert \u202e"}
    (tmp_path / "d.jsonl").write_text(json.dumps(document))
    run("build", tmp_path / "d.jsonl", "-o", tmp_path / "d.pocket")
    shown = run("query", tmp_path / "d.pocket", "-", stdin=document["text"]).stdout

    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_help_has_examples_for_every_command() -> None:
    overview = run("--help").stdout
    for command in (
        "build",
        "query",
        "pairs",
        "dedup",
        "check",
        "info",
        "verify",
        "get",
        "profile",
    ):
        assert command in overview
        shown = run(command, "--help")
        assert shown.returncode == 0
        assert f"pocketindex {command} " in shown.stdout.split("examples:")[1]


def test_reading_commands_do_not_import_the_builder(pocket: Path) -> None:
    code = f"import sys; from pocketindex.cli import main; main(['verify', {str(pocket)!r}])"
    code += "; assert not any('builder' in m for m in sys.modules), sys.modules"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode
        == 0
    )


def test_profile_command(collection: Path, tmp_path: Path) -> None:
    profile, target = tmp_path / "mine.profile", tmp_path / "x.pocket"
    made = run(
        "profile",
        collection,
        "-o",
        profile,
        "--name",
        "mine",
        "--scheme",
        "ff",
        "--set",
        "classes=20",
    )
    assert made.returncode == 0
    assert "fingerprint" in made.stderr
    assert run("build", collection, "-o", target, "--profile", profile).returncode == 0
    info = json.loads(run("info", target, "--json").stdout)
    assert (info["profile"], info["components"]) == ("mine", 60)
    assert made.stderr.split()[-1] == info["profile_fingerprint"]


def test_a_profile_is_known_by_its_name(collection: Path, pocket: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.pocket"
    there.write_bytes(pocket.read_bytes())
    done = run("profile", collection, "-o", there)
    assert done.returncode == 2
    assert done.stderr == (
        f"pocketindex: {there}: a profile is known by its name; give one that ends in .profile\n"
    )
    assert there.read_bytes() == pocket.read_bytes()
    done = run("profile", collection, "-o", tmp_path / "p.profile", "--name", "é" * 128)
    assert done.stderr == "pocketindex: the name has 256 bytes; it may have 255\n"
    assert done.returncode == 2


def test_all_files_are_verified(pocket: Path, draft: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.pocket"
    done = run("verify", draft, none, pocket, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 3
    assert [(line["path"], line["ok"]) for line in lines] == [
        (str(draft), False),
        (str(none), False),
        (str(pocket), True),
    ]
    assert done.stderr.splitlines() == [f"pocketindex: {line['error']}" for line in lines[:2]]
    assert run("verify", none, pocket).returncode == 2


def test_explaining_is_for_one_document(pocket: Path, collection: Path) -> None:
    done = run("query", pocket, "--batch", collection, "--explain")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "pocketindex: --explain is for one document; omit --batch or --explain\n"
    )


def test_a_batch_says_what_is_not_utf_8(pocket: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes(b"id,text\na,caf\xe9 basket candle lantern\n")
    done = run("query", pocket, "--batch", path)
    assert f"pocketindex: {path}:2: expected UTF-8, byte 6 is 0xe9" in done.stderr


def test_a_url_template_names_a_field(collection: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    done = run("build", collection, "-o", target, "--url-template", "https://example.org/{ID}")
    assert (done.returncode, target.exists()) == (2, False)
    assert "has neither {id} nor {title}: every document would have the same url" in done.stderr
    with pytest.raises(ValueError, match="has neither"):
        pocketindex.build(["a text"], target, url_template="https://example.org/")


def test_no_keys_in_a_part_are_an_error(pocket: Path, collection: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    for name, other in ("merge", pocket), ("update", collection):
        done = run(name, pocket, other, "-o", target, "--set", "keys_per_part=0")
        assert (done.returncode, target.exists()) == (2, False)
        assert "--set keys_per_part is 0; it must be between 1 and " in done.stderr


def test_borders_from_the_command_line(collection: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    assert (
        run(
            "build",
            collection,
            "-o",
            target,
            "--scheme",
            "ff",
            "--profile",
            "learn",
            "--set",
            "borders=0;-.5,.5",
        ).returncode
        == 0
    )
    assert len(json.loads(run("info", target, "--json").stdout)["tables"]) == 2
    other = run("build", collection, "-o", target, "--set", "borders=0")
    assert (other.returncode, "--set borders is not an option of scheme rff" in other.stderr) == (
        2,
        True,
    )
    wrong = run("build", collection, "-o", target, "--set", "borders=a,b")
    assert (wrong.returncode, "expected rising numbers" in wrong.stderr) == (2, True)
    falling = run(
        "build",
        collection,
        "-o",
        target,
        "--scheme",
        "ff",
        "--profile",
        "learn",
        "--set",
        "borders=1,0",
    )
    assert falling.returncode == 2
    assert "rising" in falling.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_control_c_leaves_nothing_behind(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "pocketindex", "build", "-", "-o", str(tmp_path / "x.pocket")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    line = json.dumps(made_up(1)[0]).encode() + b"\n"
    process.stdin.write(
        line * ((1 << 22) // len(line))
    )  # much more than a pipe holds: when it is written, most of it has been read
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)

    assert process.returncode == 130
    assert errors.decode() == "pocketindex: interrupted\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "build x -o y --max-memory lots",
            "build: argument --max-memory: 'lots': expected bytes, or a number with K, M or G, "
            "such as 512M; see `pocketindex build --help`",
        ),
        (
            "build x -o y --threads two",
            "build: argument --threads: expected a whole number, found 'two'; see `pocketindex "
            "build --help`",
        ),
        (
            "dedup x -o y --min-similarity high",
            "dedup: argument --min-similarity: expected a number, found 'high'; see `pocketindex "
            "dedup --help`",
        ),
        (
            "build x -o y --set borders=a",
            "build: argument --set: borders: 'a': expected rising numbers, with commas within a "
            "fuzzification scheme and",
        ),
        (
            "merge x y",
            "merge: the following arguments are required: -o/--output; see `pocketindex merge "
            "--help`",
        ),
    ],
)
def test_a_wrong_option_is_said_in_one_line(arguments: str, message: str) -> None:
    done = run(*arguments.split())

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"pocketindex {message}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["build", "dedup"])
def test_a_pocket_file_is_no_source(command: str, pocket: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    done = run(command, pocket, "-o", target)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"pocketindex: {pocket}: expected a collection of documents, found a pocket file, which "
        "is already built; "
        "query it with `pocketindex query` (several are asked as one), or give the collection that "
        "it was built from\n"
    )
    assert not target.exists()
