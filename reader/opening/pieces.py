"""A file whose blocks are fetched when a call needs them. It is opened by its heads, and each call
is repeated until it has all its blocks.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pocketindex.cbits import IN_PIECES, ffi
from pocketindex.cbits._core import lib
from pocketindex.constants import MAGIC
from pocketindex.errors import Damaged, NotAPocketFile, TooNew
from pocketindex.ffi.status import check
from pocketindex.opening.ranges import Range, Ranges

_HEADER, _ENTRY, _DIRECTORY = 32, 40, 20  # bytes (docs/format.md 1)
_MAJOR, _MOST_SECTIONS = 1, 64
_MOST_HEADS = 256_000_000  # bytes
_GAP = 32_768  # bytes between blocks that are read and thrown away rather than asked for around
_READS = 40  # of a round, beyond which larger gaps are read, too
_SPENT = 600_000  # bytes of these
_LONGEST = 4_000_000  # bytes of a read
_ROOM = 4_096  # blocks that the core is asked for at once
# What goes into a call and comes out of it changed, such as the room for hits.
_NUMBERS = (ffi.typeof("uint32_t *"), ffi.typeof("uint64_t *"))


@dataclass(frozen=True, slots=True)
class _Block:
    section: int
    number: int
    offset: int
    length: int


def open_in_pieces(ranges: Ranges) -> Any:
    """Open a file by its heads and return the core's handle, with which calls then fetch what they
    miss. Raises NotAPocketFile, TooNew, Damaged, NotReachable.
    """
    heads = _heads(ranges)
    out, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    check(lib.pocket_open_pieces(heads, len(heads), out, error), error, ranges.name)
    handle = ffi.gc(out[0], lib.pocket_close)
    IN_PIECES[handle] = _Pieces(ranges)
    return handle


def fetch_all(handle: Any) -> None:
    """Fetch all blocks, before a call that reads every one."""
    pieces = IN_PIECES.get(handle)
    if pieces is not None:
        pieces.fetch_all(handle)


class _Pieces:
    """The blocks that were fetched of a file. The core lends none while another call runs, so calls
    are made one after another.
    """

    def __init__(self, ranges: Ranges) -> None:
        self._ranges, self._lock = ranges, threading.RLock()
        self._lent: list[bytes] = []  # for as long as the file is open

    def ask(self, call: Callable[..., Any], handle: Any, arguments: Sequence[Any]) -> Any:
        """Repeat a call of the core until it has all its blocks, and return its status."""
        with self._lock:
            given = [(one, one[0]) for one in arguments if _is_number(one)]
            while True:
                status = call(handle, *arguments)
                if status != lib.POCKET_NOT_AT_HAND or not self._fetch(handle):
                    return status
                for pointer, value in given:
                    pointer[0] = value

    def fetch_all(self, handle: Any) -> None:
        section = ffi.new("pocket_section *")
        with self._lock:
            for number in range(lib.pocket_section_count(handle)):
                lib.pocket_section_get(handle, number, section)
                lib.pocket_miss(handle, section.kind)
                self._fetch(handle)

    def _fetch(self, handle: Any) -> bool:
        """Fetch the blocks that calls have missed, and lend them to the core. Return whether there
        were any.
        """
        some = False
        while missed := _missed(handle):
            some = True
            try:
                reads = _reads(missed)
                contents = self._ranges.read([(one[0].offset, _end(one)) for one in reads])
            except BaseException:  # no later call is to stumble over what this one has missed
                for block in missed:
                    lib.pocket_lend(handle, block.section, block.number, ffi.NULL)
                raise
            for content, blocks in zip(contents, reads, strict=True):
                self._lent.append(content)
                start = ffi.from_buffer("uint8_t[]", content)
                for block in blocks:
                    own = start + (block.offset - blocks[0].offset)
                    lib.pocket_lend(handle, block.section, block.number, own)
        return some


def _is_number(argument: Any) -> bool:
    return isinstance(argument, ffi.CData) and ffi.typeof(argument) in _NUMBERS and argument


def _missed(handle: Any) -> list[_Block]:
    room, count = ffi.new("pocket_block[]", _ROOM), ffi.new("uint32_t *", _ROOM)
    lib.pocket_missed(handle, room, count)
    return [_Block(one.section, one.number, one.offset, one.length) for one in room[0 : count[0]]]


def _reads(blocks: Sequence[_Block]) -> list[list[_Block]]:
    """Return reads of neighbouring blocks; blocks: in the order of the file.

    A small gap between two blocks is read and thrown away. If many reads are left, the smallest of
    the other gaps are read, too, up to as many bytes as the saved reads are worth.
    """
    gaps = [after.offset - (before.offset + before.length) for before, after in pairwise(blocks)]
    together = {place for place, gap in enumerate(gaps) if gap <= _GAP}
    spent = 0
    for place in sorted(range(len(gaps)), key=gaps.__getitem__)[len(together) :]:
        spent += gaps[place]
        if len(blocks) - len(together) <= _READS or spent > _SPENT:
            break
        together.add(place)
    reads = [[block] for block in blocks[:1]]
    for place, block in enumerate(blocks[1:]):
        last = reads[-1]
        if place in together and block.offset + block.length - last[0].offset <= _LONGEST:
            last.append(block)
        else:
            reads.append([block])
    return reads


def _end(blocks: Sequence[_Block]) -> int:
    """Return the number of bytes of a read."""
    return blocks[-1].offset + blocks[-1].length - blocks[0].offset


def _heads(ranges: Ranges) -> bytes:
    """Return the header, the section table and each section's head. The core checks them; here only
    so much that nothing absurd is read.
    """
    name, size, first = ranges.name, ranges.size, ranges.first
    if len(first) < _HEADER or not first.startswith(MAGIC):
        raise NotAPocketFile(name, first[: len(MAGIC)])
    major, sections, said = struct.unpack_from("<HxxIQ", first, 8)
    if major != _MAJOR:
        raise TooNew(name, "major version", _MAJOR, major)
    if said != size:
        raise Damaged(name, "header", None, "file size", said, size)
    end = _HEADER + _ENTRY * sections
    if not 1 <= sections <= _MOST_SECTIONS or end > len(first):
        raise Damaged(name, "header", None, "sections", f"1 to {_MOST_SECTIONS}", sections)
    places = list[Range]()
    for number in range(sections):
        entry = struct.unpack_from("<IIQQII", first, _HEADER + _ENTRY * number)
        offset, length = entry[2], entry[4] + _DIRECTORY * entry[5]
        if (last := offset + length) > size:
            raise Damaged(name, "header", None, "end of a section", f"at most {size}", last)
        places.append((offset, length))
    if (total := sum(length for _, length in places)) > _MOST_HEADS:
        raise Damaged(name, "header", None, "heads", f"at most {_MOST_HEADS}", total)
    blocks = [_Block(0, i, *place) for i, place in enumerate(places) if sum(place) > len(first)]
    reads = _reads(sorted(blocks, key=lambda block: block.offset))
    contents = ranges.read([(one[0].offset, _end(one)) for one in reads])
    parts = {i: first[offset : offset + length] for i, (offset, length) in enumerate(places)}
    for content, own in zip(contents, reads, strict=True):
        for block in own:
            start = block.offset - own[0].offset
            parts[block.number] = content[start : start + block.length]
    return first[:end] + b"".join(parts[i] for i in range(sections))
