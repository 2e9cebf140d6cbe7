"""Why a document is a hit: which components of the two sketches agree, and which terms stand behind
them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from pocketindex.answers.results import Part, Results
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from pocketindex.queries.terms import terms_of
from pocketindex.wording.passages import Passage


@dataclass(frozen=True, repr=False, slots=True)
class Component(Part):
    """A component of the sketch: the digit of text and document, and its weight in the ranking."""

    number: int
    digit: int
    document_digit: int
    weight: int

    @property
    def agrees(self) -> bool:
        return self.digit == self.document_digit


@dataclass(frozen=True, repr=False, slots=True)
class Term(Part):
    """A term of the text, how often it occurs, and its part of the agreement (0..1)."""

    term: str
    count: int
    weight: float


@dataclass(frozen=True, repr=False)
class Explanation(Results[Term]):
    """The reasons why a hit is similar to a text. agreement: the weight of the agreeing components,
    as a share of the weight of all, 0..1, before calibration.

    terms: the terms of the text, heaviest first. passages: the longest runs of words that both
    texts have; None if the file does not keep whole texts.
    """

    terms: tuple[Term, ...]
    agreement: float
    components: tuple[Component, ...]
    passages: tuple[Passage, ...] | None = None


def explain(
    handle: Any, path: str, text: bytes, number: int, passages: list[Passage] | None
) -> Explanation:
    """Compare text with document number of an open index. Raises TextTooShort, Damaged.

    The weight of an agreeing component is divided among the terms that move it to its side of the
    border, by how far they do.
    """
    summary, error = ffi.new("pocket_summary *"), ffi.new("pocket_error *")
    lib.pocket_summarize(handle, summary)
    d = summary.components
    digits = ffi.new("uint8_t[]", d)
    stored = ffi.new("uint8_t[]", d)
    weights = ffi.new("uint32_t[]", d)
    check(
        lib.pocket_sketch(handle, text, len(text), digits, weights, ffi.NULL, ffi.NULL), error, path
    )
    check(lib.pocket_digits(handle, number, stored, error), error, path)
    components = tuple(Component(j, digits[j], stored[j], weights[j]) for j in range(d))
    # Where every weight is 0 each component counts the same, as in the ranking.
    even = not any(c.weight for c in components)
    total = d if even else sum(c.weight for c in components)
    agreeing = {c.number: 1 if even else c.weight for c in components if c.agrees}
    moves = _moves(handle, path, text, summary)
    shares: defaultdict[str, float] = defaultdict(float)
    for j, weight in agreeing.items():
        side = 1 if digits[j] else -1
        toward = {term: side * move[j] for term, move in moves.items() if side * move[j] > 0}
        whole = sum(toward.values())
        for term, way in toward.items():
            shares[term] += weight * way / whole / total
    counts = Counter(terms_of(text, summary.stream))
    terms = tuple(
        Term(term, counts[term], share)
        for term, share in sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    )
    found = None if passages is None else tuple(passages)
    return Explanation(terms, sum(agreeing.values()) / total, components, found)


def _moves(handle: Any, path: str, text: bytes, summary: Any) -> dict[str, list[int]]:
    """Return how far each term moves each component; stop words left out."""
    error, count = ffi.new("pocket_error *"), ffi.new("uint64_t *", 0)
    check(lib.pocket_classes(handle, text, len(text), ffi.NULL, count), error, path)
    classes = ffi.new("pocket_class[]", count[0] or 1)
    check(lib.pocket_classes(handle, text, len(text), classes, count), error, path)
    counts: Counter[str] = Counter()
    found = {}
    for i, term in enumerate(terms_of(text, summary.stream)[: count[0]]):
        if classes[i].number >= 0:
            counts[term] += 1
            found[term] = i
    influences, moves = ffi.new("int32_t[]", summary.components), {}
    for term, i in found.items():
        check(lib.pocket_influences(handle, ffi.addressof(classes, i), influences), error, path)
        moves[term] = [counts[term] * influences[j] for j in range(summary.components)]
    return moves
