"""Read the texts that a pocket file keeps, in the order of its documents (docs/format.md 6.1)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
from pocketindex.builder.sections.pocket_file import Section
from pocketindex.ffi.interrupt import go_on

_PIECE = (1 << 32) - 1


def texts_of(section: Section, start: int, end: int) -> Iterator[bytes]:
    """Yield what is kept of the texts of documents start .. end - 1. Raises Damaged."""
    block = int(np.searchsorted(section.firsts, np.uint64(start << 32 | 1), "right")) - 1
    document = int(section.firsts[block]) >> 32
    while document < end:
        go_on()
        if int(section.firsts[block]) & _PIECE:
            pieces, number = [_content(section, block)], document
            while (block := block + 1) < len(section) and (
                int(section.firsts[block]) >> 32 == number
            ):
                pieces.append(_content(section, block))
            own = [b"".join(pieces)]
        else:
            own, block = _whole(section, _content(section, block)), block + 1
        for text in own:
            if start <= document < end:
                yield text
            document += 1
        if block == len(section):
            break
    if document < end:
        raise section.damaged("number of texts")


def _content(section: Section, block: int) -> bytes:
    packed = section.blocks(block, block + 1)
    size = int.from_bytes(packed[:4], "little")
    try:
        return zlib.decompressobj(-15).decompress(packed[4:], size)
    except zlib.error:
        raise section.damaged("deflate stream") from None


def _whole(section: Section, content: bytes) -> list[bytes]:
    """Return the texts of a block that has whole documents."""
    found, at = list[bytes](), 0
    while at < len(content):
        size = shift = 0
        while at < len(content):
            byte = content[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if at + size > len(content):
            raise section.damaged("length of a text")
        found.append(content[at : at + size])
        at += size
    return found
