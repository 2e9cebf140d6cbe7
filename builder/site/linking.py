"""Links to similar pages, in the pages of a site that have a place for them."""

from __future__ import annotations

import os
import posixpath
import shutil
from collections.abc import Sequence
from pathlib import Path

from pocketindex.builder.page.related import with_related
from pocketindex.builder.site.pages import Page
from pocketindex.builder.site.related import Similar


def link(folder: Path, pages: Sequence[Page], similar: Similar) -> None:
    """Write the links to similar pages into the pages of a site that have an element for them. One
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
    """Return the way from a page to another, by their addresses below the site."""
    way = posixpath.relpath(f"/{address}", f"/{here}".rpartition("/")[0] or "/")
    way = f"{way}/" if address.endswith("/") or not address else way
    return f"./{way}" if ":" in way.partition("/")[0] else way  # what stands before : is no scheme
