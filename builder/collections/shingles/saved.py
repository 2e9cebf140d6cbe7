"""The shingle sets of documents in a file (docs/format.md 14), which later documents are compared
with as with the documents themselves.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from json import dumps, loads
from pathlib import Path
from struct import Struct
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.arguments import is_file
from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.collections.shingles.sets import SHINGLE_TERMS, Hashes, Sets
from pocketindex.builder.conventions import crc32c
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.spill.output import Kind, begins
from pocketindex.errors import COPY_AGAIN, spelled
from pocketindex.ffi.interrupt import go_on
from pocketindex.kinds import SAVED_SHINGLES

MAJOR, MINOR = 1, 0
SAVED = Kind("a file of saved shingles", lambda path: begins(path, SAVED_SHINGLES))
_HEADER = Struct("<8sHHIQII")
_BLOCK = Struct("<IIQ")
_CRC_BYTES = 4
_DIGEST_BYTES = 16
_DOCUMENTS, _HASHES = 1 << 12, 1 << 18  # of a block, if it is not a single document


class Block(NamedTuple):
    """Some documents: their digests (digest_of), their sets as sets_of returns them, and a line of
    JSON for each with what people know it by.
    """

    digests: npt.NDArray[np.uint64]
    hashes: Hashes
    ends: Hashes
    names: list[bytes]

    def digest(self, place: int) -> bytes:
        return bytes(self.digests[place])

    def named(self, place: int) -> Named:
        return Named(*loads(self.names[place]))


def is_saved(path: str) -> bool:
    """Return whether a file has saved shingles, by its first bytes."""
    return is_file(path) and begins(Path(path), SAVED_SHINGLES)


def save(
    out: IO[bytes], sets: Sets, digests: npt.NDArray[np.uint64], named: Callable[[int], Named]
) -> None:
    """Write the sets of documents, their digests, and what people know them by."""
    head = _HEADER.pack(SAVED_SHINGLES, MAJOR, MINOR, SHINGLE_TERMS, len(sets), 0, 0)[:-_CRC_BYTES]
    out.write(head + crc32c(head).to_bytes(_CRC_BYTES, "little"))
    for start, end in sets.runs(_HASHES, _DOCUMENTS):
        go_on()
        names = b"".join(b"%s\n" % dumps(named(number)).encode() for number in range(start, end))
        hashes = sets.joined(start, end)
        sizes = sets.sizes[start:end].astype(np.uint32)
        head = _BLOCK.pack(end - start, len(names), len(hashes))
        data = b"".join(
            (head, digests[start:end].tobytes(), hashes.tobytes(), sizes.tobytes(), names)
        )
        out.write(data)
        out.write(crc32c(data).to_bytes(_CRC_BYTES, "little"))
        sets.let_go()


class Saved:
    """A file of saved shingles. len() is the number of its documents."""

    def __init__(self, path: str) -> None:
        """Open a file and check its header. Raises SourceError if the header is damaged or belongs
        to another version of the format.
        """
        self._path = path
        self._file = open(path, "rb")
        self._size = os.fstat(self._file.fileno()).st_size
        try:
            head = self._file.read(_HEADER.size)
            if len(head) < _HEADER.size:
                raise self._ends(len(head), _HEADER.size)
            magic, major, _, terms, count, reserved, crc = _HEADER.unpack(head)
            self._count: int = count
            if magic != SAVED_SHINGLES:
                raise SourceError(
                    path, f"not {SAVED.name}; give what {spelled('save_shingles')} has written"
                )
            if (major, terms) != (MAJOR, SHINGLE_TERMS):
                raise SourceError(
                    path,
                    f"expected version {MAJOR} with shingles of {SHINGLE_TERMS} words, found "
                    f"version {major} with {terms}; save the shingles of the documents again",
                )
            self._check("the header", head[:-_CRC_BYTES], crc)
            if reserved:
                raise SourceError(path, f"the header is damaged: byte 24 is not 0; {COPY_AGAIN}")
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return self._count

    def blocks(self) -> Iterator[Block]:
        """Yield all documents, some at a time. Raises SourceError if the file is damaged."""
        left, at = self._count, _HEADER.size
        self._file.seek(at)
        while left:
            head = self._file.read(_BLOCK.size)
            if len(head) < _BLOCK.size:
                raise self._ends(at + len(head), at + _BLOCK.size)
            count, name_bytes, hashes = _BLOCK.unpack(head)
            size = (_DIGEST_BYTES + 4) * count + 8 * hashes + name_bytes
            end = at + _BLOCK.size + size + _CRC_BYTES
            if end > self._size:
                raise self._ends(self._size, end)
            data = self._file.read(size)
            crc = int.from_bytes(self._file.read(_CRC_BYTES), "little")
            self._check(f"the block at byte {at:,}", data, crc, crc32c(head))
            sizes = np.frombuffer(data, np.uint32, count, _DIGEST_BYTES * count + 8 * hashes)
            ends = np.cumsum(sizes, dtype=np.uint64)
            names = data[size - name_bytes :].splitlines()
            if not 0 < count <= left or int(ends[-1]) != hashes or len(names) != count:
                raise SourceError(
                    self._path,
                    f"the block at byte {at:,} is damaged: expected 1 to {left:,} documents with "
                    f"{hashes:,} hashes, found {count:,} with {int(sizes.sum()):,} and "
                    f"{len(names):,} names; {COPY_AGAIN}",
                )
            yield Block(
                np.frombuffer(data, np.uint64, 2 * count).reshape(-1, 2),
                np.frombuffer(data, np.uint64, hashes, _DIGEST_BYTES * count),
                ends,
                names,
            )
            left, at = left - count, end
        if at != self._size:
            raise SourceError(
                self._path,
                f"expected the end of the file at byte {at:,}, found {self._size - at:,} more "
                f"bytes; {COPY_AGAIN}",
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _check(self, part: str, data: bytes, expected: int, before: int = 0) -> None:
        found = crc32c(data, before)
        if found != expected:
            raise SourceError(
                self._path,
                f"{part} is damaged: expected the checksum {expected:08x}, found {found:08x}; "
                f"{COPY_AGAIN}",
            )

    def _ends(self, found: int, expected: int) -> SourceError:
        return SourceError(
            self._path,
            f"the file ends at byte {found:,}, expected {expected:,} bytes or more; {COPY_AGAIN}",
        )
