"""EPUB books: reading order, alone, in a folder and in an archive, damaged and encrypted."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_epub import made_epub
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs import INPUTS, find
from pocketindex.builder.inputs.pages import epub
from reading import brief, read

CHAPTERS = {
    "nav.xhtml": "<nav><ol><li>Contents of the book</li></ol></nav>",
    "last.xhtml": "<p>The end &amp; no more.</p>",
    "a first.xhtml": "<h1>One</h1><header>A running head</header><p>It began &eacute;arly.</p>",
}
BOOK = made_epub(CHAPTERS, ["nav.xhtml", "a first.xhtml", "last.xhtml"], "The \n book", "en-GB")
TEXT = (
    "\u2006Contents of the book\n\n\u2005One\nA running head\nIt began éarly.\n\nThe end & no more."
)


def test_chapters_in_the_order_of_the_spine() -> None:
    """All that a chapter says is text, and so is a table of contents that stands in the spine. An
    empty <title/>, which XML allows and HTML does not, hides nothing.
    """
    assert epub.read(BOOK, "a.epub") == epub.Book("The book", TEXT, "en-GB")
    assert epub.read(made_epub(CHAPTERS, ["last.xhtml"]), "a.epub").text == "The end & no more."


def test_a_book_is_known_by_name_and_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.epub").write_bytes(BOOK)
    (tmp_path / "book").write_bytes(BOOK)
    assert find(str(tmp_path / "book")) is INPUTS["epub"]
    expected = Document("book", "The book", TEXT, lang="en-GB")
    assert read(tmp_path / "book") == ([expected], [])

    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("shelf/untitled.epub", made_epub({"1.html": "words"}, ["1.html"]))
    (tmp_path / "book").unlink()
    documents, skips = read(tmp_path)
    assert [(one.id, one.title, one.text) for one in documents] == [
        ("a.epub", "The book", TEXT),
        ("z.zip/shelf/untitled.epub", "untitled", "words"),
    ]
    assert skips == []


def test_bad_books(tmp_path: Path) -> None:
    (tmp_path / "cut.epub").write_bytes(BOOK[: len(BOOK) // 2])
    (tmp_path / "drm.epub").write_bytes(
        made_epub(CHAPTERS, ["last.xhtml"], encrypted="OEBPS/last.xhtml")
    )
    (tmp_path / "empty.epub").write_bytes(made_epub({"1.html": "<img/>"}, ["1.html"]))
    (tmp_path / "font.epub").write_bytes(
        made_epub(CHAPTERS, ["last.xhtml"], encrypted="OEBPS/font.otf")
    )
    with zipfile.ZipFile(tmp_path / "other.epub", "w") as archive:
        archive.writestr("notes.txt", "no book")
    documents, skips = read(tmp_path)

    assert [one.id for one in documents] == ["font.epub"]
    assert brief(skips) == [
        ("cut.epub", "unreadable"),
        ("drm.epub", "unreadable"),
        ("empty.epub", "empty"),
        ("other.epub", "unreadable"),
    ]
    assert [skip.detail for skip in skips if skip.reason == "unreadable"] == [
        "no EPUB file, cut short, damaged or encrypted: File is not a zip file",
        "OEBPS/last.xhtml in it cannot be read: it is encrypted; give a copy that is not",
        "not an EPUB file: its META-INF/container.xml names no package",
    ]


def test_one_bad_entry_costs_one_chapter(tmp_path: Path) -> None:
    whole = made_epub(CHAPTERS, ["a first.xhtml", "last.xhtml"], "T", encrypted="OEBPS/nav.xhtml")
    missing = made_of(whole, without="OEBPS/last.xhtml")
    damaged = bytearray(made_of(whole, {"OEBPS/last.xhtml": b"<p>stored words</p>"}))
    damaged[damaged.index(b"stored words")] ^= 1
    (tmp_path / "damaged.epub").write_bytes(damaged)
    (tmp_path / "drm.epub").write_bytes(
        made_epub(CHAPTERS, ["a first.xhtml", "nav.xhtml"], "T", encrypted="OEBPS/nav.xhtml")
    )
    (tmp_path / "missing.epub").write_bytes(missing)
    (tmp_path / "spine.epub").write_bytes(
        made_of(whole, change=("OEBPS/book.opf", b'idref="i1"', b'idref="gone"'))
    )
    documents, skips = read(tmp_path)

    first = "\u2005One\nA running head\nIt began éarly."
    assert [(one.id, one.title, one.text) for one in documents] == [
        (f"{name}.epub", "T", first) for name in ("damaged", "drm", "missing", "spine")
    ]
    assert {skip.reason for skip in skips} == {"part left out"}
    assert [skip.detail for skip in skips] == [
        "OEBPS/last.xhtml in it cannot be read: Bad CRC-32 for file 'OEBPS/last.xhtml'",
        "OEBPS/nav.xhtml in it cannot be read: it is encrypted; give a copy that is not",
        "OEBPS/last.xhtml in it cannot be read: \"There is no item named 'OEBPS/last.xhtml' in the "
        'archive"',
        "its spine names 'gone', which is not one of its files",
    ]


DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg"><title>A lamp</title><style>text {}</style><g>'
    b"<text>On the <tspan>northern</tspan>\n shore</text><text>at night</text></g></svg>"
)


@pytest.mark.parametrize(
    ("items", "expected", "problems"),
    [
        ('<item id="x" href="x.svg" media-type="image/svg+xml"/>',
         "A lamp\nOn the northern shore\nat night", []),
        ('<item id="x" href="x.jpg" media-type="image/jpeg" fallback="y"/>'
         '<item id="y" href="x.json" media-type="application/json" fallback="z"/>'
         '<item id="z" href="X.XHTML#top" media-type="application/xhtml+xml"/>', "stands in", []),
        ('<item id="x" href="../../../OEBPS/x.xhtml" media-type="application/xhtml+xml"/>',
         "stands in", []),
        ('<item id="x" href="/OEBPS/./x.xhtml" media-type="text/html"/>', "stands in", []),
        ('<item id="x" href="x.jpg" media-type="image/jpeg"/>', "", []),
        ('<item id="x" href="x.jpg" media-type="image/jpeg" fallback="x"/>', "", []),
        ('<item id="x" href="x.json" media-type="application/json" fallback="y"/>', "",
         ["x.json in it is of the type 'application/json', and it has no fallback that is a page"]),
    ],
)  # fmt: skip
def test_what_the_spine_reads_besides_pages(items: str, expected: str, problems: list[str]) -> None:
    book = made_of(
        made_epub({"1.xhtml": "one", "2.xhtml": "two"}, ["1.xhtml", "2.xhtml"]),
        {"OEBPS/x.svg": DRAWING, "OEBPS/x.xhtml": b"<p>stands in</p>", "OEBPS/x.jpg": b"\xff\xd8"},
        change=(
            "OEBPS/book.opf",
            b'</manifest><spine><itemref idref="i0"/>',
            items.encode()
            + b'</manifest><spine><itemref idref="i0"/><itemref idref="x" linear="no"/>',
        ),
    )
    found = epub.read(book, "a.epub")
    assert found.text.split("\n\n") == ["one", *filter(None, [expected]), "two"]
    assert found.problems == problems


def test_packages_that_are_not_as_they_should_be() -> None:
    whole = made_epub({"1.xhtml": "one", "2.xhtml": "two"}, ["2.xhtml", "1.xhtml"], "T")
    for change, title, text, problem in (
        (("META-INF/container.xml", b"<rootfiles>", b"<rootfiles"), "T", "two\n\none",
         "META-INF/container.xml in it cannot be read: not well-formed"),
        (("OEBPS/book.opf", b"<dc:title>", b"<dc:title>&nbsp;"), "", "one\n\ntwo",
         "OEBPS/book.opf in it cannot be read: undefined entity"),
        (("META-INF/container.xml", b"<rootfiles>", b'<rootfiles><rootfile full-path="z.opf"/>'),
         "T", "two\n\none",
         "it has 2 packages, of which OEBPS/book.opf is read"),
        (("OEBPS/book.opf", b'<?xml version="1.0"?>',
          b'<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "x.dtd">'),
         "T", "two\n\none", ""),
    ):  # fmt: skip
        found = epub.read(made_of(whole, change=change), "a.epub")
        assert (found.title, found.text) == (title, text)
        assert found.problems[-1].startswith(problem) if problem else not found.problems


def test_pages_that_do_not_say_their_encoding_are_utf_8() -> None:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><p>The actor’s craft</p></html>"
    book = made_of(made_epub({"1.xhtml": ""}, ["1.xhtml"]), {"OEBPS/1.xhtml": page.encode()})
    assert epub.read(book, "a.epub").text == "The actor’s craft"
    page = page.replace("<html", '<?xml version="1.0" encoding="windows-1252"?><html')
    book = made_of(book, {"OEBPS/1.xhtml": page.encode("cp1252")})
    assert epub.read(book, "a.epub").text == "The actor’s craft"


def made_of(
    book: bytes,
    more: dict[str, bytes] | None = None,
    without: str = "",
    change: tuple[str, bytes, bytes] = ("", b"", b""),
) -> bytes:
    """Make a book of another one: with these files, without one, or with other bytes in one."""
    files = dict(more or {})
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        for path in archive.namelist():
            if path != without:
                files.setdefault(path, archive.read(path))
    if change[0]:
        assert change[1] in files[change[0]]
        files[change[0]] = files[change[0]].replace(change[1], change[2], 1)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return out.getvalue()


def test_entities_that_grow_are_stopped(tmp_path: Path) -> None:
    grown = "".join(f'<!ENTITY e{number + 1} "{f"&e{number};" * 10}">' for number in range(12))
    package = f'<!DOCTYPE package [<!ENTITY e0 "words">{grown}]><package>&e12;</package>'
    with zipfile.ZipFile(tmp_path / "a.epub", "w") as archive:
        archive.writestr("META-INF/container.xml", '<c><rootfile full-path="p"/></c>')
        archive.writestr("p", package)
    documents, skips = read(tmp_path / "a.epub")
    assert documents == []
    assert brief(skips) == [("a.epub", "unreadable")]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 1_000),
)
def test_damaged_books_are_unfit_or_text(changes: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(BOOK)
    for place, value in changes:
        content[place % len(content)] = value
    try:
        epub.parsed(bytes(content[: len(content) - cut]), "a.epub")
    except Unfit as unfit:
        assert unfit.reason == "unreadable"  # noqa: PT017


def test_a_book_is_a_query(tmp_path: Path) -> None:
    from pocketindex.builder.inputs.one_text import text_of

    (tmp_path / "a.epub").write_bytes(BOOK)
    assert text_of(str(tmp_path / "a.epub")).decode() == TEXT
