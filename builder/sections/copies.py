"""The copy keys of a finished file (docs/format.md 4.3)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.constants import SectionKind

KEY_BITS = 39

CopyKeys = npt.NDArray[np.uint64]


def copy_keys_of(file: PocketFile) -> CopyKeys:
    """Return the copy keys of the short documents that have one, in the order of the file. Raises
    Damaged.
    """
    if SectionKind.COPIES not in file:
        return np.zeros(0, np.uint64)
    part = file[SectionKind.COPIES]
    count, each = part.numbers(4, 2)
    found = [np.zeros(0, np.uint64)]
    for block, content in enumerate(part):
        found.append(_unpacked(content, min(each, count - block * each)))
    return np.concatenate(found)


def _unpacked(block: bytes, count: int) -> CopyKeys:
    bits = np.unpackbits(np.frombuffer(block, np.uint8), bitorder="little")[: count * KEY_BITS]
    weights = np.uint64(1) << np.arange(KEY_BITS, dtype=np.uint64)
    keys: CopyKeys = bits.reshape(count, KEY_BITS).astype(np.uint64) @ weights
    return keys
