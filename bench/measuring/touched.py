"""What a query touches of a file: the blocks that it needs, asked of a reader that has only those
that it missed (pocket_open_pieces).
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Any, NamedTuple

from pocketindex.calls.status import check
from pocketindex.cbits import ffi, lib, query_options

_NOT_AT_HAND = 13
_ROOM = 4096
_HITS = 10
GAP = 32_768  # bytes that are read and thrown away rather than asked for around, as by the page


class Touched(NamedTuple):
    """blocks that a query needs, and their bytes; reads: runs of them, with the gaps between;
    rounds: of reads that wait for those before.
    """

    blocks: int
    size: int
    reads: int
    read: int
    rounds: int


def touched(path: Path, texts: list[bytes], probes: int = 0) -> list[Touched]:
    """What each text's query needs, of a file of which nothing is in memory but its directories."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        heads = ffi.from_buffer("uint8_t[]", _heads(data))
        whole = ffi.from_buffer("uint8_t[]", data)
        try:
            return [_asked(heads, whole, text, probes) for text in texts]
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


def _asked(heads: Any, whole: Any, text: bytes, probes: int) -> Touched:
    handle, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    check(lib.pocket_open_pieces(heads, len(heads), handle, error), error, "pieces")
    try:
        hits, count = ffi.new("pocket_hit[]", _HITS), ffi.new("uint32_t *")
        rounds: list[list[tuple[int, int]]] = []
        while True:
            count[0] = _HITS
            status = lib.pocket_query(
                handle[0], text, len(text), query_options(probes), hits, count, error
            )
            if status != _NOT_AT_HAND:
                check(status, error, "pieces")
                break
            rounds.append(_lend_missed(handle[0], whole, error))
    finally:
        lib.pocket_close(handle[0])
    runs = [run for each in rounds for run in _runs(each)]
    sizes = [length for each in rounds for _, length in each]
    return Touched(
        len(sizes), sum(sizes), len(runs), sum(end - start for start, end in runs), len(rounds)
    )


def _lend_missed(handle: Any, whole: Any, error: Any) -> list[tuple[int, int]]:
    """Lend what was missed; offset and length of each block."""
    blocks = ffi.new("pocket_block[]", _ROOM)
    count = ffi.new("uint32_t *")
    lent = list[tuple[int, int]]()
    while True:
        count[0] = _ROOM
        lib.pocket_missed(handle, blocks, count)
        for block in blocks[0 : count[0]]:
            check(
                lib.pocket_lend(handle, block.section, block.number, whole + block.offset),
                error,
                "pieces",
            )
            lent.append((block.offset, block.length))
        if count[0] < _ROOM:
            return lent


def _runs(blocks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Start and end of what is read at once."""
    runs: list[tuple[int, int]] = []
    for offset, length in sorted(blocks):
        if runs and offset - runs[-1][1] <= GAP:
            runs[-1] = (runs[-1][0], offset + length)
        else:
            runs.append((offset, offset + length))
    return runs
