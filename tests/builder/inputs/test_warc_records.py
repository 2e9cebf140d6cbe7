"""Records of WARC files of every kind, odd ones among them, and damage that costs one record."""

from __future__ import annotations

import gzip
import struct
import sys
import zlib
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pdf import made_pdf
from made_warc import DATE, http, warc
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document, Notice, Skip
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.tally import is_ordinary
from reading import brief, read

PAGE = b"<title>A title</title><p>words of a page"
TEXT = b"words of a text"
LAST = warc(http(PAGE), url="http://last/")


def found(
    tmp_path: Path, content: bytes, encoding: str | None = None
) -> tuple[list[Document], list[Skip | Notice]]:
    """What is in a file of these records and one that is as usual."""
    (tmp_path / "d").write_bytes(content + LAST)
    documents, skips = read(tmp_path / "d", encoding=encoding)
    assert (documents[-1].id, documents[-1].text) == ("http://last/", "words of a page")
    return documents[:-1], skips


@pytest.mark.parametrize(
    ("record", "title", "text"),
    [
        (warc(PAGE, "resource", type="text/html"), "A title", "words of a page"),
        (warc(TEXT, "resource", type="text/plain; charset=utf-8"), "http://a/", TEXT.decode()),
        (warc(TEXT, "conversion", type="text/plain"), "http://a/", TEXT.decode()),
        (warc(b"# H\nwords", "resource", type="text/markdown"), "H", "\u2005H\nwords"),
        (warc(made_pdf(["words"], "T"), "resource", type="application/pdf"), "T", "words"),
        (warc(http(TEXT, "text/plain")), "http://a/", TEXT.decode()),
        (warc(http(b"# H\nwords", "text/markdown")), "H", "\u2005H\nwords"),
        (warc(http(made_pdf(["words"], "T"), "application/pdf")), "T", "words"),
        # No type of the record, of its content, of either
        (warc(http(PAGE), kind=""), "A title", "words of a page"),
        (warc(http(PAGE), kind="", type=""), "A title", "words of a page"),
        (warc(http(PAGE), type=""), "A title", "words of a page"),
        (warc(PAGE, kind="", type="text/html"), "A title", "words of a page"),
        (warc(http(PAGE, type="")), "A title", "words of a page"),
        (warc(http(b"<!doctype html>" + PAGE, type="unknown/unknown")), "A title", None),
        (warc(http(TEXT, type="")), "http://a/", TEXT.decode()),
        (warc(http(made_pdf(["words"], "T"), type="")), "T", "words"),
        (
            warc(http(TEXT, type=""), more="WARC-Identified-Payload-Type: text/html"),
            "http://a/",
            TEXT.decode(),
        ),
        # A response under the type of its content
        (warc(PAGE, type="text/html"), "A title", "words of a page"),
        # Status lines
        (warc(http(PAGE, status="HTTP/2 200")), "A title", "words of a page"),
        (warc(http(PAGE, status="http/1.0 206 Partial")), "A title", "words of a page"),
        (warc(http(PAGE, status="")), "A title", "words of a page"),
        # Headers
        (warc(http(PAGE, "TEXT/HTML,text/html")), "A title", "words of a page"),
        (warc(http(PAGE, '\r\n text/html;\r\n\tcharset="utf-8"')), "A title", "words of a page"),
        (warc(http(PAGE), version="warc/1.0"), "A title", "words of a page"),
        (warc(http(PAGE), version="WARC/0.17"), "A title", "words of a page"),
        (warc(http(PAGE), version="WARC/1.1"), "A title", "words of a page"),
        (warc(http(PAGE), end="\n"), "A title", "words of a page"),
        (warc(http(PAGE), type="application/http;\r\n\tmsgtype=response"), "A title", None),
        (warc(http(PAGE), more="Odd line\r\nX-Folded: a\r\n  b: c"), "A title", None),
        (warc(http(PAGE), more="Content-Length: 7"), "A title", "words of a page"),
        (b"\r\n\r\n" + warc(http(PAGE)), "A title", "words of a page"),
        (warc(http(PAGE)).rstrip() + b"\r\n", "A title", "words of a page"),
    ],
)
def test_records_with_a_document(
    tmp_path: Path, record: bytes, title: str, text: str | None
) -> None:
    (document,), skips = found(tmp_path, record)
    assert document == Document(
        "http://a/", title, text or "words of a page", "http://a/", date=DATE
    )
    assert skips == []


