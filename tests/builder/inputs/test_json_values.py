"""JSON that is not a line a record: arrays, and objects over several lines."""

from __future__ import annotations

import gzip
import json
import shlex
import tracemalloc
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.opening import json_values
from pocketindex.builder.inputs.rows import jsonl, jsonl_batches
from pocketindex.builder.inputs.source import Place, SourceError, unmeasured
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from reading import as_bytes, opened, read
from run_command import run

DOCUMENTS = made_up(12)
FORMS = {
    "an array in a line": json.dumps(DOCUMENTS),
    "a pretty array": json.dumps(DOCUMENTS, indent=2),
    "a compact array": json.dumps(DOCUMENTS, separators=(",", ":"), ensure_ascii=False),
    "an array line by line": "[\n" + ",\n".join(map(json.dumps, DOCUMENTS)) + "\n]\n",
    "commas first": "[ " + "\n, ".join(map(json.dumps, DOCUMENTS)) + "\n]",
    "pretty objects": "\n".join(json.dumps(one, indent=1) for one in DOCUMENTS),
    "pretty objects in a row": "".join(json.dumps(one, indent=4) for one in DOCUMENTS),
    "lines": "".join(json.dumps(one) + "\n" for one in DOCUMENTS),
    "a byte order mark": "\ufeff" + json.dumps(DOCUMENTS),
    "blank lines first": "\n \r\n" + json.dumps(DOCUMENTS, indent=1).replace("\n", "\r\n"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["d.json", "d.jsonl", "unnamed"])
def test_every_form_gives_the_documents_of_the_lines(form: str, name: str, tmp_path: Path) -> None:
    expected = [Document(one["id"], one["title"], one["text"]) for one in DOCUMENTS]
    (tmp_path / name).write_text(FORMS[form], encoding="utf-8")
    assert read(tmp_path / name) == (expected, [])

    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(FORMS[form].encode()))
    assert read(packed) == (expected, [])
    if name == "d.json":
        (tmp_path / name).write_text(FORMS[form].removeprefix("\ufeff"), encoding="utf-16")
        assert read(tmp_path / name) == (expected, [])


@pytest.mark.parametrize("form", FORMS)
def test_standard_input(form: str, tmp_path: Path) -> None:
    done = run("build", "-", "-o", tmp_path / "x.pocket", stdin=FORMS[form].removeprefix("\ufeff"))
    assert (done.returncode, "12 read, 12 indexed, 0 skipped" in done.stderr) == (0, True)


def test_a_single_object_is_a_document(tmp_path: Path) -> None:
    for indent in (None, 2):
        (tmp_path / "d.json").write_text(json.dumps(DOCUMENTS[0], indent=indent))
        assert [one.id for one in read(tmp_path / "d.json")[0]] == [DOCUMENTS[0]["id"]]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"text": st.text(max_size=20)}, optional={"id": st.text(max_size=4), "x": VALUES}
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([None, 0, 1, 4]),
    st.booleans(),
    st.integers(1, 40),
)
def test_any_records(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[dict[str, Any]],
    indent: int | None,
    is_ascii: bool,
    size: int,
) -> None:
    folder = tmp_path_factory.mktemp("any")
    lines, array = folder / "a.jsonl", folder / "a.json"
    lines.write_text("".join(json.dumps(one) + "\n" for one in records))
    written = json.dumps(records, indent=indent, ensure_ascii=is_ascii)
    array.write_bytes(written.encode(errors="surrogatepass"))
    before, json_values._BUFFER = json_values._BUFFER, size
    try:
        documents, skips = read(array)
        expected, left_out = read(lines)
    finally:
        json_values._BUFFER = before
    assert documents == expected
    assert [skip.reason for skip in skips] == [skip.reason for skip in left_out]


