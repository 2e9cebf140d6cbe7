"""Records without ids are numbered, in every format and by every command, and that is said once."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex
import pyarrow
import pyarrow.parquet
import pytest
from made_up import made_up
from pocketindex.builder import NoDocument
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.rows import csv as csv_input
from pocketindex.builder.inputs.source import Place, SourceError
from reading import read
from run_command import run

TEXTS = [one["text"] for one in made_up(30)]
NULLS = [
    {"id": None if number % 3 else f"d{number}", "text": text} for number, text in enumerate(TEXTS)
]
NUMBERED = "records without an id get "


def as_lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def as_csv(records: list[dict[str, Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]))
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().encode()


def as_parquet(records: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), out)
    return out.getvalue()


FORMATS: dict[str, tuple[Callable[[list[dict[str, Any]]], bytes], int]] = {
    "d.jsonl": (as_lines, 1),
    "d.json": (lambda records: json.dumps(records, indent=1).encode(), 1),
    "d.csv": (as_csv, 2),  # the first line has the names
    "d.parquet": (as_parquet, 1),
}


@pytest.mark.parametrize("name", FORMATS)
def test_without_ids_and_with_nulls(name: str, tmp_path: Path) -> None:
    write, first = FORMATS[name]
    numbers = list(map(str, range(first, first + 30)))
    path = tmp_path / name
    path.write_bytes(write([{"text": text} for text in TEXTS]))
    documents, skips = read(path)
    assert [one.id for one in documents] == numbers
    (notice,) = skips
    assert (notice.place, notice.reason) == (str(path), "numbered")
    assert notice.detail.startswith(NUMBERED)

    path.write_bytes(write(NULLS))
    documents, skips = read(path)
    expected = [one["id"] or f"#{number}" for one, number in zip(NULLS, numbers, strict=True)]
    assert [one.id for one in documents] == expected
    assert [skip.reason for skip in skips] == ["numbered"]

    # A name for the ids makes no other of a null.
    renamed = [{"key": one["id"], "text": one["text"]} for one in NULLS]
    path.write_bytes(write(renamed))
    assert [one.id for one in read(path, fields=Fields(id="key"))[0]] == expected


@pytest.mark.parametrize("name", FORMATS)
def test_a_build_says_it_in_one_line(name: str, tmp_path: Path) -> None:
    write, first = FORMATS[name]
    path = tmp_path / name
    path.write_bytes(write([{"text": text} for text in TEXTS]))
    done = run("build", path, "-o", tmp_path / "x.pocket", "--strict")
    assert (done.returncode, done.stderr.count("without an id")) == (0, 1)
    assert f"{path}: {NUMBERED}" in done.stderr.splitlines()[0]
    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert [index.record(number).id for number in range(30)] == [
            str(number + first) for number in range(30)
        ]

    done = run("build", path, "-o", tmp_path / "x.pocket", "--json")
    (note,) = json.loads(done.stdout)["notes"]
    assert NUMBERED in note


@pytest.mark.parametrize("kind", [int, str])
@pytest.mark.parametrize("name", FORMATS)
def test_numbers_are_marked_where_ids_are_whole_numbers(
    name: str, kind: type, tmp_path: Path
) -> None:
    """So that none is the id of another record."""
    write, first = FORMATS[name]
    rows = [
        {"id": None if number % 4 == 0 else kind(29 - number), "text": text}
        for number, text in enumerate(TEXTS)
    ]
    for path, content in (
        (tmp_path / name, write(rows)),
        (tmp_path / f"{name}.gz", gzip.compress(write(rows))),
    ):
        if path.suffix == ".gz" and name == "d.parquet":
            continue
        path.write_bytes(content)
        documents, skips = read(path)
        assert [one.id for one in documents] == [
            f"#{number + first}" if one["id"] is None else str(one["id"])
            for number, one in enumerate(rows)
        ]
        assert [skip.reason for skip in skips] == ["numbered"]
        report = pocketindex.build(str(path), tmp_path / "x.pocket", progress=False)
        assert (report.indexed, report.skipped) == (30, {})
    report = pocketindex.build(pyarrow.Table.from_pylist(rows), tmp_path / "x.pocket")
    assert (report.indexed, report.skipped) == (30, {})


@pytest.mark.parametrize("name", ["d.jsonl", "d.json", "d.csv"])
def test_a_packed_file_gives_the_same_numbers(name: str, tmp_path: Path) -> None:
    content = FORMATS[name][0](NULLS)
    (tmp_path / name).write_bytes(content)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content))
    assert read(tmp_path / name)[0] == read(tmp_path / f"{name}.gz")[0]


def test_several_sources_have_numbers_of_their_own(tmp_path: Path) -> None:
    """The second source has its number before those of its records."""
    (tmp_path / "a.jsonl").write_bytes(as_lines([{"text": text} for text in TEXTS[:3]]))
    (tmp_path / "b.csv").write_bytes(as_csv([{"text": text} for text in TEXTS[3:5]]))
    (tmp_path / "c.parquet").write_bytes(as_parquet([{"text": text} for text in TEXTS[5:7]]))
    assert [one.id for one in read(tmp_path / "[abc].*")[0]] == [
        *("#1", "#2", "#3", "2:2", "2:3", "3:1", "3:2"),
    ]
    report = pocketindex.build(str(tmp_path / "[abc].*"), tmp_path / "x.pocket", progress=False)
    assert (report.indexed, len(report.notes)) == (7, 3)
    assert report.notes[1].endswith("get the number of their line, with 2: before it, as their id")


def test_rows_of_csv_go_on_from_a_place(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes(as_csv([{"text": f"{text}\n{text}"} for text in TEXTS]))
    all_of_them = [one.id for one in read(path)[0]]
    assert all_of_them == list(map(str, range(2, 62, 2)))
    place = Place()
    documents = csv_input.documents(str(path), lambda skip: None, place=place)
    for _ in range(7):
        next(documents)
    rest = csv_input.documents(str(path), lambda skip: None, place=Place(place.offset, place.lines))
    assert [one.id for one in rest] == all_of_them[7:]


def test_a_record_that_lacks_the_field_that_is_named_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"key": 1, "text": "a"}\n{"text": "b"}\n')
    documents, (skip,) = read(tmp_path / "d.jsonl", fields=Fields(id="key"))
    assert ([one.id for one in documents], skip.reason) == (["1"], "no id")
    assert (
        skip.detail == 'no field "key" among "text"; name the field that has the id with id="FIELD"'
    )


def test_a_number_is_no_id_of_another(tmp_path: Path) -> None:
    """Wherever that other one stands: behind all that is looked at, or in another source."""
    late = [{"id": None, "text": TEXTS[2]}]
    late += [{"id": f"d{number}", "text": TEXTS[3]} for number in range(400)]
    for name, (write, first) in FORMATS.items():
        path = tmp_path / name
        path.write_bytes(write([*late, {"id": str(first), "text": TEXTS[1]}]))
        report = pocketindex.build(str(path), tmp_path / "x.pocket", progress=False)
        assert (report.indexed, report.skipped) == (402, {}), name
    (tmp_path / "first.csv").write_bytes(as_csv([{"text": text} for text in TEXTS[:3]]))
    (tmp_path / "second.csv").write_bytes(as_csv([{"id": "2", "text": TEXTS[3]}]))
    sources = [tmp_path / "first.csv", tmp_path / "second.csv"]
    report = pocketindex.build(sources, tmp_path / "x.pocket", progress=False)
    assert (report.indexed, report.skipped) == (4, {})


def test_a_number_that_is_the_id_of_another_is_said(tmp_path: Path) -> None:
    late = [{"text": TEXTS[2]} for number in range(200)]
    path = tmp_path / "d.jsonl"
    path.write_bytes(as_lines([*late, {"id": "1", "text": TEXTS[1]}]))
    assert path.stat().st_size > 1 << 16  # more than is looked at for ids
    report = pocketindex.build(str(path), tmp_path / "x.pocket", progress=False)
    assert report.skipped == {"duplicate id": 1}
    (one,) = report.examples["duplicate id"]
    assert one.place == "1"
    assert "a record without an id has a number, which may be the id of another" in one.detail


def test_from_python(tmp_path: Path) -> None:
    for rows, mark in ((NULLS, ""), (pyarrow.Table.from_pylist(NULLS), "#")):
        expected = [one["id"] or f"{mark}{number}" for number, one in enumerate(NULLS)]
        report = pocketindex.build(rows, tmp_path / "x.pocket", progress=False)
        with pocketindex.open(tmp_path / "x.pocket") as index:
            assert [index.record(number).id for number in range(30)] == expected
        (note,) = report.notes
        assert NUMBERED in note
    upper = [{"ID": "a", "text": text} for text in TEXTS]
    (note,) = pocketindex.build(upper, tmp_path / "x.pocket", progress=False).notes
    assert note.endswith('; if "ID" has the ids, give id="ID"')
    # Texts have none by nature.
    assert pocketindex.build(TEXTS, tmp_path / "x.pocket", progress=False).notes == ()


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "x.pocket"
    rows = [one | {"topic": "ab"[number % 2]} for number, one in enumerate(made_up(30))]
    pocketindex.build(rows, path, label="topic", index=["documents", "words"], progress=False)
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_the_commands_number_and_say_it(name: str, index: Path, tmp_path: Path) -> None:
    write, first = FORMATS[name]
    path = tmp_path / name
    path.write_bytes(write([{"text": text} for text in [*TEXTS[:4], TEXTS[0]]]))
    expected = [str(number + first) for number in range(5)]

    for command in ("query", "classify"):
        done = run(command, index, "--batch", path, "--json")
        assert done.returncode == 0, done.stderr
        assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == expected
        assert done.stderr.count(NUMBERED) == 1
    done = run("check", index, path, "--json")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == expected
    assert done.stderr.count(NUMBERED) == 1
    done = run("pairs", path)
    (pair,) = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, pair["a"], pair["b"]) == (0, expected[0], expected[4])
    assert done.stderr.count(NUMBERED) == 1
    if name != "d.csv":  # of which dedup passes no rows through
        output = tmp_path / ("u.parquet" if name == "d.parquet" else "u.jsonl")
        done = run("dedup", path, "-o", output, "--report", tmp_path / "r.jsonl")
        (dropped,) = map(json.loads, (tmp_path / "r.jsonl").read_text().splitlines())
        assert (done.returncode, dropped["id"], dropped["kept"]) == (0, expected[4], expected[0])
        assert done.stderr.count(NUMBERED) == 1


@pytest.mark.parametrize("name", FORMATS)
def test_an_update_needs_ids(name: str, tmp_path: Path) -> None:
    path, index = tmp_path / name, tmp_path / "x.pocket"
    pocketindex.build(made_up(30), index, progress=False)
    path.write_bytes(FORMATS[name][0]([{"text": TEXTS[0]}]))
    before = index.read_bytes()
    done = run("update", index, path)
    assert done.returncode == 2
    assert done.stderr == (
        f"pocketindex: {path}: a record has no id, which says what document it replaces; "
        "name the field that has the ids with --id FIELD, or give every record an id\n"
    )
    with pytest.raises(SourceError, match="a record has no id"):
        pocketindex.update(index, [{"text": TEXTS[0]}], progress=False)
    with pytest.raises(SourceError, match="a record has no id"):
        pocketindex.update(index, [TEXTS[0]], progress=False)
    assert index.read_bytes() == before


def test_nothing_and_nothing_that_is_a_document(index: Path, tmp_path: Path) -> None:
    empty, bodies = tmp_path / "empty.jsonl", tmp_path / "bodies.jsonl"
    empty.write_text("")
    bodies.write_bytes(as_lines([{"id": 1, "body": text} for text in TEXTS]))
    output = tmp_path / "out.jsonl"
    output.write_text("")
    for arguments, message in (
        (("check", index, empty, "-o", output), "there is no record in it"),
        (("check", index, empty, "--json"), "there is no record in it"),
        (("pairs", empty, "-o", output), "there is no record in it"),
        (("query", index, "--batch", empty), "it has no documents"),
        (("classify", index, "--batch", empty), "it has no documents"),
        (("dedup", empty, "-o", output), "there is no record in it"),
        (("pairs", bodies, "-o", output), "did you mean --text body?"),
        (("dedup", bodies, "-o", output), "did you mean --text body?"),
        (("build", bodies, "-o", tmp_path / "n.pocket"), "did you mean --text body?"),
    ):
        done = run(*arguments)
        assert (done.returncode, message in done.stderr, done.stdout) == (2, True, ""), done.stderr
        assert done.stderr.count("--text") == ("bodies" in str(arguments))
        assert output.read_text() == ""
    rows, plain = [{"id": 1, "body": text} for text in TEXTS], tmp_path / "x.pocket"
    pocketindex.build(made_up(30), plain, progress=False)
    for call in (
        lambda: pocketindex.pairs(rows, progress=False),
        lambda: pocketindex.dedup(rows, progress=False),
        lambda: pocketindex.check(index, rows, progress=False),
        lambda: pocketindex.build(rows, tmp_path / "n.pocket", progress=False),
        lambda: pocketindex.update(plain, rows, progress=False),
    ):
        with pytest.raises(NoDocument, match='did you mean text="body"\\?'):
            call()
    assert len(pocketindex.pairs([], progress=False)) == 0


@pytest.mark.parametrize("name", FORMATS)
def test_a_field_that_is_there_is_not_proposed(name: str, tmp_path: Path) -> None:
    """Where the field `id` is null, or another was named, no field can be meant."""
    write, _ = FORMATS[name]
    (tmp_path / name).write_bytes(write(NULLS))
    _, (notice,) = read(tmp_path / name)
    assert notice.detail.startswith(NUMBERED)
    assert "has the ids" not in notice.detail
