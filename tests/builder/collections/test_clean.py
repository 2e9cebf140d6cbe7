"""check --clean: training data without the documents that contain items, or with a mark."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pocketindex
import pyarrow
import pyarrow.parquet
import pytest
from made_up import made_up
from near_duplicates import write
from run_command import run

TEXTS = [document["text"] for document in made_up(40)]
ITEMS = [" ".join(TEXTS[number].split()[-40:][:13]) for number in (3, 7)]
DIRTY = {12: [0], 13: [0, 1], **{number: [1] for number in range(20, 30)}}
TRAIN: list[dict[str, Any]] = [
    {"id": f"d{n}", "text": " ".join([text, *(ITEMS[one] for one in DIRTY.get(n, []))]), "n": [n]}
    for n, text in enumerate(TEXTS)
    if n not in (3, 7)
]
DROPPED = [f"d{number}" for number in DIRTY]
CLEAN = [row for row in TRAIN if row["id"] not in DROPPED]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "train.jsonl", TRAIN)
    items = [{"id": f"item{number}", "text": text} for number, text in enumerate(ITEMS)]
    write(tmp_path / "test.jsonl", [*items, {"id": "short", "text": "too short"}])
    return tmp_path


def clean(folder: Path, *arguments: str | Path, train: str = "train.jsonl") -> Any:
    return run("check", folder / "test.jsonl", "--clean", folder / train, *arguments)


def test_lines_pass_through_and_each_document_that_goes_is_listed(folder: Path) -> None:
    lines = (folder / "train.jsonl").read_bytes().splitlines(keepends=True)
    report = folder / "report.jsonl"
    with (folder / "train.jsonl").open("ab") as more:
        more.write(b'{"id": "none"}\n')

    done = clean(folder, "-o", folder / "out.jsonl", "--report", report, "--json")

    assert done.returncode == 0, done.stderr
    assert (folder / "out.jsonl").read_bytes() == b"".join(
        line for line, row in zip(lines, TRAIN, strict=True) if row["id"] not in DROPPED
    )
    assert "39 read, 26 kept, 12 dropped, 1 skipped; the dropped ones contain 2 of 3 items" in (
        done.stderr
    )
    assert "1 item was not looked for in the training data" in done.stderr
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    found = [row for row in rows if row["kind"] != "skipped"]
    (skipped,) = (row for row in rows if row["kind"] == "skipped")
    assert (skipped["place"], skipped["reason"]) == (f"{folder / 'train.jsonl'}:39", "no text")
    assert [(row["id"], row["item"]) for row in found] == [
        (f"d{number}", f"item{item}") for number, items in DIRTY.items() for item in items
    ]
    assert {row["source"] for row in found} == {str(folder / "train.jsonl")}
    assert [row["line"] for row in found[:2]] == [11, 12]
    for row in found:
        (passage,) = row["passages"]
        text = next(one["text"] for one in TRAIN if one["id"] == row["id"])
        own = ITEMS[row["item_line"] - 1]
        assert text[passage["document_start"] : passage["document_end"]] == own
        assert row["coverage"] == 1
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["verdict"], one["documents"]) for one in told] == [
        ("passage", 2),
        ("passage", 11),
        ("not found", 0),
    ]


def test_what_was_cleaned_is_clean(folder: Path) -> None:
    clean(folder, "-o", folder / "out.jsonl")
    done = clean(folder, "-o", folder / "again.jsonl", train="out.jsonl")
    assert "26 read, 26 kept, 0 dropped" in done.stdout
    assert (folder / "again.jsonl").read_bytes() == (folder / "out.jsonl").read_bytes()


def test_mark_names_the_items_in_every_line_and_changes_nothing_else(folder: Path) -> None:
    done = clean(folder, "-o", folder / "out.jsonl.gz", "--mark", "contains")
    assert "38 kept, 12 marked" in done.stdout
    rows = [
        json.loads(line)
        for line in gzip.decompress((folder / "out.jsonl.gz").read_bytes()).splitlines()
    ]
    assert [row.pop("contains") for row in rows] == [
        [f"item{one}" for one in DIRTY.get(int(row["id"][1:]), [])] for row in TRAIN
    ]
    assert rows == TRAIN


@pytest.mark.parametrize("mark", [(), ("--mark", "contains")])
def test_rows_keep_their_columns_and_codec(mark: tuple[str, ...], folder: Path) -> None:
    table = pyarrow.Table.from_pylist(TRAIN).replace_schema_metadata({"about": "training"})
    source, out = folder / "train.parquet", folder / "out.parquet"
    pyarrow.parquet.write_table(table, source, compression="zstd")

    assert clean(folder, "-o", out, *mark, train="train.parquet").returncode == 0

    found = pyarrow.parquet.read_table(out)
    assert found.select(table.column_names).to_pylist() == (TRAIN if mark else CLEAN)
    assert pyarrow.parquet.ParquetFile(out).metadata.row_group(0).column(0).compression == "ZSTD"
    assert found.schema.metadata[b"about"] == b"training"
    if mark:
        assert found["contains"].to_pylist()[11] == ["item0", "item1"]


def test_a_folder_gets_a_file_of_each_source(folder: Path) -> None:
    write(folder / "more.jsonl", TRAIN[:13])
    done = clean(folder, folder / "more.jsonl", "-o", f"{folder}/out/")
    assert done.returncode == 0, done.stderr
    counts = [
        len((folder / "out" / name).read_bytes().splitlines())
        for name in ("train.jsonl", "more.jsonl")
    ]
    assert counts == [26, 11]


def test_a_pocket_file_reports_the_items_as_without_clean(folder: Path) -> None:
    pocketindex.build(TRAIN, folder / "t.pocket", index="documents,passages,words", keep="text")
    arguments: list[Path | str] = [folder / "t.pocket", folder / "test.jsonl", "--json"]
    before = run("check", *arguments)
    done = run("check", *arguments, "--clean", folder / "train.jsonl", "-o", folder / "o.jsonl")
    assert (done.stdout, done.returncode) == (before.stdout, 0)
    assert "12 dropped" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["--clean", "train.jsonl"],
            "--clean has no output; give -o OUT, or --report FILE to change nothing",
        ),
        (["--mark", "x"], "--mark is of training data that are cleaned; give --clean TRAIN"),
        ([], "give a FILE.pocket before TESTSET, or --clean TRAIN"),
        (
            ["--clean", "train.jsonl", "-o", "o.jsonl", "--mark", "n"],
            "its records have a field 'n' already; give --mark another name",
        ),
        (["--clean", "train.jsonl", "-o", "test.jsonl"], "test.jsonl"),
        (
            ["--clean", "test.txt", "-o", "o.jsonl"],
            "expected JSON Lines, a JSON array, Parquet",
        ),
        (
            ["--clean", "train.jsonl", "-o", "o.jsonl", "--source", "train.jsonl"],
            "--source is what a FILE.pocket was built from",
        ),
        (["--clean", "body.jsonl", "-o", "o.jsonl"], "did you mean --source-text body?"),
        (
            ["--clean", "broken.jsonl", "-o", "o.jsonl"],
            "name the fields with --source-id and --source-text, or use --keep-going",
        ),
    ],
)
def test_what_does_not_go_together_is_said(
    arguments: list[str], expected: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    Path("test.txt").write_text("A text.")
    Path("body.jsonl").write_text('{"id": "1", "body": "a text of six words"}\n')
    Path("broken.jsonl").write_text('{"id": "1", "text": "a text"}\n' + "{\n" * 2)
    before = Path("test.jsonl").read_bytes()
    done = run("check", "test.jsonl", *arguments)
    assert (done.returncode, expected in done.stderr) == (2, True), done.stderr
    assert not Path("o.jsonl").exists()
    assert Path("test.jsonl").read_bytes() == before


def test_the_function_says_what_the_command_does(folder: Path) -> None:
    found = pocketindex.check(None, [*ITEMS, "too short"], clean=[{"id": "none"}, *TRAIN]).cleaned

    assert found is not None
    assert [row["id"] for row in TRAIN if row not in CLEAN] == list(
        dict.fromkeys(one.id for one in found)
    )
    assert [TRAIN[number - 1] for number in found.kept] == CLEAN
    assert found.mask.sum() == len(CLEAN)
    assert not found.mask[0]
    assert [(one.number, one.item_number) for one in found][:3] == [(11, 0), (12, 0), (12, 1)]
    assert (found.too_short, found.report.left_out) == ([2], 1)
    assert found.to_arrow().num_rows == len(found) == 13
    with pytest.raises(ValueError, match="there is no index; give a pocket file, or clean"):
        pocketindex.check(None, ITEMS)
