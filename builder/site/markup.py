"""A page as the tags and texts that a browser makes of it: resiliparse parses it by the HTML
standard and writes it again, with every tag closed, and the core tells what means something
(cbits/ingest/html_tokens.c).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pocketindex.builder.site.elements import HOLDERS, JOINED, SPECIAL, UNREAD, VOID
from pocketindex.cbits import ffi, lib

TAG, APART = chr(lib.POCKET_HTML_TAG_MARK), chr(lib.POCKET_HTML_APART_MARK)

_FRAGMENT = re.compile(r"<!doctype|<(?:html|head|title|body)\b", re.IGNORECASE)
_KINDS = {
    lib.POCKET_HTML_JOINED: JOINED,
    lib.POCKET_HTML_EMPTY: VOID,
    lib.POCKET_HTML_TOLD: SPECIAL,
    lib.POCKET_HTML_NAMED: HOLDERS | {"a", "dt"},
    lib.POCKET_HTML_UNREAD: UNREAD,
    lib.POCKET_HTML_BREAK: {"br"},
    lib.POCKET_HTML_LINK: {"a"},
}
_NAMES = ffi.new(
    "pocket_html_name[]",
    [
        (name.encode(), sum(kind for kind, names in _KINDS.items() if name in names))
        for name in sorted(frozenset[str]().union(*_KINDS.values()))
    ],
)


class Parsed(NamedTuple):
    """A page: of the whole of it the language, and the written parts of its head and of what is
    read.
    """

    lang: str
    head: str
    read: str | None  # None where nothing matches the selector


def is_fragment(source: str) -> bool:
    """Return whether a file has none of the tags that a page has."""
    return not _FRAGMENT.search(source)


def parsed(html: Any, source: str, root: str = "", exclude: str = "") -> Parsed:
    """Parse a page. html: resiliparse.parse.html; root: a selector of the element that is read;
    exclude: a selector of what is left out as by data-pagefind-ignore.
    """
    document = html.HTMLTree.parse(source).document
    lang = document.document_element.getattr("lang") or ""
    for element in document.query_selector_all(exclude) if exclude else ():
        if element.getattr("data-pagefind-ignore") is None:
            element.setattr("data-pagefind-ignore", "")
    written = document.document_element.html  # without a doctype
    head = written[:end] if (end := written.find("</head>")) >= 0 else ""
    if root:
        found = document.query_selector(root)
        written = None if found is None else found.html
    return Parsed(lang, head, written)


def tokens(written: str) -> list[str]:
    """Return the texts and tags of a page in turn, the first and the last a text. A text has no
    references, one space for white space, and APART between blocks; a tag is `/name`, or `name` and
    its attributes as they are written. Elements of VOID have no end.
    """
    content = written.encode(errors="replace")
    out = bytearray(len(content) + 2)
    size = lib.pocket_html_tokens(
        content,
        len(content),
        _NAMES,
        len(_NAMES),
        ffi.from_buffer("uint8_t[]", bytearray(len(content) // 24 + 1)),
        ffi.from_buffer("uint8_t[]", out),
    )
    return str(memoryview(out)[:size], "utf-8").split(TAG)
