"""What the plugins do alike: the element in the pages of a theme, and the index of the site."""

from __future__ import annotations

import os
import re
from typing import Any

import pocketindex
from pocketindex.builder.site.report import SiteReport
from pocketindex.builder.site.scripts import SCRIPT
from pocketindex.builder.site.site import NoPages

FOLDER = "_pocketindex/"
ELEMENT = "<pocket-search></pocket-search>"
MAIN = "main, [role=main]"


def index(site: str | os.PathLike[str], options: dict[str, Any]) -> SiteReport:
    """Index a site; without the option root the main part of its pages, or all of them where none
    has one. Raises as pocketindex.site.
    """
    if not options["root"]:
        try:
            return pocketindex.site(site, **{**options, "root": MAIN})
        except NoPages:
            pass
    return pocketindex.site(site, **options)


def with_script(page: str, root: str) -> str:
    """Return a page that loads the script. root: the address of the site's root, seen from it."""
    script = f'<script src="{root}{FOLDER}{SCRIPT}" defer></script>'
    return page if SCRIPT in page else page.replace("</head>", f"{script}</head>", 1)


def with_element(page: str, place: re.Pattern[str] | None, element: str = ELEMENT) -> str | None:
    """Return a page with the element at the end of what place matches, or None without one. A page
    that has the element stays as it is.
    """
    if "<pocket-search" in page:
        return page
    found = place.search(page) if place else None
    return page[: found.end()] + element + page[found.end() :] if found else None
