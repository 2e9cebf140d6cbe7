"""Which field is what: names that are wrong, names of fields within fields, and values of every
type.
"""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest
from made_up import made_up
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.source import SourceError
from pocketindex.errors import as_typed
from reading import read

TEXTS = [one["text"] for one in made_up(8)]


@pytest.mark.parametrize(
    ("there", "meant"),
    [
        (["id", "Text"], "--text Text"),
        (["id", "TEXT"], "--text TEXT"),
        (["id", "content"], "--text content"),
        (["id", "body"], "--text body"),
        (["id", "texts"], "--text texts"),
        (["ID", "Titel", "Inhalt"], "--id ID --title Titel --text Inhalt"),
        (["_id", "headline", "Body"], "--id _id --title headline --text Body"),
        (["id", "the body", "Text 1", "content"], "--text content"),
        (["id", "body", "Text"], "--text Text"),
        (["id", "Article Text", "abstract"], "--text abstract"),
        (["id", " text "], '--text " text "'),
    ],
)
def test_what_may_be_meant(there: list[str], meant: str, tmp_path: Path) -> None:
    listed = ", ".join(f'"{name}"' for name in there)
    detail = f'no field "text" among {listed}; did you mean {meant}?'
    (tmp_path / "d.jsonl").write_text(json.dumps(dict.fromkeys(there, "words")) + "\n")
    with as_typed():
        assert [skip.detail for skip in read(tmp_path / "d.jsonl")[1]] == [detail]

    table = pyarrow.table({name: ["words"] for name in there})
    pyarrow.parquet.write_table(table, tmp_path / "d.parquet")
    with as_typed(), pytest.raises(SourceError) as caught:
        read(tmp_path / "d.parquet")
    assert caught.value.problem == detail


def test_all_that_is_missing_is_told_at_once(tmp_path: Path) -> None:
    fields = Fields(id="nr", text="words", url="link")
    said = (
        'no fields "nr", "words" and "link" among "id", "text"; did you mean --id id --text text?'
    )
    (tmp_path / "d.csv").write_text("id,text\n1,words\n")
    with as_typed(), pytest.raises(SourceError) as caught:
        read(tmp_path / "d.csv", fields=fields)
    assert caught.value.problem == said
    for rows in pyarrow.table({"id": ["1"], "text": ["a"]}), [{"id": "1", "text": "a"}]:
        with pytest.raises(
            SourceError if isinstance(rows, pyarrow.Table) else pocketindex.builder.NoDocument,
            match=r'"words".* among "id", "text"; did you mean .*text="text"\?',
        ):
            pocketindex.build(rows, tmp_path / "x.pocket", id="nr", text="words", progress=False)


def test_python_is_told_of_its_arguments(tmp_path: Path) -> None:
    rows = [{"key": "1", "body": text} for text in TEXTS]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "d.parquet")
    index = tmp_path / "x.pocket"
    pocketindex.build(made_up(8), index, progress=False)
    sources: list[Any] = [rows, pyarrow.Table.from_pylist(rows)]
    sources += [tmp_path / "d.jsonl", tmp_path / "d.parquet"]
    for given in sources:
        for call in (
            lambda given: pocketindex.build(given, tmp_path / "n.pocket", progress=False),
            lambda given: pocketindex.pairs(given, progress=False),
            lambda given: pocketindex.dedup(given, progress=False),
            lambda given: pocketindex.check(index, given, progress=False),
            lambda given: pocketindex.update(index, given, progress=False),
        ):
            with pytest.raises(
                pocketindex.PocketError,
                match='did you mean id="key", text="body"\\?',
            ) as caught:
                call(given)
            assert "--" not in str(caught.value).replace(str(tmp_path), "")


