"""The documents section (docs/format.md, section 5): ids, titles and urls in deflate blocks."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from pocketindex.builder.container import Section
from pocketindex.builder.workers import Each, one_by_one

# A block is inflated whole for one of its records: four times as much saves .9 bytes a document and costs 40 microseconds a hit.
CONTENT_BYTES = 4_096
_TOGETHER = 16  # blocks that a thread deflates at once

Records = tuple[bytes, np.ndarray[Any, np.dtype[np.uint64]]]  # one after the other, and where each ends
Block = tuple[int, bytes]  # its first number, and its content


def write_documents(section: Section, records: Iterable[Records], count: int, url_template: str, each: Each = one_by_one) -> None:
    """Write count records in order of their numbers, some at a time."""
    write_blocks(section, _blocks(records), each)
    template = url_template.encode()
    section.parameters = struct.pack("<II", count, len(template)) + template


def _blocks(records: Iterable[Records]) -> Iterator[Block]:
    waiting, ends, first = b"", np.zeros(0, np.uint64), 0
    for more, their_ends in records:
        ends = np.concatenate([ends, their_ends + np.uint64(len(waiting))])
        waiting, start, done = waiting + more, 0, 0
        # What fills no block yet may go on in the next.
        while (last := max(int(np.searchsorted(ends, np.uint64(start + CONTENT_BYTES), "right")), done + 1)) < len(ends):
            end = int(ends[last - 1])
            yield first + done, waiting[start:end]
            start, done = end, last
        waiting, ends, first = waiting[start:], ends[done:] - np.uint64(start), first + done
    if waiting:
        yield first, waiting


def write_blocks(section: Section, blocks: Iterable[Block], each: Each) -> None:
    """Add blocks to a section: the length of the content, and the content as a raw deflate stream."""
    for some in each(lambda some: list(map(_deflated, some)), _some(blocks)):
        for first, block in some:
            section.add(first, block)


def _some(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Enough of them for a thread to be worth its while."""
    blocks = iter(blocks)
    while some := list(islice(blocks, _TOGETHER)):
        yield some


def _deflated(block: Block) -> Block:
    first, content = block
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return first, struct.pack("<I", len(content)) + packer.compress(content) + packer.flush()


def varint(value: int) -> bytes:
    """Base 128, least significant group first."""
    if value < 0x80:
        return _SHORT[value]
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_SHORT = [bytes([value]) for value in range(0x80)]
