"""How many probes a file asks for by default: as few as reach a target on sampled texts. Counted, not timed: the same everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes.calibration import cut, nearest
from pocketindex.builder.schemes.term_rows import TermRows

PROBES = (64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
THRESHOLDS = (0.9, 0.8, 0.7)
LEAST_QUERIES = 50
MOST_QUERIES = 300
HALVED = 200  # texts that are looked for by either half
LONG = 50  # terms that such a text has: half of a shorter one says little
FOUND_BY_HALF = 0.92  # of them, whatever the target: a document should find what holds half of it
COUNTED = 50  # queries whose candidates are counted
DEFAULT_TARGET = "recall=.98@.8"

Ranks = list[list[int]]  # for each query: of each of its neighbours, one less than the number of probes that finds it


@dataclass(frozen=True)
class Target:
    """Find this share of what lies at this cosine or more."""

    recall: float
    cosine: float

    @classmethod
    def parse(cls, text: str) -> Target:
        """From recall=.98@.8; raises ValueError for anything else."""
        found = re.fullmatch(r"recall=(0?\.\d+|1)@(0?\.[789]\d*)", text)
        if not found:
            raise ValueError(f"target is {text!r}; expected recall=R@C, R up to 1, C from .7 on, such as {DEFAULT_TARGET}")
        return cls(float(found[1]), float(found[2]))


@dataclass(frozen=True)
class Expectation:
    """What the chosen number of probes is expected to find.

    recall: cosine -> (mean over queries, low, high, queries), a 95 % interval; halves: share of long texts that either half finds;
    candidates: a query, in the whole collection; reached: was the target.
    """

    probes: int
    recall: dict[float, tuple[float, float, float, int]]
    halves: float | None
    candidates: float
    reached: bool

    def text(self) -> str:
        """A few lines for people."""
        parts = []
        for cosine, (mean, low, high, queries) in self.recall.items():
            few = "" if queries >= LEAST_QUERIES else ", few"
            known = f"{100 * mean:.0f} % at {cosine:g} ({100 * low:.0f}-{100 * high:.0f}; {queries} queries{few})"
            parts.append(known if queries else f"unknown at {cosine:g}")
        by_half = "too few are long enough" if self.halves is None else f"{100 * self.halves:.0f} %"
        lines = [
            f"{self.probes} probes a table; expected of what is similar: {', '.join(parts)}",
            f"  documents of {LONG} terms by either half of their text: {by_half}; candidates a query: about {self.candidates:,.0f}",
        ]
        if not self.reached:
            lines.append("  this is below the target: more --tables, or a lower --target")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        return {
            "probes": self.probes,
            "recall": {f"{c:g}": dict(zip(("mean", "low", "high", "queries"), row, strict=True)) for c, row in self.recall.items()},
            "halves": self.halves,
            "candidates": round(self.candidates, 1),
            "reached": self.reached,
        }


def tune(profile: Profile, texts: list[bytes], documents: int, target: Target) -> Expectation:
    """Choose from PROBES by sampled texts: natural neighbours where LEAST_QUERIES have some, and always halves of texts."""
    search = Search(profile, texts)
    ranks: dict[float, Ranks] = {c: [] for c in sorted({*THRESHOLDS, target.cosine}, reverse=True)}
    for q, others, _, cosines in nearest(profile, texts, TermRows.of(texts, 0)):
        near = cosines >= min(ranks)
        if not near.any():
            continue
        others, cosines = others[near], cosines[near]
        found = search.ranks(texts[q], others)
        for cosine, rows in ranks.items():
            if (cosines >= cosine).any():
                rows.append([rank for rank, c in zip(found, cosines, strict=True) if c >= cosine])
        if len(ranks[min(ranks)]) == MOST_QUERIES:
            break
    halves = [search.ranks(cut(texts[q], *part), np.array([q])) for q in search.long[:HALVED].tolist() for part in ((0.0, 0.5), (0.5, 1.0))]

    def reaches(probes: int) -> bool:
        natural = ranks[target.cosine]
        enough = not halves or share(halves, probes) >= FOUND_BY_HALF
        return enough and (len(natural) < LEAST_QUERIES or share(natural, probes) >= target.recall)

    chosen = next((probes for probes in PROBES if reaches(probes)), PROBES[-1])
    recall = {cosine: (share(rows, chosen), *interval(rows, chosen), len(rows)) for cosine, rows in ranks.items()}
    size = documents / max(len(search.kept), 1)
    return Expectation(chosen, recall, share(halves, chosen) if halves else None, size * search.candidates(chosen), reaches(chosen))


class Search:
    """Ranks of probes without a file: the keys of sampled texts, and those that a query would look up."""

    def __init__(self, profile: Profile, texts: list[bytes]) -> None:
        ends = np.cumsum([len(text) for text in texts], dtype=np.uint64)
        sketched = profile.sketch_many(b"".join(texts), ends, 0)
        self._profile, self._texts, self._keys = profile, texts, sketched.keys
        self.kept = np.flatnonzero(sketched.terms >= profile.least_terms)
        self.long = np.flatnonzero(sketched.terms >= max(LONG, profile.least_terms))

    def ranks(self, text: bytes, others: np.ndarray[Any, np.dtype[np.int64]]) -> list[int]:
        """For each of others: one less than the first of PROBES that finds it, in any table; PROBES[-1] where none does."""
        best = np.full(len(others), PROBES[-1], np.int64)
        # Each number of probes has an order of its own, so each is asked for.
        for probes in reversed(PROBES):
            for table in range(self._profile.tables):
                asked = self._profile.probe_keys(text, table, probes)
                best[(self._keys[others, table, None] == asked).any(axis=1)] = probes - 1
        return best.tolist()

    def candidates(self, probes: int) -> float:
        """Sampled texts that a query finds, on average."""
        counts = []
        for q in self.kept[:COUNTED].tolist():
            found = np.zeros(len(self.kept), bool)
            for table in range(self._profile.tables):
                found |= np.isin(self._keys[self.kept, table], self._profile.probe_keys(self._texts[q], table, probes))
            counts.append(int(found.sum()))
        return sum(counts) / max(len(counts), 1)


def shares(rows: Ranks, probes: int) -> list[float]:
    return [sum(rank < probes for rank in row) / len(row) for row in rows]


def share(rows: Ranks, probes: int) -> float:
    """Found with so many probes, averaged over queries."""
    return fsum(shares(rows, probes)) / len(rows) if rows else 0.0


def interval(rows: Ranks, probes: int) -> tuple[float, float]:
    """95 % of the mean, from its standard error, within 0 .. 1."""
    values, mean = shares(rows, probes), share(rows, probes)
    if len(values) < 2:
        return 0.0, 1.0
    error = 1.96 * (fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values)) ** 0.5
    return max(mean - error, 0.0), min(mean + error, 1.0)
