"""Turn an HTML page into the text that a person sees: everything that is neither hidden nor
navigation, with a line for each block. resiliparse parses the page and finds its elements.

docs/inputs.md has the rules. The text of the whole tree is taken in one call, because a visit of
each node in Python takes several times as long. So that blocks stay apart there, the source gets
marks at their tags before it is parsed. They are white space, which a page may have anywhere.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pocketindex.builder.inputs.options import WHOLE, Css


class Visible(NamedTuple):
    """What is seen on a page.

    text: of the elements that count; words: the number of all visible words, separated by white
    space; left: the number of them that do not count; selected: whether an element matches
    Css.select.
    """

    title: str
    text: str
    lang: str
    words: int
    left: int
    selected: bool


# Whole classes and ids of what leads to other pages, or is on each of them. Chosen on some manuals
# and measured on others (bench/results/pages.md).
NAVIGATION = frozenset(
    (
        *("nav", "navbar", "navbar-top", "navigation", "navigation-bar", "navigationbar"),
        *("navheader", "navfooter", "navpath", "navrow", "navlinks", "docnav", "main-nav"),
        *("site-nav", "sidenav", "side-nav", "leftnav", "subnav", "sub-nav", "topnav", "top-nav"),
        *("bottomnav", "skip-nav", "mw-navigation", "mw-panel", "mainmenu", "main-menu"),
        *("submenu", "menu", "sphinxsidebar", "breadcrumb", "breadcrumbs", "pagination", "pager"),
        *("toc", "table-of-contents", "tableofcontents"),
        *("header", "page-header", "site-header", "masthead", "footer", "page-footer"),
        *("site-footer", "printfooter", "legal-copy"),
    )
)
# Elements that such a class or id makes navigation: neither words within a sentence, nor headings,
# nor what holds the page or one of its sections.
_BOXES = frozenset(
    (
        *("div", "ul", "ol", "dl", "dir", "menu", "nav", "aside", "header", "footer", "form"),
        *("table", "tbody", "tr", "td", "p", "center", "hr"),
    )
)
_SECTION = re.compile(r"(?:sub)*sect(?:ion|\d)?|chapter|article")
_PAGE = frozenset(("html", "body"))
_LINES = frozenset(("header", "footer"))
_ROLES = frozenset(("navigation", "banner", "contentinfo"))
_TABLES = frozenset(("table", "tbody", "tr", "td", "p", "hr"))
_HOLDERS = frozenset(("main", "article"))
_ONLY_SOME = _LINES | {"menu"}  # a class or id that is content in some places
_GIVEN = NAVIGATION | _ROLES
_WITHIN = "article,main,section,aside,blockquote,li,td,dialog"

# Tags that get a mark or are looked for, with what stands in them. It is a tree of letters, because
# a list of names takes twice the time.
_TAG = re.compile(
    "<(/?(?:p(?:re|laintext)?|d(?:iv|[dtl]|etails|ialog|ir|esc)|li(?:sting)?"
    "|h(?:[1-6r]|eader|group)|t(?:[rdh]|able|body|head|foot|ext(?:area)?|itle)|[uo]l|br"
    "|s(?:ection|cript|tyle|elect|ummary|earch|up)|a(?:rticle|side|ddress|nnotation(?:-xml)?)"
    "|b(?:ody|lockquote|utton)|f(?:orm|ooter|ig(?:ure|caption)|ieldset)|c(?:aption|enter)"
    "|m(?:ain|enu|etadata)|opt(?:ion|group)|legend|n(?:av|oframes|oembed)|i(?:frame|nput|mg)"
    "|xmp|ruby))(?=[\\s/>])([^<>]*>?)"
)
_CAPITAL = re.compile("</?[A-Z]")
_CAPITALS = re.compile("</?[A-Z][A-Za-z0-9]*")

# Marks: of a block, of a cell (a carriage return that is written so is the only one that a tree can
# have), and of what keeps its white space. All are white space to str.split().
_BLOCK, _CELL = "\f", "\r"
_KEPT_BEGIN, _KEPT_END = "\x1c", "\x1d"
_NO_MARKS = str.maketrans("\x1c\x1d\x1e\x1f", " " * 4)  # as white space is elsewhere
_KEPT = frozenset(("pre", "textarea", "listing", "xmp", "plaintext"))
# What is looked at in the tree gets an attribute, so that one selector finds it.
_LOOK = " look-here"
_NOT_SEEN = frozenset(("script", "style", "title", "noembed"))
_NOT_SEEN_IN_FOREIGN = frozenset(("desc", "metadata", "annotation", "annotation-xml"))
_RAW = frozenset(("textarea", "xmp", "plaintext"))  # tags are text in them
_LOOKED_AT = frozenset(
    (
        *("nav", "header", "footer", "iframe", "noframes", "ruby", "sup", "input"),
        *(*_NOT_SEEN, *_NOT_SEEN_IN_FOREIGN, *_RAW),
    )
)


class _Marked(dict[str, str]):
    """The begin of a tag with its mark, by its name."""

    def __missing__(self, tag: str) -> str:
        name = tag.strip("/")
        mark = _BLOCK
        if name in ("td", "th"):
            mark = "" if tag != name else "&#13;"
        elif name in ("img", "button", "input"):
            mark = " "
        elif name in ("ruby", "sup") or name in _NOT_SEEN or name in _NOT_SEEN_IN_FOREIGN:
            mark = ""
        elif tag != name and name in _KEPT:
            mark = _KEPT_END + _BLOCK
        self[tag] = f"{mark}<{tag}{_LOOK if tag in _LOOKED_AT else ''}"
        return self[tag]


_marks = _Marked()
_LINK, _ANY_TAG = re.compile(r"<a(?=[\s>])[^>]*>(.*?)</a>", re.DOTALL), re.compile("<[^>]*>")

_HIDDEN = (
    '[hidden]:not([hidden="until-found" i])',
    *(
        f'[style*="{name}:{space}{value}" i]'
        for name, value in (("display", "none"), ("visibility", "hidden"))
        for space in ("", " ")
    ),
)
_IS_HIDDEN = re.compile("display: ?none|visibility: ?hidden", re.IGNORECASE)
_MAY_HIDE = (" hidden", "isplay:", "isibility:")
_SHOWS_VALUE = frozenset(
    ("", "text", "search", "email", "url", "tel", "number", "submit", "button", "reset")
)


def visible(html: Any, source: str, css: Css = WHOLE, main: bool = True) -> Visible:
    """Return what is seen on a page. html: resiliparse.parse.html; main: whether navigation is left
    out.

    A page that has nothing but navigation is taken as a whole. Raises ValueError for an invalid
    selector.
    """
    marked, tags = _marked(source)
    tree = html.HTMLTree.parse(marked)
    document, body = tree.document, tree.body
    root = document.query_selector("html")
    title = tree.title or ""
    if "<" in title:
        title = " ".join(_unmarked(document.query_selector("title").text, tags).split())
    title = title.translate(_NO_MARKS).strip(" ")
    lang = root.getattr("lang") or root.getattr("xml:lang") or ""
    may_hide = any(part in source for part in _MAY_HIDE)
    left = _change(html, tree, tags, may_hide, main and not css.select)
    if css.exclude:
        left += _without(_all(document, css.exclude))
    # A page of frames has no body.
    text, words = _lines((body if body is not None and body.tag == "body" else root).text)
    words += left
    if not css.select:
        if left and left == words and not css.exclude:
            return visible(html, source, main=False)
        return Visible(title, text, lang, words, left, True)
    chosen = _outermost(_all(document, css.select))
    text, kept = _lines(_BLOCK.join(one.text for one in chosen))
    return Visible(title, text, lang, words, words - kept, bool(chosen))


def _marked(source: str) -> tuple[str, set[str]]:
    """Return the source with its marks, and the names of the tags that have some."""
    if _BLOCK in source:
        source = source.replace(_BLOCK, " ")
    if _CELL in source:
        source = source.replace("\r\n", "\n").replace(_CELL, "\n")
    if _CAPITAL.search(source):
        source = _CAPITALS.sub(lambda tag: tag[0].lower(), source)
    parts = _TAG.split(source)  # text, name, attributes, text, ...
    found = parts[1::3]
    tags = set(found)
    attributes = parts[2::3]
    for tag in tags & _KEPT:
        for number in _places(found, tag):
            attributes[number] += _KEPT_BEGIN
    different = set(attributes)
    words = " ".join(different)
    for char in "\"'=>":
        words = words.replace(char, " ")
    if given := [word for word in set(words.split()) if word.lower() in _GIVEN]:
        fits = re.compile("|".join(map(re.escape, given))).search
        look = {one: _LOOK + one for one in different if fits(one)}
        attributes = [look.get(one, one) for one in attributes]
    parts[2::3] = attributes
    parts[1::3] = [_marks[tag] for tag in found]
    return "".join(parts), tags


def _places(found: list[str], tag: str) -> Iterator[int]:
    place = -1
    with contextlib.suppress(ValueError):
        while True:
            place = found.index(tag, place + 1)
            yield place


def _unmarked(text: str, tags: set[str]) -> str:
    """Return text in which tags are text as it stands in the source, without marks."""
    for tag in tags:
        mark = _marks[tag].removesuffix(_LOOK)
        text = text.replace(mark, "<" + tag).replace(mark.replace("&#13;", _CELL), "<" + tag)
    return text.replace(_LOOK, "").replace(_KEPT_BEGIN, "").replace(_KEPT_END, "")


def _change(html: Any, tree: Any, tags: set[str], may_hide: bool, main: bool) -> int:
    """Remove hidden elements and, if main, navigation, and insert as text what is visible but
    stands elsewhere in the source. Return the number of words of the navigation.
    """
    chosen = ("[look-here]", *(_HIDDEN if may_hide else ()))
    found = _all(tree.document, ",".join(chosen))
    hidden = [one for one in found if may_hide and _is_hidden(one)]
    _without(hidden)
    left = 0
    for one in reversed(found):  # what is within another goes first, and counts once
        if hidden and any(outer.contains(one) for outer in hidden):
            continue
        tag = one.tag
        if tag in _NOT_SEEN or (tag in _NOT_SEEN_IN_FOREIGN and one.closest("svg,math")):
            one.remove()
        elif tag in _RAW:
            if "<" in one.text:
                _replace(tree, one, f"{_KEPT_BEGIN}{_unmarked(one.text, tags)}{_KEPT_END}")
        elif tag in ("iframe", "noframes"):
            inner = one.getattr("srcdoc") or "" if tag == "iframe" else one.text
            _replace(tree, one, _inner(html, inner))
        elif tag == "input":
            if (one.getattr("type") or "").lower() in _SHOWS_VALUE:
                _replace(tree, one, f" {_unmarked(one.getattr('value') or '', tags)} ")
        elif tag == "ruby":
            _reorder(tree, one)
        elif tag == "sup":
            first = one.first_element_child
            if one.parent.tag == "a" or (first is not None and first.tag == "a"):
                # The number of a note is no part of the word before it.
                one.parent.insert_before(tree.create_text_node(" "), one)
        elif main and _is_navigation(one, tags):
            left += _without((one,))
    return left


def _is_hidden(one: Any) -> bool:
    if one.tag in _PAGE:  # a program shows it
        return False
    hidden = one.getattr("hidden")
    return (hidden is not None and hidden.lower() != "until-found") or bool(
        _IS_HIDDEN.search(one.getattr("style") or "")
    )


def _reorder(tree: Any, ruby: Any) -> None:
    """Put the letters first, then how they are read."""
    reading = "".join(one.text for one in _all(ruby, "rt"))
    _without(_all(ruby, "rt,rp"))
    if reading.strip():
        ruby.append_child(tree.create_text_node(f"({reading})"))


def _inner(html: Any, source: str) -> str:
    """Return the text of a page within a page; pages within that are not looked at."""
    if not source.strip():
        return _BLOCK
    marked, tags = _marked(source)
    tree = html.HTMLTree.parse(marked)
    _without(_all(tree.document, "iframe,noframes"))
    _change(html, tree, tags, may_hide=True, main=False)
    return f"{_BLOCK}{tree.document.query_selector('html').text}{_BLOCK}"


def _is_navigation(one: Any, tags: set[str]) -> bool:
    tag, role = one.tag, (one.getattr("role") or "").lower()
    if tag in _PAGE or role == "main":
        return False
    if tag == "nav" or role == "navigation":
        return True
    if tag in _LINES or role in _ROLES:
        return _is_of_page(one, tag == "footer" or role == "contentinfo")
    names = f"{one.class_name or ''} {one.id or ''}".lower().split()
    given = NAVIGATION.intersection(names)
    if not given or tag not in _BOXES or any(map(_SECTION.fullmatch, names)):
        return False
    if given <= _ONLY_SOME:
        return tag not in _TABLES and (
            ("menu" in given and _leads(one))
            or ("footer" in given and _is_of_page(one, True))
            or ("header" in given and _is_of_page(one, False))
        )
    return tags.isdisjoint(_HOLDERS) or one.query_selector("main,article") is None


def _is_of_page(one: Any, is_footer: bool) -> bool:
    """Return whether a header or footer is that of the page: it is not within an article or the
    like, and no header with the heading of the page.
    """
    if not is_footer and one.query_selector("h1") is not None:
        return False
    return one.closest(_WITHIN) is None


def _leads(one: Any) -> bool:
    """Return whether at least half of the words are those of links."""
    links = " ".join(_LINK.findall(one.html))
    return 2 * len(_ANY_TAG.sub(" ", links).split()) >= len(one.text.split())


def _all(one: Any, selector: str) -> Sequence[Any]:
    # One slice; each step of an iteration takes as long as all of it.
    found: Sequence[Any] = one.query_selector_all(selector)[:]
    return found


def _without(elements: Sequence[Any]) -> int:
    """Take elements, which are in the order of the page, out of the tree. Returns the number of
    their words.
    """
    words = 0
    for one in reversed(elements):  # what is within another goes first, and counts once
        if one.tag in _PAGE:
            continue
        words += len(one.text.split())
        one.remove()
    return words


def _outermost(elements: Sequence[Any]) -> list[Any]:
    """Return those that are in none of the others, which are in the order of the page."""
    found = list[Any]()
    for one in elements:
        if not found or not found[-1].contains(one):
            found.append(one)
    return found


def _replace(tree: Any, one: Any, text: str) -> None:
    one.parent.replace_child(tree.create_text_node(text), one)


def _lines(text: str) -> tuple[str, int]:
    """Return the text with a line for each block, one space for other white space, and a tab
    between the cells of a row; and the number of its words.
    """
    if _LOOK in text:  # of a tag within CDATA, which is text
        text = text.replace(_LOOK, "")
    flowing, *others = text.replace("\xad", "").split(_KEPT_BEGIN)
    lines = list[str]()
    words = _flow(flowing, lines)
    for part in others:
        kept, _, flowing = part.partition(_KEPT_END)
        kept = kept.replace(_BLOCK, "\n").replace(_CELL, "\t").replace("\xa0", " ")
        kept = kept.translate(_NO_MARKS)
        lines.append(kept.strip("\n").rstrip())
        words += len(kept.split()) + _flow(flowing, lines)
    return "\n".join(filter(None, lines)), words


def _flow(text: str, lines: list[str]) -> int:
    """Add the lines of a text whose white space says nothing. Returns the number of its words."""
    count = 0
    for block in text.split(_BLOCK):
        words = block.split()
        count += len(words)
        if _CELL in block:
            cells = (" ".join(cell.split()) for cell in block.split(_CELL))
            lines.append("\t".join(cells).strip("\t"))
        elif words:
            lines.append(" ".join(words))
    return count
