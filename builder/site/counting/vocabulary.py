"""The words of a site by numbers, so that what is known of its pages needs no object a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pocketindex.builder.site.counting.word_table import WordTable
from pocketindex.builder.site.counting.words import PageWords

Numbers = npt.NDArray[np.int32]


@dataclass
class Counts:
    """The words of a page by their numbers, with weights, places, texts and length as PageWords has
    them.
    """

    numbers: Numbers
    weights: npt.NDArray[np.uint32]
    places: npt.NDArray[np.uint8]
    texts: npt.NDArray[np.uint8]
    length: int


class Vocabulary:
    """The words of a site by numbers.

    lines, order: those that an earlier build knew, with a line feed behind each, and their numbers
    by their bytes.
    """

    def __init__(self, lines: bytes = b"", order: Numbers | None = None) -> None:
        self._lines = lines
        self._order = np.empty(0, np.int32) if order is None else order
        self._table: WordTable | None = None

    def __len__(self) -> int:
        return len(self._order) if self._table is None else len(self._table)

    def counts(self, own: PageWords) -> Counts:
        """Return the words of a page by numbers; new ones get the next."""
        if self._table is None:
            self._table = WordTable()
            self._table.numbers(self._lines)
        return Counts(
            np.frombuffer(self._table.numbers(own.lines), np.int32),
            np.frombuffer(own.weights, np.uint32),
            np.frombuffer(own.places, np.uint8),
            np.frombuffer(own.texts, np.uint8),
            own.length,
        )

    @property
    def lines(self) -> bytes:
        """The words in the order of their numbers, each followed by a line feed."""
        return self._table.lines() if self._table else self._lines

    def words(self) -> tuple[list[bytes], Numbers]:
        """Return all words by number, and the numbers in the order of the words' bytes."""
        words = self.lines.split(b"\n")[:-1]
        if len(self._order) < len(words):
            numbers = [*self._order.tolist(), *range(len(self._order), len(words))]
            numbers.sort(key=words.__getitem__)
            return words, np.array(numbers, np.int32)
        return words, self._order

    def are_in(self, counts: Sequence[Counts]) -> npt.NDArray[np.bool_]:
        """Return an array that says for each number whether any of these counts have the word."""
        found = np.zeros(len(self), np.bool_)
        for own in counts:
            found[own.numbers] = True
        return found

    def used(self, counts: Sequence[Counts]) -> tuple[list[bytes], Numbers]:
        """Return the words that any of these counts have, in the order of their bytes, and an array
        with the place in that list of each word of the vocabulary.
        """
        words, order = self.words()
        numbers = order[self.are_in(counts)[order]]
        place = np.zeros(len(words), np.int32)
        place[numbers] = np.arange(len(numbers))
        return [words[number] for number in numbers.tolist()], place
