"""HTML and PDF files: alone, in a folder, damaged, in wrong encodings, without their libraries."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pdf import made_pdf
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs import find
from pocketindex.builder.inputs.pages import html, pdf
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read

PAGE = """<!DOCTYPE html><html lang=de-AT><head><meta charset=utf-8><title>
 Der  Titel</title><style>p { color: red }</style></head>
<body><nav><a href=/>Startseite</a></nav><main><h1>Überschrift</h1><p>Der Text &amp; mehr.<script>let x = 1</script></main></body></html>"""


def test_main_text_title_and_language() -> None:
    page = html.read(PAGE.encode(), "page.html")

    assert (page.title, page.lang) == ("Der Titel", "de-AT")
    assert page.text == "Überschrift Der Text & mehr."


def test_a_page_without_main_text_gives_all_of_it() -> None:
    assert html.read(b"<nav>only a menu</nav>", "page.html").text == "only a menu"
    assert html.read(b"", "page.html") == html.Page("", "", "")


@pytest.mark.parametrize(
    ("content", "charset", "expected"),
    [
        ("é".encode(), "", "é"),
        ("<p>é".encode("cp1252") + b"\x80", "", "<p>é€"),
        (b'<meta charset="shift_jis">' + "日本".encode("shift_jis"), "", "日本"),
        (
            b"<meta http-equiv=content-type content='text/html; charset=koi8-r'>"
            + "мир".encode("koi8-r"),
            "",
            "мир",
        ),
        (b"<meta charset=iso-8859-1>\x93", "", "“"),  # the label means windows-1252
        (b"<!-- <meta charset=utf-8> --><meta charset=latin1>\xe9", "", "é"),
        (b"<meta charset=utf-16>" + "é".encode(), "", "é"),  # it cannot be true
        (b'<?xml version="1.0" encoding="koi8-r"?>' + "мир".encode("koi8-r"), "", "мир"),
        (b"<meta charset=koi8-r>" + "é".encode(), "utf-8", "é"),  # the transport wins
        (b"\xef\xbb\xbf" + "é".encode(), "koi8-r", "é"),  # a byte order mark wins over all
        ("é".encode("utf-16"), "", "é"),
        ("é".encode("utf-16-be").join([b"\xfe\xff", b""]), "latin1", "é"),
        (b"<meta charset=nonsense>" + "é".encode(), "more nonsense", "é"),
        (b"<meta charset=utf-8>\xff\0ok", "", "\ufffd\0ok"),
    ],
)
def test_encodings_as_the_standard_says(content: bytes, charset: str, expected: str) -> None:
    assert html.decoded(content, "page.html", charset).endswith(expected)


def test_hostile_pages_take_no_time() -> None:
    for content in (
        b"<div>" * 200_000 + b"words",
        b"<article>" * 100_000 + b"words",
        b"<meta " * 100_000,
        b"<!--" * 300_000,
        b"\0" * 100_000,
    ):
        start = time.perf_counter()
        html.read(content, "page.html")
        assert time.perf_counter() - start < 5


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                b"<div>",
                b"</p>",
                b"<table>",
                b"<meta charset=",
                b"utf-16",
                b"<!--",
                b"<svg>",
                b"\xff",
                b"\0",
                b"&#x110000;",
                b"<title>",
            ]
        )
    )
)
def test_any_page_gives_a_text_that_can_be_written(pieces: list[bytes]) -> None:
    page = html.read(b"".join(pieces), "page.html")
    (page.title + page.text + page.lang).encode()


def test_pdf_text_and_title() -> None:
    assert pdf.read(
        made_pdf(["First page, hy-\nphenated", "second page"], "The title"), "a.pdf"
    ) == (
        "The title",
        "First page, hyphenated\n\nsecond page",
    )


def test_bad_pdf_files(tmp_path: Path) -> None:
    whole = made_pdf(["some words"])
    (tmp_path / "a.pdf").write_bytes(whole)
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "scan.pdf").write_bytes(made_pdf([""]))
    (tmp_path / "page.pdf").write_bytes(
        made_pdf(["one", "two"]).replace(b"/Type /Page /Parent", b"/Type /Xxxx /Parent", 1)
    )
    documents, skips = read(tmp_path)

    assert documents == [Document("a.pdf", "a", "some words")]
    assert brief(skips) == [
        ("cut.pdf", "unreadable"),
        ("empty.pdf", "unreadable"),
        ("page.pdf", "unreadable"),
        ("scan.pdf", "empty"),
    ]
    assert (
        "no PDF file, cut short, damaged or encrypted: Failed to load document" in skips[0].detail
    )
    assert skips[2].detail == "1 of 2 pages are damaged; the others have 3 characters"
    assert (
        skips[3].detail == "none of its 1 pages has text; a scan needs character recognition first"
    )


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 2_000),
)
def test_damaged_pdf_files_are_unfit_or_text(changes: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(made_pdf(["some words", "more of them"], "title"))
    for place, value in changes:
        content[place % len(content)] = value
    try:
        pdf.read(bytes(content[: len(content) - cut]), "a.pdf")
    except Unfit as unfit:
        assert unfit.reason in ("unreadable", "empty")  # noqa: PT017


def test_a_folder_with_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "b.HTM").write_bytes(b"<p>untitled")
    (tmp_path / "c.pdf").write_bytes(made_pdf(["words"]))
    (tmp_path / "d.md").write_text("# T\nwords")
    documents, skips = read(tmp_path)

    assert [(d.id, d.title, d.lang) for d in documents] == [
        ("a.html", "Der Titel", "de-AT"),
        ("b.HTM", "b", ""),
        ("c.pdf", "c", ""),
        ("d.md", "T", ""),
    ]
    assert skips == []


def test_a_folder_of_other_things(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / ".hidden.txt").write_text("hidden")
    assert read(tmp_path) == ([], [])
    (tmp_path / "data" / "docs.jsonl").write_text("{}")
    (tmp_path / "photo.jpg").write_bytes(b"")
    known = ".txt, .text, .md, .markdown, .html, .htm, .xhtml, .epub, .pdf, "
    known += ".docx, .docm, .dotx, .dotm, .pptx, .pptm, .ppsx, .ppsm, .potx, .potm, .odt, .ott, "
    known += ".fodt, .odp, .otp, .fodp, .rtf, .doc, .dot, .ppt, .pps, "
    known += ".tar, .tar.gz, .tar.bz2, .tar.xz, .tar.zst, .tgz, .tbz2, .txz, .tzst, .zip"
    expected = f"{tmp_path}: none of its 2 files ('data/docs.jsonl' ...) ends in {known}; "
    with pytest.raises(
        SourceError,
        match=re.escape(
            expected + "if they are sources of another kind, give them by a pattern, as '"
        ),
    ):
        read(tmp_path)


def test_files_without_suffix_by_their_first_bytes_or_format(tmp_path: Path) -> None:
    (tmp_path / "page").write_text(PAGE, encoding="utf-8")
    (tmp_path / "paper").write_bytes(made_pdf(["words"], "T"))
    (tmp_path / "note").write_text("# H\nwords")

    assert read(tmp_path / "page")[0][0].title == "Der Titel"
    assert read(tmp_path / "paper")[0] == [Document("paper", "T", "words")]
    assert read(tmp_path / "note", "markdown")[0] == [Document("note", "H", "H\nwords")]
    assert read(tmp_path / "note", "text")[0] == [Document("note", "note", "# H\nwords")]
    assert brief(read(tmp_path / "note", "pdf")[1]) == [("note", "unreadable")]
    with pytest.raises(SourceError, match="name it with --format"):
        find(str(tmp_path / "note"))


@pytest.mark.parametrize(
    ("package", "name", "extra"),
    [
        ("resiliparse.parse.html", "a.html", "html"),
        ("resiliparse.parse.html", "a.epub", "html"),
        ("pypdfium2", "a.pdf", "pdf"),
    ],
)
def test_a_missing_package_is_named_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / "0.txt").write_text("words")
    (tmp_path / name).write_bytes(b"%PDF-1.4")
    for source, format in ((tmp_path, None), (tmp_path / name, extra)):
        with pytest.raises(
            SourceError, match=re.escape(f"pip install 'pocketindex[{extra}]'")
        ) as caught:
            read(source, format)
        assert caught.value.source == str(source)
