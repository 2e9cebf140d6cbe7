"""The shingle sets of texts in a temporary file: which word 5-grams each text has, as hashes."""

from __future__ import annotations

import mmap
import os
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.options import CONTAINMENT, JACCARD
from pocketindex.builder.conventions import crc32c
from pocketindex.builder.spill.journal import Entry, WorkFolder, private
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

_SETS = "sets-000000"  # in a work folder
_BLOCK = 1 << 20  # bytes of hashes that are read at once
SHINGLE_TERMS = 5  # of a shingle by which texts are compared

Hashes = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.uint32]
Texts = npt.NDArray[np.uint32]
Floats = npt.NDArray[np.float64]
# How many sets have the hashes of each slot, counted up to 255: what is rare is told by it.
Table = npt.NDArray[np.uint8]


def sets_of(texts: Sequence[bytes], size: int = SHINGLE_TERMS) -> tuple[Hashes, Hashes, Counts]:
    """Return the sets of texts in UTF-8, one after the other, where each ends, and how many terms
    each text has. size: the terms of a shingle, at most 16.
    """
    ends = np.cumsum([len(text) for text in texts], dtype=np.uint64)
    return sets_of_joined(b"".join(texts), ends, size)


def sets_of_joined(
    texts: Any, ends: Hashes, size: int = SHINGLE_TERMS
) -> tuple[Hashes, Hashes, Counts]:
    """Return what sets_of returns. texts: one after the other; ends: where each of them ends."""
    set_ends, terms = np.zeros(len(ends), np.uint64), np.zeros(len(ends), np.uint32)
    out = ffi.new("uint64_t **")
    status = lib.pocket_shingle_sets(
        ffi.from_buffer(texts),
        ffi.from_buffer("uint64_t[]", ends),
        len(ends),
        size,
        ffi.from_buffer("uint64_t[]", set_ends, require_writable=True),
        ffi.from_buffer("uint32_t[]", terms, require_writable=True),
        out,
        lib.pocket_asked,
    )
    check(status, None, "shingles")
    try:
        count = int(set_ends[-1]) if len(ends) else 0
        hashes = np.frombuffer(ffi.buffer(out[0], 8 * count), np.uint64).copy() if count else _NONE
    finally:
        lib.pocket_release(out[0])
    return hashes, set_ends, terms


class Sets:
    """The shingle sets of texts 0, 1, ..., and the similarity from which on two texts are near.

    core: what the C core calls pocket_sets; mapped: the file that hashes lie in.
    """

    def __init__(
        self,
        starts: Hashes,
        ends: Hashes,
        hashes: Hashes,
        measure: str,
        least: float,
        mapped: mmap.mmap | None = None,
    ) -> None:
        self._mapped = mapped
        self.starts, self.ends, self.hashes = starts, ends, hashes
        self.sizes = (ends - starts).astype(np.int64)
        self.measure = measure
        # The structure has addresses alone: what they are of has to stay.
        self._arrays = [
            ffi.from_buffer("uint64_t[]", column if len(column) else _ZERO)
            for column in (starts, ends, hashes)
        ]
        contained = lib.POCKET_CONTAINMENT if measure == CONTAINMENT else lib.POCKET_JACCARD
        millionths = max(round(least * lib.POCKET_SHARES), 1)
        self.core = ffi.new("pocket_sets *", (*self._arrays, len(starts), contained, millionths))

    def __len__(self) -> int:
        return len(self.starts)

    def let_go(self) -> None:
        """Release the pages of the file that were read, so that the system may use the memory."""
        if self._mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._mapped.madvise(mmap.MADV_DONTNEED)

    def runs(self, hashes: int, texts: int) -> Iterator[tuple[int, int]]:
        """Yield where runs of texts begin and end: of so many texts at most, and of so many hashes
        if they are not a single text.
        """
        ends = np.cumsum(self.sizes)
        start = 0
        while start < len(self):
            before = int(ends[start - 1]) if start else 0
            fit = int(np.searchsorted(ends, before + hashes, "right"))
            end = min(max(fit, start + 1), start + texts, len(self))
            yield start, end
            start = end

    def joined(self, start: int, end: int) -> Hashes:
        """Return the sets of the texts from start to end, one after the other."""
        bounds = zip(self.starts[start:end].tolist(), self.ends[start:end].tolist(), strict=True)
        return np.concatenate([_NONE, *(self.hashes[first:last] for first, last in bounds)])

    def count(self, start: int, end: int, table: Table) -> None:
        """Count the hashes of some texts in a table, whose size is a power of two."""
        lib.pocket_sets_count(
            self.core,
            start,
            end,
            _bits(table),
            ffi.from_buffer("uint8_t[]", table, require_writable=True),
        )

    def prefixes(self, start: int, end: int, table: Table) -> tuple[Hashes, Texts]:
        """Return the hashes by which the texts from start to end are looked for, and for each hash
        twice the number of its text, plus one if only texts with larger sets are looked for.
        """
        room = int(self.sizes[start:end].sum())
        keys, texts = np.zeros(room, np.uint64), np.zeros(room, np.uint32)
        used = lib.pocket_sets_prefixes(
            self.core,
            start,
            end,
            ffi.from_buffer("uint8_t[]", table),
            _bits(table),
            ffi.from_buffer("uint64_t[]", keys, require_writable=True),
            ffi.from_buffer("uint32_t[]", texts, require_writable=True),
        )
        return keys[:used].copy(), texts[:used].copy()

    def similarities(self, firsts: Texts, seconds: Texts) -> Floats:
        """Return how similar each first text is to its second one."""
        common = np.zeros(len(firsts), np.uint32)
        lib.pocket_sets_common(
            self.core,
            ffi.from_buffer("uint32_t[]", np.ascontiguousarray(firsts, np.uint32)),
            ffi.from_buffer("uint32_t[]", np.ascontiguousarray(seconds, np.uint32)),
            len(common),
            ffi.from_buffer("uint32_t[]", common, require_writable=True),
        )
        return self.shares(firsts, seconds, common)

    def shares(self, firsts: Any, seconds: Any, common: Any) -> Floats:
        """Return how similar texts are that have so many shingles in common, to four decimals."""
        one, other = self.sizes[firsts], self.sizes[seconds]
        whole = np.minimum(one, other) if self.measure == CONTAINMENT else one + other - common
        shares: Floats = np.divide(common, whole, out=np.zeros(len(common)), where=whole > 0)
        return np.round(shares, 4)


