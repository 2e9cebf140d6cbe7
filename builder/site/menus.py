"""Is a menu in the text of most pages?"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence

from pocketindex.builder.site.pages import Page, menu_texts
from pocketindex.builder.site.texts import parts_of

LEAST_PAGES = 4
SHOWN = 8  # words


def menu_of(pages: Sequence[Page]) -> tuple[int, str] | None:
    """Return how many pages share the same fifty words, and the first of these, where more than
    half of the pages do.
    """
    found = Counter(menu for page in pages for menu in page.menus)
    if len(pages) < LEAST_PAGES or not found:
        return None
    times = max(found.values())
    if 2 * times <= len(pages):
        return None
    page = next(page for page in pages if any(found[menu] == times for menu in page.menus))
    blocks = [block for part in parts_of(page.stored) for block in part[3].split("\n")]
    text = next(text for text in menu_texts(blocks) if found[zlib.crc32(text.encode())] == times)
    return times, " ".join(text.split()[:SHOWN])
