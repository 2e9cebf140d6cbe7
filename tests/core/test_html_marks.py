"""The core puts marks into HTML, takes them away, and makes lines of what is between, as a few
expressions of Python do, in time that grows with the page and no faster.
"""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest
from compiled import CORE, HARNESSES, core_file
from core_sources import SANITIZE, tool
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.builder.inputs.pages.marks import (
    _KINDS_OF,
    BLOCK,
    CELL,
    KEPT_BEGIN,
    KEPT_END,
    LOOK,
    lines,
    marked,
    unmarked,
)
from pocketindex.builder.inputs.pages.signs import code
from pocketindex.cbits import lib

_TAG = re.compile(r"<(/?)([A-Za-z][^ \n\t/<>]*)(?=[ \n\t/>])([^<>]*)(>?)")
_NAME = re.compile(r"</?[A-Za-z][^ \n\t/<>]*\Z")  # that runs into another tag


HEADING_MARK, ITEM_MARK = chr(lib.POCKET_HTML_HEADING_MARK), chr(lib.POCKET_HTML_ITEM_MARK)
_SIGNED = lib.POCKET_HTML_HEADING | lib.POCKET_HTML_ITEM
_SIGN = re.compile(f"{HEADING_MARK}{{3}}|{ITEM_MARK}{{3}}|{HEADING_MARK}")


def _mark(kinds: int, closes: bool) -> str:
    if kinds & lib.POCKET_HTML_LINE:
        kept = KEPT_END if closes and kinds & lib.POCKET_HTML_KEPT else ""
        return f"{kept}{HEADING_MARK if closes and kinds & _SIGNED else ''}{BLOCK}"
    if kinds & lib.POCKET_HTML_APART:
        return " "
    return "&#13;" if kinds & lib.POCKET_HTML_CELL and not closes else ""


def marked_by_expressions(source: str, is_xml: bool) -> str:
    def with_marks(found: re.Match[str]) -> str:
        slash, name, rest, end = found.groups()
        kinds = _KINDS_OF[name.lower()]
        if _NAME.search(source, 0, found.start()) and not (slash and kinds & lib.POCKET_HTML_KEPT):
            return found[0]
        words = [_KINDS_OF[word] for word in re.findall("[a-z0-9_-]+", rest.lower(), re.ASCII)]
        looks = kinds & lib.POCKET_HTML_LOOK or (
            kinds
            and any(word & lib.POCKET_HTML_NAVIGATION for word in words)
            and (kinds & lib.POCKET_HTML_BOX or lib.POCKET_HTML_ROLE in words)
        )
        is_empty = is_xml and not slash and f"{rest}{end}".endswith("/>")
        is_empty &= not kinds & lib.POCKET_HTML_VOID
        kept = kinds & lib.POCKET_HTML_KEPT and not slash
        return (
            f"{_mark(kinds, bool(slash))}<{slash}{name}{f' {LOOK}' if looks and not slash else ''}"
            f"{rest.removesuffix('/') if is_empty else rest}{end}{KEPT_BEGIN if kept else ''}"
            f"{'' if slash else HEADING_MARK * 3 if kinds & lib.POCKET_HTML_HEADING else ''}"
            f"{'' if slash else ITEM_MARK * 3 if kinds & lib.POCKET_HTML_ITEM else ''}"
            f"{f'{_mark(kinds, True)}</{name}>' if is_empty else ''}"
        )

    source = source.replace(BLOCK, " ").replace("\r\n", "\n").replace(CELL, "\n")
    return _TAG.sub(with_marks, source)


def lines_by_splitting(text: str) -> tuple[str, int]:
    """Return the lines, and the number of words, as marks.lines does."""
    sign = ""  # of what the next line begins

    def see(text: str) -> None:
        nonlocal sign
        for one in _SIGN.findall(text):
            sign = "" if len(one) == 1 else "\u2005" if one[0] == HEADING_MARK else "\u2006"

    def flow(text: str) -> None:
        nonlocal sign
        for block in text.split(BLOCK):
            begin = re.match(r"[\s\xad]*", block)
            assert begin
            see(begin[0])
            cells = [
                [one for word in cell.split() if (one := word.replace("\xad", ""))]
                for cell in block.split(CELL)
            ]
            counts.extend(map(len, cells))
            line = "\t".join(map(" ".join, cells)).strip("\t")
            found.append(sign + line if line else "")
            sign = "" if line else sign
            see(block[begin.end() :])

    found, counts = list[str](), list[int]()
    flowing, *others = text.replace(f" {LOOK}", "").split(KEPT_BEGIN)
    flow(flowing)
    for part in others:
        kept, _, flowing = part.partition(KEPT_END)
        counts.append(len(kept.replace("\xad", "").split()))
        kept = re.sub(f"{HEADING_MARK}{{3}}|{ITEM_MARK}{{3}}", "", kept).replace("\xad", "")
        kept = kept.translate(str.maketrans("\f\r\xa0\x1e\x1f", "\n\t   ")).strip("\n").rstrip()
        found.append(code(kept) if kept else "")
        sign = "" if found[-1] else sign
        flow(flowing)
    return "\n".join(filter(None, found)), sum(counts)


