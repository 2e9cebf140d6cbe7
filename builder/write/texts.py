"""Write the texts section (docs/format.md 6.1): whole texts or snippets in deflated blocks."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.deflated import Block, varint, write_blocks
from pocketindex.contents.texts import KEPT
from pocketindex.wording.snippet import snippet

# A block is inflated whole for one of its texts; beyond the window of deflate it hardly gets
# smaller.
ROOM = 32_768
NUMBERS = {name: number for number, name in KEPT.items()}


def write_texts(
    section: Section,
    texts: Iterable[bytes],
    count: int,
    keep: str,
    characters: int,
    each: Each = one_by_one,
    room: int = ROOM,
) -> None:
    """Write count texts as kept() returns them, in the order of the documents' numbers.

    keep: `text` or `snippet`; characters: the most characters of a snippet.
    """
    characters = characters if keep == "snippet" else 0
    write_blocks(section, _blocks(texts, room), each)
    section.parameters = struct.pack("<IIII", count, NUMBERS[keep], characters, room)


def kept(text: bytes, keep: str, characters: int) -> bytes:
    """Return the part of a text (UTF-8) that is kept: nothing, a snippet of at most characters, or
    all.
    """
    if keep == "snippet":
        return snippet(text.decode(), characters).encode()
    return text if keep == "text" else b""


def _blocks(texts: Iterable[bytes], room: int) -> Iterator[Block]:
    content, first = bytearray(), 0
    for number, text in enumerate(texts):
        record = varint(len(text)) + text
        if content and len(content) + len(record) > room:
            yield first << 32, bytes(content)
            content.clear()
        if len(record) > room:
            for piece, start in enumerate(range(0, len(text), room), 1):
                yield number << 32 | piece, text[start : start + room]
        else:
            if not content:
                first = number
            content += record
    if content:
        yield first << 32, bytes(content)
