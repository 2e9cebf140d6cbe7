"""Calibration: from the agreement of two sketches to the tf-idf cosine that pairs of such agreement have on average."""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes.term_rows import TermRows

POINTS = 129
QUERIES = 1500  # sampled texts whose nearest others are looked at
NEAREST = 40
LEAST_PAIRS = 200  # at cosine .5 or more; with fewer the sample says too little
# Agreement and similarity where there is no sample to learn from (measured on English text, bench/results/rff.md).
PRIOR = ((0, 0), (42000, 0), (47000, 2200), (52000, 4000), (57000, 6000), (61500, 8000), (65536, 9999))

UNCALIBRATED = [0, 0, 5000, 9999]

Floats = np.ndarray[Any, np.dtype[np.float64]]


def calibrate(profile: Profile, texts: list[bytes], rows: TermRows) -> list[int]:
    """Similarity in ten-thousandths at POINTS evenly spaced agreements. Sampled pairs decide where there are enough of them, else PRIOR."""
    agreements, cosines, weights = pairs(profile, texts, rows)
    grid = np.linspace(0, 65536, POINTS)
    if (cosines >= 0.5).sum() < LEAST_PAIRS:
        x, y = zip(*PRIOR, strict=True)
        return [int(v) for v in np.interp(grid, x, y)]
    return table(agreements, cosines, weights)


def pairs(profile: Profile, texts: list[bytes], rows: TermRows) -> tuple[Floats, Floats, Floats]:
    """Agreement, exact cosine, and weight (one a query) of the nearest others of the first sampled texts, by their sketches."""
    kept, records = profile.sketch_all(texts)
    vectors = Vectors(rows)
    found: list[tuple[Floats, Floats, Floats]] = []
    for q in kept[:QUERIES]:
        agreements = profile.agreements(texts[q], records).astype(np.int64)
        # A stable order: agreement, then place.
        nearest = np.argsort(-agreements, kind="stable")[: NEAREST + 1]
        nearest = nearest[kept[nearest] != q]
        found.append(
            (
                agreements[nearest].astype(np.float64),
                vectors.cosines(int(q), kept[nearest]),
                np.full(len(nearest), 1.0 / max(len(nearest), 1)),
            )
        )
    if not found:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    a, c, w = zip(*found, strict=True)
    return np.concatenate(a), np.concatenate(c), np.concatenate(w)


class Vectors:
    """tf-idf vectors of sampled texts; weights are whole 1/16, so that every product is exact."""

    def __init__(self, rows: TermRows) -> None:
        distinct, terms = np.unique(rows.whole, return_inverse=True)
        frequency = np.bincount(terms, minlength=len(distinct))
        weight = np.array([_log2(rows.texts, f) for f in range(int(frequency.max(initial=0)) + 1)], np.float64)
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
