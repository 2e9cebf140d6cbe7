"""How well figures of pairs tell edited copies from other documents (bench/recall/shared.py), with
intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

BITS = (64, 128, 256)
BOTH = tuple(f"both, {bits}" for bits in BITS)

Column = npt.NDArray[np.float64]
Pairs = dict[str, Column]  # a row a pair: query, and the figures


def joined(parts: Sequence[Pairs]) -> Pairs:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def auc(positive: Column, negative: Column) -> float:
    """The chance that a positive is above a negative, ties a half."""
    ranks = rankdata(np.concatenate([positive, negative]))
    return float(
        (ranks[: len(positive)].sum() - len(positive) * (len(positive) + 1) / 2)
        / (len(positive) * len(negative))
    )


def together(positive: Pairs, negative: Pairs) -> None:
    """Add the columns BOTH: Fisher's discriminant of similarity and shared, fitted on half of the
    queries and used on the other half, both ways.
    """
    for bits, name in zip(BITS, BOTH, strict=True):
        sides = [
            np.stack([side["similarity"], side[f"shared {bits}"]], 1)
            for side in (positive, negative)
        ]
        halves = [side["query"] % 2 for side in (positive, negative)]
        out = [np.zeros(len(side)) for side in sides]
        for half in (0, 1):
            fitted = [side[own != half] for side, own in zip(sides, halves, strict=True)]
            means = [side.mean(0) for side in fitted]
            spread = sum(np.cov(side.T) for side in fitted) + 1e-6 * np.eye(2)
            weights = np.linalg.solve(spread, means[0] - means[1])
            weights /= weights @ (means[0] - means[1])
            for side, own, values in zip(sides, halves, out, strict=True):
                values[own == half] = (side[own == half] - means[1]) @ weights
        positive[name], negative[name] = out


def with_interval(
    measure: Callable[[Pairs, Pairs], float], positive: Pairs, negative: Pairs, rounds: int = 200
) -> str:
    """The figure and its 95 % interval: queries drawn anew (bootstrap)."""
    rng, sides = np.random.default_rng(2010), (positive, negative)
    rows = [
        {q: np.flatnonzero(side["query"] == q) for q in np.unique(side["query"])} for side in sides
    ]
    queries, drawn = sorted(rows[0].keys() | rows[1].keys()), []
    for _ in range(rounds):
        chosen = rng.choice(queries, len(queries))
        taken = [np.concatenate([own[q] for q in chosen if q in own]) for own in rows]
        drawn.append(
            measure(
                *(
                    {name: column[at] for name, column in side.items()}
                    for side, at in zip(sides, taken, strict=True)
                )
            )
        )
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f"{measure(positive, negative):.3f} ({low:.2f}-{high:.2f})"


def aucs(positive: Pairs, negative: Pairs, names: Sequence[str]) -> list[str]:
    return [
        with_interval(lambda p, n, name=name: auc(p[name], n[name]), positive, negative)
        for name in names
    ]  # type: ignore[misc]


def first(positive: Pairs, negative: Pairs, name: str) -> float:
    """The share of queries whose one positive is above all their negatives, ties lost."""
    best = {q: negative[name][negative["query"] == q].max() for q in np.unique(negative["query"])}
    return float(
        np.mean(
            [
                value > best[q]
                for q, value in zip(positive["query"], positive[name], strict=True)
                if q in best
            ]
        )
    )
