"""docs/format.md, section 9: what was found of a text, joined to passages, and the choice of
sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

GAP, OWN_GAP = 3, 24  # terms of the text and of the document between parts of one passage
ADDED = 5  # terms that a source adds, at least

Terms = tuple[int, int]  # from a first one up to a last one


@dataclass(frozen=True)
class Part:
    """Terms first .. last - 1 of a text that a document has; own: terms and bytes of the document.

    same: how many of the terms; documents: that have it word for word; verified: whether that was
    seen in the document's text; is_bag: whether they are there in whatever order.
    """

    document: int
    first: int
    last: int
    same: int
    evidence: int = 0
    documents: int = 0
    own: Terms = (0, 0)
    own_bytes: Terms = (0, 0)
    verified: bool = False
    is_bag: bool = False

    @property
    def terms(self) -> int:
        return self.last - self.first


@dataclass(frozen=True)
class Found:
    """What a document has of a text: spans that rise."""

    document: int
    spans: list[Terms]

    @property
    def terms(self) -> set[int]:
        return {term for first, last in self.spans for term in range(first, last)}


def passages_of(parts: Iterable[Part]) -> dict[int, list[Part]]:
    """Return the passages of each document, from parts in the order in which they were found. The
    documents whose parts have most evidence come first.
    """
    ordered = sorted(parts, key=attrgetter("document", "first"))
    by_document = {
        document: list(own) for document, own in groupby(ordered, key=attrgetter("document"))
    }
    order = sorted(
        by_document, key=lambda document: -sum(part.evidence for part in by_document[document])
    )
    return {document: joined(by_document[document]) for document in order}


def joined(parts: Iterable[Part]) -> list[Part]:
    passages, every = list[Part](), list(parts)
    in_order = [part for part in every if not part.is_bag]
    for part in every:
        if part.is_bag and any(own.first < part.last and own.last > part.first for own in in_order):
            continue
        last = passages[-1] if passages else None
        if last and goes_on(last, part):
            passages[-1] = joined_with(last, part)
        elif not last or part.first >= last.last:
            passages.append(part)
        elif part.same > last.same:
            passages[-1] = part
    return passages


def goes_on(last: Part, part: Part) -> bool:
    if part.first > last.last + GAP or part.verified != last.verified:
        return False
    return not part.verified or last.own[0] <= part.own[0] <= last.own[1] + OWN_GAP


def joined_with(last: Part, part: Part) -> Part:
    evidence = max(last.evidence, part.evidence)
    if part.last <= last.last:
        return replace(last, evidence=evidence, same=max(last.same, part.same))
    new = part.last - max(last.last, part.first)
    further = part.own[1] > last.own[1]
    return replace(
        last,
        last=part.last,
        same=last.same + part.same * new // part.terms,
        evidence=evidence,
        documents=max(last.documents, part.documents),
        own=(last.own[0], part.own[1]) if further else last.own,
        own_bytes=(last.own_bytes[0], part.own_bytes[1]) if further else last.own_bytes,
    )


def choose(candidates: Sequence[Found], least: int = ADDED) -> list[tuple[Found, int]]:
    """Return them in the order of what each adds, of equal ones the first one first, and how many
    terms it adds: 0 for what is less than least.
    """
    left = list(candidates)
    chosen = list[tuple[Found, int]]()
    explained = set[int]()
    while left:
        best = max(left, key=lambda found: len(found.terms - explained))
        added = len(best.terms - explained)
        if added < least:
            break
        left.remove(best)
        chosen.append((best, added))
        explained |= best.terms
    left.sort(key=lambda found: -len(found.terms))
    return chosen + [(found, 0) for found in left]
