"""Write tables (docs/format.md, section 3) from pairs of keys and documents: the similarity tables,
and the id table, which has the same layout.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.sorted_files import Pairs, grouped, sizes
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.perfect_hash import NUMBERS, Effort, build_part

MOST_KEYS_PER_PART = 65_000


def posting_bits(documents: int) -> int:
    """Return the number of bits that hold every document's number."""
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
    """Write tables from sorted pairs of keys and documents, which are iterated twice.

    The parts are equal ranges of the sorted keys, with at most keys_per_part keys each. numbers:
    the numbers of the documents in the file, if the values of the pairs are not these numbers.
    done: called with the number of postings after each write. Returns the effort that the hashes of
    the parts took.
    """
    shapes = list[TableShape]()

    def pieces() -> Iterator[Pairs]:
        for pairs in tables:
            shapes.append(TableShape.of(*sizes(pairs), keys_per_part))
            bounds = shapes[-1].bounds()
            yield from grouped(pairs, [end - start for start, end in pairwise(bounds)])

    maker = PartMaker(mph, checksum_bits, posting_bits(documents), numbers)
    # The parts of all tables in a row: a small collection has no more than one or two in each.
    parts = threads.map(maker, pieces())
    return write_parts(section, parts, shapes, maker, default_probes, done)


@dataclass(frozen=True)
class TableShape:
    """The number of parts, different keys and postings of a table."""

    parts: int
    keys: int
    postings: int

    @classmethod
    def of(cls, keys: int, postings: int, keys_per_part: int) -> TableShape:
        return cls(-(-keys // keys_per_part), keys, postings)

    def bounds(self) -> list[int]:
        """Return the number of the first key of each part, and the number of all keys."""
        return [i * self.keys // self.parts for i in range(self.parts + 1)] if self.parts else [0]


class Part(NamedTuple):
    """A part: its bytes, its first key, and its number of postings."""

    first: int
    postings: int
    content: bytes
    effort: Effort


@dataclass(frozen=True)
class PartMaker:
    """Make parts from sorted pairs. numbers: the numbers of the documents in the file, if the
    values of the pairs are not these numbers.
    """

    mph: str
    checksum_bits: int
    posting_bits: int
    numbers: npt.NDArray[np.uint32] | None = None

    def __call__(self, pairs: Pairs) -> Part:
        keys, postings = pairs
        if self.numbers is not None:
            postings = self.numbers[postings]
            order = np.lexsort((postings, keys))
            postings = postings[order]
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        content, effort = build_part(
            self.mph,
            keys[starts],
            np.append(starts, len(keys)).astype(np.uint64),
            postings,
            checksum_bits=self.checksum_bits,
            posting_bits=self.posting_bits,
        )
        return Part(int(keys[0]), len(keys), content, effort)


def write_parts(
    section: Section,
    parts: Iterable[Part],
    shapes: Sequence[TableShape],
    maker: PartMaker,
    default_probes: int = 1,
    done: Callable[[int], None] = lambda postings: None,
) -> list[Effort]:
    """Write the parts of all tables, in order, and the parameters. shapes: those of the tables;
    they may be added while parts are written.
    """
    efforts = list[Effort]()
    for part in parts:
        section.add(part.first, part.content)
        efforts.append(part.effort)
        done(part.postings)
    blocks = accumulate((shape.parts for shape in shapes), initial=0)
    rows = (
        struct.pack("<IIQQ", block, shape.parts, shape.keys, shape.postings)
        for block, shape in zip(blocks, shapes, strict=False)
    )
    head = (len(shapes), NUMBERS[maker.mph], maker.checksum_bits, maker.posting_bits)
    section.parameters = struct.pack("<IIIIII", *head, 0, default_probes) + b"".join(rows)
    return efforts
