"""A page as the tags and texts that a browser makes of it: resiliparse parses it by the HTML
standard and writes it again, with every tag closed, so that expressions can read what comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

VOID = frozenset(
    [
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
        *("param", "source", "track", "wbr", "basefont", "bgsound", "frame", "keygen"),
    ]
)
# Tags that change neither text nor state, where none of that name has an attribute that does.
INLINE = [
    *("span", "em", "code", "strong", "b", "i", "tt", "a", "kbd", "var", "sup"),
    *("sub", "cite", "small", "big", "dfn", "samp", "q", "u", "font", "acronym"),
    *("abbr", "mark", "time", "ins", "del", "s", "bdi", "bdo"),
]

# The same of blocks, whose tags become a sign that parts.
BLOCKS = [
    *("p", "div", "li", "td", "tr", "th", "ul", "ol", "dl", "dd", "table", "tbody", "thead"),
    *("tfoot", "colgroup", "pre", "blockquote", "figure", "figcaption", "caption", "center"),
    *("main", "article", "address", "details", "summary"),
]
APART = "\x1e"
NESTED = 2  # inline tags in one another that are looked at

_FRAGMENT = re.compile(r"<!doctype|<(?:html|head|title|body)\b", re.IGNORECASE)
_ATTRIBUTES = r'((?: [^\s=>]+="[^"]*")*)'
# Raw text, which nobody reads, and comments.
_UNREAD = re.compile(
    rf"<(script|style|iframe|noembed|noframes|xmp){_ATTRIBUTES}>.*?</\1>|<!--.*?-->", re.DOTALL
)
# The last ones are for private use: fonts of icons have their signs there.
_SIGNS = "¶#§\U0001f517\u200b\ufe0f\ue000-\uf8ff"
_SIGN = re.compile(
    rf"<a( [^>]*)>(?:[\s{_SIGNS}]|&nbsp;|<svg\b.*?</svg>|</?span\b[^>]*>)*</a>", re.DOTALL
)
_HEADING_LINK = re.compile(r'href="#|class="[^"]*\b(?:headerlink|anchor|header-anchor|hash-link)\b')
_SAYING = re.compile(r' (?:id|name|data-pagefind-[a-z-]+)="')
_PLAIN = r'(?: (?!id=|name=|data-pagefind)[^\s=>]+="[^"]*")*'
_PAIR = re.compile(rf"<({'|'.join(INLINE)}){_PLAIN}>([^<]*)</\1>")
_TOKEN = re.compile(rf"<(/?)([^\s/>]+){_ATTRIBUTES} ?/?>|([^<]+)")


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
    return Parsed(lang, head, None if written is None else _shortened(written))


def _shortened(written: str) -> str:
    """Return a page without what says nothing: comments, scripts, inline tags without meaning and
    the signs that link to headings.
    """
    written = _UNREAD.sub(
        lambda found: f"<{found[1]}{found[2]}></{found[1]}>" if found[1] else "", written
    )
    written = _SIGN.sub(_without_sign, written)
    saying = set(_saying(written))
    own = "|".join(name for name in BLOCKS if name not in saying)
    written = re.sub(rf"</?(?:{own}){_PLAIN}>", APART, written)
    own = "|".join(name for name in INLINE if name not in saying)
    written = re.sub(rf"</?(?:{own}){_PLAIN}>", "", written)
    for _ in range(NESTED if saying else 0):  # of the others those that say nothing, from within
        written = _PAIR.sub(r"\2", written)
    return written


def _without_sign(found: re.Match[str]) -> str:
    """Return nothing for a sign that links to a heading, unless it has an id itself."""
    attributes = found[1]
    links = _HEADING_LINK.search(attributes) and not _SAYING.search(attributes)
    return "" if links else found[0]


def _saying(written: str) -> Iterator[str]:
    """Yield the names of the elements that have an attribute which means something."""
    for found in _SAYING.finditer(written):
        start = written.rfind("<", 0, found.start()) + 1
        yield written[start : written.find(" ", start)]


def tokens(written: str) -> list[tuple[str, str, str, str]]:
    """Return the tags and texts of a page in their order: a slash for the end of an element, its
    name, its attributes as they are written; or a text, with its entities and with APART between
    blocks. Elements of VOID have no end.
    """
    found: list[tuple[str, str, str, str]] = _TOKEN.findall(written)
    return found
