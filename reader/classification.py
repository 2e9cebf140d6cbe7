"""The labels of a text: those of the documents that are most similar to it, weighted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pocketindex.hits import Hit
from pocketindex.options import QueryOptions

# By measurement (bench/results/classify.md).
DECIDING = 20  # documents that decide
POWER = 4  # of a similarity, which makes its weight: what is low in an estimate is mostly chance
EXACT_POWER = 2  # the same of a cosine
LEAST_SHARE = 0.5  # of a label that is given beside others
CLOSE = 0.05  # the best share less the next: labels that are nearer decide nothing
SOUGHT = 4  # times as many hits are looked at: some have no labels

Verdict = Literal["clear", "too little evidence"]


@dataclass(frozen=True)
class Classification:
    """The labels that the documents most similar to a text have.

    labels: those of a share of half or more, the best one where none has it; nothing where there is
    too little evidence. shares: of each label that a deciding document has, highest first: the
    weight of the documents that have it, of all that decide; a weight is a similarity to the fourth
    power, or the square of an exact cosine. hits: the documents that decided, most similar first.
    verdict: `clear`, or `too little evidence`, for which reason says why: `no similar document`
    where no deciding document is more similar than chance makes it, `too close` where two labels
    have as good as the same share.
    """

    labels: tuple[str, ...]
    shares: Mapping[str, float]
    hits: Sequence[Hit]
    verdict: Verdict
    reason: str = ""

    @property
    def best(self) -> tuple[str, ...]:
        """The labels as they would be without a verdict; nothing where nothing decided."""
        return chosen(self.shares)


def options_of(top: int, exact: bool) -> QueryOptions:
    """How to ask for the documents that decide: chance is what many of them have to outweigh."""
    if top < 1:
        raise ValueError(f"top is {top}; it must be at least 1")
    return QueryOptions(top=SOUGHT * top, min_similarity=0, exact=exact)


def classification(hits: Iterable[Hit], top: int, least: Sequence[float]) -> Classification:
    """Let the top first hits that have labels decide.

    least: the similarity below which a hit may be chance, in each file. A hit's cosine counts where
    it has one.
    """
    deciding = [hit for hit in hits if _weight(hit) > 0 and hit.labels][:top]
    shares = shares_of([(hit.labels, _weight(hit)) for hit in deciding])
    labels, ordered = chosen(shares), list(shares.values())
    reason = ""
    if not any(hit.similarity >= least[getattr(hit, "file", 0)] for hit in deciding):
        reason = "no similar document"
    elif labels and shares[labels[0]] < LEAST_SHARE and _margin(ordered) < CLOSE:
        reason = "too close"
    return Classification(
        () if reason else labels,
        shares,
        deciding,
        "too little evidence" if reason else "clear",
        reason,
    )


def shares_of(deciding: Sequence[tuple[Sequence[str], float]]) -> dict[str, float]:
    """Return the share of each label, highest first, of equal ones in the order of their names.

    deciding: labels and weight of each document.
    """
    weights, total = defaultdict[str, float](float), 0.0
    for labels, weight in deciding:
        total += weight
        for label in labels:
            weights[label] += weight
    if not total:
        return {}
    ordered = sorted(weights.items(), key=lambda one: (-one[1], one[0]))
    return {label: weight / total for label, weight in ordered}


def chosen(shares: Mapping[str, float]) -> tuple[str, ...]:
    """Return the labels of a share of half or more, or else the best; shares: highest first."""
    many = tuple(label for label, share in shares.items() if share >= LEAST_SHARE)
    return many or tuple(shares)[:1]


def _weight(hit: Hit) -> float:
    return hit.similarity**POWER if hit.cosine is None else max(hit.cosine, 0.0) ** EXACT_POWER


def _margin(shares: Sequence[float]) -> float:
    """The best of shares, highest first, less the next."""
    return shares[0] - (shares[1] if len(shares) > 1 else 0.0)
