"""Similar pages as plain links: what <pocket-related> holds in a page of a site."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from pocketindex.builder.page.element import texts

# What stands between the tags is ours: it is written anew at each build.
ELEMENT = re.compile(rb"(<pocket-related\b[^>]*>).*?(</pocket-related\s*>)", re.S | re.I)


def has_related(page: bytes) -> bool:
    """Return whether a page has a place for similar pages."""
    return ELEMENT.search(page) is not None


def without_related(page: bytes) -> bytes:
    """Return a page without the links that an earlier build wrote: what the page itself says."""
    return ELEMENT.sub(rb"\1\2", page)


def with_related(page: bytes, links: Sequence[tuple[str, str]], language: str) -> bytes:
    """Return a page with links to similar pages in each of its <pocket-related> elements.

    page: HTML in any encoding that contains ASCII. links: (address, title), the most similar first;
    without any, the elements are empty. language: that of the page, as its lang says it.
    """
    content = _navigation(links, language) if links else b""
    return ELEMENT.sub(lambda found: found[1] + content + found[2], page)


def _navigation(links: Sequence[tuple[str, str]], language: str) -> bytes:
    """Return a list of links under a name, in ASCII, because the page's encoding is its own."""
    tables = texts("related")
    named = tables.get(language.split("-")[0].lower(), tables["en"])["related"]
    items = "".join(
        f'<li><a href="{html.escape(address)}">{html.escape(title)}</a></li>'
        for address, title in links
    )
    name = html.escape(named)
    navigation = f'<nav aria-label="{name}"><p>{name}</p><ul>{items}</ul></nav>'
    return navigation.encode("ascii", "xmlcharrefreplace")
