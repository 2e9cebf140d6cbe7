"""The nearest others of sampled texts, with their exact tf-idf cosines: what calibration and tuning learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pocketindex.builder.batches import batches
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.workers import Each, one_by_one

QUERIES = 1500  # sampled texts whose nearest others are looked at
NEAREST = 40
SLOTS = 1 << 22  # that terms are counted in: with so many, few share one

Floats = np.ndarray[Any, np.dtype[np.float64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Near:
    """A text by number, the nearest others, and their cosines: (others,) each."""

    query: int
    others: Numbers
    cosines: Floats


def nearest(profile: Profile, texts: Sequence[bytes], idf: Idf, each: Each = one_by_one) -> list[Near]:
    """For each of the first QUERIES texts that has a sketch: the NEAREST others by their sketches."""
    kept, records = profile.sketch_all(texts, each)

    def one(q: int) -> tuple[int, Numbers]:
        others = kept[profile.nearest(texts[q], records, NEAREST + 1)]
        return q, others[others != q][:NEAREST]

    found = list(each(one, kept[:QUERIES].tolist()))
    numbers = np.unique(np.concatenate([np.array([q, *others]) for q, others in found])) if found else np.zeros(0, np.int64)
    vectors = Vectors(TermRows.of([texts[i] for i in numbers.tolist()], 0), idf)
    place = dict(zip(numbers.tolist(), range(len(numbers)), strict=True))
    return [Near(q, others, vectors.cosines(place[q], [place[i] for i in others.tolist()])) for q, others in found]


class Idf:
    """What a term weighs by the texts that have it: floor(16 log2(texts / texts with it)), 0 for a term of none."""

    def __init__(self, texts: Sequence[bytes] = ()) -> None:
        self._frequency, self._texts = np.zeros(SLOTS, np.int32), 0
        self._weights: np.ndarray[Any, np.dtype[np.int16]] | None = None
        for some in batches(texts):
            self.add(TermRows.of(some, 0))

    def add(self, rows: TermRows) -> None:
        """Count the texts of rows, too."""
        # With ones of its own type this takes a tenth of the time that it takes with a number.
        np.add.at(self._frequency, slots(rows.whole), np.ones(len(rows.whole), np.int32))
        self._texts, self._weights = self._texts + rows.texts, None

    def of(self, terms: np.ndarray[Any, np.dtype[np.uint64]]) -> Numbers:
        """By the terms' hashes."""
        if self._weights is None:
            most = int(self._frequency.max(initial=0))
            weights = np.array([0, *(sixteenths_of_log2(max(self._texts, f), f) for f in range(1, most + 1))], np.int16)
            self._weights = weights[self._frequency]
        return self._weights[slots(terms)].astype(np.int64)


def slots(terms: np.ndarray[Any, np.dtype[np.uint64]]) -> Numbers:
    return (terms & np.uint64(SLOTS - 1)).astype(np.int64)


def sixteenths_of_log2(a: int, b: int) -> int:
    """floor(16 log2(a / b)); 0 where b is 0."""
    return (a**16 // b**16).bit_length() - 1 if b else 0


class Vectors:
    """tf-idf vectors of texts; weights are whole 1/16, so that every product is exact."""

    def __init__(self, rows: TermRows, idf: Idf) -> None:
        distinct, self._terms = np.unique(rows.whole, return_inverse=True)
        self._ends = rows.ends
        self._values = (rows.counts * idf.of(rows.whole)).astype(np.float64)
        squares = np.zeros(rows.texts)
        np.add.at(squares, rows.text_of, self._values**2)
        self._norms = np.sqrt(np.maximum(squares, 1))
        self._own = np.zeros(len(distinct))

    def _row(self, text: int) -> slice:
        return slice(int(self._ends[text - 1]) if text else 0, int(self._ends[text]))

    def cosines(self, text: int, others: Sequence[int]) -> Floats:
        """Cosine of a text with each of others (their numbers)."""
        own = self._row(text)
        self._own[self._terms[own]] = self._values[own]
        dots = np.array([int((self._own[self._terms[r]] * self._values[r]).sum()) for r in map(self._row, others)], np.float64)
        self._own[self._terms[own]] = 0
        result: Floats = dots / (self._norms[text] * self._norms[np.array(others, np.int64)])
        return result
