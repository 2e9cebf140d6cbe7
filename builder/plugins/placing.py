"""What the plugins share: the element in the pages of a theme, and the index of the site."""

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
    """Index a site. Without the option root, index the main part of its pages, or whole pages if
    none has a main part. Raises the errors of pocketindex.site.
    """
    if not options["root"]:
        try:
            return pocketindex.site(site, **{**options, "root": MAIN})
        except NoPages:
            pass
    return pocketindex.site(site, **options)


def with_script(page: str, root: str) -> str:
    """Return a page that loads the script. root: the address of the site's root, relative to the
    page.
    """
    script = f'<script src="{root}{FOLDER}{SCRIPT}" defer></script>'
    return page if SCRIPT in page else page.replace("</head>", f"{script}</head>", 1)


def with_element(page: str, place: re.Pattern[str] | None, element: str = ELEMENT) -> str | None:
    """Return a page with the element behind the match of place, or None without a match. A page
    that has the element already is returned unchanged.
    """
    if "<pocket-search" in page:
        return page
    found = place.search(page) if place else None
    return page[: found.end()] + element + page[found.end() :] if found else None
