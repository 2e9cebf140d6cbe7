"""Count how much of the pages became text: the sums, and the pages that lost most."""

from __future__ import annotations

import heapq
from typing import Any

from pocketindex.builder.document import Shortened

SHOWN = 10  # pages that people see
_MOST = 10_000  # pages that are kept, those of the largest shares


class ShortenedPages:
    """The pages of a build: their number, the words that are seen on them, and those of them that
    were left out.
    """

    def __init__(self) -> None:
        self.pages = self.words = self.left = self.losing = 0
        self._largest = list[tuple[float, int, str]]()

    def add(self, page: Shortened) -> None:
        """Count a page."""
        self.pages += 1
        self.words += page.words
        self.left += page.left
        if page.left:
            self.losing += 1
            entry = (page.left / page.words, page.left, page.place)
            if len(self._largest) < _MOST:
                heapq.heappush(self._largest, entry)
            else:
                heapq.heappushpop(self._largest, entry)

    def state(self) -> list[Any]:
        """Return what is counted so far, fit for JSON and restore()."""
        return [self.pages, self.words, self.left, self.losing, self._largest]

    def restore(self, state: list[Any]) -> None:
        """Continue from a state()."""
        self.pages, self.words, self.left, self.losing, largest = state
        self._largest = [(share, left, place) for share, left, place in largest]

    @property
    def share(self) -> float:
        """The share of the words that were left out."""
        return self.left / self.words if self.words else 0.0

    def largest(self) -> list[tuple[float, int, str]]:
        """Return share, words left out and place of pages, those that lost most first."""
        return sorted(self._largest, key=lambda one: (-one[0], -one[1], one[2]))

    def as_dict(self) -> dict[str, Any]:
        """Return the sums and the pages that lost words, for JSON: shortened has the 10,000 of the
        largest shares, and shortened_beyond is the number of the others. --skipped has a line for
        each page that lost more than a fifth, however many there are.
        """
        return {
            "pages": self.pages,
            "visible_words": self.words,
            "left_out": self.left,
            "share": round(self.share, 4),
            "shortened": [
                {"place": place, "left_out": left, "share": round(share, 4)}
                for share, left, place in self.largest()
            ],
            "shortened_beyond": self.losing - len(self._largest),
        }
