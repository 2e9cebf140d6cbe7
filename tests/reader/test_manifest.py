"""A folder of shards is asked as one file, and a shard that is missing or another is named."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from plain import PlainShards
from pocketindex.builder.write.manifest import shard_of, write_manifest
from pocketindex.errors import ForeignShard, MissingShard, NotAManifest, PocketError, TooNew
from pocketindex.opening.file import MANIFEST
from run_command import run


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three shards, of 100 documents each, with the profile of one file of all."""
    folder = tmp_path_factory.mktemp("built")
    shards = folder / "shards"
    shards.mkdir()
    documents = made_up(300)
    pocketindex.build(documents, folder / "all.pocket")
    for number in range(3):
        own = documents[100 * number : 100 * number + 100]
        pocketindex.build(own, shards / f"{number}.pocket", profile=folder / "all.pocket")
    write_manifest(shards, [shard_of(shards / f"{number}.pocket") for number in range(3)])
    return shards


@pytest.fixture
def shards(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "shards"))


def asked(number: int) -> str:
    return " ".join(made_up(300)[number]["text"].split()[2:])


def test_shards_answer_as_their_files_do(built: Path) -> None:
    files = [built / f"{number}.pocket" for number in range(3)]
    with (
        pocketindex.open_many(built / MANIFEST) as many,
        pocketindex.open_many(files) as each,
        PlainShards(built / MANIFEST) as plain,
    ):
        assert (len(many), many.paths, many.notes) == (300, [str(file) for file in files], [])
        for number in (3, 120, 250):
            hits = many.query(asked(number), top=4)

            assert hits == each.query(asked(number), top=4)
            assert (hits[0].id, hits.notes) == (f"doc-{number}", ())
            all_hits = many.query(asked(number), top=4, min_similarity=0)
            assert [(Path(hit.file).name, hit.number) for hit in all_hits] == [
                (name, hit.document) for name, hit in plain.query(asked(number), top=4)
            ]


def test_the_folder_stands_for_its_manifest_beside_other_files(built: Path) -> None:
    with pocketindex.open_many(str(built)) as many:
        assert len(many) == 300
    with pocketindex.open_many([built.parent / "all.pocket", built]) as many:
        assert len(many) == 600
        assert [Path(hit.file).name for hit in many.query(asked(120), top=2)] == [
            "all.pocket",
            "1.pocket",
        ]
    assert len(pocketindex.check(built, [asked(120)])) == 1


def test_a_manifest_has_the_same_bytes_each_time(built: Path, tmp_path: Path) -> None:
    found = [shard_of(built / f"{number}.pocket") for number in range(3)]
    again = write_manifest(tmp_path, found)

    assert again.read_bytes() == (built / MANIFEST).read_bytes()
    lines = again.read_text().split("\n")
    assert lines[0] == (
        '{"format": "pocketindex shards", "version": 1, "profile": '
        f'"{found[0].profile}", "documents": 300, "shards": ['
    )
    assert json.loads(lines[1].rstrip(","))["file"] == "0.pocket"
    assert list(tmp_path.iterdir()) == [again]


