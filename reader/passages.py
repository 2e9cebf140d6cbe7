"""Passages that two texts have in common: runs of the same words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass

LEAST = 4  # words of a passage
PLACES = 64  # of the same four words in a document; what is repeated more often says little

# A word, or one character of a script that puts no spaces between words.
WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]|[^\W\u0e00-\u0eff\u1000-\u109f"
                  r"\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]+")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of words that stands in both texts, as it is written in the first; words: how many."""

    text: str
    words: int


def passages(text: str, document: str, most: int = 3) -> list[Passage]:
    """The longest runs of LEAST words or more that text and document share, longest first; none overlaps another in text."""
    own, spans = _words(text)
    other, _ = _words(document)
    places = defaultdict[tuple[str, ...], list[int]](list)
    for j in range(len(other) - LEAST + 1):
        found = places[tuple(other[j : j + LEAST])]
        if len(found) < PLACES:
            found.append(j)
    runs = []
    reached: dict[int, int] = {}  # by j - i: where in text the last run with this shift ends
    for i in range(len(own) - LEAST + 1):
        for j in places.get(tuple(own[i : i + LEAST]), ()):
            if reached.get(j - i, 0) > i:
                continue
            size = LEAST
            while i + size < len(own) and j + size < len(other) and own[i + size] == other[j + size]:
                size += 1
            reached[j - i] = i + size
            runs.append((-size, i))
    chosen: list[tuple[int, int]] = []
    for negative, i in sorted(runs):
        end = i - negative
        if len(chosen) < most and all(end <= start or i >= stop for start, stop in chosen):
            chosen.append((i, end))
    return [Passage(" ".join(text[spans[i][0] : spans[end - 1][1]].split()), end - i) for i, end in chosen]


def _words(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Folded words, and where they stand."""
    found = list(WORD.finditer(text))
    return [unicodedata.normalize("NFKC", word[0]).casefold() for word in found], [word.span() for word in found]
