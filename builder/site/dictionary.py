"""The dictionary of an index: every word with its stem and the pages that have it, cut into pieces
(docs/format.md 13.3).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.site.attributes import WEIGHT_UNIT
from pocketindex.builder.site.counting.forms import Kept, forms
from pocketindex.builder.site.counting.prefixes import shared
from pocketindex.builder.site.counting.vocabulary import Counts, Vocabulary
from pocketindex.builder.site.counting.words import SPELLED
from pocketindex.builder.write.folding import LETTERS

LEVELS = 40
LEAST, MOST = 8_000, 16_000  # bytes of a piece before they are deflated
CUT = 16  # before one word in so many a piece may end

# Where the levels from 2 on begin, in steps of half a power of two: level 9 at weight 1.
_THRESHOLDS = np.array([sqrt(2.0**step) for step in range(-7, LEVELS - 8)])

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]


@dataclass
class Dictionary:
    """pieces: the first word of each, and its bytes; rules: pairs of endings of words that are
    forms of one another.
    """

    pieces: list[tuple[bytes, bytes]]
    rules: list[tuple[str, str]]
    stemmed: bool
    letters: dict[str, str]


def _letters(words: list[bytes]) -> dict[str, str]:
    """Return the letters of words that have another plain spelling."""
    seen = set(b"".join([word for word in words if SPELLED in word]).decode())
    return {letter: LETTERS[ord(letter)] for letter in sorted(seen) if ord(letter) in LETTERS}


def levels_of(weights: npt.NDArray[np.uint32]) -> Bytes:
    """Return the level of each weight: 0 for weight 0, else 1 to LEVELS. The length of a page is
    not in it: a page that grows by a sentence keeps the levels of its other words.
    """
    levels = 1 + np.searchsorted(_THRESHOLDS, weights / WEIGHT_UNIT, "right")
    return np.where(weights == 0, 0, levels).astype(np.uint8)


def dictionary(
    pages: Sequence[tuple[int, Counts]], vocabulary: Vocabulary, language: str, kept: Kept
) -> Dictionary:
    """Return the dictionary of pages, by their rising slots. language: as PyStemmer names it;
    kept: what an earlier build made.
    """
    counts = [own for _, own in pages]
    words, place = vocabulary.used(counts)
    word = place[_joined([own.numbers for own in counts], np.int32)]
    sizes = [len(own.numbers) for own in counts]
    slots = np.repeat(np.array([slot for slot, _ in pages], np.int32), sizes)
    places = _joined([own.places for own in counts], np.uint8)
    levels = levels_of(_joined([own.weights for own in counts], np.uint32))
    of_texts = [own.texts if len(own.texts) else np.zeros_like(own.places) for own in counts]
    texts = _joined(of_texts, np.uint8)
    order = np.argsort(word, kind="stable")  # the pages of a word stay in the order of their slots
    word, slots, levels, places = word[order], slots[order], levels[order], places[order]
    starts = np.searchsorted(word, np.arange(len(words) + 1))
    stems, rules = forms(words, language, kept)
    entries = _Entries(words, stems, starts, slots, levels, places, texts[order])
    return Dictionary(list(_pieces(entries)), rules, bool(stems), _letters(words))


def _joined(arrays: Sequence[npt.NDArray[Any]], kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, kind), *arrays])


class _Entries:
    """The words with what a piece holds of each."""

    def __init__(
        self,
        words: list[bytes],
        stems: dict[bytes, bytes],
        starts: npt.NDArray[np.int64],
        slots: npt.NDArray[np.int32],
        levels: Bytes,
        places: Bytes,
        texts: Bytes,
    ) -> None:
        self.words, self.starts = words, starts
        gaps = np.diff(slots, prepend=0).astype(np.int64)
        first = starts[:-1][starts[:-1] < len(slots)]
        gaps[first] = slots[first]
        self.gaps, self.gap_ends = varints(gaps)
        self.levels, self.places = levels.tobytes(), places.tobytes()
        self.texts = texts[texts > 0].tobytes()
        self.text_ends = np.concatenate([[0], np.cumsum(texts > 0)])
        self.heads, self.head_starts, self.tails = _heads(words, stems, np.diff(starts))

    def size(self) -> npt.NDArray[np.int64]:
        """Return the bytes of each word, but for its letters."""
        ends = self.gap_ends[self.starts]
        size: npt.NDArray[np.int64] = np.diff(ends) + 2 * np.diff(self.starts)
        return size

    def packed(self, first: int, end: int) -> bytes:
        """Return a piece with the words from first up to end."""
        word = self.words[first]  # the first one has nothing in common with the one before
        begin = bytes((0, len(word))) + word
        heads = begin + self.heads[self.tails[first] : self.head_starts[end]]
        low, high = int(self.starts[first]), int(self.starts[end])
        gaps = self.gaps[self.gap_ends[low] : self.gap_ends[high]]
        texts = self.texts[self.text_ends[low] : self.text_ends[high]]
        streams = (heads, gaps, self.levels[low:high], self.places[low:high], texts)
        sizes = b"".join(len(stream).to_bytes(4, "little") for stream in streams[:3])
        return sizes + b"".join(streams)


def _heads(
    words: list[bytes], stems: dict[bytes, bytes], counts: npt.NDArray[np.int64]
) -> tuple[bytes, Numbers, Numbers]:
    """Return the heads of all words, one after the other; where each begins, and the end; and where
    in each comes what follows the word.
    """
    bases = [word.partition(SPELLED)[0] if SPELLED in word else word for word in words]
    own = [stems.get(base, base) for base in bases]
    lengths, stem_lengths = _lengths(words), _lengths(own)
    same = np.concatenate([np.zeros(1, np.int64), shared(words[1:], words[:-1])])
    kept = shared(bases, own)
    numbers, number_ends = varints(counts)
    sizes = lengths - same, stem_lengths - kept, np.diff(number_ends)
    starts = np.concatenate([[0], np.cumsum(sum(sizes) + 4)])
    out = np.empty(int(starts[-1]), np.uint8)
    at = starts[:-1]
    tails = at + 2 + sizes[0]
    out[at], out[at + 1], out[tails], out[tails + 1] = same, sizes[0], kept, sizes[1]
    for place, size, source, begins in (
        (at + 2, sizes[0], b"".join(words), np.cumsum(lengths) - lengths + same),
        (tails + 2, sizes[1], b"".join(own), np.cumsum(stem_lengths) - stem_lengths + kept),
        (tails + 2 + sizes[1], sizes[2], numbers, number_ends[:-1]),
    ):
        out[_each(place, size)] = np.frombuffer(source, np.uint8)[_each(begins, size)]
    return out.tobytes(), starts, tails


def _lengths(words: Sequence[bytes]) -> Numbers:
    return np.fromiter(map(len, words), np.int64, len(words))


def _each(begins: Numbers, sizes: Numbers) -> Numbers:
    """Return the places of all items of runs. begins, sizes: of each run."""
    ends = np.cumsum(sizes)
    places: Numbers = np.repeat(begins - (ends - sizes), sizes) + np.arange(ends[-1])
    return places


def varints(numbers: npt.NDArray[np.int64]) -> tuple[bytes, npt.NDArray[np.int64]]:
    """Return numbers in groups of seven bits, the lowest first, each but the last with its high bit
    set; and where each begins, and the end.
    """
    numbers = numbers.astype(np.uint64)
    sizes = np.ones(len(numbers), np.int64)
    for group in range(1, 5):
        sizes += numbers >= 1 << 7 * group
    ends = np.concatenate([[0], np.cumsum(sizes)])
    out = np.zeros(int(ends[-1]), np.uint8)
    for group in range(5):
        own = sizes > group
        low = (numbers[own] >> np.uint64(7 * group)) & np.uint64(127)
        out[ends[:-1][own] + group] = low + np.where(sizes[own] > group + 1, 128, 0).astype(
            np.uint64
        )
    return out.tobytes(), ends


def _pieces(entries: _Entries) -> Iterator[tuple[bytes, bytes]]:
    """Yield pieces. One that is long enough ends before the next word whose checksum says so, which
    no other word alters; a heavy word has a piece of its own.
    """
    words = entries.words
    size, first = 0, 0
    for number, (word, own) in enumerate(zip(words, entries.size().tolist(), strict=True)):
        own += len(word)
        if number > first and (
            size + own > MOST or (size >= LEAST and zlib.crc32(word) % CUT == 0)
        ):
            yield words[first], entries.packed(first, number)
            size, first = 0, number
        size += own
    if words:
        yield words[first], entries.packed(first, len(words))
