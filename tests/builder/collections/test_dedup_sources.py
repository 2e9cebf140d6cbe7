"""`dedup` takes several sources as one collection, writes one file or one for each source, and says
where much of a source is removed.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex
import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from made_up import made_up
from near_duplicates import collection, write
from pocketindex.builder import Settings, build
from run_command import run

DOCUMENTS = collection()


def lines_of(path: Path, unpack: Callable[[bytes], bytes] = bytes) -> list[bytes]:
    return unpack(path.read_bytes()).splitlines(keepends=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The collection in two files of one folder, one of them packed, and as one file."""
    (tmp_path / "in" / "b").mkdir(parents=True)
    write(tmp_path / "all.jsonl", DOCUMENTS)
    some = lines_of(tmp_path / "all.jsonl")
    (tmp_path / "in" / "a.jsonl").write_bytes(b"".join(some[:61]))
    packed = zstandard.ZstdCompressor().compress(b"".join(some[61:]))
    (tmp_path / "in" / "b" / "c.jsonl.zst").write_bytes(packed)
    assert run("dedup", tmp_path / "all.jsonl", "-o", tmp_path / "one.jsonl").returncode == 0
    return tmp_path


@pytest.mark.parametrize("given", [["in"], ["in/a.jsonl", "in/b/c.jsonl.zst"], ["in/a*", "in/b/*"]])
def test_several_sources_are_one_collection(folder: Path, given: list[str]) -> None:
    report = folder / "report.jsonl"
    sources = [folder / one for one in given]
    done = run("dedup", *sources, "-o", folder / "out.jsonl", "--report", report)

    assert "67 read, 62 kept, 3 dropped exact, 2 dropped near" in done.stderr
    assert (folder / "out.jsonl").read_bytes() == (folder / "one.jsonl").read_bytes()
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    second = str(folder / "in" / "b" / "c.jsonl.zst")
    assert [(r["id"], r["source"], r["line"], r["kept_line"], r["cluster"]) for r in rows] == [
        ("3-spaced", str(folder / "in" / "a.jsonl"), 61, 4, 1),
        ("7-a", second, 1, 8, 2),
        ("7-b", second, 2, 8, 2),
        ("11-copy", second, 3, 12, 3),
        ("short-copy", second, 6, 4, 4),
    ]


def test_a_folder_gets_a_file_of_each_source_packed_as_it_was(folder: Path) -> None:
    done = run("dedup", folder / "in", "-o", f"{folder}/out/")
    assert done.returncode == 0, done.stderr
    unpack = zstandard.ZstdDecompressor().decompressobj().decompress
    both = lines_of(folder / "out" / "a.jsonl") + lines_of(folder / "out" / "c.jsonl.zst", unpack)
    assert both == lines_of(folder / "one.jsonl")


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [(".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress)],
)
def test_lines_are_packed_as_the_name_says(
    folder: Path, suffix: str, unpack: Callable[[bytes], bytes]
) -> None:
    out = [folder / f"{number}.jsonl{suffix}" for number in range(2)]
    for one in out:
        assert run("dedup", folder / "in", "-o", one).returncode == 0
    assert lines_of(out[0], unpack) == lines_of(folder / "one.jsonl")
    assert out[0].read_bytes() == out[1].read_bytes()


def table(path: Path, documents: list[dict[str, Any]], codec: str) -> Path:
    rows = [{"id": one["id"], "text": one["text"]} for one in documents]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, compression=codec)
    return path


def test_parquet_stays_in_its_codec(tmp_path: Path) -> None:
    sources = [
        table(tmp_path / "a.parquet", DOCUMENTS[:40], "zstd"),
        table(tmp_path / "b.parquet", DOCUMENTS[40:], "gzip"),
    ]
    assert run("dedup", *sources, "-o", tmp_path / "out.parquet").returncode == 0
    assert run("dedup", *sources, "-o", f"{tmp_path}/out/").returncode == 0

    def codec(path: Path) -> str:
        return str(pyarrow.parquet.read_metadata(path).row_group(0).column(0).compression)

    made = [tmp_path / name for name in ("out.parquet", "out/a.parquet", "out/b.parquet")]
    assert [codec(path) for path in made] == ["ZSTD", "ZSTD", "GZIP"]
    one, first, second = (pyarrow.parquet.read_table(path).to_pylist() for path in made)
    assert one == first + second
    assert len(one) == 62


def test_what_does_not_fit_into_one_file_is_refused(folder: Path) -> None:
    rows = table(folder / "a.parquet", DOCUMENTS[:9], "zstd")
    other = folder / "b.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([{"text": "a b c d e", "n": 1}]), other)
    for sources, message in (
        ((rows, folder / "all.jsonl"), f"some sources are tables, as {rows}, and some are JSON"),
        ((rows, other), f"{other}: its columns are not those of the files before it"),
    ):
        done = run("dedup", *sources, "-o", folder / "out.parquet")
        assert (done.returncode, (folder / "out.parquet").exists()) == (2, False)
        assert message in done.stderr


