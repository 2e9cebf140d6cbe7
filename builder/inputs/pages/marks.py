"""Marks in the source of an HTML page, which tell in the text of its tree where lines and cells
begin, and what keeps its white space.

A visit of each element in Python takes several times as long as all the rest. So each tag that
stands on a page, however often it does, is looked at once, in its source. Marks are white space,
which a page may have anywhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from pocketindex.builder.inputs.pages.navigation import BOXES, HOLDERS, NAMES

# Of a block, of a cell (a carriage return that is written so is the only one that a tree can have),
# and of what keeps its white space. All are white space to str.split().
BLOCK, CELL = "\f", "\r"
KEPT_BEGIN, KEPT_END = "\x1c", "\x1d"
NO_MARKS = str.maketrans("\x1c\x1d\x1e\x1f", " " * 4)  # as white space is elsewhere
# What is looked at in the tree gets an attribute, so that one selector finds it.
LOOK = "look-here"

RAW = frozenset(("textarea", "xmp", "plaintext"))  # tags are text in them
NOT_SEEN = frozenset(("script", "style", "title", "noembed"))
NOT_SEEN_IN_FOREIGN = frozenset(("desc", "metadata", "annotation", "annotation-xml"))
_KEPT = RAW | {"pre", "listing"}
_LINES = frozenset(
    (
        *("p", "pre", "div", "dd", "dt", "dl", "details", "dialog", "dir", "li", "listing", "hr"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "ul", "ol", "br", "legend"),
        *("tr", "table", "tbody", "thead", "tfoot", "text", "section", "select", "summary"),
        *("search", "article", "aside", "address", "body", "blockquote", "form", "footer"),
        *("figure", "figcaption", "fieldset", "caption", "center", "main", "menu", "option"),
        *("optgroup", "nav", "noframes", "iframe", *RAW),
    )
)
_CELLS = frozenset(("td", "th"))
_APART = frozenset(("img", "button", "input"))  # from the words beside them
_LOOKED_AT = frozenset(
    ("nav", "header", "footer", "iframe", "noframes", "ruby", "sup", "input", "template")
)
_LOOKED_AT |= HOLDERS | RAW | NOT_SEEN | NOT_SEEN_IN_FOREIGN
_MARKED = _LINES | _CELLS | _APART | _LOOKED_AT


def _tree(names: Iterable[str]) -> str:
    """Return an expression for names that is a tree of letters, because a list takes twice the
    time.
    """
    rest = defaultdict[str, list[str]](list)
    for name in names:
        rest[name[:1]].append(name[1:])
    ends = rest.pop("", None) is not None
    branches = [letter + _tree(sorted(more)) for letter, more in sorted(rest.items())]
    return f"(?:{'|'.join(branches)}){'?' if ends else ''}" if branches else ""


_NAMES = _tree(sorted(_MARKED))
# A tag, without its "<": one that may get a mark, or any in capitals.
_TAG = re.compile(rf"<(/?(?:{_NAMES}(?=[\s/>])|[A-Z][^\s/<>]*)[^<>]*>?)")
_NAME = re.compile(r"/?[^\s/<>]*")
_WORD = re.compile(r"[\w-]+")
_BEGIN = re.compile(
    rf"(\x1d?\f|&\#13;|\r|\ |)(?P<tag><(?P<name>/?{_NAMES}))(?:\ {LOOK})*(?=[\s/>])", re.I
)


def _mark(name: str) -> str:
    """Return what stands before a tag; name: with the slash of an end tag."""
    tag = name.strip("/")
    if tag in _LINES:
        return KEPT_END + BLOCK if tag in _KEPT and tag != name else BLOCK
    if tag in _APART:
        return " "
    return "&#13;" if name in _CELLS else ""


_MARKS = {
    name: (_mark(name), f" {LOOK}" if name in _LOOKED_AT else "")
    for tag in _MARKED
    for name in (tag, f"/{tag}")
}


def _with_marks(tag: str) -> str:
    written = _NAME.match(tag)[0]  # type: ignore[index]
    name, rest = written.lower(), tag[len(written) :]
    if name not in _MARKS:
        return f"<{tag}"
    mark, look = _MARKS[name]
    attributes = rest.lower()
    if (name in BOXES or "role" in attributes) and not NAMES.isdisjoint(_WORD.findall(attributes)):
        look = f" {LOOK}"
    return f"{mark}<{written}{look}{rest}{KEPT_BEGIN if name in _KEPT else ''}"


class _Tags(dict[str, str]):
    """Tags with their marks, by how they stand in the source.

    The pages of a site share most of them. An id is that of one page, so its tag is not kept.
    """

    def __missing__(self, tag: str) -> str:
        found = _with_marks(tag)
        if len(tag) < _LONG and "id=" not in tag:
            if len(self) >= _MOST:
                self.clear()
            self[tag] = found
        return found


_LONG, _MOST = 200, 4_096
_tags = _Tags()


def marked(source: str) -> str:
    """Return the source of a page with its marks."""
    if BLOCK in source:
        source = source.replace(BLOCK, " ")
    if CELL in source:
        source = source.replace("\r\n", "\n").replace(CELL, "\n")
    parts = _TAG.split(source)  # text, tag, text, ...
    parts[1::2] = map(_tags.__getitem__, parts[1::2])
    return "".join(parts)


def unmarked(text: str) -> str:
    """Return text in which tags are text as it stands in the source, without marks."""
    text = _BEGIN.sub(_original, text)
    return text.replace(KEPT_BEGIN, "").replace(KEPT_END, "")


def _original(begin: re.Match[str]) -> str:
    mark = _mark(begin["name"].lower())
    is_mark = begin[1] in (mark, mark.replace("&#13;", CELL))
    return begin["tag"] if is_mark else begin[1] + begin["tag"]
