"""Change the tree of an HTML page until its text is what a person sees: hidden elements and
navigation go, and what a browser shows that is no text in the tree, or stands elsewhere in it,
becomes text in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import marks, shadow
from pocketindex.builder.inputs.pages.ancestors import DEEPEST, Ancestors, of_tags
from pocketindex.builder.inputs.pages.navigation import PAGE, Nesting, is_navigation

_CHOSEN = ",".join((f"[{marks.LOOK}]", "[hidden]", '[style*="none" i]', '[style*="hidden" i]'))
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SHOWS_VALUE = frozenset(
    ("", "text", "search", "email", "url", "tel", "number", "submit", "button", "reset")
)


def change(html: Any, tree: Any, main: bool, depth: int = 0) -> int:
    """Change a tree of a source with marks; html: resiliparse.parse.html; main: whether navigation
    goes; depth: the number of shadow trees that this one is in. Returns the number of words of the
    navigation.

    Raises Unfit "unreadable" where shadow trees are nested too deeply.
    """
    found, left = every(tree.document, _CHOSEN), 0
    if hidden := [one for one in found if _is_hidden(one)]:
        without(hidden)
        found = every(tree.document, _CHOSEN)
    if templates := [one for one in found if one.tag == "template" and one.hasattr(shadow.MODE)]:
        hosts = Ancestors({one.parent for one in templates}.__contains__)
        if max(map(hosts.depth, templates)) > DEEPEST:
            raise _too_deep()
        left = sum(_show_shadow(html, tree, one, main, depth) for one in reversed(templates))
        found = every(tree.document, _CHOSEN)
    nesting, foreign = Nesting(found), of_tags("svg", "math")
    rubies, readings = of_tags("ruby"), of_tags("rt")
    for one in reversed(found):  # what is within another goes first, and counts once
        tag = one.tag
        if tag in marks.NOT_SEEN:
            one.remove()
        elif tag in marks.NOT_SEEN_IN_FOREIGN:
            if foreign.depth(one):
                one.remove()
        elif tag in marks.RAW:
            if "<" in one.text:
                text = marks.unmarked(one.text)
                _replace(tree, one, f"{marks.KEPT_BEGIN}{text}{marks.KEPT_END}")
        elif tag in ("iframe", "noframes"):
            inner = one.getattr("srcdoc") or "" if tag == "iframe" else one.text
            _replace(tree, one, _inner(html, inner))
        elif tag == "input":
            if (one.getattr("type") or "").lower() in _SHOWS_VALUE:
                _replace(tree, one, f" {marks.unmarked(one.getattr('value') or '')} ")
        elif tag == "ruby":
            if rubies.depth(one) < DEEPEST:
                _reorder(tree, one, readings)
        elif tag == "sup":
            first = one.first_element_child
            if one.parent.tag == "a" or (first is not None and first.tag == "a"):
                # The number of a note is no part of the word before it.
                one.parent.insert_before(tree.create_text_node(" "), one)
        elif main and is_navigation(one, nesting):
            left += without((one,))
    return left


def every(one: Any, selector: str) -> Sequence[Any]:
    """Return the elements that match a selector, in the order of the page."""
    # One slice; each step of an iteration takes as long as all of it.
    found: Sequence[Any] = one.query_selector_all(selector)[:]
    return found


def without(elements: Sequence[Any]) -> int:
    """Take elements, which are in the order of the page, out of the tree. Returns the number of
    their words.
    """
    words = 0
    for one in reversed(elements):  # what is within another goes first, and counts once
        if one.tag in PAGE:
            continue
        words += len(one.text.split())
        one.remove()
    return words


def _is_hidden(one: Any) -> bool:
    if one.tag in PAGE:  # a program shows it
        return False
    hidden = one.getattr("hidden")
    return (hidden is not None and hidden.lower() != "until-found") or bool(
        _HIDDEN.search(one.getattr("style") or "")
    )


def _show_shadow(html: Any, tree: Any, template: Any, main: bool, depth: int) -> int:
    """Show what a template declares. Returns the number of words of navigation in it."""
    source = shadow.declared(template, depth > 0)
    if source is None:
        return 0
    if depth >= DEEPEST:
        raise _too_deep()
    declared = html.HTMLTree.parse(source)
    left = change(html, declared, main, depth + 1)
    shadow.show(html, tree, template, declared)
    return left


def _too_deep() -> Unfit:
    return Unfit("unreadable", f"its shadow trees are nested more than {DEEPEST} deep")


def _reorder(tree: Any, ruby: Any, readings: Ancestors) -> None:
    """Put the letters first, then how they are read; readings: which one an element is in."""
    own = (one for one in every(ruby, "rt") if readings.depth(one) == readings.depth(ruby))
    reading = "".join(one.text for one in own)
    without(every(ruby, "rt,rp"))
    if reading.strip():
        ruby.append_child(tree.create_text_node(f"({reading})"))


def _inner(html: Any, source: str) -> str:
    """Return the text of a page within a page; pages within that are not looked at."""
    if not source.strip():
        return marks.BLOCK
    tree = html.HTMLTree.parse(marks.marked(source))
    without(every(tree.document, "iframe,noframes"))
    change(html, tree, main=False)
    return f"{marks.BLOCK}{tree.document.query_selector('html').text}{marks.BLOCK}"


def _replace(tree: Any, one: Any, text: str) -> None:
    one.parent.replace_child(tree.create_text_node(text), one)
