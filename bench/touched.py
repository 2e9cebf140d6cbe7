"""What a query touches of a file: the blocks that it needs, asked of a reader that has only those that it missed (pocket_open_pieces)."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.status import check

_NOT_AT_HAND, _ROOM, _HITS = 13, 4096, 10


def touched(path: Path, texts: list[bytes]) -> list[tuple[int, int]]:
    """Blocks and bytes of tables and sketches that each text's query needs, of a file of which nothing is in memory but its directories."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        heads, whole = ffi.from_buffer("uint8_t[]", _heads(data)), ffi.from_buffer("uint8_t[]", data)
        try:
            return [_asked(heads, whole, text) for text in texts]
        finally:
            ffi.release(whole)


def _heads(data: mmap.mmap) -> bytes:
    """Header and section table, then each section's head."""
    (count,) = struct.unpack_from("<I", data, 12)
    heads = [data[: 32 + 40 * count]]
    for i in range(count):
        _, _, offset, _, parameters, blocks = struct.unpack_from("<IIQQII", data, 32 + 40 * i)
        heads.append(data[offset : offset + parameters + 20 * blocks])
    return b"".join(heads)


def _asked(heads: Any, whole: Any, text: bytes) -> tuple[int, int]:
    handle, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    check(lib.pocket_open_pieces(heads, len(heads), handle, error), error, "pieces")
    try:
        hits, count, blocks = ffi.new("pocket_hit[]", _HITS), ffi.new("uint32_t *"), ffi.new("pocket_block[]", _ROOM)
        lent = size = 0
        while True:
            count[0] = _HITS
            status = lib.pocket_query(handle[0], text, len(text), 0, hits, count, ffi.NULL, error)
            if status != _NOT_AT_HAND:
                check(status, error, "pieces")
                return lent, size
            while True:
                count[0] = _ROOM
                lib.pocket_missed(handle[0], blocks, count)
                for block in blocks[0 : count[0]]:
                    check(lib.pocket_lend(handle[0], block.section, block.number, whole + block.offset), error, "pieces")
                    lent, size = lent + 1, size + block.length
                if count[0] < _ROOM:
                    break
    finally:
        lib.pocket_close(handle[0])
