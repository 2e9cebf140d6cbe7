"""From (key, document) to parts (docs/format.md, section 3): the similarity tables, and the id table, which is laid out alike."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pocketindex.builder.container import Section
from pocketindex.builder.mph import MPHS, Effort, build_part

MOST_KEYS_PER_PART = 65_000

Keys = np.ndarray[Any, np.dtype[np.uint64]]


def posting_bits(documents: int) -> int:
    """Bits that hold every document number."""
    return max(1, (documents - 1).bit_length()) if documents else 1


def write_tables(
    section: Section,
    columns: Sequence[Keys],
    *,
    mph: str = "pilot",
    checksum_bits: int = 16,
    keys_per_part: int = 60_000,
    default_probes: int = 1,
    done: Callable[[int], None] = lambda keys: None,
) -> list[Effort]:
    """Write one table for each column; columns[t][i] is document i's key in table t.

    Parts are equal ranges of the sorted keys with at most keys_per_part of them. done is told the keys written. Returns the effort that
    the parts' hashes took.
    """
    documents = len(columns[0])
    bits = posting_bits(documents)
    rows, efforts = [], []
    for column in columns:
        order = np.argsort(column, kind="stable").astype(np.uint32)
        keys, starts = np.unique(column[order], return_index=True)
        starts = np.append(starts, documents).astype(np.uint64)
        parts = -(-len(keys) // keys_per_part)
        first_part = section.block_count
        for i in range(parts):
            low, high = i * len(keys) // parts, (i + 1) * len(keys) // parts
            begin, end = int(starts[low]), int(starts[high])
            part, effort = build_part(
                mph, keys[low:high], starts[low : high + 1] - starts[low], order[begin:end], checksum_bits=checksum_bits, posting_bits=bits
            )
            section.add(int(keys[low]), part)
            efforts.append(effort)
            done(high - low)
        rows.append(struct.pack("<IIQQ", first_part, parts, len(keys), documents))
    section.parameters = struct.pack("<IIIIII", len(columns), MPHS[mph], checksum_bits, bits, 0, default_probes) + b"".join(rows)
    return efforts
