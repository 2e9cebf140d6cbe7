"""docs/format.md, section 9: where a unit stands in a document's text, and what of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from plain.reach import NO_REACH, Reach, reached
from plain.segments import Segment, Unit
from plain.terms import Term, every_word

MANY_TERMS, WORDS = 65_536, 25  # in a document of more, by how many words a place is looked for


@dataclass(frozen=True)
class Alignment:
    """Terms first .. last - 1 of the segment beside own_first .. own_last - 1 of the document.

    same: terms of the unit that both have in this order; dense: those of them from first up to
    last; beyond: those that go on beside them; before, after: how the passage goes on where not all
    terms are the same; run: the most in a row; value: by how much the same terms of the passage
    outnumber the others; share: of the unit's idf what the same ones have, in 1/1024; mass: their
    idf; whole: the unit stands there word for word;
    bag: how much of the unit is in a place of the document, whatever its order, in 1/1024;
    place: its terms.
    """

    first: int
    last: int
    own_first: int = 0
    own_last: int = 0
    same: int = 0
    dense: int = 0
    run: int = 0
    share: int = 0
    mass: int = 0
    whole: bool = False
    beyond: int = 0
    value: int = 0
    before: Reach = NO_REACH
    after: Reach = NO_REACH
    bag: int = 0
    place: tuple[int, int] = (0, 0)


class Text:
    """The text of a document."""

    def __init__(self, text: bytes, marks: bool) -> None:
        self.text = text
        self.terms: list[Term] = list(every_word(text, marks))
        self.words = [term.bytes for term in self.terms]

    @cached_property
    def places(self) -> dict[bytes, list[int]]:
        found = dict[bytes, list[int]]()
        for place, word in enumerate(self.words):
            found.setdefault(word, []).append(place)
        return found


class Chain(NamedTuple):
    """A common subsequence: its idf, and its pairs of places."""

    mass: int = 0
    pairs: tuple[tuple[int, int], ...] = ()


def align(segment: Segment, unit: Unit, text: Text, idf: dict[bytes, int]) -> Alignment | None:
    words = segment.words[unit.first : unit.last]
    if not unit.is_stretch and (found := align_whole(segment, unit, text)):
        return replace(found, mass=sum(idf[word] for word in words))
    found = partly(unit, words, text, idf)
    return extended(segment, text, found) if found and found.same else found


def align_whole(segment: Segment, unit: Unit, text: Text) -> Alignment | None:
    """The first place where the unit stands word for word, without its idf."""
    words = segment.words[unit.first : unit.last]
    rarest = min(words, key=lambda word: len(text.places.get(word, ())))
    for place in text.places.get(rarest, ()):
        own = place - words.index(rarest)
        if own >= 0 and text.words[own : own + len(words)] == words:
            n = len(words)
            ends = unit.first, unit.last, own, own + n
            found = Alignment(*ends, n, n, n, share=1024, whole=True, bag=1024, value=n)
            return extended(segment, text, found)
    return None


def partly(
    unit: Unit, words: Sequence[bytes], text: Text, idf: dict[bytes, int]
) -> Alignment | None:
    n = len(words)
    looked = [word for word in dict.fromkeys(words) if word in text.places]
    looked = sorted(looked, key=lambda word: -idf[word])
    if len(text.terms) > MANY_TERMS:
        del looked[WORDS:]
    if not looked:
        return None
    width = n + max(n // 3, 2)
    window, end = heaviest_window({word: text.places[word] for word in looked}, idf, width)
    start, stop = max(0, end + 1 - width), min(len(text.words), end + max(n // 3, 3))
    bag = 1024 * window // sum(idf[word] for word in set(words))
    place = start, end + 1
    there = (Counter(words) & Counter(text.words[start : end + 1])).total()
    if unit.is_stretch:
        return Alignment(unit.first, unit.last, mass=window, bag=bag, place=place)
    own = text.words[start:stop]
    chain = heaviest_chain(words, own, idf)
    value, pairs = densest(chain.pairs)
    (first, own_first), (last, own_last) = pairs[0], pairs[-1]
    return Alignment(
        unit.first + first,
        unit.first + last + 1,
        start + own_first,
        start + own_last + 1,
        same=len(chain.pairs),
        dense=len(pairs),
        value=value,
        run=longest_run(words, own),
        share=1024 * chain.mass // sum(idf[word] for word in words),
        mass=chain.mass,
        bag=(bag + 1024 * there // n) // 2,
        place=place,
    )


def heaviest_window(
    places: dict[bytes, list[int]], idf: dict[bytes, int], width: int
) -> tuple[int, int]:
    """The idf and the last place of the first window of most idf that ends with such a word."""
    hits = sorted((place, word) for word, own in places.items() for place in own)
    best = end = low = 0
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
    return best, end


def heaviest_chain(words: Sequence[bytes], own: Sequence[bytes], idf: dict[bytes, int]) -> Chain:
    row = [Chain()] * (len(own) + 1)
    for i, word in enumerate(words):
        before, row = row, [Chain()]
        for j, other in enumerate(own):
            chains = [before[j + 1], row[j]]
            if word == other:
                mass, pairs = before[j]
                chains.append(Chain(mass + idf[word], (*pairs, (i, j))))
            row.append(max(chains, key=lambda chain: (chain.mass, len(chain.pairs))))
    return row[-1]


def densest(pairs: Sequence[tuple[int, int]]) -> tuple[int, Sequence[tuple[int, int]]]:
    """Return the pairs in a row that are densest, after what they count: each counts one, and the
    terms between two of them, of the text that has more of these, count one less.
    """
    best, found = 0, pairs[:1]
    start = total = 0
    for k, (i, j) in enumerate(pairs):
        before = pairs[k - 1] if k else (i - 1, j - 1)
        total -= max(i - before[0], j - before[1]) - 1
        if total <= 0:
            total, start = 0, k
        total += 1
        if total > best:
            best, found = total, pairs[start : k + 1]
    return best, found


def longest_run(words: Sequence[bytes], own: Sequence[bytes]) -> int:
    most, row = 0, [0] * (len(own) + 1)
    for word in words:
        row = [0] + [row[j] + 1 if word == other else 0 for j, other in enumerate(own)]
        most = max(most, *row)
    return most


def extended(segment: Segment, text: Text, found: Alignment) -> Alignment:
    """Let an alignment go on as long as both texts have the same terms, and beyond."""
    first, own_first, last, own_last = found.first, found.own_first, found.last, found.own_last
    asked, own = segment.words, text.words
    while first and own_first and asked[first - 1] == own[own_first - 1]:
        first, own_first = first - 1, own_first - 1
    while last < len(asked) and own_last < len(own) and asked[last] == own[own_last]:
        last, own_last = last + 1, own_last + 1
    beyond = found.first - first + last - found.last
    before = reached(asked[:first][::-1], own[:own_first][::-1])
    after = reached(asked[last:], own[own_last:])
    return replace(
        found,
        first=first,
        last=last,
        own_first=own_first,
        own_last=own_last,
        beyond=beyond,
        before=before,
        after=after,
        value=found.value + beyond + before.value + after.value,
    )
