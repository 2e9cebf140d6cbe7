"""docs/format.md, section 9: the documents that have shingles of a segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plain.passages import Passages, shingles, winnowed

NEIGHBOURHOOD = 80
EVIDENCE = 12  # of a neighbourhood that counts
UNIQUE = 7  # the evidence of a shingle that one document has
POSTINGS = 127  # of a shingle that count


class Match(NamedTuple):
    """A shingle of the segment that a document has. documents: how many have it; repeated: one of
    the NEIGHBOURHOOD shingles before has the same hash.
    """

    place: int
    documents: int
    repeated: bool


class Neighbourhood(NamedTuple):
    """Matches near each other, and what they say together."""

    matches: list[Match]
    evidence: int


def matches(section: Passages, words: Sequence[bytes], cold: bool) -> dict[int, list[Match]]:
    """Return the matches of each document, by their places."""
    asked = shingles(words, section.run_terms)
    places = dict[int, list[int]]()
    for shingle in winnowed(asked, section.window) if cold else asked:
        places.setdefault(shingle.hash, []).append(shingle.number)
    found = dict[int, list[Match]]()
    for hash, numbers in places.items():
        postlist = section.postlist(hash)
        for before, place in zip([-NEIGHBOURHOOD - 1, *numbers], numbers, strict=False):
            own = Match(place, len(postlist), place - before <= NEIGHBOURHOOD)
            for document in postlist:
                found.setdefault(document, []).append(own)
    return {document: sorted(own) for document, own in found.items()}


def evidence(own: Sequence[Match], run_terms: int) -> int:
    total = free = 0
    for match in own:
        if match.place >= free and not match.repeated:
            total += UNIQUE + 1 - min(match.documents, POSTINGS).bit_length()
            free = match.place + run_terms
    return total


def neighbourhoods(own: Sequence[Match], run_terms: int) -> Iterator[Neighbourhood]:
    """The neighbourhoods that count."""
    start = 0
    for end in range(1, len(own) + 1):
        if end < len(own) and own[end].place - own[end - 1].place <= NEIGHBOURHOOD:
            continue
        near = list(own[start:end])
        if (total := evidence(near, run_terms)) >= EVIDENCE:
            yield Neighbourhood(near, total)
        start = end
