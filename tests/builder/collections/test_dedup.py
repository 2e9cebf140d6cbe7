"""pocketindex dedup: a collection without its near-duplicates."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import collection, report, without, write
from pocketindex.builder.collections.dedup import KEPT, decide
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import MEASURES, DedupOptions
from pocketindex.builder.collections.pairs import text_pairs
from pocketindex.builder.collections.passing.lines import Lines
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.progress import Progress
from pocketindex.builder.tally import Tally
from pocketindex.cli import main
from run_command import run


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("dedup") / "docs.jsonl", collection())


def kept(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_bytes().splitlines()]


def test_first_is_kept(source: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out.jsonl", tmp_path / "report.jsonl"
    done = run("dedup", source, "-o", out, "--report", report)

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        f"{out}: 67 read, 62 kept, 3 dropped exact, 2 dropped near, 0 skipped",
        "3 documents have fewer than 5 words: near-duplicates of such a text are those with the "
        "same words in the same order",
    ]
    assert kept(out) == [*(f"doc-{i}" for i in range(60)), "short", "short-too"]
    assert set(out.read_bytes().splitlines()) < set(source.read_bytes().splitlines())
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(r["id"], r["line"], r["kept"], r["kept_line"], r["kind"]) for r in rows] == [
        ("3-spaced", 61, "doc-3", 4, "exact"),
        ("7-a", 62, "doc-7", 8, "near"),
        ("7-b", 63, "doc-7", 8, "near"),
        ("11-copy", 64, "doc-11", 12, "exact"),
        ("short-copy", 67, "short", 65, "exact"),
    ]
    assert [0.8 <= r["similarity"] < 1 for r in rows] == [False, True, True, False, False]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "report.jsonl"]


def test_reports_that_differ_in_their_numbers_stay(tmp_path: Path) -> None:
    random = Random(7)
    first, second = report(random, 9), report(random, 9)
    documents = [
        *made_up(60),
        {"id": "first", "text": first},
        {"id": "second", "text": second},
        {"id": "again", "text": first + "\nEnd"},
    ]
    done = run(
        "dedup",
        write(tmp_path / "in.jsonl", documents),
        "-o",
        tmp_path / "out.jsonl",
        "--report",
        tmp_path / "report.jsonl",
    )

    assert "63 read, 62 kept, 0 dropped exact, 1 dropped near" in done.stderr
    (dropped,) = (json.loads(line) for line in (tmp_path / "report.jsonl").read_text().splitlines())
    assert (dropped["id"], dropped["kept"]) == ("again", "first")


def test_edited_copies_go_by_cosine(tmp_path: Path) -> None:
    """One word in ten replaced, and one line of many changed."""
    random, documents = Random(7), list[dict[str, Any]]()
    words = sorted({word for d in made_up(60) for word in d["text"].split()})
    for number in range(40):
        text = [random.choice(words) for _ in range(150)]
        edited = [
            random.choice(words) if place % 10 == number % 10 else word
            for place, word in enumerate(text)
        ]
        lines = [" ".join(text[start : start + 10]) for start in range(0, 150, 10)]
        lines[number % 15] = f"Sold on {number + 1} May for {random.randrange(10_000)} dollars"
        documents += [
            {"id": f"{number}-{kind}", "text": made}
            for kind, made in enumerate((" ".join(text), "\n".join(lines)))
        ]
        documents.append({"id": f"{number}-2", "text": " ".join(edited)})
    run(
        "dedup",
        write(tmp_path / "in.jsonl", documents),
        "-o",
        tmp_path / "out.jsonl",
        "--measure",
        "cosine",
        "--min-similarity",
        ".85",
    )
    assert kept(tmp_path / "out.jsonl") == [f"{number}-0" for number in range(40)]


def test_every_form_of_the_source_gives_the_same(source: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl.gz").write_bytes(gzip.compress(source.read_bytes()))
    outs = [tmp_path / f"{i}.jsonl" for i in range(3)]
    run("dedup", source, "-o", outs[0])
    run("dedup", tmp_path / "in.jsonl.gz", "-o", outs[1])
    counts = json.loads(
        run("dedup", "-", "-o", outs[2], "--json", stdin=source.read_bytes()).stdout
    )

    assert outs[0].read_bytes() == outs[1].read_bytes() == outs[2].read_bytes()
    assert counts == {
        "output": str(outs[2]), "read": 67, "kept": 62, "dropped_exact": 3, "dropped_near": 2, "skipped": 0,
        "too_short": 3, "undated": 0, "notes": counts["notes"], "skipped_by_reason": {},
    }  # fmt: skip


def test_lines_are_passed_through_whatever_else_is_in_them(tmp_path: Path) -> None:
    texts = [json.dumps(d["text"]) for d in made_up(3)]
    lines = [
        b'\xef\xbb\xbf{"text":  ' + texts[0].encode() + b' , "more": [1, {"a": null}]}\r\n',
        b"\n",
        b"no json\n",
        b'{"id": 7, "text": ' + texts[1].encode() + b', "x": "\xff"}\n',
        b'{"text": ' + texts[0].encode() + b"}\n",
        b'{"id": 7, "text": ' + texts[2].encode() + b"}",
    ]
    (tmp_path / "in.jsonl").write_bytes(b"".join(lines))
    done = run(
        "dedup",
        tmp_path / "in.jsonl",
        "-o",
        tmp_path / "out.jsonl",
        "--report",
        tmp_path / "report.jsonl",
    )

    assert (tmp_path / "out.jsonl").read_bytes() == lines[0] + lines[3] + lines[5]
    assert "5 read, 3 kept, 1 dropped exact, 0 dropped near, 1 skipped" in done.stderr
    rows = [json.loads(line) for line in (tmp_path / "report.jsonl").read_text().splitlines()]
    assert [rows[0][name] for name in ("place", "kind", "reason")] == [
        f"{tmp_path / 'in.jsonl'}:3",
        "skipped",
        "bad line",
    ]
    checksum = rows[1]["source_checksum"]
    assert rows[1] == {
        "id": "5",
        "source": str(tmp_path / "in.jsonl"),
        "line": 5,
        "source_checksum": checksum,
        "kept": "1",
        "kept_source": str(tmp_path / "in.jsonl"),
        "kept_line": 1,
        "cluster": 1,
        "kind": "exact",
        "similarity": 1.0,
    }


def test_wrong_arguments(source: Path, tmp_path: Path, pocket: Path) -> None:
    out = tmp_path / "out.jsonl"
    for arguments, message in (
        ((source, "-o", out, "--keep", "newest"), "--keep newest and --date FIELD go together"),
        ((source, "-o", out, "--date", "day"), "--keep newest and --date FIELD go together"),
        (
            (source, "-o", out, "--keep", "longest", "--prefer", "n"),
            "--prefer and --keep both say which document is kept; omit one of them",
        ),
        (
            (source, "-o", out, "--min-similarity", "1.5"),
            "--min-similarity is 1.5; it must be above 0, at most 1",
        ),
        (
            (source, "-o", tmp_path / "o.zip"),
            f"{tmp_path / 'o.zip'}: the output is plain JSON Lines, and the name is that of a file",
        ),
        ((source,), "there is no output; give -o OUT, or --dry-run for the report alone"),
        ((source, "-o", out, "--dry-run"), "--dry-run writes no output; omit -o, or --dry-run"),
        (
            (source, source, "-o", f"{tmp_path}/folder/"),
            f"{tmp_path}/folder/: 2 sources have the name {source.name}; give one file",
        ),
        (
            (source, "-o", out, "--against", pocket),
            f"{pocket} keeps no texts, by which documents are compared; give its sources, or a "
            "file built with --keep text",
        ),
        (
            (source, "-o", tmp_path / "no" / "o.jsonl"),
            f"{tmp_path / 'no'}: the folder of the output does not exist",
        ),
        (
            (source, "-o", out, "--report", out),
            (
                f"{out}: the report would replace {out}, which the command also uses; give it "
                "another name"
            ),
        ),
        (
            (source, "-o", out, "--report", source),
            (
                f"{source}: the report would replace {source}, which the command also uses; "
                "give it "
                "another name"
            ),
        ),
        (
            (Path(__file__).parents[3] / "README.md", "-o", out),
            f"{Path(__file__).parents[3] / 'README.md'}: expected JSON Lines, a JSON array, "
            "Parquet or Arrow, whose records can be written again unchanged; found the format "
            "markdown",
        ),
        (
            (tmp_path / "none.jsonl", "-o", out),
            f"{tmp_path / 'none.jsonl'}: there is no such file or folder",
        ),
    ):
        done = run("dedup", *arguments)
        assert done.returncode == 2, arguments
        assert done.stderr.startswith(f"pocketindex: {message}"), done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_source_leaves_the_old_output(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    old = '{"id": "old", "text": "an older output"}\n'
    out.write_text(old)
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(source.read_bytes())[:-20])
    done = run("dedup", tmp_path / "cut.jsonl.gz", "-o", out, "--report", tmp_path / "report.jsonl")

    assert (done.returncode, out.read_text()) == (2, old)
    assert "cut short" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.jsonl.gz", "out.jsonl"]


def test_the_output_may_replace_the_source(tmp_path: Path) -> None:
    path = write(tmp_path / "docs.jsonl", collection())
    assert run("dedup", path, "-o", path).returncode == 0
    assert len(kept(path)) == 62


def test_a_source_that_changes_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "docs.jsonl", list(made_up(4)))
    lines = Lines(str(path), tmp_path, Preferences("first"))
    assert len(list(lines.documents(Tally(), Progress()))) == 4
    write(path, list(made_up(5))[1:])
    with pytest.raises(SourceError, match="it changed while it was read; nothing is written"):
        list(lines.again())


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_control_c_leaves_nothing_behind(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pocketindex",
            "dedup",
            "-",
            "-o",
            str(tmp_path / "x.jsonl"),
            "--report",
            str(tmp_path / "r.jsonl"),
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(made_up(1)[0]).encode() + b"\n")
    process.stdin.flush()
    for _ in range(200):
        if any(path.is_dir() for path in tmp_path.iterdir()):
            break
        time.sleep(0.05)
    else:
        pytest.fail("no temporary folder was made")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)

    assert (process.returncode, errors.decode()) == (130, "pocketindex: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_swept(source: Path, tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    stale = tmp_path / f".out.jsonl.{ended.pid}.tmp.d"
    stale.mkdir()
    (stale / "texts.pocket").write_text("half")
    run("dedup", source, "-o", tmp_path / "out.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


TEXTS = [d["text"] for d in made_up(4)] + ["short one", "basket"]
CHANGES: list[Any] = [
    str,
    lambda t: t.replace(" ", "  "),
    lambda t: without(t, 20),
    lambda t: without(t, 25, 31),
    lambda t: t + " lantern",
]


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=14),
    st.sampled_from(["first", "longest"]),
    st.sampled_from([0.8, 0.95, 1.0]),
)
def test_what_stays_is_a_subsequence_without_duplicates(
    made: list[tuple[int, int]], keep: str, least: float
) -> None:
    documents = [{"text": CHANGES[change](TEXTS[text])} for text, change in made]
    with tempfile.TemporaryDirectory() as name:
        source = write(Path(name) / "in.jsonl", documents)
        out = Path(name) / "out.jsonl"
        report = Path(name) / "report.jsonl"
        assert (
            main(
                [
                    "dedup",
                    str(source),
                    "-o",
                    str(out),
                    "--keep",
                    keep,
                    "--min-similarity",
                    str(least),
                    "--report",
                    str(report),
                ]
            )
            == 0
        )
        given_lines, lines = iter(source.read_bytes().splitlines()), out.read_bytes().splitlines()
        rows = [json.loads(line) for line in report.read_text().splitlines()]
        rows = [row for row in rows if row["kind"] != "source"]

        assert all(
            line in given_lines for line in lines
        )  # "in" on an iterator goes on from where it stands
        plain = [" ".join(json.loads(line)["text"].split()) for line in lines]
        assert len(set(plain)) == len(plain)
        dropped = {row["line"] for row in rows}
        assert len(dropped) == len(rows) == len(documents) - len(lines)
        assert not dropped & {row["kept_line"] for row in rows}
        assert all(row["similarity"] >= least for row in rows)


@pytest.mark.parametrize("measure", MEASURES)
def test_no_two_that_stay_are_a_pair(source: Path, tmp_path: Path, measure: str) -> None:
    lines = Lines(str(source), tmp_path, Preferences("first"))
    documents = lines.documents(Tally(), Progress())
    how = DedupOptions(measure=measure)
    with corpus_of(documents, tmp_path, how, Progress(form="none")) as corpus:
        verdicts = decide(corpus, lines.preferences.ranks()).verdicts
        pairs = {(pair.first, pair.second) for pair in text_pairs(corpus)}
    stay = [document for document, verdict in enumerate(verdicts) if verdict == KEPT]

    assert pairs
    assert not pairs & set(combinations(stay, 2))


@pytest.mark.parametrize("measure", ["jaccard", "containment"])
def test_the_output_loses_nothing_when_it_is_deduplicated_again(
    measure: str, tmp_path: Path
) -> None:
    random = Random(3)
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    texts = [" ".join(random.choices(words, k=random.randrange(1, 60))) for _ in range(300)]
    texts += [without(random.choice(texts), random.randrange(9)) for _ in range(300)]
    source = write(tmp_path / "in.jsonl", [{"text": text} for text in texts if text])
    counts = [
        json.loads(
            run(
                "dedup", given, "-o", tmp_path / out, "--json", "--min-similarity", ".6",
                "--measure", measure,
            ).stdout
        )
        for given, out in ((source, "once.jsonl"), (tmp_path / "once.jsonl", "twice.jsonl"))
    ]  # fmt: skip

    assert counts[0]["dropped_near"] > 100
    assert (counts[1]["dropped_near"], counts[1]["dropped_exact"]) == (0, 0)
    assert (tmp_path / "once.jsonl").read_bytes() == (tmp_path / "twice.jsonl").read_bytes()


def test_texts_that_say_other_things_in_the_same_words_stay(tmp_path: Path) -> None:
    texts = [
        "When the bell rings open the left gate before you close the right gate for the night",
        "When the bell rings close the left gate before you open the right gate for the night",
        "Mira lent Otto nine books and Otto lent Paul thirty books over the long summer",
        "Otto lent Mira nine books and Paul lent Otto thirty books over the long summer",
        "The board did not sell the mill although the town did sell the meadow behind it",
        "The board did sell the mill although the town did not sell the meadow behind it",
        "def g(y): return y*2",
        "def g(y): return y/2",
        "Compute 7 - 2 * n = 3 and say what n is in one short sentence without a reason",
        "Compute 7 * 2 - n = 3 and say what n is in one short sentence without a reason",
    ]
    source = write(tmp_path / "in.jsonl", [{"text": text} for text in texts])
    done = run("dedup", source, "-o", tmp_path / "out.jsonl")
    assert "10 read, 10 kept" in done.stderr


def test_a_document_goes_only_for_one_that_stays(tmp_path: Path) -> None:
    """A chain: each text is near to the next, the first and the last have nothing in common."""
    words = [f"w{number}" for number in range(400)]
    texts = [" ".join(words[start : start + 100]) for start in range(0, 300, 3)]
    source = write(tmp_path / "in.jsonl", [{"id": str(i), "text": t} for i, t in enumerate(texts)])
    report = tmp_path / "report.jsonl"
    run("dedup", source, "-o", tmp_path / "out.jsonl", "--report", report)
    stay = set(kept(tmp_path / "out.jsonl"))
    gone = [json.loads(line) for line in report.read_text().splitlines()]

    assert len(gone) + len(stay) == len(texts)
    assert {row["kept"] for row in gone} <= stay
    for row in gone:
        own, other = texts[int(row["id"])].split(), texts[int(row["kept"])].split()
        one, two = ({" ".join(t[i : i + 5]) for i in range(96)} for t in (own, other))
        assert row["similarity"] == round(len(one & two) / len(one | two), 4) >= 0.8


@pytest.mark.parametrize("count", [500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_fillings_of_one_template_stay(count: int, tmp_path: Path) -> None:
    """No two of them have .8 of their five-grams in common, though all have most of their words:
    the time stays near that of reading them.
    """
    template = [f"t{number}" for number in range(90)]
    texts = [
        " ".join([*template, *(f"f{number}x{place}" for place in range(13))])
        for number in range(count)
    ]
    source = write(tmp_path / "in.jsonl", [{"text": text} for text in texts])
    done = run("dedup", source, "-o", tmp_path / "out.jsonl")
    assert f"{count:,} read, {count:,} kept" in done.stderr


def test_fields_of_other_names(source: Path, tmp_path: Path) -> None:
    documents = [json.loads(line) for line in source.read_text().splitlines()]
    renamed = write(tmp_path / "in.jsonl", [{"key": d["id"], "body": d["text"]} for d in documents])
    for path, fields in ((source, ()), (renamed, ("--id", "key", "--text", "body"))):
        done = run(
            "dedup",
            path,
            "-o",
            tmp_path / f"out-{len(fields)}.jsonl",
            "--report",
            tmp_path / f"{len(fields)}.jsonl",
            *fields,
        )
        assert done.returncode == 0, done.stderr

    def report_of(count: int) -> str:
        return (tmp_path / f"{count}.jsonl").read_text()

    reports = [
        re.sub('checksum": "[0-9a-f]{8}"', "", report_of(count).replace(str(path), ""))
        for count, path in ((0, source), (4, renamed))
    ]
    assert reports[0] == reports[1] != ""
    kept = [json.loads(line) for line in (tmp_path / "out-4.jsonl").read_text().splitlines()]
    assert [row["key"] for row in kept[:2]] == [d["id"] for d in documents[:2]]
