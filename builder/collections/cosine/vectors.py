"""How similar two texts are: sketches say which texts to compare, this decides.

The cosine of count * idf over every word, numbers too, but at most ALOFT above the one with 1 + ln
count. Numbers count because two reports of one form that differ in their numbers are two reports.
The second cosine is there for texts of which one word, repeated, makes most of the first: two
licences of one company. Alone it would be too strict with copies that have a tenth of their words
replaced.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, exp
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.profile import EVERY_WORD
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.cbits import ffi, lib

ALOFT = 0.1
SLOTS = (
    1 << 22
)  # terms whose hashes fall together count as one: among a text's few hundred it hardly happens
# a smaller collection says little of how rare a term is: it counts as a part of one of so many
# texts
LEAST_TEXTS = 1_000
AT_ONCE = 1 << 12  # pairs that C sums at once: Ctrl-C is heard between
MOST_COUNT = 1 << 16  # of one term in one text, so that every sum fits
# The least counts at which round(16 (1 + ln count)) is 17, 18, ... 255. None of the powers is
# within .00003 of a whole number, so that the table is the same wherever it is computed.
STEPS = np.array([ceil(exp((value - 0.5) / 16 - 1)) for value in range(17, 256)], np.int64)

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Slots = npt.NDArray[np.uint32]
Weights = npt.NDArray[np.uint16]


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


class Similarities:
    """Compares texts by what their slots weigh.

    A text's vectors have count * idf and damped count * idf for each word, the damped count in
    whole sixteenths; idf is that of weights_of. So sums are of whole numbers and the same
    everywhere.
    """

    def __init__(self, weights: Weights, rows: TextRows) -> None:
        kinds = (np.uint64, np.uint32, np.uint32, np.uint16, np.uint32)
        columns = (rows.starts, rows.slots, rows.counts, weights, STEPS)
        # The structure has addresses alone: what they are of has to stay.
        self._arrays = [
            ffi.from_buffer(f"{np.dtype(kind).name}_t[]", np.ascontiguousarray(column, kind))
            for kind, column in zip(kinds, columns, strict=True)
        ]
        self._terms = ffi.new("pocket_text_terms *", (*self._arrays, len(STEPS)))
        every = np.arange(len(rows.starts) - 1)
        self._lengths = [np.sqrt(sums) for sums in self._products(every, every)]

    def of(self, firsts: Numbers, seconds: Numbers) -> Floats:
        """Of each first text with its second, by their numbers, rounded to four decimals; 0 where
        one has no term that weighs anything.
        """
        plain, capped = (
            np.divide(sums, norms, out=np.zeros(len(firsts)), where=norms > 0)
            for sums, lengths in zip(self._products(firsts, seconds), self._lengths, strict=True)
            for norms in [lengths[firsts] * lengths[seconds]]
        )
        similar = np.minimum(np.minimum(plain, capped + ALOFT), 1.0)
        return np.round(np.where(plain > 0, similar, 0.0), 4).astype(np.float64)

    def _products(self, firsts: Numbers, seconds: Numbers) -> list[Floats]:
        """The sums over the terms that both texts have: of counts, and of damped counts."""
        sums = np.zeros((2, len(firsts)), np.uint64)
        for start in range(0, len(firsts), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            one, other = (
                ffi.from_buffer("uint32_t[]", np.ascontiguousarray(texts[some], np.uint32))
                for texts in (firsts, seconds)
            )
            plain, capped = (
                ffi.from_buffer("uint64_t[]", own[some], require_writable=True) for own in sums
            )
            lib.pocket_term_products(self._terms, one, other, len(one), plain, capped)
        return [column.astype(np.float64) for column in sums]


def together(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Yield where runs of items begin and end that have at most so much together, or are one."""
    start = 0
    size = 0
    for place, own in enumerate(sizes):
        if place > start and size + own > most:
            yield start, place
            start, size = place, 0
        size += own
    if start < len(sizes):
        yield start, len(sizes)


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
