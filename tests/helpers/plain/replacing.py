"""docs/format.md, section 10: what is asked instead of words that no document has, or few."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from plain.marks import KEPT
from plain.words import Words, first_of, logarithm

JOINED, PARTED, SPELLED, FORM = 1, 2, 3, 4
MOST = 4
STEM = 3  # letters before an ending, at least
HALF = 3  # letters of a half of a word, at least
SPLITS = 4  # that are looked for in documents
ONCE, TWICE, LETTERS = 5, 8, 32  # letters of a word with one edit, with two, at most
SURE = 3  # documents of a word that is two edits away
COMMONER = 1_000  # times as many documents have what is asked instead of a rare word
BLOCKS, BLOCKS_COLD = 256, 12
EDIT, LAST = 2032, 369
TRANSCRIBED = re.compile("([ou])e|(a)[ae]")  # of ö, ü, ä and å


class Asked(NamedTuple):
    """A word that may be replaced: its bytes, where it stands, how many documents have it, whether
    it has other forms.
    """

    term: bytes
    start: int
    end: int
    documents: int
    forms: bool


class Replacement(NamedTuple):
    """What is asked instead of the bytes start .. end - 1 of a text."""

    start: int
    end: int
    how: int
    text: bytes
    documents: int = 0


class Replacing:
    """neighbours: whether two words stand side by side in a title or a kept text."""

    def __init__(
        self, words: Words, neighbours: Callable[[bytes, bytes], bool], cold: bool
    ) -> None:
        self.words, self.neighbours, self.cold = words, neighbours, cold

    def of(self, text: bytes, asked: Sequence[Asked], rare: bool) -> list[Replacement]:
        """asked: in the order of the text; rare: whether rare words may be replaced, too."""
        found, used = list[Replacement](), set[int]()
        for i, word in enumerate(asked):
            if len(found) == MOST or i in used:
                continue
            if not word.documents and (form := self._form(word.term)):
                found.append(Replacement(word.start, word.end, FORM, form))
                continue
            after = self._after(text, asked, word)
            if after is not None and not (word.documents and asked[after].documents):
                both = word.term + asked[after].term
                if len(both) <= 128 and self._documents(both):
                    found.append(Replacement(word.start, asked[after].end, JOINED, both))
                    used.add(after)
                    continue
            if not word.documents:
                found += self._other(word)
            elif rare and not word.forms and (letters := letters_of(word.term)):
                if spelled := self._spelled(letters, word.documents):
                    found.append(
                        Replacement(word.start, word.end, SPELLED, spelled, word.documents)
                    )
        return found

    def _after(self, text: bytes, asked: Sequence[Asked], word: Asked) -> int | None:
        at = word.end
        while text[at : at + 1] == b" ":
            at += 1
        starts = [other.start for other in asked]
        return starts.index(at) if at > word.end and at in starts else None

    def _documents(self, word: bytes) -> int:
        return self.words.all[word].having if word in self.words.all else 0

    def _form(self, word: bytes) -> bytes:
        if min(word) < ord("a"):
            return b""
        for one, other, doubled in self.words.rules:
            for typed, ending, shorter in (other, one, doubled), (one, other, False):
                stem = word[: len(word) - len(typed)]
                if not word.endswith(typed) or letter_count(stem) < STEM + shorter:
                    continue
                if shorter:
                    if stem[-1] != stem[-2]:
                        continue
                    stem = stem[:-1]
                elif doubled:
                    stem += stem[-1:]
                own = self.words.all.get(stem + ending)
                if own and (own.having or own.ending):
                    return own.word
        return b""

    def _other(self, word: Asked) -> list[Replacement]:
        if not (letters := letters_of(word.term)):
            return []
        plain = TRANSCRIBED.sub(r"\1\2", letters).encode()
        if plain != word.term and self._documents(plain):
            return [Replacement(word.start, word.end, SPELLED, plain)]
        if split := self._split(letters):
            return [Replacement(word.start, word.end, PARTED, split)]
        if spelled := self._spelled(letters):
            return [Replacement(word.start, word.end, SPELLED, spelled)]
        return []

    def _split(self, letters: str) -> bytes:
        splits = []
        for at in range(HALF, len(letters) - HALF + 1):
            halves = letters[:at].encode(), letters[at:].encode()
            rarer, commoner = sorted(map(self._documents, halves))
            if rarer and commoner <= self.words.documents // 4 + 8:
                splits.append((-rarer, at, halves))
        for _, _, halves in sorted(splits)[:SPLITS]:
            if self.neighbours(*halves):
                return b" ".join(halves)
        return b""

    def _spelled(self, letters: str, documents: int = 0) -> bytes:
        if len(letters) < ONCE:
            return b""
        most = 1 if documents or len(letters) < TWICE else 2
        least = COMMONER * documents or 1
        fewest = BLOCKS_COLD if self.cold else BLOCKS
        own = [letters[:size].encode() for size in (1, 2, 3)]
        beginning = next((one for one in own if self._blocks(one) <= fewest), None)
        if beginning is None:
            return b""
        best, spelled = 0, b""
        for word in self.words.all.values():
            other = letters_of(word.word)
            if not word.word.startswith(beginning) or not other:
                continue
            count = edits(letters, other, most)
            if count > most or word.having < (SURE if count > 1 else least):
                continue
            worth = logarithm(word.having) - count * EDIT + LAST * (letters[-1] == other[-1])
            if not spelled or worth > best:
                best, spelled = worth, word.word
        return spelled

    def _blocks(self, beginning: bytes) -> int:
        """Return how many blocks words that begin so may stand in."""
        firsts = self.words.section.firsts
        first = first_of(beginning)
        last = first | (1 << 8 * max(0, 8 - len(beginning))) - 1
        to = bisect_right(firsts, last) - 1
        return to - max(0, bisect_left(firsts, first) - 1) + 1 if to >= 0 else 0


def letters_of(word: bytes) -> str:
    """Return the letters of a word, none where it has others, or too many."""
    letters = word.decode()
    fits = all(own >= "a" and ord(own) not in KEPT for own in letters)
    return letters if len(letters) <= LETTERS and fits else ""


def letter_count(word: bytes) -> int:
    return sum(byte & 0xC0 != 0x80 for byte in word)


def edits(one: str, other: str, most: int) -> int:
    """Return the optimal string alignment distance, or most + 1 where it is more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    rows = [list(range(len(other) + 1))]
    for i, own in enumerate(one, 1):
        row = [i]
        for k, its in enumerate(other, 1):
            cost = min(rows[-1][k - 1] + (own != its), rows[-1][k] + 1, row[-1] + 1)
            if i > 1 and k > 1 and own == other[k - 2] and one[i - 2] == its:
                cost = min(cost, rows[-2][k - 2] + 1)
            row.append(cost)
        rows.append(row)
        if min(row) > most:
            return most + 1
    return rows[-1][-1]
