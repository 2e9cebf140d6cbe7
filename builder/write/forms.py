"""Classes of words that are forms of one another, and what a word's next form ends with
(docs/format.md 6.4).
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from pocketindex.builder.write.rules import NO_RULES, Keys, Rules
from pocketindex.cbits import ffi, lib

MOST_ENDINGS = 1_023  # of the table; a rarer one is spelled
LEAST = 4  # words that an ending of the table has
MOST_FORMS = 64  # of a class, as many as a search looks at
BATCH = 65_536  # words that get their keys together

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Words:
    """All words of a file in order: their bytes, one after the other, and where each ends."""

    content: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> bytes:
        start = self.ends[number - 1] if number else 0
        return self.content[start : self.ends[number]].tobytes()

    def batches(self) -> Iterator[list[str]]:
        for first in range(0, len(self), BATCH):
            start = self.ends[first - 1] if first else 0
            own = self.ends[first : first + BATCH] - start
            data = self.content[int(start) : int(start + own[-1])].tobytes()
            starts = [0, *own.tolist()]
            yield [data[a:b].decode() for a, b in pairwise(starts)]


@dataclass(frozen=True)
class Endings:
    """The table, of each word the number of its ending (0: it has no other form; behind the table:
    it is spelled), and those that are spelled, packed.
    """

    table: tuple[bytes, ...]
    numbers: Numbers
    spelled: bytes

    def packed(self, name: str) -> bytes:
        """Return what the parameters say of classes that name has made."""
        data = struct.pack("<HH", len(name.encode()), len(self.table)) + name.encode()
        data += b"".join(self.table)
        return data + bytes(-len(data) % 8)


NONE = Endings((), np.zeros(0, np.uint32), b"")


def endings_of(words: Words, ways: Sequence[Keys], rules: Rules = NO_RULES) -> Endings:
    """Put words together that have the same key in any of some ways, each class in the order of its
    words; the last of them is followed by the first. rules: of words that the file does not have.
    """
    following = list[tuple[int, bytes]]()
    for members in _groups(_classes(words, ways)):
        spelled = [words[number] for number in members]
        following += zip(members, map(_ending, spelled, [*spelled[1:], spelled[0]]), strict=True)
    return _tabled(following, len(words), rules)


def _ending(word: bytes, other: bytes) -> bytes:
    """Return what makes other of word, packed: the bytes that it drops, and those that follow."""
    pairs = enumerate(zip(word, other, strict=False))
    shared = next((i for i, (a, b) in pairs if a != b), min(len(word), len(other)))
    return bytes([len(word) - shared, len(other) - shared]) + other[shared:]


def _classes(words: Words, ways: Sequence[Keys]) -> npt.NDArray[np.uint32]:
    """Return of each word the number of the first word of its class."""
    first = np.arange(len(words), dtype=np.uint32)
    orders = [_same(words, way) for way in ways]
    while True:
        before = first.copy()
        for order, starts in orders:
            if len(starts):
                least = np.minimum.reduceat(first[order], starts)
                first[order] = np.repeat(least, np.diff([*starts, len(order)]))
        if len(orders) < 2 or np.array_equal(before, first):
            return first


def _same(words: Words, way: Keys) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """Return the words ordered by their keys, and where each key begins."""
    hashes = np.empty(len(words), np.uint64)
    at = 0
    for batch in words.batches():
        keys = [key.encode() for key in way(batch)]
        ends = np.cumsum([len(key) for key in keys], dtype=np.uint64)
        own = hashes[at : at + len(keys)]
        lib.pocket_murmur_many(
            b"".join(keys),
            ffi.from_buffer("uint64_t[]", ends),
            len(keys),
            ffi.from_buffer("uint64_t[]", own),
        )
        at += len(keys)
    order = np.argsort(hashes, kind="stable").astype(np.uint32)
    ordered = hashes[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(words)])
    return order, starts


def _groups(first: Numbers) -> Iterator[list[int]]:
    """Yield the words of each class that has several, MOST_FORMS of them at most."""
    order = np.argsort(first, kind="stable")
    starts = np.flatnonzero(np.diff(first[order].astype(np.int64), prepend=-1))
    ends = np.append(starts[1:], len(order))
    several = ends - starts > 1
    for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
        for at in range(start, end, MOST_FORMS):
            if len(own := order[at : min(end, at + MOST_FORMS)].tolist()) > 1:
                yield own


def _tabled(following: Sequence[tuple[int, bytes]], count: int, rules: Rules) -> Endings:
    often = Counter(ending for _, ending in following)
    common = sorted(
        (own for own in often if often[own] >= LEAST), key=lambda own: (-often[own], own)
    )
    table = {ending: number for number, ending in enumerate(common[:MOST_ENDINGS], 1)}
    packed = [*table, *_packed(rules)]
    numbers = np.zeros(count, np.uint32)
    spelled = list[bytes]()
    for number, ending in sorted(following):
        numbers[number] = table.get(ending, len(packed) + 1)
        if ending not in table:
            spelled.append(ending)
    return Endings(tuple(packed), numbers, b"".join(spelled))


def _packed(rules: Rules) -> Iterator[bytes]:
    """Yield the rules as endings of the table, behind one that makes no other word."""
    pairs = rules.all()
    for one, other in [("", ""), *pairs] if pairs else []:
        yield bytes([len(one.encode()), len((one + other).encode())]) + (one + other).encode()
