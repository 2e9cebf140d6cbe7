"""What a person sees on an HTML page, as text: everything but what is hidden and what is
navigation, with a line for each block. resiliparse parses the page and finds its elements.

docs/inputs.md has the rules. The text of the whole tree is taken in one call, because a visit of
each node in Python takes several times as long. So that blocks stay apart there, the source gets a
form feed before each of their tags, which a page can have anywhere and which says nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple


class Css(NamedTuple):
    """CSS selectors that choose what of a page counts; empty ones choose nothing.

    select: only what these elements have, navigation too; exclude: what is left out.
    """

    select: str = ""
    exclude: str = ""


WHOLE = Css()


class Visible(NamedTuple):
    """What is seen on a page.

    text: of what counts; words: of all that is seen, as white space separates them; left: those of
    them that do not count; selected: whether Css.select was found.
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
_WITHIN = frozenset(("article", "main", "section", "aside", "blockquote", "li", "td", "dialog"))
_DEPTH = 512  # parents that are looked at; browsers nest no deeper

_BLOCK = re.compile(
    "<(?=/?(?:p(?:re|laintext)?|d(?:iv|[dtl]|etails|ialog|ir)|li(?:sting)?|h(?:[1-6r]|eader|group)"
    "|t(?:r|able|body|head|foot|ext(?:area)?)|[uo]l|br|s(?:ection|elect|ummary|earch)"
    "|a(?:rticle|side|ddress)|b(?:ody|lockquote)|f(?:orm|ooter|ig(?:ure|caption)|ieldset)"
    "|c(?:aption|enter)|m(?:ain|enu)|opt(?:ion|group)|legend|nav|iframe|xmp)[\\s/>])"
)
_CAPITAL = re.compile("</?[A-Z]")
_CAPITALS = re.compile("</?[A-Z][A-Za-z0-9]*")
# Values of attributes that may be classes and ids; others are found, too, and do no harm.
_VALUES = re.compile("=[\"']?([\\w\\s-]+)")

_NOT_SEEN = "script,style,title,noembed,annotation,annotation-xml,svg desc,svg metadata"
_HIDDEN = ",".join(
    (
        '[hidden]:not([hidden="until-found" i])',
        *(
            f'[style*="{name}:{space}{value}" i]'
            for name, value in (("display", "none"), ("visibility", "hidden"))
            for space in ("", " ")
        ),
    )
)
_AS_IT_STANDS = ("pre", "textarea", "listing", "xmp", "plaintext")
_SHOWS_VALUE = frozenset(
    ("", "text", "search", "email", "url", "tel", "number", "submit", "button", "reset")
)

# White space that stays as it is goes through the rest as characters that no text may have.
_KEPT = str.maketrans(" \t\n\f\xa0", "\ufdd0\ufdd1\ufdd2\ufdd2\ufdd0")
_GIVEN_BACK = str.maketrans("\ufdd0\ufdd1\ufdd2", " \t\n")


def visible(html: Any, source: str, css: Css = WHOLE, main: bool = True) -> Visible:
    """Return what is seen on a page. html: resiliparse.parse.html; main: navigation is left out.

    A page that has nothing but navigation is taken as a whole. Raises ValueError for a selector
    that is none.
    """
    source = _marked(source)
    tree = html.HTMLTree.parse(source)
    root = tree.document.query_selector("html")
    title, lang = tree.title or "", root.getattr("lang") or root.getattr("xml:lang") or ""
    _prepare(html, tree, source)
    shown = tree.document.query_selector("body") or root  # a page of frames has no body
    left = _without(_navigation(tree, source)) if main and not css.select else 0
    if css.exclude:
        left += _without(tree.document.query_selector_all(css.exclude))
    if any(f"<{name}" in source for name in _AS_IT_STANDS):
        _keep_white_space(tree)
    text = _lines(shown.text)
    words = len(text.split()) + left
    if not css.select:
        if left and left == words and not css.exclude:
            return visible(html, source, main=False)
        return Visible(title, text, lang, words, left, True)
    chosen = _outermost(tree.document.query_selector_all(css.select))
    text = _lines("\f".join(one.text for one in chosen))
    return Visible(title, text, lang, words, words - len(text.split()), bool(chosen))


def _marked(source: str) -> str:
    """Return the source with a form feed before each tag of a block, and a mark before each
    cell.
    """
    if "\f" in source:
        source = source.replace("\f", " ")
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    if _CAPITAL.search(source):
        source = _CAPITALS.sub(lambda tag: tag[0].lower(), source)
    source = _BLOCK.sub("\f<", source)
    # A carriage return that is written so is the only one that a tree can have; a table takes
    # nothing but white space between its cells.
    for tag, mark in (("<td", "&#13;"), ("<th", "&#13;"), ("<img", " "), ("<button", " ")):
        source = source.replace(tag, mark + tag)
    return source.replace("</button>", "</button> ")


