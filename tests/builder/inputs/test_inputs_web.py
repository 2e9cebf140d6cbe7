"""WARC and ZIM files: whole, cut short, damaged, hostile."""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard
from file_server import file_server
from hypothesis import example, given, settings
from hypothesis import strategies as st
from libzim.writer import Creator, Hint, Item, StringProvider
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.tally import Refused
from reading import brief, read

PAGE = b"<html lang=en><title>A title</title><p>words of a page"
FOUND = Document(
    "http://a/", "A title", "words of a page", "http://a/", "en", "2024-05-01T10:00:00Z"
)


def record(
    url: str = "http://a/",
    body: bytes = PAGE,
    headers: str = "Content-Type: text/html; charset=utf-8",
    status: str = "200 OK",
    kind: str = "response",
) -> bytes:
    block = f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + body
    named = f"WARC-Target-URI: {url}\r\n" if url else ""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: "
        f"2024-05-01T10:00:00Z\r\n{named}Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_html_responses_are_documents(tmp_path: Path) -> None:
    records = [
        record("", b"about", kind="warcinfo"),
        record(kind="request"),
        record(),
        record("http://b/image", b"\x89PNG", "Content-Type: image/png"),
        record(
            "<http://c/>", "日本".encode("shift_jis"), "content-type: TEXT/HTML;charset=Shift_JIS"
        ),
        record("http://d/", status="404 Not Found"),
        record("http://e/", b" "),
        record(""),
        record("http://f/", b"<p>\xff\0", "Content-Type: application/xhtml+xml"),
    ]
    expected = [FOUND.id, "http://c/", "http://f/"]
    for name, content in (
        ("d.warc", b"".join(records)),
        ("d.warc.gz", b"".join(map(gzip.compress, records))),
        ("unnamed", b"".join(records)),
    ):
        documents, skips = read(put(tmp_path / name, content))
        assert [d.id for d in documents] == expected
        assert documents[0] == FOUND
        assert (documents[1].title, documents[1].text) == ("http://c/", "日本")
        places = [(skip.place.removeprefix(str(tmp_path / name)), skip.reason) for skip in skips]
        assert places == [
            (":1", "other kind: warcinfo record"),
            (":http://a/", "other kind: request record"),
            (":http://b/image", "other kind: image/png"),
            (":http://d/", "http status"),
            (":http://e/", "empty"),
            (":8", "no id"),
            (":http://f/", "wrong encoding"),
        ]
        assert skips[3].detail == "the answer was 404, expected 200 to 299"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ("Content-Encoding: gzip", gzip.compress(PAGE, mtime=0)),
        ("Content-Encoding: gzip", PAGE),  # some crawlers keep the header and not the encoding
        ("Content-Encoding: deflate", zlib.compress(PAGE)),
        ("Content-Encoding: deflate", zlib.compress(PAGE)[2:-4]),
        ("Content-Encoding: br", brotli.compress(PAGE)),
        ("Content-Encoding: zstd", zstandard.compress(PAGE)),
        ("Content-Encoding: identity", PAGE),
        (
            "Transfer-Encoding: chunked",
            b"a\r\n"
            + PAGE[:10]
            + b"\r\n%x;x=y\r\n" % len(PAGE[10:])
            + PAGE[10:]
            + b"\r\n0\r\n\r\n",
        ),
        ("Transfer-Encoding: chunked", PAGE),
        (
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip",
            b"%x\r\n" % len(gzip.compress(PAGE, mtime=0))
            + gzip.compress(PAGE, mtime=0)
            + b"\r\n0\r\n\r\n",
        ),
    ],
)
def test_encodings_for_the_way(tmp_path: Path, headers: str, body: bytes) -> None:
    path = put(
        tmp_path / "d.warc", record(body=body, headers=f"Content-Type: text/html\r\n{headers}")
    )
    assert read(path) == ([FOUND], [])


