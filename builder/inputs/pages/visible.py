"""Turn an HTML page into the text that a person sees: everything that is neither hidden nor
navigation, with a line for each block. resiliparse parses the page and finds its elements.

docs/inputs.md has the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pocketindex.builder.inputs.options import WHOLE, Css
from pocketindex.builder.inputs.pages.ancestors import Ancestors
from pocketindex.builder.inputs.pages.changes import change, every, without
from pocketindex.builder.inputs.pages.marks import BLOCK, NO_MARKS, lines, marked, unmarked


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


def visible(
    html: Any, source: str, css: Css = WHOLE, main: bool = True, is_xml: bool = False
) -> Visible:
    """Return what is seen on a page. html: resiliparse.parse.html; main: whether navigation is left
    out; is_xml: whether its elements may be empty as in XML.

    A page that has nothing but navigation is taken as a whole. Raises ValueError for an invalid
    selector.
    """
    tree = html.HTMLTree.parse(marked(source, is_xml))
    document, body = tree.document, tree.body
    root = document.document_element
    title = tree.title or ""
    if "<" in title:
        titles = (found.text for found in document.query_selector_all("title"))  # of drawings too
        title = next((text for text in titles if text.split() == title.split()), title)
        title = " ".join(unmarked(title).split())
    title = title.translate(NO_MARKS).strip(" ")
    lang = root.getattr("lang") or root.getattr("xml:lang") or ""
    left = change(html, tree, main and not css.select)
    if css.exclude:
        left += without(every(document, css.exclude))
    # A page of frames has no body.
    text, words = lines((body if body is not None and body.tag == "body" else root).text)
    words += left
    if not css.select:
        if left and left == words and not css.exclude:
            return visible(html, source, main=False, is_xml=is_xml)
        return Visible(title, text, lang, words, left, True)
    chosen = _outermost(every(document, css.select))
    text, kept = lines(BLOCK.join(one.text for one in chosen))
    return Visible(title, text, lang, words, words - kept, bool(chosen))


def _outermost(elements: Sequence[Any]) -> list[Any]:
    """Return those that are in none of the others."""
    chosen = Ancestors(set(elements).__contains__)
    return [one for one in elements if not chosen.depth(one)]
