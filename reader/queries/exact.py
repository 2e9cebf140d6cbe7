"""The second step of the papers: candidates compared with the text itself, not with its sketch.

cosine: of the tf-idf vectors. tf is how often a term occurs. idf is the profile's weight of the
slot that the term is hashed into (schemes rff and plsh: log2 of the sampled documents over those
with the term, in sixteenths, at most 255), and 1 with other schemes. Stop words of the profile are
left out. shared: the sets of word
3-shingles, stop words in them (Broder 1997). Words are the terms of the file's stream, compared by
their 64-bit hashes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.cbits import ffi, lib
from pocketindex.contents.texts import read_text
from pocketindex.ffi.status import check
from pocketindex.wording.shared import Shared

CLASS = np.dtype([("hash", "u8"), ("number", "i4"), ("value", "i4")])  # pocket_class
SHINGLE = 3
# Odd factors, so that a shingle's hash depends on every bit of its terms' hashes, and on their
# order.
FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)

Numbers = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Exact:
    """A document's figures."""

    number: int
    cosine: float
    shared: Shared


class Bag:
    """A text as its distinct terms with their weights, and its shingles."""

    def __init__(self, handle: Any, path: str, text: bytes) -> None:
        rows = _terms(handle, path, text)
        counted = rows[rows["number"] >= 0]
        self.terms, first, counts = np.unique(
            counted["hash"], return_index=True, return_counts=True
        )
        self.weights = np.abs(counted["value"][first]).astype(np.float64) * counts
        self.square = float(self.weights @ self.weights)
        self.shingles = _shingles(rows["hash"])

    def cosine(self, other: Bag) -> float:
        """Return the cosine with another text; 0 where either has no weight."""
        _, own, others = np.intersect1d(
            self.terms, other.terms, assume_unique=True, return_indices=True
        )
        size = math.sqrt(self.square * other.square)
        return min(1.0, float(self.weights[own] @ other.weights[others]) / size) if size else 0.0

    def shared(self, other: Bag) -> Shared:
        """Return what is shared with another text; 0 where either has no term."""
        common = np.intersect1d(self.shingles, other.shingles, assume_unique=True).size
        either = self.shingles.size + other.shingles.size - common
        return Shared(common / either, common / self.shingles.size) if common else Shared(0.0, 0.0)


def compare(handle: Any, path: str, text: bytes, numbers: Sequence[int]) -> list[Exact]:
    """Compare text with documents of a file that keeps their whole texts: by cosine, highest first;
    of equals the lower number. Raises Damaged.
    """
    own = Bag(handle, path, text)
    found = []
    for number in numbers:
        other = Bag(handle, path, read_text(handle, path, number))
        found.append(Exact(number, own.cosine(other), own.shared(other)))
    return sorted(found, key=lambda one: (-one.cosine, one.number))


def _terms(handle: Any, path: str, text: bytes) -> npt.NDArray[np.void]:
    """Return the classes of a text's terms, in its order."""
    error, room = ffi.new("pocket_error *"), len(text) // 2 + 8
    while True:
        classes, count = ffi.new("pocket_class[]", room), ffi.new("uint64_t *", room)
        check(lib.pocket_classes(handle, text, len(text), classes, count), error, path)
        if count[0] <= room:
            return np.frombuffer(ffi.buffer(classes), CLASS, count[0])
        room = count[0]


def _shingles(hashes: Numbers) -> Numbers:
    """Return distinct shingles; a text of fewer terms has one of them all."""
    if 0 < hashes.size < SHINGLE:
        hashes = np.append(hashes, np.zeros(SHINGLE - hashes.size, np.uint64))
    return np.unique(hashes[:-2] * FIRST + hashes[1:-1] * SECOND + hashes[2:])
