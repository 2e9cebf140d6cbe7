"""Why a document is a hit: which components of the two sketches agree, and which terms stand behind them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.status import check


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the sketch: the class it is computed from, the digit of text and document, and its weight in the ranking."""

    number: int
    source: int
    digit: int
    document_digit: int
    weight: int

    @property
    def agrees(self) -> bool:
        return self.digit == self.document_digit


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the text, how often it occurs, its class, and its part of the agreement (0..1)."""

    term: str
    count: int
    source: int
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """agreement: the weight of agreeing components over all weight, 0..1, before calibration. terms: heaviest first."""

    agreement: float
    components: list[Component]
    terms: list[Term]


def explain(handle: Any, path: str, text: bytes, number: int) -> Explanation:
    """Compare text with document number of an open index. Raises TextTooShort, Damaged.

    A term's weight is its share, by count, of its class's weight in agreeing components.
    """
    summary, error = ffi.new("pocket_summary *"), ffi.new("pocket_error *")
    lib.pocket_summarize(handle, summary)
    d = summary.components
    digits, stored = ffi.new("uint8_t[]", d), ffi.new("uint8_t[]", d)
    weights, sources = ffi.new("uint32_t[]", d), ffi.new("uint32_t[]", d)
    check(lib.pocket_sketch(handle, text, len(text), digits, weights, ffi.NULL, ffi.NULL), error, path)
    check(lib.pocket_digits(handle, number, stored, error), error, path)
    check(lib.pocket_sources(handle, sources), error, path)
    components = [Component(j, sources[j], digits[j], stored[j], weights[j]) for j in range(d)]
    # Where every weight is 0 each component counts the same, as in the ranking.
    even = not any(c.weight for c in components)
    total = d if even else sum(c.weight for c in components)
    by_source: Counter[int] = Counter()
    for c in components:
        if c.agrees:
            by_source[c.source] += 1 if even else c.weight
    classes = _classes(handle, path, text)
    sizes: Counter[int] = Counter()
    for (_, source), count in classes.items():
        sizes[source] += count
    terms = [
        Term(term, count, source, by_source[source] * count / sizes[source] / total)
        for (term, source), count in classes.items()
        if by_source[source]
    ]
    terms.sort(key=lambda t: (-t.weight, t.term))
    return Explanation(sum(by_source.values()) / total, components, terms)


def _classes(handle: Any, path: str, text: bytes) -> Counter[tuple[str, int]]:
    """Each (term, class) of the text, stop words left out, with its count."""
    error, count = ffi.new("pocket_error *"), ffi.new("uint64_t *", 0)
    check(lib.pocket_classes(handle, text, len(text), ffi.NULL, count), error, path)
    numbers = ffi.new("int32_t[]", count[0] or 1)
    check(lib.pocket_classes(handle, text, len(text), numbers, count), error, path)
    return Counter((term, source) for term, source in zip(terms_of(text), numbers, strict=False) if source >= 0)


def terms_of(text: bytes) -> list[str]:
    """The text's terms in the stream `folded` (docs/format.md, section 7), stop words included."""
    size = ffi.new("uint64_t *")
    lib.pocket_terms_write(text, len(text), ffi.NULL, 0, size)
    out = ffi.new("uint8_t[]", size[0] or 1)
    lib.pocket_terms_write(text, len(text), out, size[0], size)
    return bytes(ffi.buffer(out, size[0])).decode().split("\n")[:-1]
