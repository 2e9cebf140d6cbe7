"""The fourth stage: sort the keys of tables, ids and shingles in ranges, and cut these into parts,
whose bytes are made by tasks.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.key_sections import HASH_CHECKSUM_BITS
from pocketindex.builder.schemes.inherited import Inherited
from pocketindex.builder.sections.shingle_numbers import shingle_numbers
from pocketindex.builder.spill.sorted_files import Pairs
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.passages import (
    ShingleLists,
    keys_of_parts,
    passages_parameters,
    range_for,
    shingles_maker,
)
from pocketindex.builder.write.tables import (
    Part,
    PartMaker,
    TableShape,
    posting_bits,
    write_parts,
)
from pocketindex.spark.reading import numbered
from pocketindex.spark.sketching import Sketched
from pocketindex.spark.stages import Row, kept_on_disk, made, numbers, stage, streamed

PAIRS = 1 << 20  # of a range, about, and of a row
APART = 1_024  # pairs of a batch between two whose keys tell where ranges begin

Numbers = npt.NDArray[np.uint32]
Bounds = list[npt.NDArray[np.uint64]]


@dataclass(frozen=True)
class Source:
    """Where pairs of keys and documents come from: the tables of sub-keys, then ids, then shingles
    twice, because they have two tables. All of these are numbered as tables here.

    numbers: the numbers of the documents in the file, None if they keep the order in which they
    came. shingle_key_range: the key range of shingles, 0 without shingles.
    """

    firsts: dict[int, int]
    numbers: Numbers | None
    tables: int
    shingle_key_range: int

    def pairs(self, rows: Iterator[Row]) -> Iterator[list[Pairs]]:
        """Yield the pairs of each table, of some documents at a time."""
        for first, row in numbered(self.firsts, rows):
            count = row["count"]
            own = (
                np.arange(first, first + count, dtype=np.uint32)
                if self.numbers is None
                else self.numbers[first : first + count]
            )
            sketched = own[numbers(row["copies"], np.uint64) == 0]
            keys = numbers(row["keys"], np.uint64).reshape(self.tables, len(sketched))
            found = [(some, sketched) for some in keys]
            found.append((numbers(row["hashes"], np.uint64), own))
            if self.shingle_key_range:
                shingles = shingle_numbers(
                    numbers(row["shingles"], np.uint64), self.shingle_key_range
                )
                documents = own[numbers(row["shingle_places"], np.uint32)]
                found += [(shingles, documents)] * 2
            yield found


class ShingleShape(NamedTuple):
    """The arguments of ShingleLists other than the pairs."""

    most: int
    documents: int
    frequent: bool


class Keys:
    """The sections that are looked up by keys, for a Content."""

    def __init__(
        self,
        sketched: Sketched,
        tables: int,
        own: Numbers | None,
        inherited: Inherited | None,
        context: Context,
        stack: ExitStack,
    ) -> None:
        settings = context.settings
        self._context = context
        self._tables = tables
        shingles = 2 * ("passages" in settings.index)  # tables
        self._shingle_key_range = range_for(sketched.shingles) if shingles else 0
        if (
            shingles
            and inherited
            and (brought := inherited.shingle_key_range(settings.shingle_shape))
        ):
            self._shingle_key_range = brought
        source = Source(sketched.firsts, own, tables, self._shingle_key_range)
        pairs = [sketched.with_sketch] * tables + [sketched.count] + [sketched.shingles] * shingles
        columns = [
            "part",
            "count",
            "copies",
            "keys",
            "hashes",
            *(["shingles", "shingle_places"] if shingles else []),
        ]
        frame = sketched.batches.select(*columns)
        context.progress.phase("sorting keys", documents=sum(pairs), unit="postings")
        self._bounds = _bounds(frame, source, [-(-count // PAIRS) or 1 for count in pairs])
        shapes: list[ShingleShape | None] = [None] * (tables + 1)
        if shingles:
            own_shape = settings.run_documents, sketched.count
            shapes += [ShingleShape(*own_shape, frequent) for frequent in (False, True)]
        sorted_keys = kept_on_disk(_sorted(frame, source, self._bounds, shapes), stack)
        bits = [posting_bits(count) for count in (sketched.with_sketch, sketched.count)]
        self._maker = PartMaker(settings.mph, settings.checksums, bits[0])
        self._hashed = PartMaker("pilot", HASH_CHECKSUM_BITS, bits[1])
        per_part = [settings.keys_per_part] * (tables + 1)
        per_part += keys_of_parts(settings.keys_per_part)
        self._shapes, ranks = self._counted(sorted_keys, per_part)
        self._makers = [self._maker] * tables + [self._hashed]
        if shingles:
            own_keys = self._shapes[-2].keys
            maker = shingles_maker(own_keys, self._shingle_key_range, sketched.count)
            self._makers += [maker] * shingles
        work = partial(_parts, self._tables_of(), ranks, self._shapes, self._makers)
        kinds = {"table": "int", "part": "binary", "keys": "binary", "numbers": "binary"}
        context.progress.phase("building parts", documents=sum(pairs), unit="postings")
        self._parts = made(kept_on_disk(stage(sorted_keys, work, kinds | {"last": "int"}), stack))

    def write_tables(self, tables: Section, ids: Section, probes: int) -> None:
        """Write the tables, then the ids."""
        self._context.progress.phase("writing tables")
        self._write(tables, self._maker, 0, self._tables, probes)
        self._write(ids, self._hashed, self._tables, self._tables + 1)

    def write_passages(self, section: Section) -> None:
        """Write the passages section (docs/format.md 6.3)."""
        self._context.progress.phase("writing passages")
        self._write(section, self._makers[-1], self._tables + 1, self._tables + 3)
        section.parameters += passages_parameters(
            self._context.settings.shingle_shape, self._shingle_key_range
        )

    def _write(
        self, section: Section, maker: PartMaker, first: int, end: int, probes: int = 1
    ) -> None:
        own = self._parts.where(f"table >= {first} and table < {end}")
        parts = _joined(self._makers, streamed(own, "table", "part", "keys", "numbers", "last"))
        shapes, done = self._shapes[first:end], self._context.progress.add
        write_parts(section, parts, shapes, maker, probes, done)

    def _tables_of(self) -> list[int]:
        """Return the table of each range."""
        return [table for table, own in enumerate(self._bounds) for _ in range(len(own) + 1)]

    def _counted(self, frame: Any, per_part: Sequence[int]) -> tuple[list[TableShape], list[int]]:
        """Return the shape of each table, and for each range the number of different keys of its
        table before it.
        """
        of_range = self._tables_of()
        counts = np.zeros((len(of_range), 2), np.int64)
        for row in frame.select("range", "different", "pairs").collect():
            counts[row.range] += (row.different, row.pairs)
        shapes, ranks = list[TableShape](), list[int]()
        for table in range(len(self._bounds)):
            own = counts[[place for place, of in enumerate(of_range) if of == table]]
            keys, pairs = own.sum(0).tolist()
            shapes.append(TableShape.of(keys, pairs, per_part[table]))
            ranks += (np.cumsum(own[:, 0]) - own[:, 0]).tolist()
        return shapes, ranks


def _bounds(frame: Any, source: Source, ranges: Sequence[int]) -> Bounds:
    """Where the ranges of each table begin, but for the first: at keys that part them evenly.

    No byte depends on it.
    """
    if max(ranges) == 1:
        return [np.zeros(0, np.uint64) for _ in ranges]

    def task(rows: Iterator[Row]) -> Iterator[Row]:
        for found in source.pairs(rows):
            for table, (keys, _) in enumerate(found):
                yield {"table": table, "keys": np.sort(keys)[APART // 2 :: APART]}

    some: list[list[Any]] = [[np.zeros(0, np.uint64)] for _ in ranges]
    for row in stage(frame, task, {"table": "int", "keys": "binary"}).collect():
        some[row.table].append(numbers(row["keys"], np.uint64))
    found = Bounds()
    for count, own in zip(ranges, some, strict=True):
        keys = np.sort(np.concatenate(own))
        found.append(
            np.unique(keys[np.arange(1, count) * len(keys) // count]) if len(keys) else keys
        )
    return found


def _sorted(
    frame: Any, source: Source, bounds: Bounds, shapes: Sequence[ShingleShape | None]
) -> Any:
    """The pairs of each range, sorted. shapes: of each table, None for one that is not of
    shingles.
    """
    firsts = np.cumsum([0, *(len(own) + 1 for own in bounds)]).tolist()
    cut = stage(
        frame,
        partial(_cut, source, bounds, firsts),
        {"range": "int", "keys": "binary", "numbers": "binary"},
    )
    parted = cut.repartitionById(firsts[-1], cut["range"])
    counted = {"different": "long", "pairs": "long"}
    kinds = {"range": "int", "keys": "binary", "numbers": "binary", **counted}
    of_range = [own for own, some in zip(shapes, bounds, strict=True) for _ in range(len(some) + 1)]
    return stage(parted, partial(_in_order, of_range), kinds)


def _cut(source: Source, bounds: Bounds, firsts: list[int], rows: Iterator[Row]) -> Iterator[Row]:
    """Pairs by range."""
    waiting, count = [list[Pairs]() for _ in bounds], 0
    for found in source.pairs(rows):
        for own, pairs in zip(waiting, found, strict=True):
            own.append(pairs)
            count += len(pairs[0])
        if count >= PAIRS:
            yield from _ranges(waiting, bounds, firsts)
            waiting, count = [list[Pairs]() for _ in bounds], 0
    yield from _ranges(waiting, bounds, firsts)


def _ranges(waiting: list[list[Pairs]], bounds: Bounds, firsts: list[int]) -> Iterator[Row]:
    for table, some in enumerate(waiting):
        if not some:
            continue
        keys, values = (np.concatenate(own) for own in zip(*some, strict=True))
        of = np.searchsorted(bounds[table], keys, "right")
        order = np.argsort(of, kind="stable")
        ends = np.cumsum(np.bincount(of, minlength=len(bounds[table]) + 1))
        for place, own in enumerate(np.split(order, ends[:-1])):
            if len(own):
                yield {"range": firsts[table] + place, "keys": keys[own], "numbers": values[own]}


def _in_order(shapes: list[ShingleShape | None], rows: Iterator[Row]) -> Iterator[Row]:
    """The pairs of a range by key, then by number; shingles as they stand in the section."""
    found = list(rows)
    if not found:
        return
    own = found[0]["range"]
    keys = np.concatenate([numbers(row["keys"], np.uint64) for row in found])
    values = np.concatenate([numbers(row["numbers"], np.uint32) for row in found])
    order = np.lexsort((values, keys))
    keys, values = keys[order], values[order]
    if shape := shapes[own]:
        pairs, (most, documents, frequent) = [(keys, values)], shape
        some = list(ShingleLists(pairs, most, documents, frequent=frequent))
        keys = np.concatenate([np.zeros(0, np.uint64), *(keys for keys, _ in some)])
        values = np.concatenate([np.zeros(0, np.uint32), *(values for _, values in some)])
    different = int(np.count_nonzero(keys[1:] != keys[:-1])) + (len(keys) > 0)
    counts = {"different": different, "pairs": len(keys)}
    for start in range(0, max(len(keys), 1), PAIRS):
        end = start + PAIRS
        yield {"range": own, "keys": keys[start:end], "numbers": values[start:end], **counts}
        counts = dict.fromkeys(counts, 0)


def _parts(
    tables: list[int],
    ranks: list[int],
    shapes: Sequence[TableShape],
    makers: Sequence[PartMaker],
    rows: Iterator[Row],
) -> Iterator[Row]:
    """The parts that lie in a range, and the pieces of those that go on beyond it.

    tables, ranks: of the ranges.
    """
    found = list(rows)
    if not found:
        return
    own = found[0]["range"]
    table, rank = tables[own], ranks[own]
    keys = np.concatenate([numbers(row["keys"], np.uint64) for row in found])
    values = np.concatenate([numbers(row["numbers"], np.uint32) for row in found])
    if not len(keys):
        return
    starts = np.append(np.flatnonzero(np.append(True, keys[1:] != keys[:-1])), len(keys))
    bounds = np.array(shapes[table].bounds(), np.int64)
    last = rank + len(starts) - 1
    for part in range(int(np.searchsorted(bounds, rank, "right")) - 1, shapes[table].parts):
        low, high = max(int(bounds[part]), rank), min(int(bounds[part + 1]), last)
        if low >= high:
            break
        piece = slice(starts[low - rank], starts[high - rank])
        row: Row = {"table": table, "part": b"", "keys": b"", "numbers": b""}
        row["last"] = int(high == bounds[part + 1])
        if low == bounds[part] and row["last"]:
            row["part"] = pickle.dumps(makers[table]((keys[piece], values[piece])))
        else:
            row["keys"], row["numbers"] = keys[piece], values[piece]
        yield row


def _joined(makers: Sequence[PartMaker], rows: Iterator[Any]) -> Iterator[Part]:
    """All parts; those in pieces are made here."""
    waiting = list[Pairs]()
    for row in rows:
        if row.part:
            yield pickle.loads(row.part)  # noqa: S301, of our own tasks
            continue
        waiting.append((numbers(row["keys"], np.uint64), numbers(row.numbers, np.uint32)))
        if row.last:
            keys, values = (np.concatenate(own) for own in zip(*waiting, strict=True))
            yield makers[row.table]((keys, values))
            waiting = []
