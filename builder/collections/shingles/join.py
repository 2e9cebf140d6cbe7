"""Find the sets that are near to each other: by their rarest hashes, of which two that are near
always share one (cbits/build/near/set_prefixes.c).

The hashes are sorted outside of memory as those of a build are, so that memory is bounded, and time
grows as the hashes do. No pair is missed: how rare a hash is decides how many sets are compared,
and not what is found.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.shingles.sets import Sets
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.journal import WorkFolder, Written, private
from pocketindex.builder.spill.sorted_files import Pairs, SortedFile, fewer, merged, sorted_bytes
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.interrupt import go_on
from pocketindex.ffi.status import check

_JOINED = "joined-000000"  # in a work folder
AT_ONCE = 4_096  # texts that C looks at between two looks for Ctrl-C
_LEAST_BITS, _MOST_BITS = 16, 34  # of the number of counts
_ENTRY = 64  # bytes that an entry takes while it is sorted
_PAIRS = 1 << 18  # found at once, if not for a single text

Numbers = npt.NDArray[np.int64]


class SetJoin:
    """Sets of texts to be looked for in each other. Temporary files lie in folder, and memory is
    the bytes that sorting and counting may take.
    """

    def __init__(
        self,
        sets: Sets,
        folder: Path,
        memory: int,
        progress: Progress,
        work: WorkFolder | None = None,
    ) -> None:
        """work: where the join is kept for a run that goes on when this one is stopped, or was kept
        by one.
        """
        self._sets = sets
        if work is None:
            self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)
            groups = self._write(self._file, folder, memory, progress)
            self._file.flush()
        else:
            if not work.of("joined"):
                with work.file(_JOINED) as written:
                    groups = self._write(written, folder, memory, progress)
                work.enter("joined", (_JOINED, written), groups=groups)
            entry = work.of("joined")[0]
            groups, self._file = entry["groups"], open(work.path(entry), "rb", opener=private)
        # The ends of the texts' entries stand behind these.
        self._file.seek(-8 * len(sets), os.SEEK_END)
        self._ends = np.frombuffer(self._file.read(), np.uint64)
        some = int(self._ends[-1]) if len(sets) else 0
        self._entries = (
            np.memmap(self._file, np.uint32, "r", shape=(some,)) if some else np.zeros(1, np.uint32)
        )
        self._join = ffi.NULL
        made = ffi.new("pocket_join **")
        self._arrays = (
            ffi.from_buffer("uint64_t[]", self._ends if len(sets) else np.zeros(1, np.uint64)),
            ffi.from_buffer("uint32_t[]", self._entries),
        )
        check(lib.pocket_join_begin(sets.core, *self._arrays, groups, made), None, "shingles")
        self._join = made[0]

    def _write(
        self, out: IO[bytes] | Written, folder: Path, memory: int, progress: Progress
    ) -> int:
        """Write the groups of each text, and where those of each end. Returns how many there
        are.
        """
        with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name:
            place, counts = Path(name), np.zeros(len(self._sets), np.uint64)
            keys = _sorted(self._keys(memory, progress), place / "keys", memory)
            grouped = _Grouped(keys, memory)
            entries = _sorted(grouped.parts(), place / "texts", memory)
            for texts, groups in merged(fewer(entries, place / "fewer", memory), memory):
                own = groups << np.uint32(1) | (texts & np.uint64(1)).astype(np.uint32)
                out.write(own.astype(np.uint32).tobytes())
                counts += np.bincount(
                    (texts >> np.uint64(1)).astype(np.int64), minlength=len(counts)
                ).astype(np.uint64)
        out.write(np.cumsum(counts, dtype=np.uint64).tobytes())
        return grouped.count

    def _keys(self, memory: int, progress: Progress) -> Iterator[Pairs]:
        """Yield the keys of texts, and which text each is of, some texts at a time."""
        sets = self._sets
        table = np.zeros(1 << table_bits(int(sets.sizes.sum()), memory), np.uint8)
        progress.phase("counting shingles", documents=len(sets))
        for start in range(0, len(sets), AT_ONCE):
            end = min(start + AT_ONCE, len(sets))
            go_on()
            sets.count(start, end, table)
            sets.let_go()
            progress.add(end - start)
        progress.phase("choosing shingles", documents=len(sets))
        waiting = list[Pairs]()
        held = 0
        for start, end in sets.runs(memory // _ENTRY, AT_ONCE):
            go_on()
            waiting.append(sets.prefixes(start, end, table))
            held += len(waiting[-1][0])
            sets.let_go()
            progress.add(end - start)
            if held > memory // _ENTRY:
                yield _joined(waiting)
                waiting, held = [], 0
        if held:
            yield _joined(waiting)

    def pairs(self) -> Iterator[tuple[Numbers, npt.NDArray[np.float64]]]:
        """Yield for each text those before it that are near, and how similar they are."""
        texts = np.arange(len(self._sets), dtype=np.uint32)
        looked, out = ffi.new("size_t *"), ffi.new("uint32_t **")
        done = 0
        while done < len(texts):
            own = texts[done : done + AT_ONCE]
            ends = np.zeros(len(own), np.uint64)
            status = lib.pocket_join_pairs(
                self._join,
                ffi.from_buffer("uint32_t[]", own),
                len(own),
                _PAIRS,
                looked,
                ffi.from_buffer("uint64_t[]", ends, require_writable=True),
                out,
                lib.pocket_asked,
            )
            check(status, None, "shingles")
            ends = ends[: looked[0]]
            try:
                count = int(ends[-1])
                rows = np.frombuffer(ffi.buffer(out[0], 8 * count), np.uint32) if count else _NONE
                found = rows.reshape(-1, 2).astype(np.int64)
            finally:
                lib.pocket_release(out[0])
            seconds = np.repeat(own[: len(ends)], np.diff(ends, prepend=np.uint64(0)).astype(int))
            shares = self._sets.shares(found[:, 0], seconds, found[:, 1])
            order = np.lexsort((found[:, 0], seconds))
            bounds = ends[:-1].astype(np.int64)
            yield from zip(
                np.split(found[order, 0], bounds), np.split(shares[order], bounds), strict=True
            )
            self._sets.let_go()
            done += len(ends)

    def keepers(
        self, order: Numbers, given: int, progress: Progress
    ) -> tuple[Numbers, npt.NDArray[np.float64]]:
        """Return for each text, in this order, the one that is kept for it, and how similar the two
        are. So many of the first ones are kept anyway.
        """
        texts = order.astype(np.uint32)
        keepers, common = np.zeros(len(texts), np.uint32), np.zeros(len(texts), np.uint32)
        for start in range(0, len(texts), AT_ONCE):
            some = slice(start, min(start + AT_ONCE, len(texts)))
            own, kept, shared = (
                ffi.from_buffer("uint32_t[]", column[some], require_writable=True)
                for column in (texts, keepers, common)
            )
            status = lib.pocket_join_keep(
                self._join,
                own,
                len(own),
                min(max(given - start, 0), len(own)),
                kept,
                shared,
                lib.pocket_asked,
            )
            check(status, None, "shingles")
            self._sets.let_go()
            progress.add(some.stop - start)
        similarities, gone = np.ones(len(texts)), np.flatnonzero(texts != keepers)
        similarities[gone] = self._sets.shares(
            texts[gone], keepers[gone], common[gone].astype(np.int64)
        )
        return keepers.astype(np.int64), similarities

    def close(self) -> None:
        """Free what the core has, and remove the temporary file."""
        lib.pocket_join_end(self._join)
        self._join = ffi.NULL
        self._file.close()


def table_bits(hashes: int, memory: int) -> int:
    """Return the binary logarithm of the slots in which so many hashes are counted."""
    most = max((memory // 4).bit_length() - 1, _LEAST_BITS)
    return min(max((hashes - 1).bit_length(), _LEAST_BITS), most, _MOST_BITS)


def groups_of(keys: Any, texts: Any) -> tuple[npt.NDArray[np.bool_], Numbers]:
    """Return which of the texts with these sorted keys share one with another text that may be near
    to them, and the sizes of the groups that they make. texts: as Sets.prefixes has them.
    """
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))[: len(keys)]
    if not len(starts):
        return np.zeros(0, np.bool_), np.zeros(0, np.int64)
    sizes = np.diff(np.append(starts, len(keys)))
    wanted = (sizes > 1) & (np.bitwise_or.reduceat(texts & texts.dtype.type(1), starts) > 0)
    return np.repeat(wanted, sizes), sizes[wanted]


class _Grouped:
    """Groups of texts that have a key in common, numbered. count: the groups so far."""

    def __init__(self, keys: Sequence[SortedFile], memory: int) -> None:
        self._keys = keys
        self._memory = memory
        self.count = 0

    def parts(self) -> Iterator[Pairs]:
        """Yield texts, with the bit that they come with, and their groups, which rise."""
        waiting = list[Pairs]()
        held = 0
        for keys, texts in self._whole():
            own, sizes = groups_of(keys, texts)
            groups = self.count + np.repeat(np.arange(len(sizes)), sizes)
            self.count += len(sizes)
            waiting.append((texts[own].astype(np.uint64), groups.astype(np.uint32)))
            held += len(groups)
            if held > self._memory // _ENTRY:
                yield _joined(waiting)
                waiting, held = [], 0
        if held:
            yield _joined(waiting)

    def _whole(self) -> Iterator[Pairs]:
        """Yield sorted keys with their texts; all of one key come together."""
        files = list(self._keys)
        left: Pairs | None = None
        for keys, texts in merged(files, self._memory):
            if left is not None:
                keys, texts = np.concatenate([left[0], keys]), np.concatenate([left[1], texts])
            end = int(np.searchsorted(keys, keys[-1], "left"))
            if end:
                yield keys[:end], texts[:end]
            left = keys[end:], texts[end:]
        if left is not None:
            yield left


def _sorted(parts: Iterator[Pairs], path: Path, memory: int) -> list[SortedFile]:
    """Write each part as a sorted file, and return as few as can be merged at once."""
    files = list[SortedFile]()
    for number, (keys, values) in enumerate(parts):
        own = path.with_name(f"{path.name}-{number}")
        own.write_bytes(sorted_bytes(keys, values.astype(np.int64)))
        files.append(SortedFile(own, 0, len(keys), 0))
    return fewer(files, path.with_name(f"{path.name}-fewer"), memory)


def _joined(waiting: Sequence[Pairs]) -> Pairs:
    return (
        np.concatenate([keys for keys, _ in waiting]),
        np.concatenate([values for _, values in waiting]),
    )


_NONE: Any = np.zeros(0, np.uint32)