def _prepare(html: Any, tree: Any, source: str) -> None:
    """Take out what is not seen, and put in as text what is seen and stands elsewhere."""
    document = tree.document
    _without(document.query_selector_all(_NOT_SEEN))
    if "hidden" in source or "style=" in source:
        _without(one for one in document.query_selector_all(_HIDDEN) if one.tag not in _PAGE)
    if "<iframe" in source or "<noframes" in source:
        for frame in document.query_selector_all("iframe,noframes"):
            inner = frame.getattr("srcdoc") or "" if frame.tag == "iframe" else frame.text
            _replace(tree, frame, _inner(html, inner))
    if "<input" in source:
        for field in document.query_selector_all("input[value]"):
            if (field.getattr("type") or "").lower() in _SHOWS_VALUE:
                _replace(tree, field, f" {field.getattr('value')} ")
    if "<ruby" in source:  # the letters first, then how they are read
        for ruby in document.query_selector_all("ruby"):
            read = ruby.query_selector_all("rt")
            reading = "".join(one.text for one in read)
            _without(ruby.query_selector_all("rt,rp"))
            ruby.append_child(tree.create_text_node(f"({reading})" if reading.strip() else ""))
    if "<sup" in source:  # the number of a note is no part of the word before it
        for note in document.query_selector_all("sup > a, a > sup"):
            note = note if note.tag == "sup" else note.parent
            note.parent.insert_before(tree.create_text_node(" "), note)


def _keep_white_space(tree: Any) -> None:
    for block in list(tree.document.query_selector_all(",".join(_AS_IT_STANDS))):
        kept = block.text.strip("\f\n").replace("\r", "\t").translate(_KEPT)
        _replace(tree, block, f"\f{kept}\f")


def _inner(html: Any, source: str) -> str:
    """Return the text of a page within a page; those within that are not looked at."""
    if not source.strip():
        return "\f"
    tree = html.HTMLTree.parse(source if "\f" in source else _marked(source))
    _without(tree.document.query_selector_all(f"{_NOT_SEEN},iframe,noframes,{_HIDDEN}"))
    return f"\f{tree.document.query_selector('html').text}\f"


def _navigation(tree: Any, source: str) -> list[Any]:
    """Return the elements that are navigation."""
    values = " ".join(set(_VALUES.findall(source))).split()
    tokens = sorted({value for value in values if value.lower() in NAVIGATION})
    found = ["nav", "header", "footer", "[role]"]
    found += [f"{kind}{token}" for token in tokens for kind in ".#"]
    return [one for one in tree.document.query_selector_all(",".join(found)) if _is_navigation(one)]


def _is_navigation(one: Any) -> bool:
    role = (one.getattr("role") or "").lower()
    if one.tag in _PAGE or role == "main":
        return False
    if one.tag == "nav" or role == "navigation":
        return True
    names = _tokens(one)
    if one.tag in _LINES or role in ("banner", "contentinfo"):
        return _is_of_page(one, one.tag == "footer" or role == "contentinfo")
    if one.tag not in _BOXES or any(_SECTION.fullmatch(name) for name in names):
        return False
    given = names & NAVIGATION
    if given <= _LINES | {"menu"}:
        if one.tag in ("tr", "td", "table", "tbody", "p", "hr"):
            return False
        return (
            ("menu" in given and _leads(one))
            or ("footer" in given and _is_of_page(one, True))
            or ("header" in given and _is_of_page(one, False))
        )
    return one.query_selector("main,article") is None


def _tokens(one: Any) -> set[str]:
    return {name.lower() for name in [*one.class_list, *(one.id or "").split()]}


def _is_of_page(one: Any, is_footer: bool) -> bool:
    """Return whether a header or footer is that of the page: it is not within an article or the
    like, and no header with the heading of the page.
    """
    if not is_footer and one.query_selector("h1") is not None:
        return False
    parent, depth = one.parent, 0
    while parent is not None and depth < _DEPTH:
        if parent.tag in _WITHIN:
            return False
        parent, depth = parent.parent, depth + 1
    return depth < _DEPTH


def _leads(one: Any) -> bool:
    """Return whether at least half of the words are those of links."""
    links = sum(len(link.text.split()) for link in one.query_selector_all("a"))
    return 2 * links >= len(one.text.split())


def _without(elements: Iterable[Any]) -> int:
    """Take elements, which are in the order of the page, out of the tree. Returns the number of
    their words.
    """
    words = 0
    for one in reversed(list(elements)):  # what is within another goes first, and counts once
        if one.tag in _PAGE:
            continue
        words += len(one.text.split())
        one.parent.remove_child(one)
    return words


def _outermost(elements: list[Any]) -> list[Any]:
    """Return those that are in none of the others, which are in the order of the page."""
    found = list[Any]()
    for one in elements:
        if not found or not found[-1].contains(one):
            found.append(one)
    return found


def _replace(tree: Any, one: Any, text: str) -> None:
    one.parent.replace_child(tree.create_text_node(text), one)


def _lines(text: str) -> str:
    """Return the text with a line for each block, one space for other white space, and a tab
    between the cells of a row.
    """
    lines = [
        "\t".join(" ".join(cell.split()) for cell in part.split("\r")).strip("\t")
        if "\r" in part
        else " ".join(part.split())
        for part in text.replace("\xad", "").split("\f")
    ]
    return "\n".join(filter(None, lines)).translate(_GIVEN_BACK)
