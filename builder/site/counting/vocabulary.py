"""The words of a site by numbers, so that what is known of its pages needs no object a word."""

from __future__ import annotations

from typing import NamedTuple

from pocketindex.builder.site.counting.word_table import WordTable
from pocketindex.builder.site.counting.words import PageWords


class Counts(NamedTuple):
    """The words of a page: their numbers, as four bytes each, and weights, places and texts as
    PageWords has them.
    """

    numbers: bytes
    weights: bytes
    places: bytes
    texts: bytes


class Vocabulary:
    """The words of a site, which are numbered as they come.

    lines: those that an earlier build knew, in the order of their numbers, with a line feed behind
    each.
    """

    def __init__(self, lines: bytes = b"") -> None:
        self._lines = lines
        self._table: WordTable | None = None

    def __len__(self) -> int:
        return self._lines.count(b"\n") if self._table is None else len(self._table)

    def counts(self, own: PageWords) -> Counts:
        """Return the words of a page by numbers; new ones get the next."""
        if self._table is None:
            self._table = WordTable()
            self._table.numbers(self._lines)
        return Counts(self._table.numbers(own.lines), own.weights, own.places, own.texts)

    @property
    def lines(self) -> bytes:
        """The words in the order of their numbers, each followed by a line feed."""
        return self._table.lines() if self._table else self._lines