@pytest.mark.parametrize(
    ("encoding", "body", "reason", "detail"),
    [
        (
            "gzip",
            b"\x1f\x8b\x08 and nothing else",
            "unreadable",
            "its content encoding gzip is damaged",
        ),
        ("br", b"\xff\xff\xff", "unreadable", "its content encoding br is damaged"),
        ("zstd", b"words", "unreadable", "its content encoding zstd is damaged"),
        ("compress", b"words", "unreadable", "its content encoding 'compress' is not known"),
        (
            "gzip",
            gzip.compress(bytes(10_000_000)),
            "bomb",
            "200 times as many at most are expected of text",
        ),
        (
            "br",
            brotli.compress(bytes(10_000_000), quality=1),
            "bomb",
            "200 times as many at most are expected of text",
        ),
        (
            "zstd",
            zstandard.compress(bytes(10_000_000)),
            "bomb",
            "200 times as many at most are expected of text",
        ),
    ],
)
def test_bad_encodings_cost_one_page(
    tmp_path: Path, encoding: str, body: bytes, reason: str, detail: str
) -> None:
    bad = record("http://bad/", body, f"Content-Type: text/html\r\nContent-Encoding: {encoding}")
    documents, skips = read(put(tmp_path / "d.warc", bad + record()))
    assert documents == [FOUND]
    assert [skip.reason for skip in skips] == [reason]
    assert detail in skips[0].detail


def test_a_warc_file_cut_short_or_damaged(tmp_path: Path) -> None:
    whole = record() + record("http://b/")
    place = (
        f"record 2, which begins at byte {len(record())} of the content; copy or download the "
        "file again"
    )
    for content, problem in (
        (whole[:-30], r"cut short \(a record has \d+ of \d+ bytes\)"),
        (
            record() + record("http://b/i", b"\x89PNG" * 9, "Content-Type: image/png")[:-20],
            r"cut short \(a record has",
        ),
        (
            record() + record("http://b/")[:90],
            r"cut short \(a record ends in its headers\)",
        ),
    ):
        with pytest.raises(SourceError, match=problem) as caught:
            read(put(tmp_path / "d.warc", content))
        assert place in str(caught.value)
    with pytest.raises(
        SourceError,
        match=(
            r"damaged or not a WARC file \(expected WARC/1.0, found 'something else'\) at its "
            r"beginning; "
            r"copy or download"
        ),
    ):
        read(put(tmp_path / "d.warc", b"something else"))
    with pytest.raises(SourceError, match="cut short: its gzip data has no end mark"):
        read(
            put(
                tmp_path / "d.warc.gz",
                gzip.compress(record()) + gzip.compress(record("http://b/"))[:-9],
            )
        )


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=5),
    st.integers(0, 600),
)
@example([(107, 28)], 0)  # a separator that str.strip takes and int does not
def test_damage_of_a_warc_file(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]], cut: int
) -> None:
    content = bytearray(
        record()
        + record(
            "http://b/",
            gzip.compress(PAGE, mtime=0),
            "Content-Type: text/html\r\nContent-Encoding: gzip",
        )
    )
    for place, value in changes:
        content[place % len(content)] = value
    path = put(
        tmp_path_factory.getbasetemp() / "damaged.warc", bytes(content[: len(content) - cut])
    )
    try:
        documents, skips = read(path)
    except SourceError as error:
        assert error.source == str(path)  # noqa: PT017
    else:
        assert len(documents) <= 2
        assert len({skip.place for skip in skips}) <= 3  # the bytes of a record that is none, too


class Entry(Item):  # type: ignore[misc]
    def __init__(self, path: str, title: str, content: str, type: str = "text/html") -> None:
        super().__init__()
        self.path = path
        self.title = title
        self.content = content
        self.type = type

    def get_path(self) -> str:
        return self.path

    def get_title(self) -> str:
        return self.title

    def get_mimetype(self) -> str:
        return self.type

    def get_contentprovider(self) -> Any:
        return StringProvider(self.content)

    def get_hints(self) -> dict[Any, bool]:
        return {Hint.FRONT_ARTICLE: True}


@pytest.fixture(scope="module")
def zim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("zim") / "wiki.zim"
    with Creator(path).config_verbose(False) as creator:
        creator.set_mainpath("Home")
        creator.add_item(Entry("Home", "Main Page", "<html lang=en><body><p>welcome to all of you"))
        creator.add_item(
            Entry(
                "Über/uns",
                "",
                "<title>About us</title><p>words about us",
                "text/html; charset=utf-8",
            )
        )
        creator.add_item(Entry("empty", "", "<p>"))
        creator.add_item(Entry("heading", "A heading alone", "<p>"))
        creator.add_item(Entry("style.css", "", "p {}", "text/css"))
        creator.add_item(Entry("songs.txt", "Songs", "words of a song", "text/plain"))
        creator.add_redirection("Start", "Start", "Home", {})
    return path


