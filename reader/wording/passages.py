"""Passages that two texts have in common: runs of the same words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass

from pocketindex.answers.results import Part

LEAST = 4  # words of a passage
# of the same four words in a document, and runs followed at once; what is repeated more often says
# little
PLACES = 16

# A word, or one character of a script that puts no spaces between words.
WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]|[^\W\u0e00-\u0eff\u1000-\u109f"
                  r"\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]+")  # fmt: skip


@dataclass(frozen=True, repr=False, slots=True)
class Passage(Part):
    """A run of words that stands in both texts, as it is written in the first; words: how many."""

    text: str
    words: int


def passages(text: str, document: str, most: int = 3) -> list[Passage]:
    """Return the longest runs of LEAST words or more that text and document share, longest first;
    none overlaps another in text.
    """
    own, spans = words_of(text)
    other, _ = words_of(document)
    chosen: list[tuple[int, int]] = []
    for size, i in sorted(
        ((size, i) for i, size in _runs(own, other).items()), key=lambda run: (-run[0], run[1])
    ):
        if len(chosen) < most and all(i + size <= start or i >= stop for start, stop in chosen):
            chosen.append((i, i + size))
    return [
        Passage(" ".join(text[spans[i][0] : spans[end - 1][1]].split()), end - i)
        for i, end in chosen
    ]


def _runs(own: list[str], other: list[str]) -> dict[int, int]:
    """Return the words of the longest run that begins at a place in own, where one does.

    A word of own is in PLACES runs at most.
    """
    places = defaultdict[tuple[str, ...], list[int]](list)
    for j in range(len(other) - LEAST + 1):
        found = places[tuple(other[j : j + LEAST])]
        if len(found) < PLACES:
            found.append(j)
    runs: dict[int, int] = {}
    followed: set[int] = set()  # the runs that i is in, by j - i
    ending = defaultdict[int, list[int]](list)  # where they end in own
    for i in range(len(own) - LEAST + 1):
        followed.difference_update(ending.pop(i, ()))
        for j in places.get(tuple(own[i : i + LEAST]), ()):
            if len(followed) == PLACES:
                break
            if j - i in followed:
                continue
            size = _same(own, i, other, j)
            followed.add(j - i)
            ending[i + size].append(j - i)
            runs[i] = max(size, runs.get(i, 0))
    return runs


def _same(own: list[str], i: int, other: list[str], j: int) -> int:
    """Return how many words are the same from i and j on, LEAST of which are, by steps that double,
    and halve where words differ.
    """
    size = LEAST
    step = 1
    most = min(len(own) - i, len(other) - j)
    while step:
        if (
            step <= most - size
            and own[i + size : i + size + step] == other[j + size : j + size + step]
        ):
            size, step = size + step, 2 * step
        else:
            step //= 2
    return size


def words_of(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return folded words, and where they stand."""
    found = list(WORD.finditer(text))
    return [unicodedata.normalize("NFKC", word[0]).casefold() for word in found], [
        word.span() for word in found
    ]
