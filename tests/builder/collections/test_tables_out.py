"""pairs, dedup and check write tables, and read them, as the suffix says."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest
from near_duplicates import collection
from pocketindex.cli import main

DOCUMENTS = [
    {"title": "", **one, "date": str(one.get("date", "")), "n": number}
    for number, one in enumerate(collection())
]


class Ran(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(folder: Path, *arguments: str) -> Ran:
    """The command in this process, which saves the seconds of its start."""
    out, error = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(error):
        try:
            code = main(list(arguments))
        except SystemExit as end:
            code = int(str(end.code))
    return Ran(code, out.getvalue(), error.getvalue())


@contextmanager
def chdir(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return list(pyarrow.parquet.read_table(path).to_pylist())
    if path.suffix == ".arrows":
        with pyarrow.ipc.open_stream(str(path)) as stream:
            return list(stream.read_all().to_pylist())
    if path.suffix == ".csv":
        with path.open(newline="") as lines:
            return list(csv.DictReader(lines))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.open()]
    return list(pyarrow.feather.read_table(path).to_pylist())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(one) + "\n" for one in DOCUMENTS))
    table = pyarrow.Table.from_pylist(DOCUMENTS)
    pyarrow.parquet.write_table(table, tmp_path / "d.parquet", row_group_size=7)
    pyarrow.feather.write_feather(table, str(tmp_path / "d.arrow"), chunksize=9)
    return tmp_path


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "arrows", "csv", "jsonl"])
def test_pairs(folder: Path, suffix: str) -> None:
    shown = run(folder, "pairs", "d.jsonl")
    ran = run(folder, "pairs", "d.parquet", "-o", f"o.{suffix}", "--threads", "1", "--max-memory")
    assert ran.returncode == 2
    options = ["--threads", "1", "--max-memory", "128M", "--progress", "none"]
    ran = run(folder, "pairs", "d.parquet", "-o", f"o.{suffix}", *options)

    assert (ran.returncode, ran.stdout) == (0, "")
    expected = [json.loads(line) for line in shown.stdout.splitlines()]
    found = [
        {**row, "similarity": float(row["similarity"])} for row in read(folder / f"o.{suffix}")
    ]
    assert found == expected


def test_clusters_in_a_table_are_a_row_a_document(folder: Path) -> None:
    shown = run(folder, "pairs", "d.jsonl", "--clusters", "--csv").stdout
    run(folder, "pairs", "d.jsonl", "--clusters", "-o", "o.parquet")

    rows = list(csv.DictReader(io.StringIO(shown)))
    assert [{**row, "cluster": int(row["cluster"])} for row in rows] == read(folder / "o.parquet")


@pytest.mark.parametrize(("source", "out"), [("d.parquet", "parquet"), ("d.arrow", "arrows")])
@pytest.mark.parametrize("keep", ["first", "newest"])
def test_dedup_passes_rows_through(folder: Path, source: str, out: str, keep: str) -> None:
    date = ["--date", "date"] if keep == "newest" else []
    run(folder, "dedup", "d.jsonl", "-o", "o.jsonl", "--keep", keep, "--report", "r.jsonl", *date)
    options = ["--keep", keep, "--report", "r.parquet", *date]
    ran = run(folder, "dedup", source, "-o", f"o.{out}", *options)

    assert ran.returncode == 0, ran.stderr
    assert "67 read" in ran.stderr
    assert read(folder / f"o.{out}") == read(folder / "o.jsonl")
    reported = [
        {name: value for name, value in row.items() if value is not None}
        for row in read(folder / "r.parquet")
    ]
    # The checksum is of the bytes of lines, or of the texts of rows.
    own = {"source": source, "kept_source": source, "source_checksum": ""}
    of_lines = [{**row, **own} for row in read(folder / "r.jsonl")]
    assert len({row.pop("source_checksum") for row in reported}) == 1
    reported = [{**row, "source_checksum": ""} for row in reported]
    assert reported == of_lines
    assert len(reported) > 4


def test_dedup_of_rows_that_are_no_documents(folder: Path) -> None:
    rows = [{**DOCUMENTS[0], "text": " ", "title": "", "n": 99}, *DOCUMENTS, {"text": None}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "e.parquet")
    ran = run(folder, "dedup", "e.parquet", "-o", "o.parquet", "--report", "r.csv", "--id", "n")

    assert "2 skipped" in ran.stderr, ran.stderr
    assert all(row["text"].strip() for row in read(folder / "o.parquet"))
    reported = read(folder / "r.csv")
    assert [row["place"] for row in reported[:2]] == ["e.parquet:1", "e.parquet:69"]


@pytest.mark.parametrize("output", ["o.csv", "o"])
def test_rows_become_neither_csv_nor_what_has_no_name(folder: Path, output: str) -> None:
    ran = run(folder, "dedup", "d.parquet", "-o", output)

    assert ran.returncode == 2
    assert ran.stderr == (
        f"pocketindex: {output}: a row of d.parquet becomes a row or a line; give a name that ends "
        "in .parquet, .arrow, .arrows or .jsonl\n"
    )
    assert not (folder / output).exists()


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "jsonl"])
def test_check(folder: Path, suffix: str) -> None:
    items = [DOCUMENTS[4], {"id": None, "text": "A text that nobody has written. " * 30}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(items), folder / "t.parquet")
    (folder / "t.jsonl").write_text("".join(json.dumps(one) + "\n" for one in items))
    run(folder, "build", "d.parquet", "-o", "d.pocket")
    lines = run(folder, "check", "d.pocket", "t.jsonl", "--json").stdout.splitlines()

    ran = run(folder, "check", "d.pocket", "t.parquet", "-o", f"o.{suffix}")

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("2 items\n  copy              1    50.0 %")
    found = read(folder / f"o.{suffix}")
    assert [one["id"] for one in found] == [DOCUMENTS[4]["id"], "2"]
    for one, line in zip(found, map(json.loads, lines), strict=True):
        evidence = [
            {name: value for name, value in some.items() if value is not None}
            for some in one["evidence"]
        ]
        known = {name: value for name, value in one.items() if value is not None}
        assert {**known, "evidence": evidence} == line


def test_check_as_csv_has_a_row_for_each_document(folder: Path) -> None:
    run(folder, "build", "d.parquet", "-o", "d.pocket")
    ran = run(folder, "check", "d.pocket", "d.parquet", "--csv")

    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert rows[0]["id"] == "doc-0"
    assert {row["evidence_id"] for row in rows if row["id"] == "doc-11"} >= {"doc-11", "11-copy"}
    assert "not found" not in {row["verdict"] for row in rows}
    assert ran.stderr.startswith("67 items")
    assert run(folder, "check", "d.pocket", "d.parquet", "--csv", "--json").stderr.startswith(
        "pocketindex check: argument --json: not allowed with argument --csv; "
    )


def test_a_failed_run_leaves_no_table(folder: Path) -> None:
    for command in "pairs", "dedup":
        assert run(folder, command, "d.parquet", "-o", f"{command}.parquet").returncode == 0
    (folder / "d.parquet").write_bytes((folder / "d.parquet").read_bytes()[:-100])
    for command in "pairs", "dedup":
        before = (folder / f"{command}.parquet").read_bytes()
        ran = run(folder, command, "d.parquet", "-o", f"{command}.parquet")
        assert ran.returncode == 2
        assert "cut short, damaged or no Parquet or Arrow file" in ran.stderr
        assert (folder / f"{command}.parquet").read_bytes() == before


def test_a_batch_is_read_as_a_source(folder: Path) -> None:
    run(folder, "build", "d.parquet", "-o", "d.pocket")
    rows = [{"text": DOCUMENTS[2]["text"]}, {"text": None}, {"text": DOCUMENTS[5]["text"]}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "b.parquet")

    ran = run(folder, "query", "d.pocket", "--batch", "b.parquet", "--top", "1")

    lines = list(map(json.loads, ran.stdout.splitlines()))
    assert [line["id"] for line in lines] == ["1", "2", "3"]
    assert [hit["id"] for line in lines for hit in line["hits"]] == ["doc-2", "doc-5"]
    expected = 'no text: the field "text" has no value, and there is no title'
    assert lines[1]["error"] == f"b.parquet:2: {expected}"
    assert ran.returncode == 2


def test_csv_has_no_name_of_another_kind(folder: Path) -> None:
    ran = run(folder, "pairs", "d.jsonl", "--csv", "-o", "o.parquet")
    assert (ran.returncode, "--csv writes CSV, but the name has" in ran.stderr) == (2, True)
    assert not (folder / "o.parquet").exists()


def test_a_text_is_no_folder(folder: Path) -> None:
    ran = run(folder, "pairs", "d.jsonl", "-o", "o.txt")
    assert "the name is that of a file of the format text; give a name" in ran.stderr


def test_json_has_no_name_of_another_kind(folder: Path) -> None:
    run(folder, "build", "d.jsonl", "-o", "j.pocket")
    ran = run(folder, "check", "j.pocket", "d.jsonl", "--json", "-o", "o.csv")
    assert (ran.returncode, "--json writes JSON Lines, and the name is that" in ran.stderr) == (
        2,
        True,
    )
    assert not (folder / "o.csv").exists()
