"""EPUB books: reading order, alone, in a folder and in an archive, damaged and encrypted."""

from __future__ import annotations

import zipfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from made_epub import made_epub
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs import INPUTS, find
from pocketindex.builder.inputs.pages import epub, html
from reading import brief, read

CHAPTERS = {
    "nav.xhtml": "<nav><ol><li>Contents of the book</li></ol></nav>",
    "last.xhtml": "<p>The end &amp; no more.</p>",
    "a first.xhtml": "<h1>One</h1><header>A running head</header><p>It began &eacute;arly.</p>",
}
BOOK = made_epub(CHAPTERS, ["nav.xhtml", "a first.xhtml", "last.xhtml"], "The \n book", "en-GB")
TEXT = "One\nA running head\nIt began éarly.\n\nThe end & no more."


def test_chapters_in_the_order_of_the_spine() -> None:
    """All that a chapter says is text, and the table of contents is none. An empty <title/>, which
    XML allows and HTML does not, hides nothing.
    """
    assert epub.read(BOOK, "a.epub") == html.Page("The book", TEXT, "en-GB")


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
        "OEBPS/last.xhtml in it is encrypted; give a copy that is not",
        "no EPUB file: its META-INF/container.xml names no package",
    ]


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
