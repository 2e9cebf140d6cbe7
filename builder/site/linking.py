"""Write links to similar pages into the elements <pocket-related> of a site."""

from __future__ import annotations

import html
import os
import posixpath
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pocketindex.builder.site.pages import Page
    from pocketindex.builder.site.related import Similar

_NAME = b"<pocket-related"  # is looked for first, because that takes half as long
# What stands between the tags is ours: it is written anew at each build.
ELEMENT = re.compile(rb"(<pocket-related\b[^>]*>).*?(</pocket-related\s*>)", re.S | re.I)


def link(folder: Path, pages: Sequence[Page], similar: Similar) -> None:
    """Write links to similar pages into the pages of a site that have an element for them. A page
    that is not in the index gets none.
    """
    for page in pages:
        if not page.said.get("related"):
            continue
        path = folder / page.path
        before = path.read_bytes()
        links = [
            (relative(other["url"], page.address), other["title"])
            for other in similar.get(page.address, [])
        ]
        after = with_related(before, links, page.said["lang"])
        if after != before:
            _replace(path, after)


def _replace(path: Path, content: bytes) -> None:
    """Replace a page at once, for those who read it now. It is not forced to the disk: the
    generator makes it again.
    """
    unnamed = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    unnamed.write_bytes(content)
    shutil.copymode(path, unnamed)
    os.replace(unnamed, path)


def relative(address: str, here: str) -> str:
    """Return the relative address of one page from another, both given below the site."""
    way = posixpath.relpath(f"/{address}", f"/{here}".rpartition("/")[0] or "/")
    way = f"{way}/" if address.endswith("/") or not address else way
    return f"./{way}" if ":" in way.partition("/")[0] else way  # what stands before : is no scheme


def has_related(page: bytes) -> bool:
    """Return whether a page has an element for similar pages."""
    return _NAME in page.lower() and ELEMENT.search(page) is not None


def without_related(page: bytes) -> bytes:
    """Return a page without the links that an earlier build wrote."""
    return ELEMENT.sub(rb"\1\2", page) if _NAME in page.lower() else page


def with_related(page: bytes, links: Sequence[tuple[str, str]], language: str) -> bytes:
    """Return a page with links to similar pages in each of its <pocket-related> elements.

    page: HTML in any encoding that contains ASCII. links: (address, title), the most similar first;
    without any, the elements are empty. language: that of the page, as its lang says it.
    """
    content = _navigation(links, language) if links else b""
    return ELEMENT.sub(lambda found: found[1] + content + found[2], page)


def _navigation(links: Sequence[tuple[str, str]], language: str) -> bytes:
    """Return a list of links under a name, in ASCII, because the page's encoding is its own."""
    from pocketindex.builder.site.scripts import texts  # which nobody who reads a page needs

    tables = texts("related")
    named = tables.get(language.split("-")[0].lower(), tables["en"])["related"]
    items = "".join(
        f'<li><a href="{html.escape(address)}">{html.escape(title)}</a></li>'
        for address, title in links
    )
    name = html.escape(named)
    navigation = f'<nav aria-label="{name}"><p>{name}</p><ul>{items}</ul></nav>'
    return navigation.encode("ascii", "xmlcharrefreplace")
