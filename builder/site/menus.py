"""Is a menu in the text of most pages?"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pocketindex.answers.results import Part
from pocketindex.builder.site.texts import parts_of

if TYPE_CHECKING:
    from pocketindex.builder.site.pages import Page

LEAST_PAGES = 4
SHOWN = 8  # words
COMPARED = 64  # pages, drawn by their checksums, so that few changed pages change few of them
MENU_WORDS = 50
FIRST_BLOCKS, LAST_BLOCKS = 10, 30  # of a page, that a menu may begin with


@dataclass(frozen=True, repr=False)
class Menu(Part):
    """Fifty words that look like a menu, because many pages share them.

    pages: the number of pages that share them, out of compared; begins: the first eight of them.
    """

    pages: int
    compared: int
    begins: str


def menu_of(pages: Sequence[Page], stored: Callable[[int], bytes]) -> Menu | None:
    """Return the fifty words that more than half of the pages share, or None. Of a large site some
    pages are compared. stored: gives what is kept of a page's texts, by its id.
    """
    compared = heapq.nsmallest(COMPARED, pages, key=lambda page: (page.key, page.path))
    if len(compared) < LEAST_PAGES:
        return None
    found = Counter[str]()
    for page in compared:
        found.update(list(dict.fromkeys(_texts(parts_of(stored(page.id))))))
    text, times = max(found.items(), key=lambda item: item[1], default=("", 0))
    if 2 * times <= len(compared):
        return None
    return Menu(times, len(compared), " ".join(text.split()[:SHOWN]))


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
