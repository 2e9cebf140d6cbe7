"""Sort pairs of keys and values externally: sorted files are merged within a memory budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
from pocketindex.ffi.interrupt import go_on

Keys = npt.NDArray[np.uint64]
Values = npt.NDArray[np.uint32]
Pairs = tuple[Keys, Values]

PAIR_BYTES = 12  # in a file
_HELD = 64  # bytes a pair takes while it is merged
# Pairs of all sources, and of one where there are many: more take no less time, and longer at once.
_MOST_HELD, _MOST_OF_ONE = 1 << 18, 1 << 11
_AT_ONCE = 1 << 17  # keys sorted in one go
_LEAST_HELD = 256  # pairs of a source: fewer would make its file be opened too often


def order_of(keys: Keys) -> npt.NDArray[np.int64]:
    """Return the order that sorts keys, equal ones as they come. Hashes are sorted in pieces;
    between two of them the thread may be stopped.
    """
    bits = (len(keys) // _AT_ONCE).bit_length()
    if bits == 0:
        return np.argsort(keys, kind="stable")
    ranges, found = keys >> np.uint64(64 - bits), list[npt.NDArray[np.int64]]()
    for one in range(1 << bits):
        go_on()
        own = np.flatnonzero(ranges == one)
        found.append(own[np.argsort(keys[own], kind="stable")])
    return np.concatenate(found)


def sorted_bytes(keys: Keys, values: npt.NDArray[np.int64] | None = None) -> bytes:
    """Return keys as the bytes of a sorted file: all keys in rising order, then their values; equal
    keys are in the order of their values. values: in rising order; None for the places of the keys.
    """
    order = order_of(keys)
    own = order if values is None else values[order]
    return keys[order].astype("<u8").tobytes() + own.astype("<u4").tobytes()


def exactly(file: IO[bytes], offset: int, size: int) -> bytes:
    """Read size bytes from offset on. Raises OSError if there are fewer."""
    file.seek(offset)
    data = file.read(size)
    if len(data) != size:
        raise OSError(
            f"{file.name}: a temporary file was shortened while it was needed; build again"
        )
    return data


@dataclass(frozen=True)
class SortedFile:
    """Sorted pairs in a file, from offset on. first is added to each of their values."""

    path: Path
    offset: int
    count: int
    first: int

    def read(self, start: int, count: int) -> Pairs:
        """Read count pairs from number start on; fewer at the end."""
        count = min(count, self.count - start)
        with self.path.open("rb") as file:
            keys = np.frombuffer(exactly(file, self.offset + 8 * start, 8 * count), "<u8")
            values = np.frombuffer(
                exactly(file, self.offset + 8 * self.count + 4 * start, 4 * count), "<u4"
            )
        return keys, values + np.uint32(self.first)


class _Head:
    """The pairs of a source that were read but not merged yet."""

    def __init__(self, source: SortedFile, held: int) -> None:
        self._run = source
        self._held = held
        self._next = 0
        self.keys, self.values = np.zeros(0, np.uint64), np.zeros(0, np.uint32)
        self.fill()

    def fill(self) -> None:
        """Read as many pairs as may be held."""
        keys, values = self._run.read(self._next, self._held - len(self.keys))
        self._next += len(keys)
        self.keys, self.values = (
            np.concatenate([self.keys, keys]),
            np.concatenate([self.values, values]),
        )

    @property
    def more(self) -> bool:
        return self._next < self._run.count

    def last(self) -> tuple[int, int]:
        return int(self.keys[-1]), int(self.values[-1])

    def take(self, bound: tuple[int, int]) -> Pairs:
        """Return and remove the pairs with keys up to bound."""
        key, value = bound
        low = np.searchsorted(self.keys, np.uint64(key), "left")
        high = np.searchsorted(self.keys, np.uint64(key), "right")
        end = int(low + np.searchsorted(self.values[low:high], np.uint32(value), "right"))
        taken = self.keys[:end], self.values[:end]
        self.keys, self.values = self.keys[end:], self.values[end:]
        return taken


def merged(files: Sequence[SortedFile], memory: int) -> Iterator[Pairs]:
    """Yield all pairs, ordered by key, then by value, a range of keys at a time. memory: the bytes
    that they may take. All values of a source must be above those of the files before it.
    """
    enough = max(_MOST_HELD, _MOST_OF_ONE * len(files))
    held = max(_LEAST_HELD, min(memory // _HELD, enough) // max(len(files), 1))
    heads = [_Head(source, held) for source in files if source.count]
    while heads:
        # What is not read yet of a source comes after the last pair that is held of it.
        bound = min((head.last() for head in heads if head.more), default=(2**64 - 1, 2**32 - 1))
        taken = [head.take(bound) for head in heads]
        keys = np.concatenate([keys for keys, _ in taken])
        # A stable sort keeps the values of equal keys rising, as the files come in order.
        order = np.argsort(keys, kind="stable")
        yield keys[order], np.concatenate([values for _, values in taken])[order]
        for head in heads:
            # All of them, not the empty ones alone: so a range is near what memory holds, however
            # many files there are.
            if head.more:
                head.fill()
        heads = [head for head in heads if len(head.keys)]


def fewer(files: Sequence[SortedFile], path: Path, memory: int) -> list[SortedFile]:
    """Return at most as many files as can be merged in memory. If there are more, groups of
    neighbours are merged into files beside path.
    """
    most = max(memory // _HELD // _LEAST_HELD, 2)
    if len(files) <= most:
        return list(files)
    groups = [files[i : i + most] for i in range(0, len(files), most)]
    made = [
        _written(group, path.with_name(f"{path.name}-{i}"), memory)
        for i, group in enumerate(groups)
    ]
    return fewer(made, path.with_name(f"{path.name}-"), memory)


def _written(files: Sequence[SortedFile], path: Path, memory: int) -> SortedFile:
    count, start = sum(source.count for source in files), 0
    with path.open("wb") as file:
        for keys, values in merged(files, memory):
            file.seek(8 * start)
            file.write(keys.tobytes())
            file.seek(8 * count + 4 * start)
            file.write(values.tobytes())
            start += len(keys)
    return SortedFile(path, 0, count, 0)


@dataclass(frozen=True)
class Merged:
    """The merged pairs of sorted files. They can be iterated more than once."""

    files: Sequence[SortedFile]
    memory: int

    def __iter__(self) -> Iterator[Pairs]:
        return merged(self.files, self.memory)


def sizes(pairs: Iterable[Pairs]) -> tuple[int, int]:
    """Return the number of different keys of sorted pairs, and the number of pairs."""
    count = 0
    postings = 0
    last = None
    for keys, _ in pairs:
        count += int(np.count_nonzero(keys[1:] != keys[:-1])) + (
            last is None or int(keys[0]) != last
        )
        postings += len(keys)
        last = int(keys[-1])
    return count, postings


def grouped(pairs: Iterable[Pairs], sizes: Iterable[int]) -> Iterator[Pairs]:
    """Yield sorted pairs in pieces. sizes: the number of different keys of each piece; they add up
    to all keys.
    """
    source = iter(pairs)
    keys, values = np.zeros(0, np.uint64), np.zeros(0, np.uint32)
    for size in sizes:
        waiting: list[Pairs] = []
        seen, last = 0, None
        while True:
            begins = (
                np.flatnonzero(
                    np.concatenate([[last is None or int(keys[0]) != last], keys[1:] != keys[:-1]])
                )
                if len(keys)
                else keys
            )
            if seen + len(begins) > size:
                end = int(begins[size - seen])
                waiting.append((keys[:end], values[:end]))
                keys, values = keys[end:], values[end:]
                break
            if len(keys):
                seen, last = seen + len(begins), int(keys[-1])
                waiting.append((keys, values))
            piece = next(source, None)
            if piece is None:
                keys, values = keys[:0], values[:0]
                break
            keys, values = piece
        yield (
            np.concatenate([one for one, _ in waiting]),
            np.concatenate([one for _, one in waiting]),
        )
