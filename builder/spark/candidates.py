"""Which texts may be near to another one: those that share one of their rarest shingles.

Tasks find them by the rule that a single machine joins sets by (collections/shingles/join.py): they
count all shingles in ranges of one table, choose those of each text that are rarest by it, and
group these. What is left is few, and the driver compares it. A text that nothing is near to may be
among them; none is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, repeat
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.corpus import digest_of
from pocketindex.builder.collections.keep import preference
from pocketindex.builder.collections.options import JACCARD
from pocketindex.builder.collections.shingles.join import groups_of, table_bits
from pocketindex.builder.collections.shingles.sets import (
    Sets,
    Table,
    sets_of_joined,
    slots_of,
)
from pocketindex.builder.spill.sorted_files import Pairs
from pocketindex.spark.reading import Read, details, joined, numbered, texts
from pocketindex.spark.stages import Columns, Row, Task, gathered, numbers, stage

SHINGLE_BYTES = 6  # of a text for each of its shingles: a word, and what is before the next one
AT_ONCE = 1 << 21  # hashes that a task holds before it parts them by their ranges
_RANGE_BITS = 23  # of the slots of a range, which has about as many hashes

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Looked:
    """What is known of documents 0, 1, ... and their shingles.

    digests: of each document, 16 bytes; preferences: see keep.py; terms: of each text; table: how
    many texts have the shingles of each slot.
    """

    digests: bytes
    preferences: npt.NDArray[np.float64]
    terms: npt.NDArray[np.uint32]
    table: Table


def looked_at(found: Read, policy: str, memory: int) -> Looked:
    """Look at all texts. policy: which one is preferred of several; memory: in bytes, of which the
    table takes a quarter at most.
    """
    bits = min(table_bits(found.size // SHINGLE_BYTES, memory), 32)
    ranges = _ranges(bits)
    kinds = {"first": "long", "digests": "binary", "preferences": "binary", "terms": "binary"}
    counts = {"range": "int", "slots": "binary"}
    task = partial(_look, found.firsts, policy, bits, ranges)
    batches = found.batches.select("part", "count", "texts", "details", "text_ends", "detail_ends")
    slots = stage(batches, task, counts | kinds)
    count = partial(_count, bits - _bits_of(ranges))
    size = found.size + 28 * found.count
    counted = _of_ranges(slots, ranges, count, counts | kinds, size)
    digests = bytearray(16 * found.count)
    preferences, terms = np.zeros(found.count), np.zeros(found.count, np.uint32)
    table = np.zeros(1 << bits, np.uint8)
    for row in counted:
        if row["first"] < 0:
            own_counts = numbers(row["slots"], np.uint8)
            start = row["range"] * len(own_counts)
            table[start : start + len(own_counts)] = own_counts
            continue
        own = numbers(row["terms"], np.uint32)
        some = slice(row["first"], row["first"] + len(own))
        digests[16 * some.start : 16 * some.stop] = row["digests"]
        preferences[some], terms[some] = numbers(row["preferences"], np.float64), own
    return Looked(bytes(digests), preferences, terms, table)


def _ranges(bits: int) -> int:
    return 1 << max(bits - _RANGE_BITS, 0)


def _bits_of(ranges: int) -> int:
    return ranges.bit_length() - 1


def _of_ranges(frame: Any, ranges: int, task: Task, columns: Columns, size: int) -> Iterator[Row]:
    """What a task makes of the rows of each range, which has a part of its own; the driver does it
    where there is one range. size: about the bytes that come to the driver.
    """
    if ranges == 1:
        return iter(task(gathered(frame, size)))
    parted = frame.repartitionById(ranges, frame["range"])
    return gathered(stage(parted, task, columns), size)


def _look(
    firsts: dict[int, int], policy: str, bits: int, ranges: int, batches: Iterable[Row]
) -> Iterator[Row]:
    """What is known of each batch of documents, in any range, and the slots of their shingles."""
    nothing = {"first": -1, "digests": b"", "preferences": b"", "terms": b""}
    waiting, held = list[Any](), 0
    for first, row in numbered(firsts, batches):
        hashes, _, terms = sets_of_joined(*joined(row, "text"))
        digests, preferences = bytearray(), np.zeros(len(terms))
        dates = _dates(row) if policy == "newest" else repeat(None)
        for place, (data, date) in enumerate(zip(texts(row), dates, strict=False)):
            text = data.decode()
            digests += digest_of(text, first + place)
            preferences[place] = preference(policy, text, date)
        yield {
            "range": row["part"] % ranges,
            "slots": b"",
            "first": first,
            "digests": bytes(digests),
            "preferences": preferences,
            "terms": terms,
        }
        waiting.append(slots_of(hashes, bits))
        held += len(hashes)
        if held >= AT_ONCE:
            for own_range, slots in _cut(waiting, bits, ranges):
                yield {"range": own_range, "slots": slots, **nothing}
            waiting, held = [], 0
    for own_range, slots in _cut(waiting, bits, ranges):
        yield {"range": own_range, "slots": slots, **nothing}


def _dates(row: Row) -> Iterator[str | None]:
    return (own.language.decode() or None for own in details(row))


def _cut(waiting: list[Any], bits: int, ranges: int) -> Iterator[tuple[int, Any]]:
    """Yield each range with the slots that lie in it, counted from the beginning of the range."""
    if not waiting:
        return
    slots = np.concatenate(waiting)
    width = bits - _bits_of(ranges)
    of = (slots >> np.uint32(width)).astype(np.uint16)  # numpy sorts these by their digits
    slots = slots[np.argsort(of, kind="stable")] & np.uint32((1 << width) - 1)
    ends = np.cumsum(np.bincount(of, minlength=ranges)).tolist()
    for place, (start, end) in enumerate(pairwise([0, *ends])):
        if end > start:
            yield place, slots[start:end]


def _count(bits: int, batches: Iterable[Row]) -> Iterator[Row]:
    """The counts of a range of so many bits; what is known of documents as it comes."""
    table, place = np.zeros(1 << bits, np.uint8), -1
    for row in batches:
        if row["first"] >= 0:
            yield row
            continue
        place = row["range"]
        hashes = numbers(row["slots"], np.uint32).astype(np.uint64) << np.uint64(64 - bits)
        bounds = np.array([0, len(hashes)], np.uint64)
        Sets(bounds[:1], bounds[1:], hashes, JACCARD, 1.0).count(0, 1, table)
    if place >= 0:
        nothing = {"digests": b"", "preferences": b"", "terms": b""}
        yield {"range": place, "slots": table, "first": -1, **nothing}


def candidates(
    found: Read, table: Table, firsts: Numbers, measure: str, least: float, stack: ExitStack
) -> Numbers:
    """Return the documents whose texts share one of their rarest shingles with another one, rising.
    firsts: the first document of each text, which stands for it.
    """
    context = found.batches.sparkSession.sparkContext
    wanted = np.zeros(found.count, np.bool_)
    wanted[firsts] = True
    sent = context.broadcast((table, np.packbits(wanted)))
    stack.callback(sent.destroy)
    ranges = _ranges(len(table).bit_length() - 1)
    kinds = {"range": "int", "keys": "binary", "texts": "binary"}
    task = partial(_choose, found.firsts, sent, measure, least, ranges)
    chosen = stage(found.batches.select("part", "count", "texts", "text_ends"), task, kinds)
    grouped = _of_ranges(chosen, ranges, _group, {"texts": "binary"}, 16 * found.count)
    parts = [numbers(row["texts"], np.int64) for row in grouped]
    return np.unique(np.concatenate([np.zeros(0, np.int64), *parts]))


def _choose(
    firsts: dict[int, int],
    sent: Any,
    measure: str,
    least: float,
    ranges: int,
    batches: Iterable[Row],
) -> Iterator[Row]:
    """The rarest shingles of the texts of a part, by range."""
    table, packed = sent.value
    waiting, held = list[Pairs](), 0
    for first, row in numbered(firsts, batches):
        hashes, ends, _ = sets_of_joined(*joined(row, "text"))
        starts = np.append(np.uint64(0), ends[:-1])
        wanted = _among(packed, first, len(ends))
        sets = Sets(starts[wanted], ends[wanted], hashes, measure, least)
        keys, own = sets.prefixes(0, len(sets), table)
        own = (wanted[own >> np.uint32(1)] + first) << 1 | (own & np.uint32(1))
        waiting.append((keys, own))
        held += len(keys)
        if held >= AT_ONCE:
            yield from _keys(waiting, ranges)
            waiting, held = [], 0
    yield from _keys(waiting, ranges)


def _among(packed: Any, first: int, count: int) -> Numbers:
    """Return the places of the documents of a batch that are marked."""
    start = first // 8
    bits = np.unpackbits(packed[start : (first + count + 7) // 8])
    return np.flatnonzero(bits[first - 8 * start :][:count])


def _keys(waiting: list[Pairs], ranges: int) -> Iterator[Row]:
    if not waiting:
        return
    keys, texts = (np.concatenate(own) for own in zip(*waiting, strict=True))
    order = np.argsort(keys, kind="stable")
    keys, texts = keys[order], texts[order]
    of = slots_of(keys, _bits_of(ranges))
    bounds = np.searchsorted(of, np.arange(ranges + 1))
    for place, (start, end) in enumerate(pairwise(bounds.tolist())):
        if end > start:
            yield {"range": place, "keys": keys[start:end], "texts": texts[start:end]}


def _group(rows: Iterable[Row]) -> Iterator[Row]:
    """The documents that have a shingle of a range in common with others."""
    found = [(numbers(r["keys"], np.uint64), numbers(r["texts"], np.int64)) for r in rows]
    if found:
        keys, texts = (np.concatenate(own) for own in zip(*found, strict=True))
        order = np.argsort(keys, kind="stable")
        texts = texts[order]
        own, _ = groups_of(keys[order], texts)
        yield {"texts": np.unique(texts[own] >> 1)}


def sets_of_documents(
    found: Read, wanted: Numbers, stack: ExitStack
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the sets of documents with these numbers, which rise, as sets_of returns them, some at
    a time.
    """
    context = found.batches.sparkSession.sparkContext
    marked = np.zeros(found.count, np.bool_)
    marked[wanted] = True
    sent = context.broadcast(np.packbits(marked))
    stack.callback(sent.destroy)
    kinds = {"hashes": "binary", "ends": "binary", "terms": "binary"}
    batches = found.batches.select("part", "count", "texts", "text_ends")
    own = stage(batches, partial(_sets, found.firsts, sent), kinds)
    for row in gathered(own, 2 * found.size * len(wanted) // max(found.count, 1)):
        yield (
            numbers(row["hashes"], np.uint64),
            numbers(row["ends"], np.uint64),
            numbers(row["terms"], np.uint32),
        )


def _sets(firsts: dict[int, int], sent: Any, batches: Iterable[Row]) -> Iterator[Row]:
    for first, row in numbered(firsts, batches):
        places = _among(sent.value, first, row["count"])
        if not len(places):
            continue
        every = list(texts(row))
        some = [every[place] for place in places.tolist()]
        hashes, ends, terms = sets_of_joined(
            b"".join(some), np.cumsum([len(text) for text in some], dtype=np.uint64)
        )
        yield {"hashes": hashes, "ends": ends, "terms": terms}
