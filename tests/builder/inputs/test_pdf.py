"""PDF files: all that a page shows is text, and what cannot be read is said with its pages."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pdf import made_pdf
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.pages import pdf
from reading import brief, read

PICTURE = (
    " /Resources << /XObject << /I {} 0 R >> >>",
    "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "
    "/BitsPerComponent 8 /Length 1 >>\nstream\n\0\nendstream",
)


def scanned(pages: list[str], title: str = "") -> bytes:
    """Make a PDF in which each page without text has a picture."""
    number = 5 + 2 * len(pages)
    content = made_pdf(pages, title, [PICTURE[1]])
    return content.replace(b"() Tj T* ET", b"ET /I Do   ").replace(
        b"/Font << /F1 3 0 R >> >>", b"/Font << /F1 3 0 R >> /XObject << /I %d 0 R >> >>" % number
    )


def noted(notes: list[str], text: str = "On the page", fields: list[str] | None = None) -> bytes:
    """Make a PDF with notes on its page, and with fields of a form, which are notes, too."""
    all = [*notes, *(fields or [])]
    places = " ".join(f"{7 + number} 0 R" for number in range(len(all)))
    own = " ".join(f"{7 + len(notes) + number} 0 R" for number in range(len(fields or [])))
    objects = [f"<< /Type /Annot /Rect [9 9 99 99] {one} >>" for one in all]
    form = f"/AcroForm << /Fields [{own}] >>" if fields else ""
    return made_pdf([text], "", objects, {0: f" /Annots [{places}]"}, form)


def test_text_and_title() -> None:
    content = made_pdf(["First page, hy-\nphenated", "second page"], "The \n title")
    found = pdf.read(content, "a.pdf")
    assert found == pdf.Pdf("The title", "First page, hyphenated\n\nsecond page", [])


def test_words_whose_hyphen_is_their_own_keep_it() -> None:
    """The text says so: it has the word with a hyphen elsewhere."""
    page = "the well-known lamp, a well-\nknown lan-\ntern"
    assert pdf.read(made_pdf([page]), "a.pdf").text == (
        "the well-known lamp, a well-\nknown lantern"
    )


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("/FT /Tx /T (a) /V (Wilhelmina\\rLantern)", "Wilhelmina\nLantern"),
        ("/FT /Tx /T (a) /V <FEFF00DC0062>", "Üb"),
        ("/FT /Tx /T (a)", ""),
        ("/FT /Tx /T (a) /Ff 8192 /V (a password)", ""),
        ("/FT /Tx /T (a) /F 2 /V (hidden)", ""),
        ("/FT /Tx /T (a) /F 32 /V (not viewed)", ""),
        ("/FT /Ch /T (a) /Ff 131072 /V (own words)", "own words"),
        ("/FT /Ch /T (a) /Ff 131072 /Opt [[(x1) (One)] [(x2) (Two)]] /V (x2)", "Two"),
        ("/FT /Ch /T (a) /Ff 2097152 /Opt [(One) (Two) (Six)] /V [(One) (Six)] /I [0 2]",
         "One\nSix"),
        ("/FT /Btn /T (a) /V /Yes /AS /Yes", ""),
    ],
)  # fmt: skip
def test_values_of_form_fields_are_text(field: str, expected: str) -> None:
    found = pdf.read(noted([], "Name:", [f"/Subtype /Widget {field}"]), "a.pdf")
    assert found == pdf.Pdf("", f"Name:\n{expected}".strip(), [])


def test_notes_on_the_page_are_text() -> None:
    notes = [
        "/Subtype /FreeText /F 4 /Contents (Approved by the master)",
        "/Subtype /FreeText /F 2 /Contents (hidden)",
        "/Subtype /Text /Contents (a remark beside it)",
        "/Subtype /FreeText /Contents <FEFF65E5672C>",
        "/Subtype /FreeText /RC (<body><p>Rich &amp; <b>old</b></p></body>)",
    ]
    assert pdf.read(noted(notes), "a.pdf").text == (
        "On the page\nApproved by the master\n日本\nRich & old"
    )
    found = pdf.read(noted(notes[:1], ""), "a.pdf")
    assert found == pdf.Pdf("", "Approved by the master", [])


def test_bad_files(tmp_path: Path) -> None:
    whole = made_pdf(["some words"])
    (tmp_path / "a.pdf").write_bytes(whole)
    (tmp_path / "blank.pdf").write_bytes(made_pdf([""]))
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "pages.pdf").write_bytes(without_pages(made_pdf(["one"])))
    (tmp_path / "scan.pdf").write_bytes(scanned(["", ""]))
    documents, skips = read(tmp_path)

    assert documents == [Document("a.pdf", "a", "some words")]
    assert brief(skips) == [
        ("blank.pdf", "empty"),
        ("cut.pdf", "unreadable"),
        ("empty.pdf", "empty"),
        ("pages.pdf", "unreadable"),
        ("scan.pdf", "empty"),
    ]
    assert [skip.detail for skip in skips if "Failed" not in skip.detail] == [
        "its only page has neither text nor pictures",
        "the file is empty",
        "page 1 of 1 cannot be read: damaged",
        "none of its 2 pages has text, and 2 pages have pictures: a scan needs character "
        "recognition first",
    ]
    assert skips[1].detail == (
        "not a PDF file, cut short or damaged: Failed to load document (PDFium: Data format error)."
    )


def test_what_is_not_text_is_said_with_its_pages(tmp_path: Path) -> None:
    (tmp_path / "damaged.pdf").write_bytes(without_pages(made_pdf(["one", "two", "three"]), 1))
    (tmp_path / "part.pdf").write_bytes(scanned(["", "", "words", "", "more", ""]))
    documents, skips = read(tmp_path)

    assert [one.text.split() for one in documents] == [["two", "three"], ["words", "more"]]
    assert [(skip.reason, skip.detail) for skip in skips] == [
        ("part left out", "page 1 of 3 cannot be read: damaged"),
        (
            "pages without text",
            "pages 1-2, 4, 6 of 6 with pictures and without text: a scan needs character "
            "recognition first",
        ),
    ]


def test_a_scan_with_a_title_is_found_by_it() -> None:
    found = pdf.read(scanned(["", ""], "Lamps"), "a.pdf")
    assert (found.title, found.text.strip()) == ("Lamps", "")
    assert [reason for reason, _ in found.problems] == ["pages without text"]


def test_letters_of_fonts_that_do_not_name_them_are_said() -> None:
    table = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> "
        "<FF> endcodespacerange 1 beginbfrange <41> <5A> <{}> endbfrange endcmap end end"
    )
    for first, strange in (("E041", True), ("0061", False)):
        shown = table.format(first)
        content = made_pdf(
            ["words", "BLACK LANTERN"],
            "",
            [
                "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 10 0 R >>",
                f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream",
            ],
        ).replace(b"/F1 12 Tf 14 TL 50 750 Td (BLACK", b"/F2 12 Tf 14 TL 50 750 Td (BLACK")
        content = content.replace(b"/Font << /F1 3 0 R >>", b"/Font << /F1 3 0 R /F2 9 0 R >>")
        found = pdf.read(content, "a.pdf")
        assert found.text.startswith("words")
        assert found.text.endswith("black lantern") is not strange
        problem = [
            "letters unreadable",
            "page 2 of 2: 12 of 12 letters (100%) are of fonts that do not say which letters "
            "they are, and may be wrong; make the file again with other fonts, or recognise its "
            "characters",
        ]
        assert found.problems == ([problem] if strange else [])


LETTERS = " abcdefghijklmnopqrstuvwxyz"  # glyph 1 is the space


def made_font() -> bytes:
    """Make a TrueType font with a box for each of LETTERS."""
    names = [".notdef", *(f"g{number}" for number in range(len(LETTERS)))]
    builder = FontBuilder(1_000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(one): names[at + 1] for at, one in enumerate(LETTERS)})
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for point in ((0, 500), (500, 500), (500, 0)):
        pen.lineTo(point)
    pen.closePath()
    box = pen.glyph()
    builder.setupGlyf(dict.fromkeys(names, box))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def test_a_font_names_the_letters_that_the_file_does_not() -> None:
    packed = made_font().hex() + ">"
    shown = "".join(f"{LETTERS.index(one) + 1:04x}" for one in "the old lantern")
    content = made_pdf(
        ["GLYPHS"],
        "",
        [
            "<< /Type /Font /Subtype /Type0 /BaseFont /Boxes /Encoding /Identity-H "
            "/DescendantFonts [8 0 R] >>",
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Boxes /CIDToGIDMap /Identity /DW 600 "
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
            "/FontDescriptor 9 0 R >>",
            "<< /Type /FontDescriptor /FontName /Boxes /Flags 4 /FontBBox [0 -200 600 800] "
            "/ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 500 /StemV 80 "
            "/FontFile2 10 0 R >>",
            f"<< /Length {len(packed)} /Filter /ASCIIHexDecode >>\nstream\n{packed}\nendstream",
        ],
        {0: " "},
    )
    content = content.replace(b"(GLYPHS)", f"<{shown}>".encode())
    content = content.replace(b"/F1 3 0 R", b"/F1 7 0 R")
    found = pdf.read(content, "a.pdf")
    assert found.text.strip() == "the old lantern"
    assert found.problems[0][1].startswith("page 1 of 1: 13 of 13 letters (100%) are of fonts that")


def without_pages(content: bytes, count: int = 9) -> bytes:
    return content.replace(b"/Type /Page /Parent", b"/Type /Xxxx /Parent", count)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 2_000),
)
def test_damaged_files_are_unfit_or_text(changes: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(made_pdf(["some words", "more of them"], "title"))
    for place, value in changes:
        content[place % len(content)] = value
    try:
        pdf.read(bytes(content[: len(content) - cut]), "a.pdf")
    except Unfit as unfit:
        assert unfit.reason in ("unreadable", "empty")  # noqa: PT017