def test_addresses(tmp_path: Path) -> None:
    (document,), _ = found(tmp_path, warc(http(PAGE), url="<http://a/b c>"))
    assert (document.id, document.url) == ("http://a/b c", "http://a/b c")
    folded = warc(http(PAGE), url="http://a/\r\n b")
    assert found(tmp_path, folded)[0][0].id == "http://a/ b"
    assert brief(found(tmp_path, warc(http(PAGE), url=""))[1]) == [("d:1", "no id")]


@pytest.mark.parametrize(
    ("record", "reason", "detail"),
    [
        (warc(b"software: x", "warcinfo", ""), "other kind: warcinfo record", "no document"),
        (warc(b"GET / HTTP/1.1\r\n\r\n", "request"), "other kind: request record", ""),
        (warc(b"GET / HTTP/1.1\r\n\r\n", "", type=""), "other kind: request record", ""),
        (warc(b"a: b", "metadata"), "other kind: metadata record", ""),
        (warc(PAGE, "continuation"), "other kind: continuation record", ""),
        (warc(PAGE, "monkeys"), "other kind: monkeys record", ""),
        (
            warc(http(b"\x89PNG", "image/png")),
            "other kind: image/png",
            "this media type",
        ),
        (warc(http(b"\x89PNG\0", "")), "other kind: no media type", ""),
        (warc(b"1.2.3.4", type="text/dns", url="dns:a"), "other kind: text/dns", ""),
        (warc(http(b"", status="HTTP/1.1 304 Not Modified")), "http status", "the answer was 304"),
        (warc(b"HTTP/1.1 404 Not Found", "response"), "http status", "the answer was 404"),
        (
            warc(b"", "revisit", more="WARC-Refers-To-Date: 2020-01-02"),
            "revisit",
            "the response is that of 2020-01-02, whose record has it",
        ),
    ],
)
def test_records_without_a_document_are_counted(
    tmp_path: Path, record: bytes, reason: str, detail: str
) -> None:
    documents, (skip,) = found(tmp_path, record)
    assert (documents, skip.reason) == ([], reason)
    assert detail in skip.detail
    assert is_ordinary(skip.reason)


@pytest.mark.parametrize(
    ("record", "detail"),
    [
        (warc(http(PAGE), length="x"), "expected a number as its Content-Length, found 'x'"),
        (warc(http(PAGE), length="-1"), "expected a number as its Content-Length, found '-1'"),
        (
            warc(http(PAGE), length="9" * 5000),
            "expected a number as its Content-Length, found '9999",
        ),
        (warc(http(PAGE), length=" "), "expected a number as its Content-Length, found ''"),
        (warc(b"no response", type="application/http"), "found 'no response'"),
        (
            warc(b"HTTP/1.1 OK\r\n\r\n"),
            "expected a response such as HTTP/1.1 200 OK, found 'HTTP/1.1",
        ),
        (
            warc(b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000),
            "its response has headers of more than 65,",
        ),
    ],
)
def test_what_is_wrong_with_one_record(tmp_path: Path, record: bytes, detail: str) -> None:
    documents, (skip,) = found(tmp_path, LAST.replace(b"last", b"1") + record)
    assert [document.id for document in documents] == ["http://1/"]
    assert (skip.place, skip.reason) == (f"{tmp_path / 'd'}:http://a/", "unreadable")
    assert detail in skip.detail


