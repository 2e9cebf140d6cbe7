"""How similar two texts are: sketches say which texts to compare, this decides.

The cosine of count * idf over every word, numbers too, but at most ALOFT above the one with 1 + ln
count. Numbers count because two reports of one form that differ in their numbers are two reports.
The second cosine is there for texts of which one word, repeated, makes most of the first: two
licences of one company. Alone it would be too strict with copies that have a tenth of their words
replaced.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from math import ceil, exp
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.profile import EVERY_WORD
from pocketindex.builder.schemes.term_rows import TermRows

ALOFT = 0.1
SLOTS = (
    1 << 22
)  # terms whose hashes fall together count as one: among a text's few hundred it hardly happens
# a smaller collection says little of how rare a term is: it counts as a part of one of so many
# texts
LEAST_TEXTS = 1_000
MOST_COUNT = 1 << 16  # of one term in one text, so that every sum fits
# The least counts at which round(16 (1 + ln count)) is 17, 18, ... 255. None of the powers is
# within .00003 of a whole number, so that the table is the same wherever it is computed.
STEPS = np.array([ceil(exp((value - 0.5) / 16 - 1)) for value in range(17, 256)], np.int64)

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Slots = npt.NDArray[np.uint32]
Weights = npt.NDArray[np.uint16]


def damped(counts: Numbers) -> Numbers:
    """1 + ln count in whole sixteenths, 255 of them at most."""
    return 16 + np.searchsorted(STEPS, counts, "right")


def sixteenths_of_log2(a: int, b: int) -> int:
    """floor(16 log2(a / b)), a >= b > 0."""
    return (a**16 // b**16).bit_length() - 1


def in_slots(texts: list[bytes]) -> tuple[Slots, Slots, Numbers]:
    """The terms of texts: their slots, rising, how often each occurs, and where each text ends."""
    rows = TermRows.of(texts, 0, EVERY_WORD)
    places = rows.text_of.astype(np.uint64) * np.uint64(SLOTS) + (rows.whole & np.uint64(SLOTS - 1))
    order = np.argsort(places, kind="stable")
    places, counts = places[order], rows.counts[order]
    firsts = np.flatnonzero(np.diff(places, prepend=np.uint64(1 << 63)))
    # Terms of one text in one slot are one: so two texts are as similar from either side.
    counts = np.add.reduceat(counts, firsts) if len(firsts) else counts
    slots = (places[firsts] & np.uint64(SLOTS - 1)).astype(np.uint32)
    ends = np.searchsorted(places[firsts] // np.uint64(SLOTS), np.arange(rows.texts), "right")
    return slots, np.minimum(counts, MOST_COUNT).astype(np.uint32), ends


def weights_of(frequency: Slots, texts: int) -> Weights:
    """What each slot weighs: log2(N / texts with its terms) in whole sixteenths, N = texts or
    LEAST_TEXTS.
    """
    most = max(texts, LEAST_TEXTS)
    occurring = np.flatnonzero(np.bincount(frequency))
    weights = np.zeros(int(occurring[-1]) + 1, np.uint16)
    weights[occurring] = [
        sixteenths_of_log2(most, min(int(f), most)) if f else 0 for f in occurring
    ]
    return weights[frequency]


@dataclass(frozen=True)
class TextRows:
    """The terms of texts 0, 1, ...: those of text i from starts[i] on, up to starts[i + 1]."""

    starts: Numbers
    slots: Slots
    counts: Slots

    def of(self, texts: Numbers) -> tuple[Slots, Numbers, Numbers]:
        """Slots and counts of texts in a row, where each begins, and where the last one ends."""
        starts, sizes = self.starts[texts], self.starts[texts + 1] - self.starts[texts]
        ends = np.concatenate(([0], np.cumsum(sizes)))
        places = np.repeat(starts - ends[:-1], sizes) + np.arange(ends[-1])
        return self.slots[places], self.counts[places].astype(np.int64), ends


class Similarities:
    """Compares texts by what their slots weigh.

    A text's vectors have count * idf and damped(count) * idf for each word; idf is that of
    weights_of, so that sums are of whole numbers and the same everywhere.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights, self._own = weights, np.zeros(SLOTS, np.int64)

    def of(
        self, own: Slots, own_counts: Numbers, slots: Slots, counts: Numbers, ends: Numbers
    ) -> Floats:
        """Of one text with each of others, which lie in a row (TextRows.of), rounded to four
        decimals; 0 where one has no term that weighs anything.
        """
        plain = self._cosines(own, own_counts, slots, counts, ends)
        capped = self._cosines(own, damped(own_counts), slots, damped(counts), ends) + ALOFT
        found: Floats = np.round(
            np.where(plain > 0, np.minimum(np.minimum(plain, capped), 1.0), 0), 4
        ).astype(np.float64)
        return found

    def _cosines(
        self, own: Slots, own_counts: Numbers, slots: Slots, counts: Numbers, ends: Numbers
    ) -> Floats:
        own_values, values = own_counts * self._weights[own], counts * self._weights[slots]
        self._own[own] = own_values
        products, squares = self._own[slots] * values, values**2
        dots, norms = (
            np.diff(np.concatenate(([0], np.cumsum(column)))[ends])
            for column in (products, squares)
        )
        self._own[own] = 0
        lengths = np.sqrt(float((own_values**2).sum())) * np.sqrt(norms.astype(np.float64))
        cosines: Floats = np.divide(dots, lengths, out=np.zeros(len(norms)), where=lengths > 0)
        return cosines


class Vectors:
    """The terms of texts 0, 1, ...

    in temporary files in folder: add() them all, then finish(), then ask for similarities.
    """

    def __init__(self, folder: Path) -> None:
        self._files: list[IO[bytes]] = [tempfile.TemporaryFile(dir=folder) for _ in range(2)]
        self._ends: list[Numbers] = [np.zeros(1, np.int64)]
        self._frequency = np.zeros(SLOTS, np.uint32)

    def add(self, texts: list[bytes]) -> None:
        """Append texts."""
        slots, counts, ends = in_slots(texts)
        # With ones of its own type this takes a tenth of the time that it takes with a number.
        np.add.at(self._frequency, slots, np.ones(len(slots), np.uint32))
        for file, values in zip(self._files, (slots, counts), strict=True):
            file.write(values.tobytes())
        self._ends.append(self._ends[-1][-1] + ends)

    def finish(self) -> None:
        """Weigh the terms."""
        starts = np.concatenate(self._ends)
        self._similarities = Similarities(weights_of(self._frequency, len(starts) - 1))
        for file in self._files:
            file.flush()
        empty = len(starts) < 2 or starts[-1] == 0
        slots, counts = (
            np.zeros(0, np.uint32) if empty else np.memmap(file, np.uint32, "r")
            for file in self._files
        )
        self._rows = TextRows(starts, slots, counts)

    def similarities(self, text: int, others: Numbers) -> Floats:
        """Of one text with each of others, as Similarities.of says."""
        own, own_counts, _ = self._rows.of(np.array([text]))
        return self._similarities.of(own, own_counts, *self._rows.of(others))

    def close(self) -> None:
        for file in self._files:
            file.close()
