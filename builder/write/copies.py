"""Write the copies section (docs/format.md 4.3)."""

from __future__ import annotations

import struct

import numpy as np
from pocketindex.builder.sections.copies import KEY_BITS, CopyKeys
from pocketindex.builder.write.container import Section

BLOCK = 4_096  # documents: what one look-up has to check


def write_copies(section: Section, keys: CopyKeys, documents: int) -> None:
    """Write the section. keys: the copy keys of the short documents, in rising order; documents:
    the number of all documents.
    """
    section.parameters = struct.pack("<IIII", documents, len(keys), BLOCK, 0)
    for start in range(0, len(keys), BLOCK):
        own = keys[start : start + BLOCK]
        section.add(int(own[0]), packed(own))


def packed(keys: CopyKeys) -> bytes:
    """Return copy keys as the bytes of a block."""
    bits = keys[:, None] >> np.arange(KEY_BITS, dtype=np.uint64) & np.uint64(1)
    return np.packbits(bits.astype(np.uint8), bitorder="little").tobytes()
