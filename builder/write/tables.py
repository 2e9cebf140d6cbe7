"""From (key, document) to parts (docs/format.md, section 3): the similarity tables, and the id
table, which is laid out alike.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from pocketindex.builder.work.sorted_files import Pairs, grouped, sizes
from pocketindex.builder.work.threads import Threads
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.perfect_hash import MPHS, Effort, build_part

MOST_KEYS_PER_PART = 65_000


def posting_bits(documents: int) -> int:
    """Bits that hold every document number."""
    return max(1, (documents - 1).bit_length()) if documents else 1


def write_tables(
    section: Section,
    tables: Sequence[Iterable[Pairs]],
    documents: int,
    threads: Threads,
    *,
    mph: str = "pilot",
    checksum_bits: int = 16,
    keys_per_part: int = 60_000,
    default_probes: int = 1,
    numbers: npt.NDArray[np.uint32] | None = None,
    done: Callable[[int], None] = lambda postings: None,
) -> list[Effort]:
    """Write the tables, of sorted pairs of keys and documents, which are gone through twice.

    Parts are equal ranges of the sorted keys with at most keys_per_part of them. numbers: of the
    documents in the file, where these are not the values of the pairs. done is told the postings
    written. Returns the effort that the parts' hashes took.
    """
    bits = posting_bits(documents)
    shapes = list[tuple[int, int, int]]()
    efforts = list[Effort]()

    def pieces() -> Iterator[Pairs]:
        for pairs in tables:
            keys, postings = sizes(pairs)
            parts = -(-keys // keys_per_part)
            shapes.append((parts, keys, postings))
            yield from grouped(
                pairs,
                [(i + 1) * keys // parts - i * keys // parts for i in range(parts)],
            )

    def part(pairs: Pairs) -> tuple[int, int, bytes, Effort]:
        keys, postings = pairs
        if numbers is not None:
            postings = numbers[postings]
            order = np.lexsort((postings, keys))
            postings = postings[order]
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        ends = np.append(starts, len(keys)).astype(np.uint64)
        content, effort = build_part(
            mph, keys[starts], ends, postings, checksum_bits=checksum_bits, posting_bits=bits
        )
        return int(keys[0]), len(keys), content, effort

    # The parts of all tables in a row: a small collection has no more than one or two in each.
    for first, count, content, effort in threads.map(part, pieces()):
        section.add(first, content)
        efforts.append(effort)
        done(count)
    blocks = accumulate((parts for parts, *_ in shapes), initial=0)
    rows = (
        struct.pack("<IIQQ", block, parts, keys, postings)
        for block, (parts, keys, postings) in zip(blocks, shapes, strict=False)
    )
    section.parameters = struct.pack(
        "<IIIIII", len(tables), MPHS[mph], checksum_bits, bits, 0, default_probes
    ) + b"".join(rows)
    return efforts
