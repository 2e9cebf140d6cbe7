"""Records with named fields: JSON Lines, CSV and TSV."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import re
from pathlib import Path

import pocketindex
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made_up import made_up
from pocketindex.builder.document import Document, Skip
from pocketindex.builder.inputs import Options, find_all
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.opening.encoding import guessed
from pocketindex.builder.inputs.rows import csv as csv_input
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.tally import NoDocument
from reading import brief, read
from run_command import run


def test_fields_of_other_names(tmp_path: Path) -> None:
    record = {
        "key": 7,
        "headline": "A",
        "body": "some words",
        "link": "https://example.org/a",
        "when": "2024-05-01",
        "tongue": "en",
    }
    fields = Fields(id="key", title="headline", text="body", url="link", date="when", lang="tongue")
    expected = [Document("7", "A", "some words", "https://example.org/a", "en", "2024-05-01")]
    (tmp_path / "d.jsonl").write_text(json.dumps(record) + "\n")
    (tmp_path / "d.csv").write_text(
        ",".join(record) + "\n" + ",".join(map(str, record.values())) + "\n"
    )
    (tmp_path / "d.tsv").write_text(
        "\t".join(record) + "\n" + "\t".join(map(str, record.values())) + "\n"
    )
    for name in ("d.jsonl", "d.csv", "d.tsv"):
        assert read(tmp_path / name, fields=fields) == (expected, []), name


def test_a_line_without_the_named_field_tells_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(
        '{"id": "a", "text": "words", "date": {"no": "string"}}\n{"id": "b"}\n'
    )

    assert [d.id for d in read(tmp_path / "d.jsonl")[0]] == ["a"]
    (first, second) = read(tmp_path / "d.jsonl", fields=Fields(text="body"))[1]
    assert (first.reason, first.detail) == (
        "no text",
        'no field "body" among "id", "text", "date"; did you mean text="text"?',
    )
    assert (second.reason, second.detail) == (
        "no text",
        'no field "body" among "id"; name the field that has the text with text="FIELD"',
    )


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_the_one_that_gives_the_fields(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "d.csv"
    rows = [
        ["id", "title", "text"],
        ["a", "T, t; t|t", 'words, "quoted"; and\nmore'],
        ["b", "", "ünï"],
    ]
    with path.open("w", encoding="utf-8-sig", newline="") as out:
        csv.writer(out, delimiter=separator).writerows(rows)

    assert read(path) == (
        [Document("a", "T, t; t|t", 'words, "quoted"; and\nmore'), Document("b", "b", "ünï")],
        [],
    )


def test_bad_rows_are_skipped_with_place_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes(
        b"id,text\r\n"
        b"a,words\r\n"
        b"b,words, with a comma\r\n"
        b"\r\n"
        b"c\r\n"
        b",nobody\r\n"
        b'd,"wrong" quotes\r\n'
        b"e, \r\n"
        b'f,"two\r\nlines"\r\n'
        b"g,\xff\xfe bytes\r\n"
        b"h,nul\0byte\r\n"
        b'i,"not closed\r\n'
        b'j,"words"\r\n'
        b"k,words\r\n"
    )
    documents, skips = read(path)

    assert [d.id for d in documents] in (
        ["a", "#6", "f", "g", "h", "k"],
        ["a", "#6", "f", "g", "k"],
    )  # Python 3.10 takes no NUL
    assert documents[3].text == "\ufffd\ufffd bytes"
    rows = [row for row in brief(skips) if row[0] != "d.csv:12"]
    assert rows == [
        ("d.csv:3", "bad row"),
        ("d.csv:5", "bad row"),
        ("d.csv", "numbered"),
        ("d.csv:7", "bad row"),
        ("d.csv:8", "empty"),
        ("d.csv:11", "wrong encoding"),
        ("d.csv:13", "bad row"),
    ]
    assert skips[0].detail == "expected 2 fields as in the first row, found 3"
    assert "line 7" in skips[3].detail
    assert skips[-1].detail.endswith(
        "in line 14; lines 13 to 14 are left out as one row: look for a quote in line 13 that is "
        "not closed"
    )


def test_a_quote_that_is_open_at_the_end_is_an_error(tmp_path: Path) -> None:
    """All that follows it would be one field, as in a file that is cut short."""
    path = tmp_path / "d.csv"
    text = " ".join(made_up(1)[0]["text"].split())
    path.write_text(f'id,text\na,{text}\nb,"{text}\n' + f"c,{text}\n" * 50)
    said = (
        f"{path}: the row in line 3 opens a quote that is not closed: all up to line 53, the "
        "last one, would be one field; close the quote, or write quotes within a field twice"
    )
    done = run("build", path, "-o", tmp_path / "d.pocket")
    assert (done.returncode, done.stderr) == (2, f"pocketindex: {said}\n")

    done = run("build", path, "-o", tmp_path / "d.pocket", "--keep-going")
    assert (done.returncode, said in done.stderr) == (2, True)
    with pocketindex.open(tmp_path / "d.pocket") as index:
        assert [index.record(number).id for number in range(len(index))] == ["a"]


def test_a_first_row_without_the_fields_names_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("key;headline;body\n1;a;b\n")
    with pytest.raises(
        SourceError,
        match=re.escape(
            'd.csv: no field "text" among "key", "headline", "body"; did you mean id="key", '
            'title="headline", text="body"?'
        ),
    ):
        read(path)
    with pytest.raises(
        SourceError,
        match=re.escape(
            'no field "link" among "key", "headline", "body"; name the field that has the url '
            'with url="FIELD"'
        ),
    ):
        read(path, fields=Fields(id="key", title="headline", text="body", url="link"))
    path.write_text("id,text,text\n1,a,b\n")
    with pytest.raises(SourceError, match='expected one field "text", found 2; rename one of them'):
        read(path)
    for nothing in ("", "\n"):
        path.write_text(nothing)
        with pytest.raises(
            SourceError, match="it is empty; expected a first row with the names of the fields"
        ):
            read(path)
    path.write_bytes(b'"id,text\n1,a\n')
    with pytest.raises(SourceError, match="its first row cannot be read"):
        read(path)


@pytest.mark.parametrize("separator", [";", "\t", "|"])
@pytest.mark.parametrize("first", ["title", "the\ntitle"])
def test_names_in_quotes_stand_behind_any_separator(
    separator: str, first: str, tmp_path: Path
) -> None:
    path = tmp_path / "d.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL)
        writer.writerows([[first, "id", "text"], ["A", "a", "words, and more"]])
    documents, skips = read(path, fields=Fields(title=first))
    assert (documents, skips) == ([Document("a", "A", "words, and more")], [])


def test_no_line_is_lost_to_a_separator_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text('id;x,"y;text\na;b;words\n')
    with pytest.raises(SourceError, match="its first row cannot be read"):
        read(path)


def test_an_empty_first_row_is_said(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("\nid,text\na,words\n")
    with pytest.raises(SourceError, match=r"d\.csv: its first row is empty; expected"):
        read(path)


def test_huge_fields_cost_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "d.csv"
    monkeypatch.setattr(csv_input, "LINE_BYTES", 200_000)
    path.write_text("id,text\na,words\nb," + "x" * 300_000 + '\nc,"words"\n')
    documents, skips = read(path)
    assert [d.id for d in documents] == ["a", "c"]
    assert [(s.place.rsplit(":")[-1], s.reason, s.detail) for s in skips] == [
        ("3", "too long", "line 3 has 300,003 bytes, expected at most 200,000")
    ]

    old = csv.field_size_limit()
    monkeypatch.setattr(csv_input, "FIELD_CHARACTERS", 1000)
    csv.field_size_limit(1000)
    try:
        path.write_text("id,text\na," + "x" * 2_000 + "\nc,words\n")
        documents, skips = read(path)
    finally:
        csv.field_size_limit(old)
    assert ([d.id for d in documents], brief(skips)) == (["c"], [("d.csv:2", "too long")])


def test_names_of_fields_where_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(
        SourceError,
        match=(
            r'a\.txt: it has no records with fields to name with text="FIELD"; these formats have: '
            r"csv, .*jsonl"
        ),
    ):
        find_all([str(tmp_path / "a.txt")], Options(fields=Fields(text="body")))


ROWS = [["id", "title", "text"], ["a", "Ä", "some words"], ["b", "", "ünï\ncode"]]
READ = [Document("a", "Ä", "some words"), Document("b", "b", "ünï\ncode")]


def written_with(separator: str, ends: str = "\r\n") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=ends).writerows(ROWS)
    return out.getvalue()


@pytest.mark.parametrize("packing", ["", ".gz"])
@pytest.mark.parametrize(
    "content",
    [
        written_with("\t").encode("utf-16"),  # what Excel calls Unicode text
        b"\xfe\xff" + written_with(";").encode("utf-16-be"),
        written_with(";").encode("utf-8-sig"),
        ("sep=;\r\n" + written_with(";")).encode(),
        ("\ufeffsep=|\r\n" + written_with("|")).encode(),
        ('"sep=,"\n' + written_with(",", "\n")).encode(),
        ("SEP=\t\r\n" + written_with("\t")).encode("utf-16"),
    ],
)
def test_csv_as_excel_writes_it(content: bytes, packing: str, tmp_path: Path) -> None:
    path = tmp_path / f"d.csv{packing}"
    path.write_bytes(gzip.compress(content) if packing else content)
    assert read(path) == (READ, [])


def test_lines_that_end_in_carriage_returns_alone(tmp_path: Path) -> None:
    """As Excel writes for a Macintosh."""
    path = tmp_path / "d.csv"
    path.write_bytes(written_with(",", "\n").encode().replace(b"\n", b"\r"))
    assert read(path) == (READ, [])
    path.write_bytes(b"id,text\r1,a\r2\r3,b")
    documents, (skip,) = read(path)
    assert [one.id for one in documents] == ["1", "3"]
    assert skip.place == f"{path}:3"


def test_utf16_without_a_byte_order_mark_is_a_guess(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes(written_with(",").encode("utf-16-le"))
    documents, (notice,) = read(path)
    assert documents == READ
    assert "UTF-16-LE is a guess; name the encoding, such as" in notice.detail
    assert read(path, encoding="utf-16-le") == (READ, [])


def test_an_encoding_outranks_the_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes("id,text\na,wörds\n".encode("utf-16"))
    with pytest.raises(SourceError):
        read(path, encoding="cp1252")


def test_rows_with_empty_fields_at_the_end_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("id;text\na;words;;\nb;words;more\nc;words;\n;;;\n")
    documents, skips = read(path)
    assert [one.id for one in documents] == ["a", "c"]
    assert brief(skips) == [("d.csv:3", "bad row"), ("d.csv:5", "empty")]


def test_a_first_row_that_is_a_document(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("1,first,some words\n2,second,more words\n")
    with pytest.raises(SourceError) as caught:
        read(path)
    assert caught.value.problem == (
        'no field "text" among "1", "first", "some words"; name the field that has the text with '
        'text="FIELD"; if its first row is a document, add a row of names before it'
    )


def test_header_names_steer_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("\x1b[31mred,words\n1,a\n")
    with pytest.raises(SourceError) as caught:
        read(tmp_path / "d.csv")
    assert "\x1b" not in str(caught.value)


CELLS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=12)


def written(row: tuple[str, str]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(row)
    return out.getvalue()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), max_size=8))
@example([("", "0"), ("0", "")])
def test_what_csv_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([("id", "text"), *rows])
    path = tmp_path_factory.mktemp("csv") / "d.csv"
    path.write_bytes(out.getvalue().encode())
    documents, skips = read(path)

    ends = list(
        itertools.accumulate((cells.count("\n") for cells in map(written, rows)), initial=2)
    )
    assert [(d.id, d.text) for d in documents] == [
        (id or f"#{line}", text)
        for (id, text), line in zip(rows, ends, strict=False)
        if text and not text.isspace()
    ]
    assert len(documents) + sum(isinstance(skip, Skip) for skip in skips) == len(rows)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_as_csv(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("csv") / "d.csv"
    content = b"id,text\n" + content
    path.write_bytes(content)
    try:
        documents, skips = read(path)
    except SourceError:
        assert b'"' in content or guessed(content)  # one that is open at the end
        return

    assert len(documents) + sum(isinstance(skip, Skip) for skip in skips) <= content.count(
        b"\n"
    ) + content.count(b"\r")


def test_a_field_that_is_null_is_not_said_to_be_missing(tmp_path: Path) -> None:
    source = tmp_path / "d.jsonl"
    source.write_text('{"id": "b", "text": null}\n')
    for documents in source, [{"id": "b", "text": None}]:
        with pytest.raises(NoDocument) as error:
            pocketindex.build(documents, tmp_path / "x.pocket")
        assert 'the field "text" has no value, and there is no title' in str(error.value)
        assert "found" not in str(error.value)
