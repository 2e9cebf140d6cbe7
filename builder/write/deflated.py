"""Write deflated blocks (docs/format.md, 6.1 and 6.2)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice

from pocketindex.builder.spill.threads import Each
from pocketindex.builder.write.container import Section

_TOGETHER = 16  # blocks that a thread deflates at once

Block = tuple[int, bytes]  # its first number, and its content


def write_blocks(section: Section, blocks: Iterable[Block], each: Each) -> None:
    """Add blocks to a section, each as the length of its content and the content as a raw deflate
    stream.
    """
    for some in each(lambda some: list(map(_deflated, some)), _some(blocks)):
        for first, block in some:
            section.add(first, block)


def _some(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Yield groups of blocks that are large enough for a thread."""
    blocks = iter(blocks)
    while some := list(islice(blocks, _TOGETHER)):
        yield some


def _deflated(block: Block) -> Block:
    first, content = block
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return first, struct.pack("<I", len(content)) + packer.compress(content) + packer.flush()


def varint(value: int) -> bytes:
    """Return a number in base 128, least significant group first."""
    if value < 0x80:
        return _SHORT[value]
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_SHORT = [bytes([value]) for value in range(0x80)]