_TEXT = st.one_of(
    st.text(max_size=5),
    st.sampled_from(
        (
            *("<p", "<P", "</p", "<td", "</td", "<pre", "</pre", "<xmp", "</xmp", "<img", "<br"),
            *(
                "<nav",
                "</nav",
                "<div",
                "<li",
                "</li",
                "<h2",
                "</h2",
                "<section",
                "<span",
                "</",
                "<",
                "<ul",
                "<role",
            ),
            *(">", "/>", "/", " ", "\n", "=", '"', "'", " class=", "toc", "Navbar", " role=x"),
            *(" role=navigation", " id=header", "look-here", "&#13;", "word", "zwölf", "</span>"),
        )
    ),
)
_WHITE = st.sampled_from(
    [chr(code) for code in range(0x3001) if chr(code).isspace()]
    + list("\f\r\x1c\x1d\xad\xa0")
    + [HEADING_MARK * 3, ITEM_MARK * 3] * 3
)
SOURCES = st.lists(st.one_of(_TEXT, _WHITE), max_size=25).map("".join)
TREES = st.lists(st.one_of(_WHITE, st.text(max_size=3)), max_size=25).map("".join)


@given(SOURCES, st.booleans())
def test_marks_are_those_of_expressions(source: str, is_xml: bool) -> None:
    assert marked(source, is_xml) == marked_by_expressions(source, is_xml)


@given(SOURCES)
def test_a_source_comes_back_from_its_marks(source: str) -> None:
    """Except a space before the beginning of a tag that another one cuts, as in " <img<img>"."""
    source = re.sub(
        f"[\f\r\x1c\x1d\x1f]|{ITEM_MARK}{{3}}|(?<= ){LOOK}| (?=<img<)|&#13;", "", source, flags=re.I
    )
    assert unmarked(marked(source)) == source
    assert unmarked(marked(source).replace("&#13;", CELL)) == source


@given(TREES)
def test_lines_are_those_of_splitting(text: str) -> None:
    assert lines(text) == lines_by_splitting(text)


def test_every_white_space_separates_words() -> None:
    for char in map(chr, range(0x3200)):
        assert lines(f"a{char}b")[1] == 1 + char.isspace(), hex(ord(char))


def test_the_core_knows_every_name() -> None:
    assert len(_KINDS_OF) <= lib.POCKET_HTML_NAMES
    assert max(map(len, _KINDS_OF)) < lib.POCKET_HTML_NAME


@pytest.mark.parametrize(
    "unit", ["<", "<p", "<p ", "</xmp/", "<td toc/>", "x toc", "\x1c", "\r", "&#13;<td"]
)
def test_time_grows_with_the_page(unit: str) -> None:
    source = "<p " + unit * 300_000
    begin = time.process_time()
    lines(unmarked(marked(source, True)))
    assert time.process_time() - begin < 3


def test_no_byte_beyond(tmp_path: Path) -> None:
    """Changed pages under the sanitizers."""
    program = tmp_path / "mutate"
    own = ("html_marks.c", "html_lines.c", "html_tokens.c", "markup.c")
    sources = [HARNESSES / "mutate_html.c", *map(core_file, own)]
    flags = ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", *SANITIZE, f"-I{CORE}"]
    subprocess.run([tool("gcc"), *flags, "-o", str(program), *map(str, sources)], check=True)
    page = (
        "<p class='toc'>eins<P role=navigation/>zwei<td><td toc/><tr><xmp/><xmp>\n  a\r b</xmp>"
        "<img/><img><nav><nav/></nav>&#13;<a-name-of-23-characters><a-name-of-24-characters->"
        "<h1>h</h1><li>i<li/>\x1f\x1f\x1fj\x1f\x0b\x0b\x0bk"
        "<span/>a\u00adb \u2003\u00a0\u3000 c\f\fd\x1c e\u00a0\x1d f look-here <td/>"
        "<td role toc/><xmp look-here>"
        '<h2>b<a class="headerlink" href="#b"><span>\u00b6</span><svg><p></svg><!-- --></a></h2>'
        '<a href="#c">\U0001f517&nbsp;\ue000</a><br>&amp;&#x61;<p id="d" data-pagefind-x>\u200be'
    )
    done = subprocess.run(
        [program, "30000"], input=(page * 3).encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    marks, same, words, taken = map(int, done.stdout.split())
    assert marks > 5_000_000
    assert same > 3_000
    assert words > 300_000
    assert taken > 1_000_000