def test_no_more_than_sixty_characters_of_a_value(tmp_path: Path) -> None:
    texts = [f"a long text of number {number} " * 40 for number in "12"]
    for name, content in (
        ("a.csv", f'first,"{texts[0]}"\nsecond,"{texts[1]}"\n'),
        ("a.tsv", f"first\t{texts[0]}\nsecond\t{texts[1]}\n"),
        ("a.csv", f"first;{texts[0]};3\nsecond;{texts[1]};4\n"),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(SourceError) as caught:
            read(tmp_path / name)
        assert f'"{texts[0][:57]}..."' in caught.value.problem
        assert texts[0][:58] not in caught.value.problem
        assert caught.value.problem.endswith(
            "if its first row is a document, add a row of names before it"
        )
    (tmp_path / "a.jsonl").write_text(json.dumps({texts[0]: 1, "text": [texts[0]]}) + "\n")
    for fields in Fields(), Fields(text=texts[0]), Fields(id=texts[1]):
        (skip,) = read(tmp_path / "a.jsonl", fields=fields)[1]
        assert texts[0][:58] not in skip.detail
        assert texts[1][:58] not in skip.detail


NESTED = [
    {"id": 1, "doc": {"text": "nested", "n": {"title": "deep"}}, "doc.text": "of this very name"},
    {"id": 2, "doc": {"text": "nested too", "n": {"title": None}}, "doc.text": None},
]


@pytest.mark.parametrize("name", ["d.jsonl", "d.json", "d.parquet"])
def test_fields_within_fields(name: str, tmp_path: Path) -> None:
    def write(rows: list[dict[str, Any]]) -> None:
        if name == "d.parquet":
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / name)
        else:
            lines = map(json.dumps, rows)
            array = f"[{', '.join(lines)}]"
            content = array if name == "d.json" else "".join(json.dumps(one) + "\n" for one in rows)
            (tmp_path / name).write_text(content)

    fields = Fields(text="doc.text", title="doc.n.title")
    write([{key: one[key] for key in ("id", "doc")} for one in NESTED])
    assert read(tmp_path / name, fields=fields) == (
        [Document("1", "deep", "nested"), Document("2", "2", "nested too")],
        [],
    )
    write(NESTED)
    documents, (skip,) = read(tmp_path / name, fields=fields)
    assert documents == [Document("1", "deep", "of this very name")]
    assert skip.reason == "no text"
    report = pocketindex.build(
        tmp_path / name, tmp_path / "x.pocket", text="doc.text", least_terms=1, progress=False
    )
    assert (report.indexed, report.skipped) == (1, {"no text": 1})


def test_fields_within_fields_from_python(tmp_path: Path) -> None:
    rows = [{"id": number, "doc": {"text": text}} for number, text in enumerate(TEXTS)]
    files = []
    for given in (
        rows,
        pyarrow.Table.from_pylist(rows),
        iter(rows),
    ):
        pocketindex.build(given, tmp_path / "x.pocket", text="doc.text", progress=False)
        files.append((tmp_path / "x.pocket").read_bytes())
    assert files[0] == files[1] == files[2]
    pocketindex.build(list(enumerate(TEXTS)), tmp_path / "x.pocket", progress=False)
    assert (tmp_path / "x.pocket").read_bytes() == files[0]


def test_a_struct_that_is_null_has_no_fields(tmp_path: Path) -> None:
    rows = [{"id": "a", "doc": {"text": "words"}}, {"id": "b", "doc": None}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "d.parquet")
    documents, (skip,) = read(tmp_path / "d.parquet", fields=Fields(text="doc.text"))
    assert ([one.id for one in documents], skip.reason) == (["a"], "no text")


@pytest.mark.parametrize(
    "type",
    [
        pyarrow.string(),
        pyarrow.large_string(),
        pyarrow.string_view(),
        pyarrow.binary(),
        pyarrow.large_binary(),
        pyarrow.binary_view(),
        pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),  # as pandas' Categorical
        pyarrow.dictionary(pyarrow.int32(), pyarrow.large_string()),
    ],
    ids=str,
)
def test_strings_of_every_type(type: Any, tmp_path: Path) -> None:
    def column(values: list[str | None]) -> Any:
        plain = pyarrow.array(values, pyarrow.string())
        return (
            plain.dictionary_encode().cast(type) if "dictionary" in str(type) else plain.cast(type)
        )

    table = pyarrow.table({"id": column(["a", None, "ü"]), "text": column(["x y", "z", "x y"])})
    expected = [("a", "x y"), ("#2", "z"), ("ü", "x y")]
    for name, opened in ("d.arrow", pyarrow.ipc.new_file), ("d.arrows", pyarrow.ipc.new_stream):
        with opened(str(tmp_path / name), table.schema) as out:
            out.write_table(table)
        assert [(one.id, one.text) for one in read(tmp_path / name)[0]] == expected
    assert len(pocketindex.pairs(table, progress=False)) == 1


