"""Replace the content of each element that declares a shadow tree (`<template shadowrootmode>`) by
that tree, as a browser does. The element's own content is put into the slots of the tree.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import zip_longest
from typing import Any

from pocketindex.builder.inputs.pages.marks import BLOCK, CELL

_HOSTS = frozenset(
    (
        *("article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4"),
        *("h5", "h6", "header", "main", "nav", "p", "section", "span"),
    )
)
MODE = "shadowrootmode"
_MODES = frozenset(("open", "closed"))
_TAG = re.compile(r"<template(?:\"[^\"]*\"|[^\">])*>")
_SLOT = "\x1e"


def declared(template: Any, within: bool) -> str | None:
    """Return the source of the tree that a template declares for its parent, None where it
    declares none; within: whether the page is such a source.
    """
    if not _declares(template) or (within and template.parent.tag == "body"):
        return None
    before = template
    while (before := before.prev_element) is not None:
        if before.tag == "template" and _declares(before):
            return None  # only the first one counts
    source: str = template.html
    source = source[_TAG.match(source).end() :].removesuffix("</template>")  # type: ignore[union-attr]
    # A carriage return would come back as a line break.
    return source.replace(_SLOT, " ").replace(CELL, "&#13;")


def _declares(template: Any) -> bool:
    if template.parent is None:  # it was taken out with another tree
        return False
    mode, host = template.getattr(MODE) or "", template.parent.tag
    return mode.lower() in _MODES and (host in _HOSTS or "-" in host)


def show(html: Any, tree: Any, template: Any, shadow: Any) -> None:
    """Put the text of a parsed shadow tree, with what its slots show, in place of the content of
    the element that the template stands in. html: resiliparse.parse.html.
    """
    host = template.parent
    template.remove()
    content, end = _by_slot(html, tree, host)
    shown, last = list[list[Any]](), None
    for slot in shadow.document.query_selector_all("slot")[:]:
        name = slot.getattr("name") or ""
        if name in content and not (last is not None and last.contains(slot)):
            slot.parent.replace_child(shadow.create_text_node(_SLOT), slot)
            shown.append(content.pop(name))
            last = slot
    for text, nodes in zip_longest(shadow.body.text.split(_SLOT), shown, fillvalue=()):
        for node in (tree.create_text_node(text), *nodes):
            host.append_child(node)
    host.append_child(tree.create_text_node(end))


def _by_slot(html: Any, tree: Any, host: Any) -> tuple[dict[str, list[Any]], str]:
    """Take the content of an element out of it. Returns it by the name of the slot that shows it,
    and the mark of the element's end.

    The mark of a block is at the end of the text before it, and goes with the block.
    """
    content, mark = defaultdict[str, list[Any]](list), ""
    for node in host.child_nodes[:]:
        node.remove()
        if node.type == html.ELEMENT:
            content[node.getattr("slot") or ""] += (tree.create_text_node(mark), node)
            mark = ""
        elif node.type == html.TEXT:
            text = node.value.rstrip(BLOCK)
            mark = node.value[len(text) :]
            if text:
                content[""].append(tree.create_text_node(text))
    return content, mark
