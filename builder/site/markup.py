"""A page as the tags and texts that a browser makes of it: resiliparse parses it by the HTML
standard and writes it again, with every tag closed, so that expressions can read what comes.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "basefont",
        "bgsound",
        "frame",
        "keygen",
    ]
)
# Tags that change neither text nor state, where none of that name has an attribute that does.
INLINE = [
    "span",
    "em",
    "code",
    "strong",
    "b",
    "i",
    "tt",
    "a",
    "kbd",
    "var",
    "sup",
    "sub",
    "cite",
    "small",
    "big",
    "dfn",
    "samp",
    "q",
    "u",
    "font",
    "acronym",
    "abbr",
    "mark",
    "time",
    "ins",
    "del",
    "s",
    "bdi",
    "bdo",
]

NESTED = 3  # inline tags in one another that are looked at

_FRAGMENT = re.compile(r"<!doctype|<(?:html|head|title|body)\b", re.IGNORECASE)
_ATTRIBUTES = r'((?: [^\s=">]+="[^"]*")*)'
# Raw text, which nobody reads, and comments.
_UNREAD = re.compile(
    rf"<(script|style|iframe|noembed|noframes|xmp){_ATTRIBUTES}>.*?</\1>|<!--.*?-->", re.DOTALL
)
_SIGNS = "¶#§\U0001f517\u200b\ufe0f"
_PERMALINK = re.compile(
    r'<a(?! [^>]*\b(?:id|name)=)(?= [^>]*(?:href="#|class="[^"]*\b'
    r"(?:headerlink|anchor|header-anchor|hash-link)\b))[^>]*>"
    rf"(?:[\s{_SIGNS}]|&nbsp;|<svg\b.*?</svg>|</?span\b[^>]*>)*</a>",
    re.DOTALL,
)
_SAYING = re.compile(
    rf"<({'|'.join(INLINE)})(?= )(?:[^>\"]|\"[^\"]*\")*? (?:id|name|data-pagefind-[a-z-]+)=\""
)
_PAIR = re.compile(
    rf"<({'|'.join(INLINE)})(?: (?!id=|name=|data-pagefind)[^\s=\">]+=\"[^\"]*\")*>([^<]*)</\1>"
)
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
    if 'href="#' in written or "anchor" in written or "h-link" in written or "headerl" in written:
        written = _PERMALINK.sub("", written)
    saying = {found[1] for found in _SAYING.finditer(written)}
    names = "|".join(name for name in ["nobr", *INLINE] if name not in saying)
    written = re.sub(rf'</?(?:{names})(?: [^\s=">]+="[^"]*")*>', "", written)
    for _ in range(NESTED if saying else 0):  # of the others those that say nothing, from within
        written = _PAIR.sub(r"\2", written)
    return written


def tokens(written: str) -> list[tuple[str, str, str, str]]:
    """Return the tags and texts of a page in their order: a slash for the end of an element, its
    name, its attributes as they are written; or a text, with its entities. Elements of VOID have
    no end.
    """
    found: list[tuple[str, str, str, str]] = _TOKEN.findall(written)
    return found