def test_what_is_no_manifest_is_not_written(built: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    one, two, _ = (shard_of(built / f"{number}.pocket") for number in range(3))
    for shards, message in (
        ([], f"{tmp_path}: a manifest has one shard or more, and none is given"),
        ([one, one], "0.pocket: two shards have this name; a file is one shard"),
        (
            [one, replace(two, profile="0" * 16)],
            f"1.pocket: its profile is {'0' * 16}, that of 0.pocket {one.profile}; shards have one "
            "profile: build them with the same",
        ),
    ):
        with pytest.raises(ValueError, match=r"^") as raised:
            write_manifest(tmp_path, shards)
        assert str(raised.value) == message
    assert list(tmp_path.iterdir()) == []


def test_a_missing_shard_is_an_error_with_its_name(shards: Path) -> None:
    (shards / "1.pocket").unlink()
    for opened in (pocketindex.open_many, PlainShards):
        with pytest.raises(MissingShard) as raised:
            opened(shards / MANIFEST)
        assert str(raised.value) == (
            f"{shards}/1.pocket: missing: {shards}/manifest.json names it, with 100 of 300 "
            "documents; copy it there, or ask the others: allow_missing=True, or "
            "--allow-missing where a command has it"
        )


def test_without_a_missing_shard_the_answer_has_a_note(
    shards: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (shards / "1.pocket").unlink()
    note = (
        f"{shards}/manifest.json: 1 of 3 shards is missing, and with them 100 of 300 documents "
        "are not asked: 1.pocket"
    )
    with (
        caplog.at_level(logging.WARNING, "pocketindex"),
        pocketindex.open_many(shards, allow_missing=True) as many,
    ):
        assert [record.getMessage() for record in caplog.records] == [note]
        assert (len(many), many.notes) == (200, [note])
        assert [Path(one.path).name for one in many.missing] == ["1.pocket"]
        hits = many.query(asked(250), top=3)
        assert (hits[0].id, hits[0].file_number, hits.notes) == ("doc-250", 1, (note,))
    for number in (0, 2):
        (shards / f"{number}.pocket").unlink()
    with pytest.raises(MissingShard, match=r"0\.pocket: missing"):
        pocketindex.open_many(shards, allow_missing=True)


def longer(shards: Path) -> str:
    path = shards / "1.pocket"
    path.write_bytes(path.read_bytes() + b"\0")
    size = path.stat().st_size
    return f"bytes: expected {size - 1}, found {size}"


def of_another_build(shards: Path) -> str:
    """Only the bytes tell the two apart: size, profile and number of documents are the same."""
    manifest = json.loads((shards / MANIFEST).read_text())
    rows = manifest["shards"]
    other = dict(rows[1], crc32c=rows[0]["crc32c"])
    expected, found = other["crc32c"], rows[1]["crc32c"]
    rows[1] = other
    (shards / MANIFEST).write_text(json.dumps(manifest))
    return f"crc32c: expected {expected}, found {found}"


def of_another_profile(shards: Path) -> str:
    manifest = json.loads((shards / MANIFEST).read_text())
    own, manifest["profile"] = manifest["profile"], "0" * 16
    (shards / MANIFEST).write_text(json.dumps(manifest))
    return f"profile: expected {'0' * 16}, found {own}"


def with_other_documents(shards: Path) -> str:
    manifest = json.loads((shards / MANIFEST).read_text())
    manifest["shards"][1]["documents"] += 1
    manifest["documents"] += 1
    (shards / MANIFEST).write_text(json.dumps(manifest))
    return "documents: expected 101, found 100"


@pytest.mark.parametrize(
    "fault", [longer, of_another_build, of_another_profile, with_other_documents]
)
def test_a_foreign_shard_is_an_error_with_its_name(
    shards: Path, fault: Callable[[Path], str]
) -> None:
    said = fault(shards)
    name = "0" if fault is of_another_profile else "1"
    for allow_missing in (False, True):
        with pytest.raises(ForeignShard) as raised:
            pocketindex.open_many(shards, allow_missing=allow_missing)
        assert str(raised.value) == (
            f"{shards}/{name}.pocket: not the shard that {shards}/manifest.json describes: {said}; "
            "copy the folder again, or build it again"
        )
    # The plain reader looks into a file before it compares its size.
    with pytest.raises(PocketError, match="file size" if fault is longer else said):
        PlainShards(shards / MANIFEST)


def test_a_byte_that_no_query_reads_is_told_by_sha256(shards: Path) -> None:
    path = shards / "1.pocket"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)

    pocketindex.open_many(shards).close()
    with pytest.raises(ForeignShard, match=r"1\.pocket: not the shard .*: sha256: expected "):
        pocketindex.open_many(shards, sha256=True)


def changed(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest.__setitem__(key, value)


def of_shard(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest["shards"][1].__setitem__(key, value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (changed("format", "other"), "format: expected 'pocketindex shards', found 'other'"),
        (changed("version", "1"), "version: expected a number, found '1'"),
        (changed("profile", "x"), "profile: expected 16 hexadecimal digits, found 'x'"),
        (changed("shards", []), "shards: expected a list, found []"),
        (changed("documents", 299), "documents: expected 300, found 299"),
        (changed("shards", [3]), "shard 0, file: expected the name of a file in this folder"),
        *(
            (of_shard("file", name), "shard 1, file: expected the name of a file in this folder")
            for name in ("../1.pocket", "a\\b", "C:x", ".hidden", "", "x" * 256, None)
        ),
        (of_shard("file", "0.pocket"), "shards: expected 3 names, found 2"),
        (of_shard("bytes", True), "shard 1, bytes: expected a number, found True"),
        (of_shard("sha256", "A" * 64), "shard 1, sha256: expected 64 hexadecimal digits"),
        (of_shard("crc32c", "0" * 9), "shard 1, crc32c: expected 8 hexadecimal digits"),
        (of_shard("documents", -1), "shard 1, documents: expected a number, found -1"),
    ],
)
def test_a_manifest_that_breaks_a_rule_is_refused(
    shards: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    manifest = json.loads((shards / MANIFEST).read_text())
    change(manifest)
    (shards / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(NotAManifest) as raised:
        pocketindex.open_many(shards)
    assert str(raised.value).startswith(f"{shards}/manifest.json: not a manifest of shards: {said}")
    assert str(raised.value).endswith("; check the path, or copy the manifest again")


def test_a_file_that_is_no_json_or_too_new_or_too_large(
    shards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shards / MANIFEST
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "version": 2, "more": 1}))
    with pytest.raises(TooNew, match="version of the manifest: expected 1, found 2; upgrade"):
        pocketindex.open_many(shards)
    path.write_text(json.dumps({**manifest, "more": 1}))
    assert len(pocketindex.open_many(shards)) == 300
    for text in ("no JSON", "[" * 100_000, "3"):
        path.write_text(text)
        with pytest.raises(NotAManifest, match=r"not a manifest of shards: (JSON|format)"):
            pocketindex.open_many(shards)
    monkeypatch.setattr("pocketindex.manifest.MOST_BYTES", 2)
    path.write_text("[1]")
    with pytest.raises(NotAManifest, match="bytes: expected at most 2, found more"):
        pocketindex.open_many(shards)


def test_the_command_takes_a_manifest(shards: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(asked(120))
    for given in (shards, shards / MANIFEST):
        done = run("query", given, draft, "--top", "1")
        assert done.stdout.endswith(f"<doc-120>  [{shards}/1.pocket]\n")
    done = run("query", shards, shards)
    assert done.stderr.endswith(f"the last argument, {shards}, is a pocket file\n")
    (shards / "1.pocket").unlink()
    done = run("query", shards, draft)
    assert (done.returncode, done.stderr) == (
        2,
        f"pocketindex: {shards}/1.pocket: missing: {shards}/manifest.json names it, with 100 of "
        "300 documents; copy it there, or ask the others: allow_missing=True, or "
        "--allow-missing where a command has it\n",
    )


@pytest.mark.parametrize("command", ["query", "check"])
def test_a_command_goes_without_a_missing_shard(shards: Path, tmp_path: Path, command: str) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(asked(220))
    (shards / "1.pocket").unlink()
    done = run(command, shards, draft, "--json", "--allow-missing")

    assert done.returncode == 0
    assert '"doc-220"' in done.stdout
    assert done.stderr.startswith(f"pocketindex: {shards}/manifest.json: 1 of 3 shards is missing")


@pytest.mark.parametrize("missing", [[], [1], [1, 2]])
def test_hits_say_their_file_whatever_is_missing(
    shards: Path, tmp_path: Path, missing: list[int]
) -> None:
    draft, batch = tmp_path / "draft.txt", tmp_path / "batch.jsonl"
    draft.write_text(asked(20))
    batch.write_text(json.dumps({"id": "a", "text": asked(20)}) + "\n")
    for number in missing:
        (shards / f"{number}.pocket").unlink()
    options = ["--json", "--allow-missing", "--top", "1"]
    hit = json.loads(run("query", shards, draft, *options).stdout)
    (other,) = json.loads(run("query", shards, "--batch", batch, *options).stdout)["hits"]
    assert hit["file"] == other["file"] == str(shards / "0.pocket")


def test_labels_of_shards_say_their_file(tmp_path: Path) -> None:
    shards, draft = tmp_path / "shards", tmp_path / "draft.txt"
    shards.mkdir()
    draft.write_text(asked(20))
    documents = [one | {"topic": one["id"][-1]} for one in made_up(300)]
    pocketindex.build(documents, tmp_path / "all.pocket")
    for number in range(2):
        own = documents[150 * number : 150 * number + 150]
        path = shards / f"{number}.pocket"
        pocketindex.build(own, path, profile=tmp_path / "all.pocket", label="topic")
    write_manifest(shards, [shard_of(shards / f"{number}.pocket") for number in range(2)])

    of_folder = run("classify", shards, draft, "--json").stdout
    assert '"file": ' in of_folder
    files = [shards / f"{number}.pocket" for number in range(2)]
    assert of_folder == run("classify", *files, draft, "--json").stdout


def test_what_is_said_of_one_file_is_said_of_each_shard(shards: Path) -> None:
    infos = [json.loads(line) for line in run("info", shards, "--json").stdout.splitlines()]
    assert [info["path"] for info in infos] == [f"{shards}/{number}.pocket" for number in range(3)]
    assert run("info", shards / MANIFEST).stdout.count("  documents   100\n") == 3

    whole = "".join(f"{shards}/{number}.pocket: whole, 100 documents\n" for number in range(3))
    assert run("verify", shards).stdout == whole

    found = run("get", shards, "doc-220", "doc-7", "nobody")
    assert [line.split("\t")[0] for line in found.stdout.splitlines()] == ["doc-220", "doc-7"]
    assert found.returncode == 1
    assert found.stderr == f"pocketindex: {shards}: no document has the id 'nobody'\n"


def test_a_shard_that_is_not_whole_is_named_and_the_others_are_verified(shards: Path) -> None:
    (shards / "0.pocket").unlink()
    (shards / "1.pocket").write_bytes((shards / "2.pocket").read_bytes())
    done = run("verify", shards, "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]

    assert done.returncode == 2
    assert [one["ok"] for one in found] == [False, False, True]
    assert found[0]["error"].startswith(f"{shards}/0.pocket: missing: ")
    assert found[1]["error"].startswith(f"{shards}/1.pocket: not the shard that ")

    (shards / MANIFEST).write_text("{}")
    done = run("verify", shards, shards / "2.pocket")
    assert (done.returncode, "not a manifest of shards" in done.stderr) == (2, True)
    assert done.stdout == f"{shards}/2.pocket: whole, 100 documents\n"


def test_titles_of_shards_are_in_one_order(tmp_path: Path) -> None:
    names = ["Light B", "light d", "Other", "Líght a", "Light C", "light E"]
    documents = [d | {"title": name} for d, name in zip(made_up(6), names, strict=True)]
    folder = tmp_path / "shards"
    folder.mkdir()
    for number in range(2):
        own = documents[3 * number : 3 * number + 3]
        pocketindex.build(own, folder / f"{number}.pocket", titles=True, profile="en")
    write_manifest(folder, [shard_of(folder / f"{number}.pocket") for number in range(2)])
    shown = run("titles", folder, "light", "--top", "4").stdout.splitlines()
    assert [line.split("\t")[1] for line in shown] == ["Líght a", "Light B", "Light C", "light d"]


def test_where_one_file_is_needed_shards_are_no_file(shards: Path, tmp_path: Path) -> None:
    done = run("diff", shards, shards / "1.pocket")
    assert (done.returncode, done.stderr) == (
        2,
        f"pocketindex: {shards}: expected one pocket file, found a folder of shards; give one of "
        "its files, make one of them with `pocketindex merge`, or in Python ask them with "
        "open_many\n",
    )
    done = run("info", tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        f"pocketindex: {tmp_path}: expected a pocket file, found a folder; give the name of a "
        "file in it\n",
    )
