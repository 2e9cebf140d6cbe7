"""Marks in the source of an HTML page, which tell in the text of its tree where lines and cells
begin, and what keeps its white space. The core puts them there (cbits/ingest/html_marks.c).

A visit of each element in Python takes several times as long as all the rest. Marks are white
space, which a page may have anywhere.
"""

from __future__ import annotations

import re
from collections import Counter

from pocketindex.builder.inputs.pages.navigation import BOXES, HOLDERS, NAMES
from pocketindex.cbits import ffi, lib

BLOCK, CELL = chr(lib.POCKET_HTML_BLOCK), chr(lib.POCKET_HTML_CELL_MARK)
KEPT_BEGIN, KEPT_END = chr(lib.POCKET_HTML_KEPT_BEGIN), chr(lib.POCKET_HTML_KEPT_END)
NO_MARKS = str.maketrans("\x1c\x1d\x1e\x1f", " " * 4)  # as white space is elsewhere
# A link that shows one sign, or some: headings have such links to themselves, which appear under
# the pointer.
_SIGNS = r"(?:[¶#§🔗\ue000-\uf8ff]|&para;|&#182;)"
_SIGN_LINK = re.compile(rf"<a\b([^<>]*)>\s*(?:{_SIGNS}\s*)+</a\s*>", re.IGNORECASE)
_LEADS_HERE = re.compile(r"\bhref\s*=\s*[\"']?#", re.IGNORECASE)
# What is looked at in the tree gets an attribute, so that one selector finds it.
LOOK = "look-here"

RAW = frozenset(("textarea", "xmp", "plaintext"))  # tags are text in them
NOT_SEEN = frozenset(("script", "style", "title", "noembed"))
NOT_SEEN_IN_FOREIGN = frozenset(("desc", "metadata", "annotation", "annotation-xml", "template"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LINES = frozenset(
    (
        *("p", "pre", "div", "dd", "dt", "dl", "details", "dialog", "dir", "li", "listing", "hr"),
        *(*_HEADINGS, "header", "hgroup", "ul", "ol", "br", "legend"),
        *("tr", "table", "tbody", "thead", "tfoot", "text", "section", "select", "summary"),
        *("search", "article", "aside", "address", "body", "blockquote", "form", "footer"),
        *("figure", "figcaption", "fieldset", "caption", "center", "main", "menu", "option"),
        *("optgroup", "nav", "noframes", "iframe", *RAW),
    )
)
_LOOKED_AT = frozenset(
    ("nav", "header", "footer", "iframe", "noframes", "ruby", "sup", "input", "template")
)
_VOID = frozenset(
    (
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img"),
        *("input", "keygen", "link", "meta", "param", "source", "track", "wbr"),
    )
)
_KINDS = {
    lib.POCKET_HTML_LINE: _LINES,
    lib.POCKET_HTML_KEPT: RAW | {"pre", "listing"},
    lib.POCKET_HTML_CELL: {"td", "th"},
    lib.POCKET_HTML_APART: {"img", "button", "input"},
    lib.POCKET_HTML_LOOK: _LOOKED_AT | HOLDERS | RAW | NOT_SEEN | NOT_SEEN_IN_FOREIGN,
    lib.POCKET_HTML_BOX: BOXES,
    lib.POCKET_HTML_VOID: _VOID,
    lib.POCKET_HTML_NAVIGATION: NAMES,
    lib.POCKET_HTML_ROLE: {"role"},
    lib.POCKET_HTML_HEADING: _HEADINGS,
    lib.POCKET_HTML_ITEM: {"li"},
}
_KINDS_OF = Counter[str]()
for _kind, _names in _KINDS.items():
    _KINDS_OF.update(dict.fromkeys(_names, _kind))
_TABLE = ffi.new(
    "pocket_html_name[]", [(name.encode(), kinds) for name, kinds in sorted(_KINDS_OF.items())]
)


def marked(source: str, is_xml: bool = False) -> str:
    """Return the source of a page with its marks; is_xml: whether an element may be empty as in
    XML, which gets an end tag then.
    """
    if BLOCK in source:
        source = source.replace(BLOCK, " ")
    if CELL in source:
        source = source.replace("\r\n", "\n").replace(CELL, "\n")
    source = _SIGN_LINK.sub(lambda link: "" if _LEADS_HERE.search(link[1]) else link[0], source)
    content = source.encode()
    out = bytearray(2 * len(content) + lib.POCKET_HTML_MARKS * content.count(b"<"))
    size = lib.pocket_html_marked(
        content, len(content), _TABLE, len(_TABLE), is_xml, ffi.from_buffer("uint8_t[]", out)
    )
    return str(memoryview(out)[:size], "utf-8")


def unmarked(text: str) -> str:
    """Return text in which tags are text as it stands in the source, without marks."""
    content = text.encode()
    out = bytearray(len(content))
    size = lib.pocket_html_unmarked(
        content, len(content), _TABLE, len(_TABLE), ffi.from_buffer("uint8_t[]", out)
    )
    return str(memoryview(out)[:size], "utf-8")


def lines(text: str) -> tuple[str, int]:
    """Return the text of a tree with marks with a line for each block, one space for other white
    space, and a tab between the cells of a row; and the number of its words.
    """
    if LOOK in text:  # of a tag within CDATA, which is text
        text = text.replace(f" {LOOK}", "")
    content = text.encode()
    out, words = bytearray(4 * len(content)), ffi.new("uint64_t *")
    size = lib.pocket_html_lines(content, len(content), ffi.from_buffer("uint8_t[]", out), words)
    return str(memoryview(out)[:size], "utf-8"), words[0]
