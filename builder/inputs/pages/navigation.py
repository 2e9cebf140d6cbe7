"""Recognize navigation: elements that lead to other parts of a site, or are on each of its pages.
docs/inputs.md has the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pocketindex.builder.inputs.pages.ancestors import DEEPEST, Ancestors, of_tags

# Whole classes and ids of elements that are navigation. They were chosen on some manuals and
# measured on others (docs/decisions.md, 48).
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
_ROLES = frozenset(("navigation", "banner", "contentinfo"))
NAMES = NAVIGATION | _ROLES
# Elements that such a class or id makes navigation: neither words within a sentence, nor headings,
# nor what holds the page or one of its sections.
BOXES = frozenset(
    (
        *("div", "ul", "ol", "dl", "dir", "menu", "nav", "aside", "header", "footer", "form"),
        *("table", "tbody", "tr", "td", "p", "center", "hr"),
    )
)
PAGE = frozenset(("html", "body"))
HOLDERS = frozenset(("main", "article"))  # what has one is no navigation, whatever its class is
_SECTION = re.compile(r"(?:sub)*sect(?:ion|\d)?|chapter|article")
_LINES = frozenset(("header", "footer"))
_ONLY_SOME = _LINES | {"menu"}  # a class or id that is content in some places
_TABLES = frozenset(("table", "tbody", "tr", "td", "p", "hr"))
_WITHIN = ("article", "main", "section", "aside", "blockquote", "li", "td", "dialog")
_LINK, _ANY_TAG = re.compile(r"<a(?=[\s>])[^>]*>(.*?)</a>", re.DOTALL), re.compile("<[^>]*>")


class Nesting:
    """Counts the elements that an element is in. looked_at: the elements that may be navigation.
    may_hold: whether one of these has a tag of HOLDERS.
    """

    def __init__(self, looked_at: Sequence[Any]) -> None:
        self.may_hold = not HOLDERS.isdisjoint([one.tag for one in looked_at])
        self.within = of_tags(*_WITHIN)
        self._others = Ancestors(set(looked_at).__contains__)

    def is_deep(self, one: Any) -> bool:
        """Return whether an element is within too many of these elements to be searched."""
        return self._others.depth(one) > DEEPEST


def is_navigation(one: Any, nesting: Nesting) -> bool:
    """Return whether an element of a tree is navigation."""
    tag, role = one.tag, (one.getattr("role") or "").lower()
    if tag in PAGE or role == "main":
        return False
    if tag == "nav" or role == "navigation":
        return True
    if tag in _LINES or role in _ROLES:
        return _is_of_page(one, tag == "footer" or role == "contentinfo", nesting)
    names = f"{one.class_name or ''} {one.id or ''}".lower().split()
    given = NAVIGATION.intersection(names)
    if not given or tag not in BOXES or any(map(_SECTION.fullmatch, names)):
        return False
    if given <= _ONLY_SOME:
        return tag not in _TABLES and (
            ("menu" in given and not nesting.is_deep(one) and _leads(one))
            or ("footer" in given and _is_of_page(one, True, nesting))
            or ("header" in given and _is_of_page(one, False, nesting))
        )
    return not nesting.may_hold or (
        not nesting.is_deep(one) and one.query_selector(",".join(sorted(HOLDERS))) is None
    )


def _is_of_page(one: Any, is_footer: bool, nesting: Nesting) -> bool:
    """Return whether a header or footer is that of the page: it is not within an article or the
    like, and no header with the heading of the page.
    """
    if one.tag in _WITHIN or nesting.within.depth(one):
        return False
    return is_footer or (not nesting.is_deep(one) and one.query_selector("h1") is None)


def _leads(one: Any) -> bool:
    """Return whether at least half of the words are those of links."""
    links = " ".join(_LINK.findall(one.html))
    return 2 * len(_ANY_TAG.sub(" ", links).split()) >= len(one.text.split())
