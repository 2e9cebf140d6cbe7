"""Passages that two texts have in common, with their places in both and what was edited."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from pocketindex.wording.passages import LEAST, PLACES, words_of

MOST_GAP = 24  # words that were changed in a row, in either text
LEAST_WORDS = 8  # that are the same


@dataclass(frozen=True, slots=True)
class CommonPassage:
    """A passage: places in the text and in the document, in code points.

    edited: the share of its words in the text that are not those of the document.
    """

    start: int
    end: int
    document_start: int
    document_end: int
    edited: float
    documents: int = 0


@dataclass(slots=True)
class _Chain:
    """Runs that follow each other in both texts: words from .. to of the text (i) and of the
    document (j), and how many are the same.
    """

    i: int
    i_end: int
    j: int
    j_end: int
    same: int


def common_passages(text: str, document: str) -> list[CommonPassage]:
    """Return the passages of text that document has, in the order of text; none overlaps another
    there, and the longer one stays.
    """
    own, spans = words_of(text)
    other, places = words_of(document)
    chosen: list[_Chain] = []
    chains = [chain for chain in _chains(own, other) if chain.same >= LEAST_WORDS]
    for chain in sorted(chains, key=lambda one: (-one.same, one.i, one.j)):
        if all(chain.i >= one.i_end or chain.i_end <= one.i for one in chosen):
            chosen.append(chain)
    return [
        CommonPassage(
            spans[one.i][0],
            spans[one.i_end - 1][1],
            places[one.j][0],
            places[one.j_end - 1][1],
            1 - one.same / (one.i_end - one.i),
        )
        for one in sorted(chosen, key=lambda one: one.i)
    ]


def _chains(own: list[str], other: list[str]) -> list[_Chain]:
    """Join runs of LEAST words or more that lie near each other in both texts."""
    by_words = defaultdict[tuple[str, ...], list[int]](list)
    for j in range(len(other) - LEAST + 1):
        found = by_words[tuple(other[j : j + LEAST])]
        if len(found) < PLACES:
            found.append(j)
    chains: list[_Chain] = []
    near: list[_Chain] = []  # those that a run may still go on
    for i in range(len(own) - LEAST + 1):
        near = [one for one in near if i - one.i_end <= MOST_GAP]
        for j in by_words.get(tuple(own[i : i + LEAST]), ()):
            if not _goes_on(near, i, j):
                near.append(_Chain(i, i + LEAST, j, j + LEAST, LEAST))
                chains.append(near[-1])
    return chains


def _goes_on(near: list[_Chain], i: int, j: int) -> bool:
    """Put a run of LEAST words at i and j to the chain that it goes on with the least gap."""
    best, least = None, 2 * MOST_GAP + 1
    for one in near:
        gap = max(0, i - one.i_end) + max(0, j - one.j_end)
        inside = i - one.i_end == j - one.j_end and i + LEAST > one.i_end
        behind = i >= one.i_end and 0 <= j - one.j_end <= MOST_GAP
        if (inside or behind) and gap < least:
            best, least = one, gap
    if best is None:
        return False
    best.same += i + LEAST - max(i, best.i_end)
    best.i_end, best.j_end = i + LEAST, j + LEAST
    return True