def test_articles_of_a_zim_file(zim: Path, tmp_path: Path) -> None:
    documents, skips = read(zim)
    assert documents == [
        Document("Home", "Main Page", "welcome to all of you", lang="en"),
        Document("heading", "A heading alone", ""),
        Document("songs.txt", "Songs", "words of a song"),
        Document("Über/uns", "About us", "words about us"),
    ]
    assert sorted(
        (*place, skip.detail) for place, skip in zip(brief(skips), skips, strict=True)
    ) == [
        ("wiki.zim:Start", "redirect", "it leads to Home"),
        ("wiki.zim:empty", "empty", "it has neither a text nor a title of its own"),
        (
            "wiki.zim:style.css",
            "other kind: text/css",
            "contents of this media type are not read",
        ),
    ]
    assert read(put(tmp_path / "unnamed", zim.read_bytes()))[0] == documents


def test_a_zim_file_in_parts(zim: Path, tmp_path: Path) -> None:
    content = zim.read_bytes()
    put(tmp_path / "wiki.zimab", content[2000:])
    documents, _ = read(put(tmp_path / "wiki.zimaa", content[:2000]))
    assert [d.id for d in documents] == ["Home", "heading", "songs.txt", "Über/uns"]


def test_a_zim_file_at_an_address_is_copied_and_its_parts_are_refused(
    zim: Path, tmp_path: Path
) -> None:
    content = zim.read_bytes()
    for name, made in (("a.zim", content), ("a.zimaa", content), ("b.zim", gzip.compress(content))):
        put(tmp_path / name, made)
    with file_server(tmp_path) as here:
        assert read(f"{here.url}a.zim")[0] == read(zim)[0]
        with pytest.raises(
            SourceError, match=r"/a\.zimaa: it is the first of several files, which"
        ):
            read(f"{here.url}a.zimaa")
        with pytest.raises(SourceError, match=r"/b\.zim: it is a ZIM file that is compressed with"):
            read(f"{here.url}b.zim")


def test_a_zim_file_whose_checksum_is_another(zim: Path, tmp_path: Path) -> None:
    content = bytearray(zim.read_bytes())
    content[-1] ^= 1
    path = put(tmp_path / "d.zim", bytes(content))
    with pytest.raises(
        SourceError, match=r"d\.zim: damaged: its checksum \(MD5\) does not match; copy"
    ):
        read(path)
    report = build([str(path)], tmp_path / "x.pocket", Settings(profile="en", keep_going=True))
    assert (report.read, [error.source for error in report.ended]) == (7, [str(path)])


def test_a_strict_build_passes_over_redirects_and_other_answers(zim: Path, tmp_path: Path) -> None:
    warc = put(
        tmp_path / "d.warc",
        record("http://d/", status="301 Moved Permanently") + record("http://e/", b" "),
    )
    for source, place in ((zim, "wiki.zim:empty"), (warc, "d.warc:http://e/")):
        with pytest.raises(Refused, match=f"{place}: empty: it has neither a text nor a title"):
            build([str(source)], tmp_path / "x.pocket", Settings(profile="en", strict=True))


def test_a_zim_file_cut_short(zim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = zim.read_bytes()
    for size in (10, 200, len(content) // 2, len(content) - 1):
        with pytest.raises(
            SourceError,
            match=(
                r"d\.zim: cut short, damaged or no ZIM file \(.*\): nothing of it can be read; "
                r"copy or download"
            ),
        ):
            read(put(tmp_path / "d.zim", content[:size]))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(
        SourceError,
        match="<stdin>: a ZIM file is read at many places, so it must be a file; save it first",
    ):
        read("-", "zim")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=5))
def test_damage_of_a_zim_file(
    zim: Path, tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]
) -> None:
    content = bytearray(zim.read_bytes())
    for place, value in changes:
        content[place % len(content)] = value
    path = put(tmp_path_factory.getbasetemp() / "damaged.zim", bytes(content))
    try:
        documents, skips = read(path, "zim")
    except SourceError as error:
        assert error.source == str(path)  # noqa: PT017
    else:
        assert len(documents) + len(skips) <= 7


@pytest.mark.parametrize(
    ("package", "name"),
    [("resiliparse.parse.html", "html"), ("libzim.reader", "zim")],
)
def test_a_missing_package_is_named(
    tmp_path: Path, zim: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SourceError, match=re.escape(f"pip install 'pocketindex[{name}]'")):
        read(put(tmp_path / "d", zim.read_bytes() if name == "zim" else record()))
