"""What a file of scheme `rff` is made like: the fewest bytes that find what a target asks for, at a bearable cost. Counted on sampled
texts, not timed: the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import fsum
from typing import Any

import numpy as np
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes import calibration
from pocketindex.builder.schemes.calibration import cut
from pocketindex.builder.schemes.neighbours import Floats, Idf, Near, Numbers, nearest
from pocketindex.builder.schemes.rff import Learned, Shape
from pocketindex.builder.workers import Each, one_by_one

PROBES = (64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
WIDTHS = (64, 80, 96, 112, 128)  # components of a sketch; more are taken only where they are asked for
THRESHOLDS = (0.9, 0.8, 0.7)
LEAST_QUERIES = 50
MOST_QUERIES = 300
HALVED = 200  # texts that are looked for by either half
LONG = 50  # terms that such a text has: half of a shorter one says little
FOUND_BY_HALF = 0.94  # of them, whatever the target: a document should find what holds half of it
LOWER, LESS = 0.1, 0.03  # so much less similar, so much less has to be found
# Of fewer documents most bytes are the profile's: what a query misses is then worth more than a byte a document.
FEW, TABLES_OF_FEW, PROBES_OF_FEW = 10_000, 2, 1_024
COUNTED = 50  # queries whose candidates are counted
COMPARED = 750  # queries whose nearest others show how well sketches of a width tell similarity
MOST_ERROR, WORSE = 0.07, 1.03  # of similarity, over pairs that it puts at .5 or more; or so much worse than with the widest sketch
MOST_BYTES = 26.0  # of tables and sketch a document: no wider sketch is taken for the sake of MOST_ERROR
DEFAULT_TARGET = "recall=.98@.8"

# The cost of a look-up, in about the nanoseconds of a processor of 2020 with the file in memory.
PROBE_COST, CANDIDATE_COST, BUDGET = 11, 110, 150_000
# Bits of a table a document besides the posting: perfect hash, checksum, ends of postlists.
KEY_BITS = 17.5


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
    """What a file of the chosen shape is expected to find with the chosen number of probes.

    recall: cosine -> (mean over queries, low, high, queries), a 95 % interval; halves: share of long texts that either half finds;
    candidates: a query, in the whole collection; bytes: of tables and sketches a document, about; error: of similarity, mean over sampled
    pairs that it puts at .5 or more, None where they are few; reached: was the target.
    """

    shape: Shape
    probes: int
    recall: dict[float, tuple[float, float, float, int]]
    halves: float | None
    candidates: float
    bytes: float
    error: float | None
    reached: bool

    def state(self) -> dict[str, Any]:
        """All of it, fit for JSON and of_state()."""
        return {**asdict(self), "recall": [[cosine, *row] for cosine, row in self.recall.items()]}

    @classmethod
    def of_state(cls, state: dict[str, Any]) -> Expectation:
        recall = {cosine: (mean, low, high, queries) for cosine, mean, low, high, queries in state["recall"]}
        return cls(**{**state, "shape": Shape(**state["shape"]), "recall": recall})

    def text(self) -> str:
        """A few lines for people."""
        parts = []
        for cosine, (mean, low, high, queries) in self.recall.items():
            few = "" if queries >= LEAST_QUERIES else ", few"
            known = f"{100 * mean:.0f} % at {cosine:g} ({100 * low:.0f}-{100 * high:.0f}; {queries} queries{few})"
            parts.append(known if queries else f"unknown at {cosine:g}")
        by_half = "too few are long enough" if self.halves is None else f"{100 * self.halves:.0f} %"
        error = "" if self.error is None else f", similarity off by {self.error:.2f}"
        lines = [
            f"{self.shape.tables} tables of {self.shape.bits} bits, {self.probes} probes each; sketches of {self.shape.components} bits: "
            f"about {self.bytes:.1f} bytes a document{error}",
            f"  expected of what is similar: {', '.join(parts)}",
            f"  documents of {LONG} terms by either half of their text: {by_half}; candidates a query: about {self.candidates:,.0f}",
        ]
        if not self.reached:
            lines.append("  this is below the target: more --tables, or a lower --target")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        return {
            "tables": self.shape.tables,
            "bits": self.shape.bits,
            "components": self.shape.components,
            "probes": self.probes,
            "recall": {f"{c:g}": dict(zip(("mean", "low", "high", "queries"), row, strict=True)) for c, row in self.recall.items()},
            "halves": self.halves,
            "candidates": round(self.candidates, 1),
            "bytes": round(self.bytes, 1),
            "error": None if self.error is None else round(self.error, 3),
            "reached": self.reached,
        }


@dataclass(frozen=True)
class Sampled:
    """Sampled texts of the collection, the first of them those that the profile is learned from, with what is like them.

    near: the nearest others of the first texts; halves: (half of a text, its number).
    """

    texts: Sequence[bytes]
    near: list[Near]
    halves: list[tuple[bytes, int]]
    idf: Idf

    @classmethod
    def of(cls, learned: Learned, texts: Sequence[bytes], idf: Idf | None = None, each: Each = one_by_one) -> Sampled:
        shape, idf = learned.shape, idf or Idf(texts)
        reference = Profile(learned.profile(Shape(shape.tables, shape.bits, max(128, shape.components))), learned.name)
        _, terms = sketch_keys(reference, learned.texts, each)
        long = np.flatnonzero(terms >= max(LONG, reference.least_terms))[:HALVED].tolist()
        halves = [(cut(texts[q], *part), q) for q in long for part in ((0.0, 0.5), (0.5, 1.0))]
        return cls(texts, nearest(reference, texts, idf, each), halves, idf)

    def queries(self, cosine: float) -> list[Near]:
        """Those with others at this cosine or more, and only these others."""
        found = ((near, near.cosines >= cosine) for near in self.near)
        return [Near(near.query, near.others[at], near.cosines[at]) for near, at in found if at.any()][:MOST_QUERIES]


def choose(
    learned: Learned,
    texts: Sequence[bytes],
    target: Target,
    probes: int | None = None,
    identity_bits: int = 8,
    shared_bits: int = 0,
    idf: Idf | None = None,
    each: Each = one_by_one,
) -> tuple[bytes, Expectation]:
    """The calibrated profile of the shape with the fewest bytes that reaches the target within BUDGET, and what to expect of it.

    texts: a sample, or all of the collection, that begins with those the profile was learned from. What the settings of the scheme fix, and
    probes where they are given, stays as it is. Where nothing reaches the target within the budget the cheapest that reaches it is taken,
    or else what finds most. Shared bits are asked for on top: they take no width from the sketch. idf: of the texts, where it is known;
    each: to do things with each of many texts.
    """
    sampled = Sampled.of(learned, texts, idf, each)
    tried = PROBES if learned.documents >= FEW else tuple(p for p in PROBES if p >= PROBES_OF_FEW)
    search = find_keys(learned, sampled, target, (probes,) if probes else tried, each)
    posting = max(learned.documents - 1, 1).bit_length()
    besides = identity_bits + search.tables * (KEY_BITS + posting)
    components, error = find_width(learned, sampled, search, round(8 * MOST_BYTES - besides), each)
    shape, size = Shape(search.tables, search.bits, components), (components + besides + shared_bits) / 8
    recall = {}
    for cosine in sorted({*THRESHOLDS, target.cosine}, reverse=True):
        found = search.shares(cosine)
        recall[cosine] = (mean(found), *interval(found), len(found))
    halves = mean(search.halves_found()) if sampled.halves else None
    expectation = Expectation(shape, search.probes, recall, halves, search.candidates, size, error, search.reaches(target))
    plain = Profile(learned.profile(shape), learned.name)
    return learned.profile(shape, calibration.fit(plain, texts, sampled.near, sampled.idf, each)), expectation


class Search:
    """What so many tables with so many probes of one length of sub-key find, without a file.

    take() says how many of the tables, and which of the numbers of probes, its figures are about: first all of both.
    """

    def __init__(
        self, learned: Learned, sampled: Sampled, least: float, tables: int, bits: int, probes: tuple[int, ...], each: Each = one_by_one
    ) -> None:
        # A sketch needs a whole byte at least; what is beyond the sub-keys is not looked at here.
        shape = Shape(tables, bits, max(tables * bits, 8))
        profile = Profile(learned.profile(shape), learned.name)
        self._all, self._documents, self.queries = probes, learned.documents, sampled.queries(least)
        numbers = np.unique(np.concatenate([np.array([q for _, q in sampled.halves], np.int64), *(near.others for near in self.queries)]))
        keys, _ = sketch_keys(profile, [sampled.texts[i] for i in numbers.tolist()], each)

        def steps(query: tuple[bytes, Numbers]) -> Numbers:
            text, others = query
            return profile.probe_steps(text, probes, keys[np.searchsorted(numbers, others)]).astype(np.int64)

        self._steps = list(each(steps, [(sampled.texts[near.query], near.others) for near in self.queries]))
        self._half_steps = list(each(steps, [(text, np.array([q])) for text, q in sampled.halves]))
        self._counts = count(profile, learned.texts, probes, each)
        self.tables, self.bits, self._step = tables, bits, len(probes) - 1

    def take(self, tables: int, step: int) -> None:
        """Look at what so many of the tables, with the probes of this step, do."""
        self.tables, self._step = tables, step

    @property
    def probes(self) -> int:
        return self._all[self._step]

    @property
    def candidates(self) -> float:
        """A query, in the whole collection; those of two tables count twice."""
        return float(self._counts[: self.tables, self._step].sum()) * self._documents

    @property
    def cost(self) -> float:
        """Of a look-up."""
        return self.tables * self.probes * PROBE_COST + self.candidates * CANDIDATE_COST

    def shares(self, cosine: float) -> list[float]:
        """Of each query that has others at this cosine, the share of them that it finds."""
        out = []
        for steps, query in zip(self._steps, self.queries, strict=True):
            near = query.cosines >= cosine
            if near.any():
                out.append(float((steps[near, : self.tables].min(axis=1) <= self._step).mean()))
        return out

    def halves_found(self) -> list[float]:
        return [float(steps[:, : self.tables].min() <= self._step) for steps in self._half_steps]

    def shortfall(self, target: Target) -> float:
        """How much less is found than is asked for, of what is worst; 0 where all is found."""
        natural, lower = self.shares(target.cosine), self.shares(target.cosine - LOWER)
        short = [FOUND_BY_HALF - mean(self.halves_found())] if self._half_steps else []
        short += [target.recall - mean(natural)] if len(natural) >= LEAST_QUERIES else []
        short += [target.recall - LESS - mean(lower)] if len(lower) >= LEAST_QUERIES else []
        return max(0.0, *short, 0.0)

    def reaches(self, target: Target) -> bool:
        return self.shortfall(target) == 0.0


def find_keys(learned: Learned, sampled: Sampled, target: Target, probes: tuple[int, ...], each: Each) -> Search:
    """Number of tables, length of sub-keys, probes: fewest tables first, then the least cost."""
    settings, bits = learned.settings, learned.shape.bits
    fewest = min(TABLES_OF_FEW, learned.most_tables) if learned.documents < FEW else 1
    tables = [settings.tables] if settings.tables else list(range(fewest, learned.most_tables + 1))
    lengths = [settings.bits] if settings.bits or not learned.rotated else [b for b in (bits, bits + 2) if b <= learned.stride]
    least = min(*THRESHOLDS, target.cosine - LOWER)
    searches = [Search(learned, sampled, least, tables[-1], b or bits, probes, each) for b in lengths]
    best: tuple[tuple[float, ...], Search, int, int] | None = None
    for number in tables:
        for search in searches:
            for step in range(len(probes)):
                search.take(number, step)
                short, cost = search.shortfall(target), search.cost
                dear = short == 0 and cost > BUDGET
                # Reached within the budget, then reached, then nearest to it; of these the fewest bytes, the least cost.
                rank = (short, float(dear), cost if dear else number, cost, search.bits)
                if best is None or rank < best[0]:
                    best = (rank, search, number, step)
                if short == 0:
                    break
    assert best is not None
    _, search, number, step = best
    search.take(number, step)
    return search


def count(profile: Profile, texts: Sequence[bytes], probes: tuple[int, ...], each: Each = one_by_one) -> Floats:
    """The share of texts that a query with one of them finds, on average: (tables, numbers of probes)."""
    keys, terms = sketch_keys(profile, texts, each)
    kept = np.flatnonzero(terms >= profile.least_terms)
    columns, own = [np.unique(keys[kept, table], return_counts=True) for table in range(profile.tables)], kept[:COUNTED].tolist()

    def found(query: tuple[int, int, int]) -> int:
        q, table, number = query
        asked, (column, counts) = profile.probe_keys(texts[q], table, number), columns[table]
        places = np.minimum(np.searchsorted(column, asked), len(column) - 1)
        return int(counts[places[column[places] == asked]].sum())

    queries = [(q, table, number) for q in own for table in range(profile.tables) for number in probes]
    counts = np.array(list(each(found, queries)), np.float64).reshape(len(own), profile.tables, len(probes))
    shares: Floats = counts.sum(axis=0) / max(len(own), 1) / max(len(kept), 1)
    return shares


def find_width(learned: Learned, sampled: Sampled, search: Search, most: int, each: Each) -> tuple[int, float | None]:
    """The least width of WIDTHS whose similarity is near the cosine, and how near; or the widest up to most, and for FEW documents always.

    The default where too few pairs tell.
    """
    keys, fixed, near = search.tables * search.bits, learned.settings.components, sampled.near[:COMPARED]
    if sum(int((n.cosines >= 0.5).sum()) for n in near) < calibration.LEAST_PAIRS:
        return fixed or max(learned.shape.components, keys), None

    def error(width: int) -> float:
        profile = Profile(learned.profile(Shape(search.tables, search.bits, width)), learned.name)
        return similarity_error(profile, sampled.texts, near, each)

    widths = [w for w in WIDTHS if w >= keys]
    *narrower, widest = [fixed] if fixed else [w for w in widths if w <= most] or widths[:1] or [keys]
    least = error(widest)
    for width in narrower if learned.documents >= FEW else ():
        found = error(width)
        if found <= max(MOST_ERROR, WORSE * least):
            return width, found
    return widest, least


def similarity_error(profile: Profile, texts: Sequence[bytes], near: Sequence[Near], each: Each) -> float:
    """Mean difference of similarity and cosine, calibrated on every second query, over the others' pairs whose similarity is .5 or more."""
    points = np.array(calibration.table(*calibration.pairs(profile, texts, near[::2], each))) / 10_000
    agreements, cosines, _ = calibration.pairs(profile, texts, near[1::2], each)
    similarity = np.interp(agreements, np.linspace(0, 65536, len(points)), points)
    return mean(np.abs(similarity - cosines)[similarity >= 0.5].tolist())


def sketch_keys(
    profile: Profile, texts: Sequence[bytes], each: Each = one_by_one
) -> tuple[np.ndarray[Any, np.dtype[np.uint64]], np.ndarray[Any, np.dtype[np.uint32]]]:
    """The keys of each text (n, tables), and its number of terms."""
    sketched = profile.sketch_texts(texts, each)
    return sketched.keys, sketched.terms


def mean(values: list[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def interval(values: list[float]) -> tuple[float, float]:
    """95 % of the mean, from its standard error, within 0 .. 1."""
    if len(values) < 2:
        return 0.0, 1.0
    middle = mean(values)
    error = 1.96 * (fsum((v - middle) ** 2 for v in values) / (len(values) - 1) / len(values)) ** 0.5
    return max(middle - error, 0.0), min(middle + error, 1.0)