@pytest.mark.parametrize(
    ("content", "message", "whole"),
    [
        (
            '[{"id": 1, "text": "a"},\n]',
            "expected a record, found the end of the array, in line 2",
            1,
        ),
        ('[{"id": 1, "text": "a"},\n\n,{"id": 2, "text": "b"}]', "found a comma, in line 3", 1),
        ('[{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}]', "", 0),
        (
            '[{"id": 1, "text": "a"},\n{"id": 2',
            "cut short: its array is not closed; it ends after 1 record;",
            1,
        ),
        ('[{"id": 1, "text": "a"},{"text": "b', "cut short: its array is not closed", 1),
        ('[{"id": 1, "text": "a\\', "cut short: its array is not closed", 0),
        ('[{"id": 1, "text": "a"}]\n[{"id": 2, "text": "b"}]', "there is more after the end", 1),
        (
            '[{"id": 1, "text": "a"}]}',
            "there is more after the end of the array, in line 1, after 1 record; correct it",
            1,
        ),
        ('[{"id": 1, "text": "a"}}', "there is an unmatched", 0),
        ('{\n"id": 1,\n"text": "a"}\n{\n"id": 2,', "cut short: its last object is not closed", 1),
        ("{", "cut short: its last object is not closed; it ends after 0 records", 0),
    ],
)
def test_what_is_no_array(content: str, message: str, whole: int, tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text(content)
    for read_all in (one_by_one, many):
        seen: list[Any] = []
        if message:
            with pytest.raises(SourceError) as caught:
                read_all(path, seen)
            assert str(caught.value).startswith(f"{path}: ")
            assert message in str(caught.value)
        else:
            read_all(path, seen)
        assert len(seen) == whole


def one_by_one(path: Path, seen: list[Any], place: Place | None = None) -> None:
    for document in jsonl.documents(str(path), lambda skip: None, place=place):
        seen.append(as_bytes(document))


def many(path: Path, seen: list[Any], place: Place | None = None) -> None:
    for some in jsonl_batches.batches(str(path), lambda skip: None, unmeasured, place=place):
        seen += opened(some) if isinstance(some, DocumentBatch) else [as_bytes(some)]


def test_a_record_that_is_wrong_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text(
        '[{"id": 1, "text": "a"}, {"id": 2, "text": "a\nb"}, {"id": 3 "text": "c"},\n'
        '{"id": 4, "text": "[\\"{}\\\\"}, 5, "six", null, [], {"id": 9, "text": "d"}]'
    )
    documents, skips = read(path)
    assert [(one.id, one.text) for one in documents] == [("1", "a"), ("4", '["{}\\'), ("9", "d")]
    assert [(skip.place.rsplit(":")[-1], skip.reason) for skip in skips] == [
        (number, "bad line") for number in "235678"
    ]


def test_lines_that_are_arrays_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('["a"]\n["b"]\n{"id": 1, "text": "words"}\n[]\n')
    documents, skips = read(path)
    assert ([one.id for one in documents], len(skips)) == (["1"], 3)


def test_lines_that_are_cut_off_stay_lines(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"id": 1,\n{"id": 2, "text": "words"}\n{"id": 3, "text": "words"}\n')
    documents, skips = read(path)
    assert ([one.id for one in documents], len(skips)) == (["2", "3"], 1)


def test_it_goes_on_from_a_place(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text(FORMS["a pretty array"])
    for read_all in (one_by_one, many):
        expected: list[Any] = []
        read_all(path, expected)
        place = Place()
        documents = jsonl.documents(str(path), lambda skip: None, place=place)
        for _ in range(5):
            next(documents)
        rest: list[Any] = []
        read_all(path, rest, Place(place.offset, place.lines))
        assert rest == expected[5:]


def test_an_object_with_an_array_says_how_to_take_it_out(tmp_path: Path) -> None:
    for indent in (None, 1):
        path = tmp_path / "d's.json"
        path.write_text(json.dumps({"version": 1, "documents": DOCUMENTS}, indent=indent))
        done = run("build", path, "-o", tmp_path / "x.pocket")
        assert done.returncode == 2
        said = 'the object has no text but an array of records, "documents"; take the records out: '
        assert f"{said}jq -c '.[\"documents\"][]' {shlex.quote(str(path))})" in done.stderr
        done = run("build", "-", "-o", tmp_path / "x.pocket", stdin=path.read_text())
        assert f"{said}jq -c '.[\"documents\"][]')" in done.stderr


def test_memory_does_not_grow_with_the_array(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    text = "words of a text " * 60
    path.write_text(json.dumps([{"id": number, "text": text} for number in range(6_000)]))
    tracemalloc.start()
    try:
        assert sum(1 for _ in jsonl.documents(str(path), lambda skip: None)) == 6_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 5 << 20
    assert peak < 3 << 20


def test_dedup_writes_the_records_of_an_array_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("[\n" + ",\n".join(map(json.dumps, [*DOCUMENTS, *DOCUMENTS[:2]])) + "\n]\n")
    done = run("dedup", path, "-o", path)
    assert (done.returncode, "14 read, 12 kept, 2 dropped exact" in done.stderr) == (0, True)
    assert [json.loads(line) for line in path.read_text().splitlines()] == DOCUMENTS


def test_the_file_is_that_of_the_lines(tmp_path: Path) -> None:
    files = []
    for form in ("lines", "a pretty array", "pretty objects"):
        (tmp_path / "d.json").write_text(FORMS[form])
        pocketindex.build(str(tmp_path / "d.json"), tmp_path / "x.pocket", progress=False)
        files.append((tmp_path / "x.pocket").read_bytes())
    assert files[0] == files[1] == files[2]
