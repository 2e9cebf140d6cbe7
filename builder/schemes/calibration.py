"""Calibration: from the agreement of two sketches to the tf-idf cosine that pairs of such agreement have on average."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

import numpy as np
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes.neighbours import Floats, Idf, Near, Vectors, nearest
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.workers import Each, one_by_one

POINTS = 129
LEAST_PAIRS = 200  # at cosine .5 or more; with fewer the sample says too little
MIXTURES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)  # parts of a text that another takes the place of, where natural pairs are too few
MIXED = 300  # texts that are mixed so

UNCALIBRATED = [0, 0, 5000, 9999]


def calibrate(profile: Profile, texts: Sequence[bytes]) -> list[int]:
    """Similarity in ten-thousandths at POINTS evenly spaced agreements."""
    idf = Idf(texts)
    return fit(profile, texts, nearest(profile, texts, idf), idf)


def fit(profile: Profile, texts: Sequence[bytes], near: Sequence[Near], idf: Idf, each: Each = one_by_one) -> list[int]:
    """The same, where the neighbours are known. These tell it; where those near are few, mixtures of two texts, too."""
    found = [pairs(profile, texts, near, each)]
    if (found[0][1] >= 0.5).sum() < LEAST_PAIRS:
        found.append(mixtures(profile, texts, idf))
    agreements, cosines, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return table(agreements, cosines, weights) if (cosines >= 0.5).any() else UNCALIBRATED


def pairs(profile: Profile, texts: Sequence[bytes], near: Sequence[Near], each: Each = one_by_one) -> tuple[Floats, Floats, Floats]:
    """Agreement, exact cosine, and weight (one a query) of texts and their neighbours."""
    near = [n for n in near if len(n.others)]
    if not near:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    numbers = np.unique(np.concatenate([n.others for n in near]))
    records = profile.sketch_records([texts[i] for i in numbers.tolist()], each)
    agreements = [profile.agreements(texts[n.query], records[np.searchsorted(numbers, n.others)]) for n in near]
    weights = [np.full(len(n.others), 1.0 / len(n.others)) for n in near]
    return np.concatenate(agreements).astype(np.float64), np.concatenate([n.cosines for n in near]), np.concatenate(weights)


def mixtures(profile: Profile, texts: Sequence[bytes], idf: Idf) -> tuple[Floats, Floats, Floats]:
    """The same of texts and mixtures of them: the end of each gives way to the end of the next."""
    kept, records = profile.sketch_all(texts[: 4 * MIXED])
    kept, records = kept[:MIXED], records[:MIXED]
    mixed, own = [], []
    for place, q in enumerate(kept):
        other = texts[kept[(place + 1) % len(kept)]]
        for part in MIXTURES:
            mixed.append(cut(texts[q], 0.0, 1 - part) + b" " + cut(other, 1 - part, 1.0))
            own.append(place)
    vectors = Vectors(TermRows.of([*(texts[q] for q in kept), *mixed], 0), idf)
    agreements, cosines = [], []
    for i, (text, place) in enumerate(zip(mixed, own, strict=True)):
        # What has become too short has no sketch to compare.
        if len(profile.sketch_all([text])[0]):
            agreements.append(float(profile.agreements(text, records[place : place + 1])[0]))
            cosines.append(float(vectors.cosines(len(kept) + i, [place])[0]))
    return np.array(agreements), np.array(cosines), np.ones(len(agreements))


def cut(text: bytes, start: float, end: float) -> bytes:
    """From one share of a text to another, in whole characters."""
    characters = text.decode("utf-8", "replace")
    return characters[int(start * len(characters)) : int(end * len(characters))].encode()


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