@pytest.mark.parametrize("measure", ["jaccard", "cosine"])
def test_what_others_have_goes(folder: Path, measure: str) -> None:
    """Of others every document counts, whether it is near to another of them or not."""
    texts = [one["text"] for one in made_up(60)]
    words = texts[7].split()
    others = [texts[3], texts[7], " ".join(words[:-4]), texts[11] + " lantern"]
    write(folder / "old.jsonl", [{"id": f"old-{i}", "text": t} for i, t in enumerate(others)])
    build([str(folder / "old.jsonl")], folder / "old.pocket", Settings(keep="text"))
    new = [texts[3], " ".join(words[:-8]), texts[20], texts[11]]
    source = write(folder / "new.jsonl", [{"id": str(i), "text": t} for i, t in enumerate(new)])
    for name in ("old.jsonl", "old.pocket"):
        done = run(
            "dedup", source, "-o", folder / "out.jsonl", "--against", folder / name, "--report",
            folder / "report.jsonl", "--measure", measure, "--min-similarity", ".9",
        )  # fmt: skip
        rows = [json.loads(line) for line in (folder / "report.jsonl").read_text().splitlines()]
        assert [json.loads(line)["id"] for line in lines_of(folder / "out.jsonl")] == ["2"]
        assert [(row["id"], row["kept"], row["kind"]) for row in rows] == [
            ("0", "old-0", "exact"),
            ("1", "old-2" if measure == "jaccard" else "old-1", "near"),
            ("3", "old-3", "near"),
        ]
        assert {row["kept_source"] for row in rows} == {str(folder / name)}
        assert "3 of the dropped ones went for one of the 4 documents of --against" in done.stderr


def test_a_dry_run_reports_and_writes_nothing(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    report = folder / "report.jsonl"
    done = run("dedup", folder / "all.jsonl", "--dry-run", "--report", report)
    assert done.stderr.startswith("nothing is written: 67 read, 62 kept, 3 dropped exact")
    assert sorted(folder.rglob("*")) == sorted([*before, report])
    assert len(report.read_text().splitlines()) == 5


def test_a_report_is_replayed(folder: Path) -> None:
    report = folder / "report.jsonl"
    run("dedup", folder / "in", "-o", folder / "out.jsonl", "--report", report)
    done = run("dedup", folder / "in", "-o", folder / "again.jsonl", "--replay", report)
    assert "67 read, 62 kept, 3 dropped exact, 2 dropped near" in done.stderr
    assert (folder / "again.jsonl").read_bytes() == (folder / "out.jsonl").read_bytes()


def test_a_report_of_other_sources_is_refused(folder: Path) -> None:
    report = folder / "report.jsonl"
    run("dedup", folder / "in", "-o", folder / "out.jsonl", "--report", report)
    first = folder / "in" / "a.jsonl"
    changed = folder / "changed.jsonl"
    changed.write_text(report.read_text().replace('"3-spaced"', '"other"'))
    for arguments, message in (
        ((folder / "all.jsonl", "--replay", report), f"it is of {first}, which is not given"),
        ((folder / "in", "--replay", changed), f"document 'other' of line 61 of {first}"),
        ((folder / "in", "--replay", first), f"{first}:1: expected a line of a report of dedup"),
        ((folder / "in", "--replay", report, "--against", first), "omit --against"),
        (
            (folder / "in", "--replay", report, "--report", first, "--keep", "longest"),
            "--replay drops what a report says; omit --keep, --report",
        ),
    ):
        done = run("dedup", *arguments, "-o", folder / "again.jsonl")
        assert (done.returncode, (folder / "again.jsonl").exists()) == (2, False)
        assert message in done.stderr


@pytest.mark.parametrize("measure", ["records", "cosine", "jaccard"])
def test_others_may_have_a_title_and_no_text(tmp_path: Path, measure: str) -> None:
    one, other = (made_up(2)[i]["text"] for i in (0, 1))
    write(tmp_path / "d.jsonl", [{"id": "a", "text": one}, {"id": "b", "text": other}])
    write(tmp_path / "o.jsonl", [{"title": "a title alone"}, {"id": " ", "text": one}])
    out, others = tmp_path / "out.jsonl", tmp_path / "o.jsonl"
    done = run("dedup", tmp_path / "d.jsonl", "-o", out, "--against", others, "--measure", measure)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["id"] for line in lines_of(out)] == ["b"]


def test_where_much_goes_some_pairs_are_shown(tmp_path: Path) -> None:
    text = " ".join(f"w{number}" for number in range(100))
    source = write(
        tmp_path / "in.jsonl", [{"id": f"n{i}", "text": f"{text} {i}"} for i in range(10)]
    )
    done = run("dedup", source, "-o", tmp_path / "out.jsonl")
    assert done.stderr.splitlines()[1:] == [
        "90% of all documents went as near-duplicates; look at some of them, and raise "
        "--min-similarity if they should have stayed:",
        "  'n1' (line 2) went for 'n0' (line 1), similarity 0.98",
        "  'n5' (line 6) went for 'n0' (line 1), similarity 0.98",
        "  'n9' (line 10) went for 'n0' (line 1), similarity 0.98",
    ]
    first, *pairs = pocketindex.dedup(source, progress=False).report.notes
    assert first.endswith("and raise min_similarity if they should have stayed:")
    assert pairs[0] == "  'n1' went for 'n0', similarity 0.98"