def test_numbers_as_ids_titles_and_texts(tmp_path: Path) -> None:
    rows = [{"id": 7, "title": 1984, "text": 42}, {"id": 8, "title": 0.5, "text": 2.5}]
    expected = [Document("7", "1984", "42"), Document("8", "0.5", "2.5")]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    assert read(tmp_path / "d.jsonl") == (expected, [])
    # As pandas has whole numbers of which one is missing.
    table = pyarrow.table(
        {"id": [7.0, float("nan"), 8.0], "title": [1984, None, 5], "text": ["a", "b", "c"]}
    )
    pyarrow.parquet.write_table(table, tmp_path / "d.parquet")
    documents, (notice,) = read(tmp_path / "d.parquet")
    assert [(one.id, one.title) for one in documents] == [("7", "1984"), ("#2", "#2"), ("8", "5")]
    assert notice.reason == "numbered"
    given = [
        {"id": np.float64(3), "text": TEXTS[0]},
        {"id": float("nan"), "text": TEXTS[1]},
        {"id": np.int32(4), "text": TEXTS[2], "title": np.float32(0.5)},
        {"id": 2.5, "text": TEXTS[3]},
    ]
    pocketindex.build(given, tmp_path / "x.pocket", progress=False)
    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert [index.record(number).id for number in range(4)] == ["3", "1", "4", "2.5"]
        assert index.record(2).title == "0.5"


def test_what_is_no_text_is_said(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(
        '{"id": 1, "text": ["a", "b"]}\n{"id": 2, "text": true}\n{"id": [3], "text": "a"}\n'
    )
    assert [skip.detail for skip in read(tmp_path / "d.jsonl")[1]] == [
        'expected a string or a number as "text", found a list',
        'expected a string or a number as "text", found true or false',
        'expected a string or a number as "id", found a list',
    ]
    given = [{"text": ["a"]}, {"text": True}, {"id": Decimal(1), "text": "a"}]
    with pytest.raises(pocketindex.builder.NoDocument, match="3 bad record"):
        pocketindex.build(given, tmp_path / "x.pocket", progress=False)
    table = pyarrow.table({"text": [["a", "b"]]})
    with pytest.raises(
        SourceError,
        match=r'expected strings or numbers in the column "text", found list<.*>; name another '
        r'with text="FIELD"',
    ):
        pocketindex.build(table, tmp_path / "x.pocket", progress=False)


def test_times_as_dates(tmp_path: Path) -> None:
    times = [datetime.datetime(2020, 1, day, 12, tzinfo=datetime.timezone.utc) for day in (1, 2)]
    for type in ("s", "us", "ns"):
        when = pyarrow.array(times).cast(pyarrow.timestamp(type, "UTC"))
        table = pyarrow.table({"id": ["a", "b"], "text": ["x", "y"], "when": when})
        pyarrow.parquet.write_table(table, tmp_path / "d.parquet")
        dates = [one.date for one in read(tmp_path / "d.parquet", fields=Fields(date="when"))[0]]
        assert [date[:16] for date in dates] == ["2020-01-01 12:00", "2020-01-02 12:00"]
    newest = [1]
    for values in (
        times,
        [np.datetime64("2020-01-01"), np.datetime64("2020-01-02T10:00", "ns")],
        [np.datetime64("NaT"), np.datetime64("2020-01-02")],
    ):
        given = [{"text": TEXTS[0], "when": value} for value in values]
        kept = pocketindex.dedup(given, keep="newest", date="when", progress=False).kept
        assert kept == newest
