"""The dictionary of an index: every word with its stem and the pages that have it, cut into pieces
(docs/format.md 13.3).
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import sqrt

import numpy as np
import numpy.typing as npt
from pocketindex.builder.site.attributes import WEIGHT_UNIT
from pocketindex.builder.site.words import JOINT, SPELLED, PageWords
from pocketindex.builder.write.folding import LETTERS
from pocketindex.builder.write.stems import NUMBERED, SHORTEST, knows

LEVELS = 40
LEAST, MOST = 8_000, 16_000  # bytes of a piece before they are deflated
CUT = 16  # before one word in so many a piece may end
LEAST_RULE, MOST_RULES = 4, 150
LONGEST_ENDING = 5
SAMPLED = 16  # one word in so many tells how often words that differ by a rule are no forms

# Where the levels from 2 on begin, in steps of half a power of two: level 9 at weight 1.
_THRESHOLDS = np.array([sqrt(2.0**step) for step in range(-7, LEVELS - 8)])

Bytes = npt.NDArray[np.uint8]


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


def dictionary(pages: Sequence[tuple[int, PageWords]], language: str) -> Dictionary:
    """Return the dictionary of pages, by their rising slots. language: as PyStemmer names it."""
    numbers: defaultdict[bytes, int] = defaultdict(count().__next__)
    ids = [np.empty(0, np.int32)]
    for _, own in pages:
        ids.append(np.array(list(map(numbers.__getitem__, own.words)), np.int32))
    words = sorted(numbers)
    place = np.empty(len(words), np.int32)
    place[[numbers[word] for word in words]] = np.arange(len(words))
    word = place[np.concatenate(ids)]
    sizes = [len(own.weights) for _, own in pages]
    slots = np.repeat(np.array([slot for slot, _ in pages], np.int32), sizes)
    none = np.empty(0, np.uint8)
    places = np.concatenate([none, *(own.places for _, own in pages)])
    own_levels = (levels_of(own.weights) for _, own in pages)
    levels = np.concatenate([none, *own_levels])
    own_texts = (own.texts if len(own.texts) else np.zeros_like(own.places) for _, own in pages)
    texts = np.concatenate([none, *own_texts])
    order = np.argsort(word, kind="stable")  # the pages of a word stay in the order of their slots
    word, slots, levels, places = word[order], slots[order], levels[order], places[order]
    starts = np.searchsorted(word, np.arange(len(words) + 1))
    stems, rules = _stems(words, language)
    entries = _Entries(words, stems, starts, slots, levels, places, texts[order])
    return Dictionary(list(_pieces(entries)), rules, bool(stems), _letters(words))


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
        self.words, self.stems, self.starts = words, stems, starts
        gaps = np.diff(slots, prepend=0).astype(np.int64)
        first = starts[:-1][starts[:-1] < len(slots)]
        gaps[first] = slots[first]
        self.gaps, self.gap_ends = varints(gaps)
        self.levels, self.places = levels.tobytes(), places.tobytes()
        self.texts = texts[texts > 0].tobytes()
        self.text_ends = np.concatenate([[0], np.cumsum(texts > 0)])

    def size(self) -> npt.NDArray[np.int64]:
        """Return the bytes of each word, but for its letters."""
        ends = self.gap_ends[self.starts]
        size: npt.NDArray[np.int64] = np.diff(ends) + 2 * np.diff(self.starts)
        return size

    def packed(self, first: int, end: int) -> bytes:
        """Return a piece with the words from first up to end."""
        heads, before = bytearray(), b""
        for i in range(first, end):
            word = self.words[i]
            shared = _shared(before, word)
            heads += bytes((shared, len(word) - shared)) + word[shared:]
            base = word.partition(SPELLED)[0]
            stem = self.stems.get(base)
            kept = len(base) if stem is None else _shared(base, stem)
            added = b"" if stem is None else stem[kept:]
            heads += bytes((kept, len(added))) + added
            heads += _varint(int(self.starts[i + 1] - self.starts[i]))
            before = word
        low, high = int(self.starts[first]), int(self.starts[end])
        gaps = self.gaps[self.gap_ends[low] : self.gap_ends[high]]
        texts = self.texts[self.text_ends[low] : self.text_ends[high]]
        streams = (bytes(heads), gaps, self.levels[low:high], self.places[low:high], texts)
        sizes = b"".join(len(stream).to_bytes(4, "little") for stream in streams[:3])
        return sizes + b"".join(streams)


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


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))


def _shared(one: bytes, other: bytes) -> int:
    most = min(len(one), len(other))
    for i in range(most):
        if one[i] != other[i]:
            return i
    return most


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


def _stems(words: list[bytes], language: str) -> tuple[dict[bytes, bytes], list[tuple[str, str]]]:
    """Return the stems of words that have another one than themselves, and the pairs of endings."""
    if not language or not knows(language):
        return {}, []
    from Stemmer import Stemmer

    single = [word for word in words if JOINT not in word]
    bases = list(dict.fromkeys(word.partition(SPELLED)[0].decode() for word in single))
    bases = [word for word in bases if len(word) >= SHORTEST and not NUMBERED.search(word)]
    stems = Stemmer(language, 0).stemWords(bases)
    classes = dict[str, list[str]]()
    for word, stem in zip(bases, stems, strict=True):
        classes.setdefault(stem, []).append(word)
    found = {w.encode(): s.encode() for w, s in zip(bases, stems, strict=True) if w != s}
    return found, _rules(classes, dict(zip(bases, stems, strict=True)))


def _rules(classes: dict[str, list[str]], stem_of: dict[str, str]) -> list[tuple[str, str]]:
    """Return pairs of endings by which forms differ, commonest first: words that differ by them are
    forms of one another far more often than not.
    """
    together = Counter[tuple[str, str]]()
    for members in classes.values():
        if len(members) > 1:
            for i, one in enumerate(members[:12]):
                for other in members[i + 1 : 12]:
                    together[_endings(one, other)] += 1
    rules = [rule for rule, times in together.most_common(MOST_RULES) if times >= LEAST_RULE]
    apart = Counter[tuple[str, str]]()
    by_ending = dict[str, list[str]]()
    for one, other in rules:
        by_ending.setdefault(one, []).append(other)
    for word, stem in stem_of.items():
        if zlib.crc32(word.encode()) % SAMPLED:
            continue
        for size in range(min(LONGEST_ENDING, len(word)) + 1):
            ending = word[len(word) - size :]
            for other in by_ending.get(ending, ()):
                changed = stem_of.get(word[: len(word) - size] + other)
                if changed is not None and changed != stem:
                    apart[ending, other] += 1
    good = [rule for rule in rules if max(map(len, rule)) <= LONGEST_ENDING]
    return [rule for rule in good if together[rule] >= 4 * SAMPLED * apart[rule]]


def _endings(one: str, other: str) -> tuple[str, str]:
    size = _shared(one.encode("utf-32-le"), other.encode("utf-32-le")) // 4
    return min((one[size:], other[size:]), (other[size:], one[size:]))
