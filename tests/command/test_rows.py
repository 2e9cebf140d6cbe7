"""--csv of every command that gives rows, and batches that are read like sources."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pocketindex
import pyarrow
import pyarrow.parquet
import pytest
from made_up import made_up
from run_command import run

DOCUMENTS = [one | {"topic": ["even", "odd"][i % 2]} for i, one in enumerate(made_up(40))]
TEXTS = [DOCUMENTS[3]["text"], DOCUMENTS[8]["text"], "short"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rows")
    for name, some in ("d", DOCUMENTS), ("old", DOCUMENTS[1:]):
        lines = "".join(json.dumps(one) + "\n" for one in some)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        options = ["--label", "topic", "--titles", "--keep", "text"]
        options += ["--index", "documents,passages,words"]
        target = folder / f"{name}.pocket"
        assert run("build", folder / f"{name}.jsonl", "-o", target, *options).returncode == 0
    (folder / "t.txt").write_text(TEXTS[0], encoding="utf-8")
    return folder


def rows(*arguments: str | Path) -> list[dict[str, str]]:
    ran = run(*arguments, "--csv")
    assert ran.returncode in (0, 1), ran.stderr
    return list(csv.DictReader(io.StringIO(ran.stdout)))


CASES = {
    "query": ["query", "d.pocket", "t.txt"],
    "query with exact": ["query", "d.pocket", "t.txt", "--exact"],
    "query of two files": ["query", "d.pocket", "old.pocket", "t.txt"],
    "search": ["search", "d.pocket", TEXTS[0].split()[0]],
    "search in groups": ["search", "d.pocket", TEXTS[0].split()[0], "--group"],
    "sources": ["sources", "d.pocket", "t.txt"],
    "diff": ["diff", "old.pocket", "d.pocket"],
    "summary": ["diff", "old.pocket", "d.pocket", "--summary"],
    "titles": ["titles", "d.pocket", DOCUMENTS[0]["title"][:3]],
    "get": ["get", "d.pocket", DOCUMENTS[0]["id"], DOCUMENTS[1]["id"]],
    "get with texts": ["get", "d.pocket", DOCUMENTS[0]["id"], "--full-text"],
    "verify": ["verify", "d.pocket", "old.pocket"],
    "fingerprint": ["fingerprint", "t.txt"],
}


@pytest.mark.parametrize("case", CASES)
def test_rows_are_those_of_json(case: str, folder: Path) -> None:
    names = {"d.pocket", "old.pocket", "t.txt"}
    arguments = [folder / one if one in names else one for one in CASES[case]]
    expected = [json.loads(line) for line in run(*arguments, "--json").stdout.splitlines()]
    found = rows(*arguments)
    if case.startswith("search"):
        expected.pop()  # what was asked, and how many have it, is no row

    assert expected
    assert len(found) == len(expected)
    for row, line in zip(found, expected, strict=True):
        given = {name: value for name, value in row.items() if value != ""}
        shown = {
            name: json.dumps(value, ensure_ascii=False)
            if isinstance(value, list | dict)
            else str(value)
            for name, value in line.items()
        }
        assert given == {name: value for name, value in shown.items() if value != ""}


def test_a_label_is_a_row(folder: Path) -> None:
    found = rows("classify", folder / "d.pocket", folder / "t.txt")
    line = json.loads(run("classify", folder / "d.pocket", folder / "t.txt", "--json").stdout)

    assert [(row["label"], row["share"]) for row in found] == (
        [(one["label"], str(one["share"])) for one in line["labels"]] or [("", "")]
    )
    assert {row["verdict"] for row in found} == {line["verdict"]}


def test_a_document_has_its_labels(folder: Path) -> None:
    with pocketindex.open(folder / "d.pocket") as index:
        record = index.record(0)
        labels = list(index.labels(record))
    shown = json.loads(run("get", folder / "d.pocket", record.id, "--json").stdout)
    assert shown["labels"] == labels != []


def test_what_csv_does_not_have_is_said(folder: Path) -> None:
    ran = run("query", folder / "d.pocket", folder / "t.txt", "--csv", "--explain")
    assert ran.stderr == "pocketindex: --explain shows what no row of CSV has; use --json\n"
    ran = run("query", folder / "d.pocket", folder / "t.txt", "--text", "body")
    assert ran.stderr == "pocketindex: --text says how a batch is read; give --batch DOCS\n"


def given(form: str, folder: Path) -> tuple[Path, list[str]]:
    """The texts in a form, and the flags that say how to read it."""
    path = folder / form
    records = [{"key": f"k{n}", "body": text} for n, text in enumerate(TEXTS)]
    lines = "".join(json.dumps(one) + "\n" for one in records)
    flags = ["--id", "key", "--text", "body"]
    if form == "folder":
        path.mkdir()
        for n, text in enumerate(TEXTS):
            (path / f"k{n}").with_suffix(".txt").write_text(text, encoding="utf-8")
        return path, []
    if form.endswith(".csv"):
        with path.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, ["key", "body"])
            writer.writeheader()
            writer.writerows(records)
    elif form.endswith(".parquet"):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), path)
    elif form.endswith(".gz"):
        path.write_bytes(gzip.compress(lines.encode()))
    else:
        path.write_text(lines, encoding="utf-8")
        flags += ["--format", "jsonl"]
    return path, flags


@pytest.mark.parametrize("form", ["b.parquet", "b.csv", "folder", "b.jsonl.gz", "b.dat"])
def test_batches_and_test_sets_are_read_like_sources(
    form: str, folder: Path, tmp_path: Path
) -> None:
    path, flags = given(form, tmp_path)
    index = folder / "d.pocket"
    ids = [f"k{n}.txt" for n in range(3)] if form == "folder" else [f"k{n}" for n in range(3)]
    best = [DOCUMENTS[3]["id"], DOCUMENTS[8]["id"]]

    asked = [
        json.loads(line)
        for line in run("query", index, "--batch", path, *flags).stdout.splitlines()
    ]
    assert [line["id"] for line in asked] == ids
    assert [line["hits"][0]["id"] for line in asked[:2]] == best
    assert asked[2] == {"id": ids[2], "error": "too short", "hits": []}
    as_csv = rows("query", index, "--batch", path, *flags)
    assert [
        (row["query"], row["id"], row["error"]) for row in as_csv if row["rank"] in ("1", "")
    ] == [
        (ids[0], best[0], ""),
        (ids[1], best[1], ""),
        (ids[2], "", "too short"),
    ]
    labels = rows("classify", index, "--batch", path, *flags)
    assert {row["id"] for row in labels} == set(ids)
    checked = rows("check", index, path, *flags, "--threads", "2", "--max-memory", "1M")
    found = {row["id"]: row["verdict"] for row in checked}
    assert found == {ids[0]: "copy", ids[1]: "copy", ids[2]: "not found"}


def test_threads_and_memory_decide_no_byte(folder: Path) -> None:
    index, source = folder / "d.pocket", folder / "d.jsonl"
    commands: list[list[str | Path]] = [
        ["query", index, "--batch", source],
        ["classify", index, "--batch", source],
        ["check", index, source, "--source", source, "--json"],
        ["pairs", index],
    ]
    for command in commands:
        shown = {
            run(*command, "--threads", threads, "--max-memory", memory).stdout
            for threads, memory in (("1", "1G"), ("3", "1G"), ("3", "4K"))
        }
        assert len(shown) == 1, command
