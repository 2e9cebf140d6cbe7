"""How similar two texts are: sketches say which texts to compare, this decides.

The cosine of count * idf over every word, numbers too, but at most ALOFT above the one with 1 + ln
count. Numbers count because two reports of one form that differ in their numbers are two reports.
The second cosine is there for texts of which one word, repeated, makes most of the first: two
licences of one company. Alone it would be too strict with copies that have a tenth of their words
replaced.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
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
TERMS = 1 << 20  # of pairs that are compared at once, about
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

    def of(self, texts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Slots and counts of texts in a row, and which of the row's texts each is of."""
        starts, sizes = self.starts[texts], self.starts[texts + 1] - self.starts[texts]
        before = np.cumsum(sizes) - sizes
        of = np.repeat(np.arange(len(texts)), sizes)
        places = (starts - before)[of] + np.arange(len(of))
        return self.slots[places].astype(np.int64), self.counts[places].astype(np.int64), of


class Similarities:
    """Compares texts by what their slots weigh.

    A text's vectors have count * idf and damped(count) * idf for each word; idf is that of
    weights_of, so that sums are of whole numbers and the same everywhere.
    """

    def __init__(self, weights: Weights, rows: TextRows) -> None:
        self._weights = weights.astype(np.int64)
        self._rows = rows

    def of(self, firsts: Numbers, seconds: Numbers) -> Floats:
        """Of each first text with its second, by their numbers, rounded to four decimals; 0 where
        one has no term that weighs anything.
        """
        found = np.zeros(len(firsts))
        sizes = self._rows.starts[1:] - self._rows.starts[:-1]
        terms = np.cumsum(sizes[firsts] + sizes[seconds])
        start = 0
        while start < len(firsts):
            before = terms[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(terms, before + TERMS, "right")))
            found[start:end] = self._of(firsts[start:end], seconds[start:end])
            start = end
        return found

    def _of(self, firsts: Numbers, seconds: Numbers) -> Floats:
        count = len(firsts)
        one, other = self._rows.of(firsts), self._rows.of(seconds)
        # Slots rise in each text, so these rise, too.
        keys, wanted = (of * SLOTS + slots for slots, _, of in (one, other))
        places = np.searchsorted(keys, wanted)
        places[places == len(keys)] = 0
        in_both = keys[places] == wanted if len(keys) else np.zeros(len(wanted), bool)

        def cosines(values: Callable[[Numbers], Numbers]) -> Floats:
            (own, of), (others, of_other) = (
                (values(counts) * self._weights[slots], of) for slots, counts, of in (one, other)
            )
            products = own[places[in_both]] * others[in_both]
            norms = np.sqrt(_sums(own * own, of, count).astype(np.float64))
            norms *= np.sqrt(_sums(others * others, of_other, count).astype(np.float64))
            dots = _sums(products, of_other[in_both], count)
            found: Floats = np.divide(dots, norms, out=np.zeros(count), where=norms > 0)
            return found

        plain, capped = cosines(lambda counts: counts), cosines(damped) + ALOFT
        similar = np.minimum(np.minimum(plain, capped), 1.0)
        return np.round(np.where(plain > 0, similar, 0.0), 4).astype(np.float64)


def _sums(values: Numbers, of: Numbers, count: int) -> Numbers:
    """The sum of the values of each pair 0 .. count - 1; of rises."""
    sums = np.concatenate(([0], np.cumsum(values)))
    found: Numbers = np.diff(sums[np.searchsorted(of, np.arange(count + 1))])
    return found


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
        for file in self._files:
            file.flush()
        empty = len(starts) < 2 or starts[-1] == 0
        slots, counts = (
            np.zeros(0, np.uint32) if empty else np.memmap(file, np.uint32, "r")
            for file in self._files
        )
        weights = weights_of(self._frequency, len(starts) - 1)
        self._similarities = Similarities(weights, TextRows(starts, slots, counts))

    def similarities(self, firsts: Numbers, seconds: Numbers) -> Floats:
        """Of each first text with its second, as Similarities.of says."""
        return self._similarities.of(firsts, seconds)

    def close(self) -> None:
        for file in self._files:
            file.close()
