"""The endings by which forms of a word differ, to find forms of words that a collection lacks.

They are learned from a stemmer, which is asked for the stems of the collection's words, and of the
same words with other endings, whether or not the collection has these. So a few texts are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

LEAST_STEM = 3  # letters before an ending
LONGEST = 5  # letters of an ending
MOST_ENDINGS = 40  # the commonest
LOOKED_AT = 8_192  # words, in stretches of neighbours, because forms are neighbours
STRETCH = 64
MADE = 64  # words that are made with an ending
LONG = 5  # letters of what is made, because stemmers change short words less
SURE = 0.8  # share of forms among words that differ so
MADE_COUNT = 4  # pairs of real words that all made ones weigh as much as

Keys = Callable[[list[str]], list[str]]  # words with equal keys are forms of one another


class Rules(NamedTuple):
    """Pairs of endings, each with the smaller one first.

    pairs: the likeliest comes first, and of those with the same longer ending the one with the
    longest other; doubled: pairs of which the second follows a doubled letter, as in *running*.
    """

    pairs: Sequence[tuple[str, str]] = ()
    doubled: Sequence[tuple[str, str]] = ()

    def all(self) -> list[tuple[str, str]]:
        """Return all pairs, with one of empty endings before those behind a doubled letter."""
        return [*self.pairs, *([("", ""), *self.doubled] if self.doubled else [])]


NO_RULES = Rules()


def rules_of(words: Sequence[str], keys: Keys) -> Rules:
    """Return the rules that a stemmer follows.

    words: a sample of the words that have forms, in the order of their bytes; keys: gives a key for
    each word, which is its stem, and in some languages a NUL and the kind of its ending.
    """
    key_of = dict(zip(words, keys(list(words)), strict=True))
    parted = _parted(key_of)
    endings = sorted(parted, key=lambda own: (-len(parted[own]), own))[:MOST_ENDINGS]
    stems = _stems(key_of, endings)
    doubled = {
        own: {stem[:-1]: key for stem, key in held.items() if _is_doubled(stem)}
        for own, held in stems.items()
    }
    some = {own: _some(parted[own], LONG - len(own)) for own in endings}
    made = _made({stem for own in some.values() for stem in own}, endings, keys)
    place = {own: number for number, own in enumerate(endings)}
    pairs = [(one, other) for other in endings for one in endings if one < other]
    pairs.sort(key=lambda pair: (len(pair[0]) + len(pair[1]), pair))

    def likely(twice: bool) -> dict[tuple[str, str], float]:
        found = dict[tuple[str, str], float]()
        for one, other in pairs:
            if any(shorter in found for shorter in _shorter(one, other)):
                continue
            ours, theirs = stems[one], (doubled if twice else stems)[other]
            same = [
                ours[stem] == theirs[stem]
                for stem in ours.keys() & theirs.keys()
                if not (twice and one.startswith(stem[-1]))  # it is doubled, too
            ]
            i, j = place[one], place[other]
            own = [] if twice else [made[stem] for stem in some[one] + some[other]]
            tried = [of[i] == of[j] for of in own]
            share = (sum(same) + MADE_COUNT * _mean(tried)) / (len(same) + MADE_COUNT)
            if share >= SURE:
                found[one, other] = len(parted[one]) * len(parted[other]) * share
        return found

    return Rules(*(tuple(_ordered(likely(twice))) for twice in (False, True)))


def looked_at(count: int) -> Iterator[int]:
    """Yield the positions of the words of a sorted list from which its rules are learned."""
    step = max(STRETCH, count * STRETCH // LOOKED_AT)
    for first in range(0, count, step):
        yield from range(first, min(count, first + STRETCH))


def _mean(same: Sequence[bool]) -> float:
    return sum(same) / len(same) if same else 0.5


def _stems(key_of: dict[str, str], endings: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return, for each ending, the beginnings that it follows in words, with the words' keys."""
    found: dict[str, dict[str, str]] = {own: {} for own in endings}
    for word, key in key_of.items():
        for at in range(max(LEAST_STEM, len(word) - LONGEST), len(word) + 1):
            if (own := word[at:]) in found:
                found[own][word[:at]] = key
    return found


def _is_doubled(stem: str) -> bool:
    return len(stem) > LEAST_STEM and stem[-1] == stem[-2] < "\x80"


def _parted(key_of: dict[str, str]) -> dict[str, list[str]]:
    """Return, for each ending, the beginnings of the words that have it.

    A word is divided where it begins to differ from its stem, so that a word that is its own stem
    has the empty ending. If it goes on behind its stem, it is also divided one letter earlier,
    because *parties* has the stem *parti*.
    """
    parted: dict[str, list[str]] = {"": []}
    for word, key in key_of.items():
        stem = key.partition("\0")[0]
        size = min(len(word), len(stem))
        if word[:size] != stem[:size]:
            size = next(i for i, (a, b) in enumerate(zip(word, stem, strict=False)) if a != b)
        for at in (size, size - 1) if size == len(stem) < len(word) else (size,):
            if LEAST_STEM <= at >= len(word) - LONGEST:
                parted.setdefault(word[at:], []).append(word[:at])
    return parted


def _some(stems: Sequence[str], least: int) -> list[str]:
    long = [stem for stem in stems if len(stem) >= least]
    return long[:: -(-len(long) // MADE) or 1]


def _made(stems: Iterable[str], endings: Sequence[str], keys: Keys) -> dict[str, Sequence[str]]:
    """Return the keys of the words that each stem makes with the endings, in their order."""
    own = list(stems)
    found = keys([stem + ending for stem in own for ending in endings])
    size = len(endings)
    return {stem: found[i * size : (i + 1) * size] for i, stem in enumerate(own)}


def _shorter(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield what is left of two endings without the first letters that they share: one, then two,
    and so on.
    """
    for size in range(1, min(len(one), len(other)) + 1):
        if one[size - 1] != other[size - 1]:
            return
        yield one[size:], other[size:]


def _ordered(likely: dict[tuple[str, str], float]) -> list[tuple[str, str]]:
    longer = dict[str, list[tuple[str, str]]]()
    for pair in sorted(likely, key=lambda own: (-likely[own], own)):
        longer.setdefault(max(pair, key=len), []).append(pair)
    by_other = (sorted(own, key=lambda pair: -min(map(len, pair))) for own in longer.values())
    return [pair for own in by_other for pair in own]
