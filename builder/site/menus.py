"""Is a menu in the text of most pages?"""

from __future__ import annotations

import heapq
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pocketindex.builder.site.texts import parts_of

if TYPE_CHECKING:
    from pocketindex.builder.site.pages import Page

LEAST_PAGES = 4
SHOWN = 8  # words
ASKED = 64  # pages whose menus are looked for in all: one that most pages have is in one of them
MENU_WORDS = 50
FIRST_BLOCKS, LAST_BLOCKS = 10, 30  # of a page, that a menu may begin with


def menu_of(pages: Sequence[Page], stored: Callable[[int], bytes]) -> tuple[int, str] | None:
    """Return how many pages share the same fifty words, and the first of these, where more than
    half of the pages do. stored: gives what is kept of a page's texts, by its id.
    """
    asked = heapq.nsmallest(ASKED, pages, key=lambda page: (page.key, page.path))
    wanted = frozenset[int]().union(*(_menus(page) for page in asked))
    found = Counter[int]()
    for page in pages:
        found.update(wanted.intersection(_menus(page)))
    if len(pages) < LEAST_PAGES or not found:
        return None
    times = max(found.values())
    if 2 * times <= len(pages):
        return None
    page = next(page for page in pages if any(found[menu] == times for menu in _menus(page)))
    texts = _texts(parts_of(stored(page.id)))
    text = next(text for text in texts if found[zlib.crc32(text.encode())] == times)
    return times, " ".join(text.split()[:SHOWN])


def _menus(page: Page) -> array[int]:
    return array("I", page.menus)


def menus_of(parts: Sequence[tuple[str, str, int, str]]) -> bytes:
    """Return the checksum of each run of fifty words that may be part of a menu, four bytes each.
    parts: the parts of a page.
    """
    return array("I", sorted({zlib.crc32(text.encode()) for text in _texts(parts)})).tobytes()


def _texts(parts: Sequence[tuple[str, str, int, str]]) -> Iterator[str]:
    """Yield runs of words that may belong to a menu, from the first and the last blocks."""
    blocks = [block for part in parts for block in part[3].split("\n")]
    first = min(FIRST_BLOCKS, len(blocks))
    yield from _runs(blocks[: FIRST_BLOCKS + MENU_WORDS], first)
    yield from _runs(blocks[max(first, len(blocks) - LAST_BLOCKS) :], LAST_BLOCKS)


def _runs(blocks: Sequence[str], starts: int) -> Iterator[str]:
    """Yield the run of words that begins with each of the first blocks, and has no more blocks than
    words.
    """
    words, ends = list[str](), [0]
    for block in blocks:
        words += block.split(None, MENU_WORDS)[:MENU_WORDS]
        ends.append(len(words))
    for start in range(min(starts, len(blocks))):
        first = ends[start]
        if ends[min(start + MENU_WORDS, len(blocks))] - first >= MENU_WORDS:
            yield " ".join(words[first : first + MENU_WORDS])
