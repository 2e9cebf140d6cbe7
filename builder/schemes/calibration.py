"""Calibration: from the agreement of two sketches to the tf-idf cosine that pairs of such agreement have on average."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import Any

import numpy as np
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes.term_rows import TermRows

POINTS = 129
QUERIES = 1500  # sampled texts whose nearest others are looked at
NEAREST = 40
LEAST_PAIRS = 200  # at cosine .5 or more; with fewer the sample says too little
MIXTURES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)  # parts of a text that another takes the place of, where natural pairs are too few
MIXED = 300  # texts that are mixed so

UNCALIBRATED = [0, 0, 5000, 9999]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]


def calibrate(profile: Profile, texts: list[bytes], rows: TermRows) -> list[int]:
    """Similarity in ten-thousandths at POINTS evenly spaced agreements.

    Sampled pairs tell it; where those are few, mixtures of two texts, too.
    """
    found = [pairs(profile, texts, rows)]
    if (found[0][1] >= 0.5).sum() < LEAST_PAIRS:
        found.append(mixtures(profile, texts, rows))
    agreements, cosines, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return table(agreements, cosines, weights) if (cosines >= 0.5).any() else UNCALIBRATED


def pairs(profile: Profile, texts: list[bytes], rows: TermRows) -> tuple[Floats, Floats, Floats]:
    """Agreement, exact cosine, and weight (one a query) of the nearest others of the first sampled texts."""
    found = [(a, c, np.full(len(a), 1.0 / max(len(a), 1))) for _, _, a, c in nearest(profile, texts, rows)]
    if not found:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    a, c, w = zip(*found, strict=True)
    return np.concatenate(a), np.concatenate(c), np.concatenate(w)


def nearest(profile: Profile, texts: list[bytes], rows: TermRows) -> Iterator[tuple[int, Numbers, Floats, Floats]]:
    """For each of the first sampled texts: its number, those of the NEAREST others by their sketches, agreements, exact cosines."""
    kept, records = profile.sketch_all(texts)
    vectors = Vectors(rows)
    for q in kept[:QUERIES].tolist():
        agreements = profile.agreements(texts[q], records).astype(np.int64)
        # A stable order: agreement, then place.
        best = np.argsort(-agreements, kind="stable")[: NEAREST + 1]
        best = best[kept[best] != q]
        yield q, kept[best], agreements[best].astype(np.float64), vectors.cosines(q, kept[best])


def mixtures(profile: Profile, texts: list[bytes], rows: TermRows) -> tuple[Floats, Floats, Floats]:
    """The same of texts and mixtures of them: the end of each gives way to the end of the next."""
    kept, records = profile.sketch_all(texts)
    kept, records = kept[:MIXED], records[:MIXED]
    mixed, own = [], []
    for place, q in enumerate(kept):
        other = texts[kept[(place + 1) % len(kept)]]
        for part in MIXTURES:
            mixed.append(cut(texts[q], 0.0, 1 - part) + b" " + cut(other, 1 - part, 1.0))
            own.append(place)
    vectors = Vectors(TermRows.of([*(texts[q] for q in kept), *mixed], 0), idf_of=rows)
    agreements, cosines = [], []
    for i, (text, place) in enumerate(zip(mixed, own, strict=True)):
        # What has become too short has no sketch to compare.
        if len(profile.sketch_all([text])[0]):
            agreements.append(float(profile.agreements(text, records[place : place + 1])[0]))
            cosines.append(float(vectors.cosines(len(kept) + i, np.array([place]))[0]))
    return np.array(agreements), np.array(cosines), np.ones(len(agreements))


def cut(text: bytes, start: float, end: float) -> bytes:
    """From one share of a text to another, in whole characters."""
    characters = text.decode("utf-8", "replace")
    return characters[int(start * len(characters)) : int(end * len(characters))].encode()


class Vectors:
    """tf-idf vectors of sampled texts; weights are whole 1/16, so that every product is exact."""

    def __init__(self, rows: TermRows, idf_of: TermRows | None = None) -> None:
        """idf_of: the texts whose frequencies weigh the terms, if others; a term that they do not have weighs nothing."""
        reference = idf_of or rows
        distinct, terms = np.unique(rows.whole, return_inverse=True)
        known, counts = np.unique(reference.whole, return_counts=True)
        at = np.minimum(np.searchsorted(known, distinct), max(len(known) - 1, 0))
        frequency = np.where(known[at] == distinct, counts[at], 0) if len(known) else np.zeros(len(distinct), np.int64)
        weight = np.array([_log2(reference.texts, f) for f in range(int(frequency.max(initial=0)) + 1)], np.float64)
        self._terms, self._ends = terms, rows.ends
        self._values = rows.counts * weight[frequency[terms]]
        squares = np.zeros(rows.texts)
        np.add.at(squares, rows.text_of, self._values**2)
        self._norms = np.sqrt(np.maximum(squares, 1))
        self._own = np.zeros(len(distinct))

    def _row(self, text: int) -> slice:
        return slice(int(self._ends[text - 1]) if text else 0, int(self._ends[text]))

    def cosines(self, text: int, others: np.ndarray[Any, Any]) -> Floats:
        """Cosine of a text with each of others (their numbers)."""
        own = self._row(text)
        self._own[self._terms[own]] = self._values[own]
        dots = np.array([int((self._own[self._terms[r]] * self._values[r]).sum()) for r in map(self._row, others.tolist())], np.float64)
        self._own[self._terms[own]] = 0
        result: Floats = dots / (self._norms[text] * self._norms[others])
        return result


def _log2(a: int, b: int) -> int:
    return (a**16 // b**16).bit_length() - 1 if b else 0


def table(agreements: Floats, cosines: Floats, weights: Floats) -> list[int]:
    """The mean cosine by agreement, made rising by pooling neighbours that fall (isotonic regression), at evenly spaced points."""
    width = 65536 / (POINTS - 1)
    bins = np.minimum((agreements / width + 0.5).astype(np.int64), POINTS - 1)
    pools: list[list[float]] = []  # weight, weighted sum, points
    for point in range(POINTS):
        here = bins == point
        pools.append([fsum(weights[here]), fsum(weights[here] * cosines[here]), 1.0])
        while len(pools) > 1 and (pools[-1][0] == 0 or pools[-2][0] == 0 or pools[-2][1] * pools[-1][0] >= pools[-1][1] * pools[-2][0]):
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    values = [pool[1] / pool[0] if pool[0] else 0.0 for pool in pools for _ in range(int(pool[2]))]
    result = [min(max(int(v * 10000 + 0.5), 0), 9999) for v in values]
    result[-1] = 9999
    return result
