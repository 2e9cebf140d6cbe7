"""Parquet, Arrow and Feather files, whole and damaged."""

from __future__ import annotations

import datetime
import io
import re
import sys
from pathlib import Path
from typing import Any

import fuzzed_inputs
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.options import Options
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read

ROWS = {
    "id": ["a", "b", None, "d", "e"],
    "text": ["words", "more words", "x", None, " "],
    "title": ["A", None, "", "", ""],
}
EXPECTED = [
    Document("a", "A", "words"),
    Document("b", "b", "more words"),
    Document("#3", "#3", "x"),
]


def table(count: int) -> Any:
    return pyarrow.table(
        {
            "id": list(map(str, range(count))),
            "text": [f"words of document {i}" for i in range(count)],
            "n": [1.5] * count,
        }
    )


def write(path: Path, rows: Any) -> Path:
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(rows, path, row_group_size=1000)
    elif path.suffix == ".feather":
        pyarrow.feather.write_feather(rows, path, chunksize=500)
    else:
        opened = pyarrow.ipc.new_stream if path.suffix == ".arrows" else pyarrow.ipc.new_file
        with opened(str(path), rows.schema) as out:
            out.write_table(rows, max_chunksize=500)
    return path


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow", "arrows"])
def test_rows_are_documents(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"d.{suffix}", pyarrow.table(ROWS))
    documents, skips = read(path)

    assert documents == EXPECTED
    name = path.name
    assert brief(skips) == [
        (name, "numbered"),
        (f"{name}:4", "no text"),
        (f"{name}:5", "empty"),
    ]
    many, skips = read(write(tmp_path / f"m.{suffix}", table(2500)))
    assert ([int(d.id) for d in many], skips) == (list(range(2500)), [])
    path.rename(tmp_path / "unnamed")
    assert read(tmp_path / "unnamed")[0] == EXPECTED


def test_types_of_columns(tmp_path: Path) -> None:
    day = datetime.date(2024, 5, 1)
    rows = pyarrow.table(
        {
            "key": pyarrow.array([1, 2], pyarrow.uint64()),
            "body": pyarrow.array(["ä", "b"]).dictionary_encode(),
            "when": pyarrow.array([day, None]),
            "score": [0.5, 0.5],
        }
    )
    fields = Fields(id="key", text="body", date="when")
    path = write(tmp_path / "d.parquet", rows)
    assert read(path, fields=fields)[0] == [
        Document("1", "1", "ä", date="2024-05-01"),
        Document("2", "2", "b"),
    ]
    assert [d.text for d in read(path, fields=Fields(id="key", text="score"))[0]] == ["0.5", "0.5"]
    with pytest.raises(
        SourceError,
        match=re.escape(
            'expected strings or numbers in the column "when", found date32[day]; name another '
            'with text="FIELD"'
        ),
    ):
        read(path, fields=Fields(id="key", text="when"))
    with pytest.raises(
        SourceError,
        match=re.escape(
            'no field "text" among "key", "body", "when", "score"; did you mean id="key", '
            'text="body"?'
        ),
    ):
        read(path)
    for type in (pyarrow.large_string(), pyarrow.binary(), pyarrow.string_view()):
        path = write(
            tmp_path / "t.arrow",
            pyarrow.table({"id": ["a"], "text": pyarrow.array(["ü"]).cast(type)}),
        )
        assert read(path)[0] == [Document("a", "a", "ü")], type


@pytest.mark.parametrize("part", ["id", "title", "text"])
@pytest.mark.parametrize("packed", [False, True])
def test_nan_is_a_missing_value_in_batches_too(tmp_path: Path, part: str, packed: bool) -> None:
    numbers = pyarrow.array([1.0, float("nan")])
    columns = {"id": ["7", "8"], "title": ["A", "B"], "text": ["words", "more"]}
    columns[part] = numbers.dictionary_encode() if packed else numbers
    path = tmp_path / "d.arrow"
    pyarrow.feather.write_feather(pyarrow.table(columns), path)
    found = fuzzed_inputs.read(str(path), Options())
    assert fuzzed_inputs.read(str(path), Options(), in_batches=True) == found
    assert all(b"nan" not in fields for fields in found.documents)
    assert found.records == 2


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    rows = pyarrow.table({"id": ["a"], "text": pyarrow.array([b"a\xff\0b"])})
    assert read(write(tmp_path / "d.parquet", rows))[0][0].text == "a\ufffd\0b"


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow", "arrows"])
def test_cut_short(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"d.{suffix}", table(3000))
    content = path.read_bytes()
    for size in (5, 100, len(content) // 2, len(content) - 20):
        path.write_bytes(content[:size])
        with pytest.raises(
            SourceError,
            match=(
                rf"d\.{suffix}: cut short, damaged or no Parquet or Arrow file \(.*\): it stops "
                r"after [\d,]+ rows; copy or download"
            ),
        ):
            read(path)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(["parquet", "arrow", "arrows"]),
    st.lists(st.tuples(st.integers(0, 100_000), st.integers(0, 255)), max_size=4),
)
def test_damage_is_an_error_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, changes: list[tuple[int, int]]
) -> None:
    path = write(tmp_path_factory.getbasetemp() / f"damaged.{suffix}", table(50))
    content = bytearray(path.read_bytes())
    for place, value in changes:
        content[place % len(content)] = value
    path.write_bytes(content)
    try:
        documents, _ = read(path)
    except SourceError as error:
        assert error.source == str(path)  # noqa: PT017
    else:
        assert all(isinstance(d, Document) for d in documents)


def test_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = write(tmp_path / "d.parquet", pyarrow.table(ROWS)).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert read("-", "parquet")[0] == EXPECTED


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "d.parquet", pyarrow.table(ROWS))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SourceError, match=re.escape("pip install 'pocketindex[parquet]'")):
        read(path)
