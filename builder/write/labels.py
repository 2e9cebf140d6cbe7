"""Write the labels section (docs/format.md 6.5): the sorted labels, and which of them each document
has.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice

from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.deflated import Block, varint, write_blocks
from pocketindex.errors import PocketError, spelled

MOST_LABELS = 65_535  # of a file
MOST = 255  # of a document, its language among them
LANGUAGE = b"lang:"  # begins the label that tells a document's language
ROOM = 8_192  # bytes of the content of a block of labels
DOCUMENTS = 2_048  # of a block: 2 KB where each has one of some dozens of labels
OF_DOCUMENTS = 1 << 32  # first of the first block of documents
_KNOWN = 65_536  # documents' lists of labels that are not looked up again


def write_labels(
    section: Section,
    packed: Callable[[], Iterable[bytes]],
    count: int,
    field: str,
    each: Each = one_by_one,
    room: int = ROOM,
    together: int = DOCUMENTS,
) -> None:
    """Write the labels, and which of them each of count documents has.

    packed: takes nothing and yields the labels of each document, in the order of the documents'
    numbers, each label after its length. field: the name of the field in the source, for an error.
    together: the documents of a block. Raises PocketError if there are too many labels.
    """
    names, sizes = _gathered(packed(), field)
    labels = sorted(names)
    numbers = {label: number for number, label in enumerate(labels)}
    least = min(sizes, default=0)
    count_bits = (max(sizes, default=0) - least).bit_length()
    blocks = list(_names(labels, room))
    write_blocks(section, blocks, each)
    if labels:
        width = max(1, (len(labels) - 1).bit_length())

        @lru_cache(_KNOWN)
        def of(own: bytes) -> tuple[int, int]:
            """Return the number of labels of a document, and the numbers of these, as bits."""
            found = sorted({numbers[label] for label in unpacked_labels(own)})
            return len(found), sum(number << i * width for i, number in enumerate(found))

        rest, first = iter(packed()), OF_DOCUMENTS
        while some := list(map(of, islice(rest, together))):
            section.add(first, _documents(some, least, count_bits, width))
            first += together
    section.parameters = struct.pack(
        "<IIIHHII", count, len(labels), together, least, count_bits, len(blocks), room
    )


@lru_cache(_KNOWN)
def with_language(packed: bytes, language: bytes) -> bytes:
    """Add a document's language to its labels, as the label that tells it, unless one of them tells
    it already or they are as many as a document can have.
    """
    tag = language.strip().lower().replace(b"_", b"-")
    own = unpacked_labels(packed) if tag else []
    if not tag or len(own) >= MOST or any(label.startswith(LANGUAGE) for label in own):
        return packed
    label = LANGUAGE + tag
    return packed + len(label).to_bytes(2, "little") + label


def unpacked_labels(packed: bytes) -> list[bytes]:
    """Unpack labels, each of which follows its length."""
    labels, at = list[bytes](), 0
    while at < len(packed):
        end = at + 2 + int.from_bytes(packed[at : at + 2], "little")
        labels.append(packed[at + 2 : end])
        at = end
    return labels


def _gathered(packed: Iterable[bytes], field: str) -> tuple[set[bytes], set[int]]:
    """Return all labels, and the numbers of labels that documents have."""
    names, sizes = set[bytes](), set[int]()

    @lru_cache(_KNOWN)
    def size(own: bytes) -> int:
        labels = set(unpacked_labels(own))
        names.update(labels)
        if len(names) > MOST_LABELS:
            raise PocketError(
                f'the field "{field}" has more than {MOST_LABELS:,} different labels, which is '
                f"what a file holds; name a field of fewer values with "
                f"{spelled('label')}, or omit it"
            )
        return len(labels)

    for own in packed:
        sizes.add(size(own))
    return names, sizes


def _names(labels: Iterable[bytes], room: int) -> Iterator[Block]:
    """Yield blocks of labels, each of which follows its length."""
    content, first = bytearray(), 0
    for number, label in enumerate(labels):
        record = varint(len(label)) + label
        if content and len(content) + len(record) > room:
            yield first, bytes(content)
            content.clear()
        if not content:
            first = number
        content += record
    if content:
        yield first, bytes(content)


def _documents(some: list[tuple[int, int]], least: int, count_bits: int, width: int) -> bytes:
    """Return a block of documents: how many labels each has, and the numbers of these, as bits."""
    # Digits joined and read once: shifting one number that grows takes the square of the time.
    digits = [f"{size - least:0{count_bits}b}" if count_bits else "" for size, _ in some]
    digits += [f"{bits:0{size * width}b}" if size else "" for size, bits in some]
    joined = "".join(reversed(digits))
    return int(joined, 2).to_bytes((len(joined) + 7) // 8, "little")