def test_a_length_that_is_wrong(tmp_path: Path) -> None:
    """Too short, the rest is said; too long, what it would have taken is read."""
    block = http(PAGE)
    documents, (skip,) = found(tmp_path, warc(block, length=str(len(block) - 5)))
    assert [document.text for document in documents] == ["words of a"]
    assert "after record 1 are not a record (expected WARC/1.0, found 'page')" in skip.detail

    for more in (4, 9, len(LAST) - 3):
        (one,), skips = found(tmp_path, warc(block, length=str(len(block) + more)))
        assert (one.text, skips) == ("words of a page", [])

    picture = warc(http(b"\x89PNG", "image/png"), length="70")
    documents, (skip,) = found(tmp_path, picture)
    assert (documents, skip.reason) == ([], "other kind: image/png")


def test_bytes_that_are_no_record(tmp_path: Path) -> None:
    one = warc(http(PAGE))
    (document,), (skip,) = found(tmp_path, one + b"something else\r\n\r\nand more\r\n")
    assert document.text == "words of a page"
    assert (skip.place, skip.reason) == (f"{tmp_path / 'd'}:byte {len(one):,}", "unreadable")
    assert skip.detail.startswith(
        "28 bytes after record 1 are not a record (expected WARC/1.0, found"
    )


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    packed = gzip.compress(PAGE * 50, mtime=0)
    gzipped = "text/html\r\nContent-Encoding: gzip"
    raw = zlib.compress(PAGE * 50)
    for record, detail in (
        (warc(http(PAGE), more="WARC-Truncated: length"), "the crawler cut it off: length"),
        (warc(http(PAGE), more="WARC-Segment-Number: 1"), "it is one of several segments"),
        (warc(http(packed[:-8], gzipped)), "the end of its gzip data is missing"),
        (warc(http(raw[:-5], gzipped.replace("gzip", "deflate"))), "its deflate data is missing"),
    ):
        (document,), (notice,) = found(tmp_path, record)
        assert document.text.startswith("words of a page")
        assert (type(notice), notice.reason) == (Notice, "truncated")
        assert detail in notice.detail
    both = gzip.compress(b"<p>first words", mtime=0) + gzip.compress(b" and others", mtime=0)
    (document,), skips = found(tmp_path, warc(http(both, gzipped)))
    assert (document.text, skips) == ("first words and others", [])


@pytest.mark.parametrize(
    "body",
    [
        b"face the facts\r\nas they are\r\n",  # hexadecimal digits, and a text
        b"5\r\nwords of a text\r\n0\r\n\r\n",  # a size that is wrong
        b"5\r\nwords\r\nand what is no chunk",
    ],
)
def test_what_is_not_chunked_stays(tmp_path: Path, body: bytes) -> None:
    block = http(body, "text/plain\r\nTransfer-Encoding: chunked")
    (document,), skips = found(tmp_path, warc(block))
    assert skips == []
    for word in (b"facts", b"words", b"text", b"what is no chunk"):
        assert (word in body) == (word.decode() in document.text)


def test_encodings_of_texts(tmp_path: Path) -> None:
    word = "Grüße"
    for content, said, encoding in (
        (word.encode(), "", None),
        (word.encode(), "; charset=iso-8859-1", None),  # it is not: it is UTF-8
        (word.encode("latin-1"), "; charset=iso-8859-1", None),
        (word.encode("latin-1"), "", "cp1252"),
        (word.encode("cp850"), "; charset=iso-8859-1", "cp850"),
        (word.encode("utf-16"), "", None),
        ("日本".encode("iso-2022-jp"), "; charset=ISO-2022-JP", None),
    ):
        record = warc(http(content, f"text/plain{said}"))
        (document,), skips = found(tmp_path, record, encoding)
        assert (document.text in (word, "日本"), skips) == (True, [])
    for said in ("", "; charset=nonsense", "; charset=hex", "; charset=\0"):
        record = warc(http(word.encode("latin-1"), f"text/plain{said}"))
        (document,), (notice,) = found(tmp_path, record)
        assert (document.text, notice.reason) == ("Gr\ufffd\ufffde", "wrong encoding")