def slots_of(hashes: Hashes, bits: int) -> npt.NDArray[np.uint32]:
    """Return the slots of hashes in a table of so many bits, at most 32."""
    return (hashes >> np.uint64(64 - bits)).astype(np.uint32)


def _bits(table: Table) -> int:
    return len(table).bit_length() - 1


def similarities(text: str, other: str) -> tuple[float, float]:
    """Return how similar two texts are, by Jaccard similarity and by containment: 0..1, to four
    decimals.
    """
    data = [one.encode("utf-8", "surrogatepass") for one in (text, other)]
    hashes, ends, _ = sets_of(data)
    starts, pair = np.array([0, ends[0]], np.uint64), np.arange(2, dtype=np.uint32)
    jaccard, containment = (
        float(Sets(starts, ends, hashes, measure, 1.0).similarities(pair[:1], pair[1:])[0])
        for measure in (JACCARD, CONTAINMENT)
    )
    return jaccard, containment


class SetsFile:
    """Sets that are written one after the other to a file, and then read.

    The file has no name and lies in folder; or it lies in a work folder, which has some of the sets
    already where a stopped run goes on. reached: the last entry of its journal about them.
    """

    def __init__(self, folder: Path, work: WorkFolder | None = None) -> None:
        self._ends, self.terms = array("Q"), array("I")
        self._work, self.reached = work, Entry()
        self.pending = self._crc = 0
        if work is None:
            self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)
            return
        self._file = open(work.folder / _SETS, "a+b", opener=private)
        for sizes, self.reached in zip(work.of("sizes"), work.of("sets"), strict=False):
            data = work.path(sizes).read_bytes()
            count = len(data) // (self._ends.itemsize + self.terms.itemsize)
            self._ends.frombytes(data[: count * self._ends.itemsize])
            self.terms.frombytes(data[count * self._ends.itemsize :])
        self._file.truncate(8 * self._ends[-1] if self._ends else 0)
        self._entered = len(self._ends)

    def add(self, hashes: Hashes, ends: Hashes, terms: Counts) -> None:
        """Append the result of sets_of. pending: bytes that no entry has yet."""
        data = hashes.tobytes()
        self._file.write(data)
        if self._work:
            self._crc = crc32c(data, self._crc)
        self.pending += len(data)
        before = self._ends[-1] if self._ends else 0
        self._ends.frombytes((ends + np.uint64(before)).tobytes())
        self.terms.frombytes(terms.tobytes())

    def enter(self, **more: int) -> None:
        """Make what was appended since the last call a part that a stopped run need not find again.
        more: what the entry says of it besides.
        """
        if self._work is None or self._entered == len(self._ends):
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        name = f"sizes-{len(self._work.of('sizes')):06}"
        with self._work.file(name) as written:
            written.write(self._ends[self._entered :].tobytes())
            written.write(self.terms[self._entered :].tobytes())
        self._work.enter("sizes", (name, written))
        first, end = self._ends[self._entered - 1] if self._entered else 0, self._ends[-1]
        own = {"first": 8 * first, "size": 8 * (end - first), "crc": self._crc}
        self._work.enter("sets", None, file=_SETS, **own, **more)
        self._entered, self._crc, self.pending = len(self._ends), 0, 0

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Return how many hashes each set has."""
        ends = np.array(self._ends, np.int64)
        sizes: npt.NDArray[np.int64] = np.diff(np.concatenate([[0], ends]))
        return sizes

    def blocks(self) -> Iterator[Hashes]:
        """Yield the hashes of all sets, some at a time."""
        self._file.flush()
        self._file.seek(0)
        while block := self._file.read(_BLOCK):
            yield np.frombuffer(block, np.uint64)

    def sets(self, texts: Any, measure: str, least: float) -> Sets:
        """Return the sets of some texts, by their numbers."""
        self._file.flush()
        ends = np.frombuffer(self._ends, np.uint64) if self._ends else _NONE
        starts = np.concatenate([_ZERO, ends])[:-1]
        if not len(ends) or ends[-1] == 0:
            return Sets(starts[texts], ends[texts], _NONE, measure, least)
        mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        hashes = np.frombuffer(mapped, np.uint64)
        return Sets(starts[texts], ends[texts], hashes, measure, least, mapped)

    def close(self) -> None:
        """Close the file, which is gone then."""
        self._file.close()


_NONE = np.zeros(0, np.uint64)
_ZERO = np.zeros(1, np.uint64)
