"""docs/format.md, section 9: where a unit stands in a document's text, and what of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from plain.segments import Segment, Unit
from plain.terms import Term, every_word

WORDS = 25  # by which a place is looked for


@dataclass(frozen=True)
class Alignment:
    """Terms first .. last - 1 of the segment beside own_first .. own_last - 1 of the document.

    same: terms of the unit that both have in this order; beyond: those that go on beside them; run:
    the most in a row; share: of the unit's idf, in 1/1024; mass: their idf; whole: the unit stands
    there word for word.
    """

    first: int
    last: int
    own_first: int
    own_last: int
    same: int
    run: int
    share: int
    mass: int
    whole: bool
    beyond: int = 0


class Text:
    """The text of a document."""

    def __init__(self, text: bytes) -> None:
        self.terms: list[Term] = list(every_word(text))
        self.words = [term.bytes for term in self.terms]

    @cached_property
    def places(self) -> dict[bytes, list[int]]:
        found = dict[bytes, list[int]]()
        for place, word in enumerate(self.words):
            found.setdefault(word, []).append(place)
        return found


class Chain(NamedTuple):
    """A common subsequence: its idf, its number of terms, its first and its last pair of places."""

    mass: int = 0
    same: int = 0
    first: tuple[int, int] = (0, 0)
    last: tuple[int, int] = (0, 0)


def align(segment: Segment, unit: Unit, text: Text, idf: dict[bytes, int]) -> Alignment | None:
    words = segment.words[unit.first : unit.last]
    found = whole(unit, words, text, idf) or partly(unit, words, text, idf)
    return extended(segment, text, found) if found else None


def whole(
    unit: Unit, words: Sequence[bytes], text: Text, idf: dict[bytes, int]
) -> Alignment | None:
    """The last place where the unit stands word for word."""
    rarest = min(words, key=lambda word: len(text.places.get(word, ())))
    for place in reversed(text.places.get(rarest, ())):
        own = place - words.index(rarest)
        if own >= 0 and text.words[own : own + len(words)] == words:
            n, mass = len(words), sum(idf[word] for word in words)
            return Alignment(unit.first, unit.last, own, own + n, n, n, 1024, mass, True)
    return None


def partly(
    unit: Unit, words: Sequence[bytes], text: Text, idf: dict[bytes, int]
) -> Alignment | None:
    n = len(words)
    looked = [word for word in dict.fromkeys(words) if word in text.places]
    looked = sorted(looked, key=lambda word: -idf[word])[:WORDS]
    width = n + max(n // 3, 2)
    end = heaviest_window({word: text.places[word] for word in looked}, idf, width)
    if end is None:
        return None
    start, stop = max(0, end + 1 - width), min(len(text.words), end + max(n // 3, 3))
    own = text.words[start:stop]
    chain = heaviest_chain(words, own, idf)
    (first, own_first), (last, own_last) = chain.first, chain.last
    mass = sum(idf[word] for word in words)
    return Alignment(
        unit.first + first,
        unit.first + last + 1,
        start + own_first,
        start + own_last + 1,
        chain.same,
        longest_run(words, own),
        1024 * chain.mass // mass,
        chain.mass,
        False,
    )


def heaviest_window(
    places: dict[bytes, list[int]], idf: dict[bytes, int], width: int
) -> int | None:
    """The last place of the first window of most idf that ends with one of these words."""
    hits = sorted((place, word) for word, own in places.items() for place in own)
    best, end, low = 0, None, 0
    inside = dict.fromkeys(places, 0)
    mass = 0
    for place, word in hits:
        inside[word] += 1
        mass += idf[word] if inside[word] == 1 else 0
        while place - hits[low][0] >= width:
            out = hits[low][1]
            inside[out] -= 1
            mass -= idf[out] if inside[out] == 0 else 0
            low += 1
        if mass > best:
            best, end = mass, place
    return end


def heaviest_chain(words: Sequence[bytes], own: Sequence[bytes], idf: dict[bytes, int]) -> Chain:
    row = [Chain()] * (len(own) + 1)
    for i, word in enumerate(words):
        before, row = row, [Chain()]
        for j, other in enumerate(own):
            chains = [before[j + 1], row[j]]
            if word == other:
                mass, same, first, _ = before[j]
                start = first if same else (i, j)
                chains.append(Chain(mass + idf[word], same + 1, start, (i, j)))
            row.append(max(chains, key=lambda chain: (chain.mass, chain.same)))
    return row[-1]


def longest_run(words: Sequence[bytes], own: Sequence[bytes]) -> int:
    most, row = 0, [0] * (len(own) + 1)
    for word in words:
        row = [0] + [row[j] + 1 if word == other else 0 for j, other in enumerate(own)]
        most = max(most, *row)
    return most


def extended(segment: Segment, text: Text, found: Alignment) -> Alignment:
    """Let an alignment go on as long as both texts have the same terms."""
    first, own_first, last, own_last = found.first, found.own_first, found.last, found.own_last
    asked, own = segment.words, text.words
    while first and own_first and asked[first - 1] == own[own_first - 1]:
        first, own_first = first - 1, own_first - 1
    while last < len(asked) and own_last < len(own) and asked[last] == own[own_last]:
        last, own_last = last + 1, own_last + 1
    return Alignment(
        first,
        last,
        own_first,
        own_last,
        found.same,
        found.run,
        found.share,
        found.mass,
        found.whole,
        found.first - first + last - found.last,
    )
