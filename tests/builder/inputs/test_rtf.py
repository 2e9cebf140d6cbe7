"""RTF files: code pages, characters of Unicode, tables, and what of them is no text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages.office import rtf

FONTS = (
    r"{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}"
    r"{\f3\fcharset2 Symbol;}{\f4\fcharset2 Wingdings;}{\f5\fnil Plain;}}"
)


def parsed(body: str | bytes, add: str = "", head: str = r"\ansi\ansicpg1252\deff0") -> str:
    content = body if isinstance(body, bytes) else body.encode("latin-1")
    made = rb"{\rtf1" + head.encode() + FONTS.encode() + content + b"}"
    _, text, _, problems = rtf.parsed(made, add)
    assert problems == []
    return text


BODIES = {
    "paragraphs": (
        r"one\par two\par\pard\par three\line four\sect five",
        "one\ntwo\nthree\nfour\nfive",
    ),
    "line ends of the file": ("one\r\n two\\\nthree", "one two\nthree"),
    "signs": (r"a\~b\_c\-d\tab e\emdash\{\}\\ \'e9\rquote s", "a\xa0b\u2011cd\te—{}\\ é’s"),
    "Unicode": (r"\u8364?\u-10179?\u-8704?\uc2\u960 pi\u233\'65\'65{\uc0\u955}x", "€😀πéλx"),
    "Unicode with a group behind": (r"\u955{b}", "λb"),
    "a font's code page": (r"{\f1\'cc\'e8\'f0} {\f5\'e9}\plain\'e9", "Мир éé"),
    "two bytes of a character, one of them a letter": (r"\f2\'83e\'83X\'83g", "テスト"),
    "symbols": (r"{\f3 ab\'b3}{\f4\'fc}\u-3999?{\f3\u-3999?}", "αβ≥α"),
    "hidden and deleted": (
        r"seen{\v hidden\par}{\deleted gone} and \v not\v0 this\v\deleted\plain\ too",
        "seen and thistoo",
    ),
    "a field": (
        r"{\field{\*\fldinst{HYPERLINK {http://x.org}}}{\fldrslt{\cs1 the link}}}",
        "the link",
    ),
    "fields in the code of a field": (
        r"{\field{\*\fldinst IF {\field{\*\fldinst X}{\fldrslt inner}}=1}{\fldrslt outer}}",
        "outer",
    ),
    "what is no text": (
        r"{\stylesheet{\s0 Normal;}}{\*\generator Word;}{\info{\author Ann}}{\*\unknown{x}y}"
        r"{\pict\pngblip 8950}{\listtext\'b7\tab}item{\xe{\v entry}}",
        "item",
    ),
    "headings and items": (
        r"\pard\s1\outlinelevel0 Head\par\pard text\par\pard{\pntext\'b7\tab}one\par"
        r"{\listtext 2.\tab}two\line more\par\pard\ls1\ilvl0{three}\par\pard\ls0\outlinelevel9 end",
        "\u2005Head\ntext\n\u2006one\n\u2006two\nmore\n\u2006three\nend",
    ),
    "bytes that are none of text": ("a{\\*\\blob\\bin4 }}\\{b}c", "ac"),
    "the same in Unicode": (
        r"{\upr{\bkmkstart a?}{\*\ud{\bkmkstart a}}}{\upr{a?}{\*\ud{a\u955?}}}",
        "aλ",
    ),
    "a table": (
        r"before\par\trowd\intbl a\cell b\par c\cell\row\trowd\intbl d\cell\cell\row\pard after",
        "before\na\tb c\nd\nafter",
    ),
    "cells that do not say that they are in a table": (r"\pard a\cell b\cell\row c", "a\tb\nc"),
    "a table in a table": (
        r"\intbl a\par\intbl\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\nestrow}"
        r"{\nonesttables\par}\pard\intbl b\cell c\cell\row",
        "a\nx\ty\nb\nc",
    ),
    "a text box once, behind its paragraph": (
        r"be{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt boxed\par}}{\shprslt{\*\do{\dptxbxtext "
        r"boxed\par}}}}side\par next",
        "beside\nboxed\nnext",
    ),
    "an old text box": (r"a{\*\do{\dptxbxtext boxed\par}}\par", "a\nboxed"),
    "notes, heads and feet behind the text": (
        r"{\header Head\par}{\headerf Head}{\footer Foot}word{\footnote\chftn  A note}s",
        "words\nA note\nHead\nFoot",
    ),
    "formulas": (
        r"{\mmath{\*\moMath{\mf{\mfPr{\*\mctrlPr x}}{\mnum{\mr a}}{\mden{\mr b}}}}"
        r"{\mmathPict{\pict 00}}}",
        "ab",
    ),
    "an object": (r"{\object{\*\objclass X}{\*\objdata 0105}{\result{shown}}}", "shown"),
}


@pytest.mark.parametrize("kind", BODIES)
def test_what_a_reader_sees(kind: str) -> None:
    body, expected = BODIES[kind]
    assert parsed(body) == expected


def test_code_pages_of_the_file() -> None:
    assert parsed(r"\f9\'cc\'e8\'f0", head=r"\ansi\ansicpg1251") == "Мир"
    assert parsed(r"\f9\'8e", head=r"\mac") == "é"
    assert parsed(r"\f9\'82", head=r"\pc") == "é"
    assert parsed(r"\f9\'e9", head=r"\ansi\ansicpg99999") == "é"
    assert parsed(b"\\f9\xc3\xa9", head=r"\ansi\ansicpg65001") == "é"


def test_title_language_and_comments() -> None:
    made = (
        rb"{\rtf1\ansi\ansicpg1251\deff0\deflang1049{\fonttbl{\f0\fcharset0 A;}}{\info{\title "
        rb"\'cc\'e8\'f0}{\subject no}}text{\*\atnid AB}\chatn{\*\annotation{\*\atndate 7}Why?}}"
    )
    assert rtf.parsed(made, "") == ("Мир", "text", "ru-RU", [])
    assert rtf.parsed(made, "comments")[1] == "text\nWhy?"


def test_what_is_wrong_is_said() -> None:
    assert rtf.parsed(rb"{\rtf1 whole}{\rtf1 more}", "")[1::2] == (
        "whole",
        ["4 bytes after the brace that ends the document are left out"],
    )
    assert rtf.parsed(rb"{\rtf1 whole} \par}" + b"\0" * 9, "")[3] == []
    assert rtf.parsed(rb"{\rtf1 {\b cut", "")[1::2] == (
        "cut",
        ["it ends within a group, so it may be cut short"],
    )
    wrong = r"2 characters became U+FFFD; the first, 0x81, is no character of the code page cp1252"
    assert rtf.parsed(rb"{\rtf1\ansi a\'81\'81 b}", "")[1::2] == ("a\ufffd\ufffd b", [wrong])
    for made, said in (
        (b"words", "not an RTF file, though its name says so; give it the suffix of its format"),
        (rb"{\rtf1" + b"{" * 20_000, "its groups nest deeper than 10,000"),
    ):
        with pytest.raises(Unfit) as caught:
            rtf.parsed(made, "")
        assert str(caught.value) == f"unreadable: {said}"


def escaped(text: str) -> str:
    """Text as a program writes it: what is not ASCII in UTF-16."""
    units = text.encode("utf-16-le")
    codes = (
        int.from_bytes(units[n : n + 2], "little", signed=True) for n in range(0, len(units), 2)
    )
    return "".join(
        f"\\u{code}?" if not 0x20 <= code < 0x7F or chr(code) in r"\{}" else chr(code)
        for code in codes
    )


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"])))
def test_any_text_comes_back(text: str) -> None:
    private = "".join(char for char in text if char != "\ufeff")
    assert parsed(escaped(private)) == private


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            (
                *(r"{", r"}", r"\*", r"\par ", r"\cell ", r"\row ", r"\nestcell ", r"\nestrow "),
                *(r"\intbl ", r"\itap2 ", r"\itap9 ", r"\pard ", r"\v ", r"\plain ", r"\f2 "),
                *(r"\u955 ", r"\u ", r"\uc9 ", r"\'83", r"\'", "\\", r"\bin2 ", r"\bin-5 ", "ab"),
                *(r"\footnote ", r"\header ", r"\shptxt ", r"\upr ", r"\*\ud ", r"\fonttbl "),
                *(r"\fcharset ", r"\cpg ", r"\ansicpg ", r"\deff ", r"\title ", r"\u99999999 "),
            )
        )
    )
)
def test_nothing_raises_anything_else(tokens: list[str]) -> None:
    rtf.parsed(b"{\\rtf1" + "".join(tokens).encode(), "comments")
