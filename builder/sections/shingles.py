"""Read the keys of the passages section from a finished file (docs/format.md 3.4, 6.3)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from pocketindex.builder.sections.pocket_file import PocketFile, Section
from pocketindex.builder.spill.sorted_files import Keys, Pairs, Values
from pocketindex.constants import SectionKind

_HEAD = struct.Struct("<IIIII")  # of a part, and its quotients
_SAMPLE = 64

Bytes = npt.NDArray[np.uint8]


def shingle_settings(file: PocketFile) -> tuple[int, ...]:
    """Return the terms of a shingle, the shingles of a window, the most documents of a shingle that
    is not frequent, and the key range of a file.
    """
    return file[SectionKind.PASSAGES].numbers(72, 4)


def key_range_of(file: PocketFile) -> int:
    """Return the key range of the file's shingles."""
    return shingle_settings(file)[3]


def shingles_of(file: PocketFile, frequent: bool) -> Iterator[Pairs]:
    """Yield pairs of keys and documents, in rising order of keys, a part at a time. frequent:
    whether to yield the frequent keys or all others. Raises Damaged.
    """
    section = file[SectionKind.PASSAGES]
    rare = section.numbers(28, 1)[0]
    parts = range(rare, len(section.firsts)) if frequent else range(rare)
    for number in parts:
        keys, documents = _pairs(section, number, int(section.firsts[number]))
        if frequent:
            yield keys, documents
        else:
            yield _without_frequent(keys, documents, len(file))


def _without_frequent(keys: Keys, documents: Values, count: int) -> Pairs:
    """Leave out the frequent keys of a part of the table of all keys. They have the number of all
    documents as one of their postings.
    """
    kept = ~np.isin(keys, keys[documents == count])
    return keys[kept], documents[kept]


def _pairs(section: Section, number: int, first: int) -> Pairs:
    """Return the keys and postings of a part."""
    rest_bits, posting_bits = section.numbers(8, 2)
    content = section.blocks(number, number + 1)
    block = np.frombuffer(content, np.uint8)
    try:
        keys, postings, hash_size, _, quotients = _HEAD.unpack_from(content)
        flat = keys == postings
        sizes = (
            _HEAD.size,
            2 * -(-quotients // _SAMPLE),
            hash_size - 4 - 2 * -(-quotients // _SAMPLE),
            keys * rest_bits // 8,
            0 if flat else 4 * -(-keys // _SAMPLE),
            0 if flat else -(-postings // 8),
        )
        _, _, unary, rests, _, lasts, packed = np.split(block, np.cumsum(sizes))
        places = np.flatnonzero(np.unpackbits(unary, bitorder="little")).astype(np.uint64)
        own = (places - np.arange(keys, dtype=np.uint64)) << np.uint64(rest_bits)
        own += _numbers(rests, keys, rest_bits) + np.uint64(first >> rest_bits << rest_bits)
        of = np.arange(keys)
        if not flat:
            ends = np.unpackbits(lasts, bitorder="little")[:postings].astype(np.int64)
            of = np.cumsum(ends) - ends
        return own[of], _numbers(packed, postings, posting_bits).astype(np.uint32)
    except (ValueError, IndexError, struct.error):
        raise section.damaged("part") from None


def _numbers(packed: Bytes, count: int, bits: int) -> npt.NDArray[np.uint64]:
    """Unpack count numbers of the same number of bits."""
    own = np.unpackbits(packed, bitorder="little")[: count * bits].reshape(count, bits)
    padded = np.zeros((count, 64), np.uint8)
    padded[:, :bits] = own
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").reshape(count)
