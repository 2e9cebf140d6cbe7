"""docs/format.md, section 9: the segments of a text, and the units that are looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from plain.terms import Term, every_word

SEGMENT = 4_096  # terms, from which on a segment ends with a sentence
SENTENCE, LEAST_SENTENCE = 32, 5  # terms
WINDOW, STRETCH = 64, 256  # terms of all sentences of one

SPACE = rb"[\t-\r ]"
OTHERS = "|".join("\u0964\u061f\u06d4\u3002\uff01\uff0e\uff1f\uff61").encode()
END = re.compile(rb"(?s)[.!?].*" + SPACE + rb"|\n" + SPACE + rb"*\n|" + OTHERS)


@dataclass(frozen=True)
class Unit:
    """A sentence, a window of several, or a longer stretch, in which the order of words does not
    count: terms first .. last - 1 of the segment.
    """

    first: int
    last: int
    is_sentence: bool = False
    is_stretch: bool = False

    @property
    def terms(self) -> int:
        return self.last - self.first


@dataclass
class Segment:
    """A part of a text. base: terms before it; breaks: where its sentences begin, and its end."""

    text: bytes
    base: int
    terms: list[Term]
    breaks: list[int]

    @cached_property
    def words(self) -> list[bytes]:
        return [term.bytes for term in self.terms]

    @cached_property
    def first(self) -> dict[bytes, int]:
        """Where each different term comes first."""
        places = dict[bytes, int]()
        for place, word in enumerate(self.words):
            places.setdefault(word, place)
        return places

    @cached_property
    def units(self) -> list[Unit]:
        """The sentences, the windows and the stretches."""
        if self.base and len(self.terms) < LEAST_SENTENCE:
            return []
        return [
            *(Unit(first, last, is_sentence=True) for first, last in pairwise(self.breaks)),
            *(Unit(*own) for own in self._sentences_together(0, WINDOW)),
            *(Unit(*own, is_stretch=True) for own in self._sentences_together(WINDOW + 1, STRETCH)),
        ]

    def _sentences_together(self, least: int, most: int) -> Iterator[tuple[int, int]]:
        step = most // 4
        start, reach = -step, 0
        for first, end, *more in (self.breaks[i:] for i in range(len(self.breaks) - 1)):
            last = max((place for place in more if place - first <= most), default=end)
            if first >= start + step and last > max(end, reach) and last - first >= least:
                start, reach = first, last
                yield first, last


def segments(text: bytes, marks: bool = False) -> Iterator[Segment]:
    """Yield the segments of a text. marks: as of every_word."""
    terms = list(every_word(text, marks))
    base = 0
    while base < len(terms):
        breaks, place = [base], base + 1
        while place < len(terms):
            length = place - breaks[-1]
            between = text[terms[place - 1].end : terms[place].start]
            if length == SENTENCE or (length >= LEAST_SENTENCE and END.search(between)):
                breaks.append(place)
                if place - base >= SEGMENT:
                    break
            place += 1
        else:
            if len(breaks) > 1 and place - breaks[-1] < LEAST_SENTENCE:
                breaks.pop()
            breaks.append(place)
        yield Segment(text, base, terms[base:place], [own - base for own in breaks])
        base = place
