"""docs/format.md, section 9: the documents that passages of a text come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plain.passages import Passages, Shingle, shingles, winnowed
from plain.terms import Term, every_word

TERMS = 1_048_576  # of a text that are looked at
MATCHES = 4_194_304
NEIGHBOURHOOD = 80
EVIDENCE = 12  # of a neighbourhood that counts
ADDED = 10  # terms that a source adds, at least
UNIQUE = 7  # the evidence of a shingle that one document has
POSTINGS = 127  # of a shingle that count


@dataclass(frozen=True)
class PlainPassage:
    """Terms first .. last - 1 of a text, which are its bytes start .. end - 1."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True)
class PlainSource:
    """A document that passages of a text come from; coverage and added in ten-thousandths."""

    document: int
    coverage: int
    added: int
    evidence: int
    passages: tuple[PlainPassage, ...]


@dataclass(frozen=True)
class PlainSources:
    """Sources of a text. terms: those that were looked at; coverage: in ten-thousandths; capped:
    whether there was more than is looked at.
    """

    sources: tuple[PlainSource, ...]
    terms: int
    coverage: int
    capped: bool


class Match(NamedTuple):
    """A shingle of the text that a document has. documents: how many have it; repeated: one of the
    NEIGHBOURHOOD shingles before has the same hash.
    """

    number: int
    documents: int
    repeated: bool


Terms = tuple[int, int]  # from a first one up to a last one


class Found(NamedTuple):
    """What a document has of a text."""

    document: int
    spans: list[Terms]
    evidence: int

    @property
    def terms(self) -> set[int]:
        return {term for first, last in self.spans for term in range(first, last)}


def find_sources(section: Passages, text: bytes, top: int, cold: bool) -> PlainSources:
    """Return at most top sources. cold: only the shingles are looked up that winnowing keeps."""
    terms, capped = list[Term](), False
    for term in every_word(text):
        if len(terms) == TERMS:
            capped = True
            break
        terms.append(term)
    asked = shingles([term.bytes for term in terms], section.run_terms)
    by_document, more = matches(section, winnowed(asked, section.window) if cold else asked)
    candidates = [
        found
        for document, own in sorted(by_document.items())
        if (found := passages_of(section, document, own, len(terms))).spans
    ]
    chosen = choose(candidates, top)
    sources = tuple(
        PlainSource(
            found.document,
            share(len(found.terms), len(terms)),
            share(added, len(terms)),
            found.evidence,
            tuple(
                PlainPassage(terms[first].start, terms[last - 1].end, first, last)
                for first, last in found.spans
            ),
        )
        for found, added in chosen
    )
    coverage = share(sum(added for _, added in chosen), len(terms))
    return PlainSources(sources, len(terms), coverage, capped or more)


def share(part: int, whole: int) -> int:
    return part * 10_000 // whole if whole else 0


def matches(section: Passages, asked: Sequence[Shingle]) -> tuple[dict[int, list[Match]], bool]:
    """Return the matches of each document, and whether there are more than are looked at."""
    places = dict[int, list[int]]()
    for shingle in sorted(asked, key=lambda shingle: (shingle.hash >> 20, shingle.number)):
        places.setdefault(shingle.hash, []).append(shingle.number)
    found, count = dict[int, list[Match]](), 0
    for key, numbers in places.items():
        postlist = section.postlist(key)
        for document in postlist:
            for before, number in zip([-NEIGHBOURHOOD - 1, *numbers], numbers, strict=False):
                if count == MATCHES:
                    return found, True
                own = Match(number, len(postlist), number - before <= NEIGHBOURHOOD)
                found.setdefault(document, []).append(own)
                count += 1
    return found, False


def passages_of(section: Passages, document: int, own: Sequence[Match], terms: int) -> Found:
    """Return the passages that a document's matches make."""
    half, joined = section.window // 2, section.window + section.run_terms
    spans, most = list[Terms](), 0
    for near in neighbourhoods(sorted(own)):
        own_evidence = evidence(near, section.run_terms)
        if own_evidence < EVIDENCE:
            continue
        most = max(most, own_evidence)
        for i, match in enumerate(near):
            first = max(0, match.number - half)
            last = min(terms, match.number + section.run_terms + half)
            between = i > 0 and match.number - near[i - 1].number <= joined
            if spans and (between or spans[-1][1] >= first):
                spans[-1] = spans[-1][0], max(spans[-1][1], last)
            else:
                spans.append((first, last))
    return Found(document, spans, most)


def neighbourhoods(own: Sequence[Match]) -> Iterator[list[Match]]:
    near = list[Match]()
    for match in own:
        if near and match.number - near[-1].number > NEIGHBOURHOOD:
            yield near
            near = []
        near.append(match)
    if near:
        yield near


def evidence(near: Sequence[Match], run_terms: int) -> int:
    total = free = 0
    for match in near:
        if match.number >= free and not match.repeated:
            total += max(1, UNIQUE + 1 - min(match.documents, POSTINGS).bit_length())
            free = match.number + run_terms
    return total


def choose(candidates: Sequence[Found], top: int, least: int = ADDED) -> list[tuple[Found, int]]:
    """Return at most top of them, and how many terms each adds: 0 for what is less than least."""
    left = list(candidates)
    chosen = list[tuple[Found, int]]()
    explained = set[int]()
    while left and len(chosen) < top:
        best = max(left, key=lambda found: (len(found.terms - explained), -found.document))
        added = len(best.terms - explained)
        if added < least:
            break
        left.remove(best)
        chosen.append((best, added))
        explained |= best.terms
    left.sort(key=lambda found: (-len(found.terms), found.document))
    return chosen + [(found, 0) for found in left[: top - len(chosen)]]