def test_without_the_package_of_a_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    record = warc(http(made_pdf(["words"]), "application/pdf"))
    documents, (skip,) = found(tmp_path, record)
    assert (documents, skip.reason) == ([], "other kind: application/pdf")
    assert "pip install 'pocketindex[pdf]'" in skip.detail


def test_a_damaged_dictionary_of_zstd_is_said(tmp_path: Path) -> None:
    words = b"\x37\xa4\x30\xec" + bytes(60)
    frame = b"\x5d\x2a\x4d\x18" + len(words).to_bytes(4, "little") + words
    (tmp_path / "d.warc.zst").write_bytes(frame + zstandard.compress(LAST))
    with pytest.raises(SourceError, match="cannot be read: its dictionary: could not create"):
        read(tmp_path / "d.warc.zst")


@pytest.mark.parametrize("dictionary", ["plain", "packed", "something else"])
def test_zstd_with_a_dictionary_of_its_own(tmp_path: Path, dictionary: str) -> None:
    texts: list[bytes | bytearray | memoryview] = [
        warc(http(PAGE + b"%d" % (i * 7919)), url=f"http://{i}/") for i in range(400)
    ]
    words = zstandard.train_dictionary(2048, texts)
    content = words.as_bytes()
    if dictionary == "packed":
        content = zstandard.compress(content)
    packer = zstandard.ZstdCompressor(dict_data=words)
    if dictionary == "something else":
        content, packer = b"a note", zstandard.ZstdCompressor()
    frame = b"\x5d\x2a\x4d\x18" + struct.pack("<L", len(content)) + content
    path = tmp_path / "d.warc.zst"
    path.write_bytes(frame + b"".join(packer.compress(text) for text in texts))
    documents, skips = read(path)
    assert (len(documents), skips) == (400, [])


def test_a_file_that_is_cut_keeps_what_was_whole(tmp_path: Path) -> None:
    whole = [gzip.compress(warc(http(PAGE * 9), url=f"http://{i}/")) for i in range(3)]
    path = tmp_path / "d.warc.gz"
    path.write_bytes(whole[0] + whole[1] + whole[2][:-20])
    with pytest.raises(SourceError, match="cut short: its gzip data has no end mark"):
        read(path)
    options = Settings(profile="en", keep_going=True)
    assert build([path], tmp_path / "x.pocket", options).read == 2


def test_lower_case_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "crawl").write_bytes(warc(http(PAGE), version="warc/1.0"))
    assert len(read(tmp_path / "crawl")[0]) == 1


HEADS = st.sampled_from(
    ["", "response", "resource", "conversion", "request", "metadata", "warcinfo", "revisit", "x"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(HEADS, st.binary(max_size=60), st.booleans()), max_size=6))
def test_every_record_is_a_document_or_counted(
    tmp_path_factory: pytest.TempPathFactory, records: list[tuple[str, bytes, bool]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "records.warc"
    path.write_bytes(
        b"".join(
            warc(http(body, "text/plain") if is_http else body, kind, f"http://{i}/")
            for i, (kind, body, is_http) in enumerate(records)
        )
    )
    if not records:
        path.write_bytes(LAST)
    documents, skips = read(path, "warc")
    left_out = [skip for skip in skips if isinstance(skip, Skip)]
    assert len(documents) + len(left_out) == max(1, len(records))


def test_records_in_records_are_read_in_time(tmp_path: Path) -> None:
    """Each block would go to the end of the file, and few of them are read again."""
    count = 20_000
    begin = warc(http(TEXT, "text/plain"), length="%d")
    size = len(begin) + 6
    content = b"".join(begin.replace(b"%d", b"%08d" % (size * (count - i))) for i in range(count))
    (tmp_path / "d.warc").write_bytes(content)
    with pytest.raises(SourceError, match="cut short"):
        read(tmp_path / "d.warc")
    (tmp_path / "d.warc").write_bytes(content + b"x" * (2 * size) + b"\n" + LAST)
    documents, _ = read(tmp_path / "d.warc")
    assert len(documents) > 10
    assert documents[-1].id == "http://last/"
