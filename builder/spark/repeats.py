"""Documents with an id that an earlier one has, and the sample that profiles are learned from, of
all parts; on a single machine spill/chunks/repeated_ids.py and spill/chunks/sample.py find the
same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from pocketindex.builder.pipeline import report_repeated
from pocketindex.builder.report import EXAMPLES
from pocketindex.builder.spill.chunks.chunk import unpacked_details
from pocketindex.builder.spill.chunks.repeated_ids import RepeatedIds
from pocketindex.builder.spill.chunks.sample import without_longest
from pocketindex.builder.tally import Tally
from pocketindex.spark.reading import Read, batch_of, numbered
from pocketindex.spark.stages import Row, numbers, pyarrow, rows, schema_of, stage

_NOTHING = RepeatedIds(0)
_SIGN = np.uint64(1 << 63)  # Spark's numbers of 64 bits have one; so their order is that of hashes


def repeated_ids(read: Read, report: Tally) -> RepeatedIds:
    """Find them, and report them."""
    from pyspark.sql import Window, functions

    repeated = RepeatedIds(read.count)
    hashes = _hashes(read, _NOTHING)
    twice = hashes.groupBy("hash").count().where("count > 1").select("hash").collect()
    ids = dict[int, bytes]()
    if twice:
        wanted = np.sort(np.array([row.hash for row in twice], np.int64).view(np.uint64) ^ _SIGN)
        named = stage(
            read.batches.select("part", "count", "details", "detail_ends", "hashes"),
            partial(_ids, read.firsts, wanted),
            {"id": "binary", "number": "long"},
        )
        place = functions.row_number().over(Window.partitionBy("id").orderBy("number"))
        later = named.withColumn("place", place).where("place > 1").select("number", "id")
        most = read.count if report.skipped_list else EXAMPLES
        for place_of, row in enumerate(later.orderBy("number").toLocalIterator()):
            repeated.add(row.number)
            if place_of < most:
                ids[row.number] = bytes(row.id)
    report_repeated(repeated, ids.__getitem__, report)
    return repeated


def sampled_texts(read: Read, repeated: RepeatedIds, size: int) -> list[bytes]:
    """The texts of the sample, of so many documents, in their order."""
    hashes = _hashes(read, repeated if repeated.count else _NOTHING)
    found = hashes.orderBy("hash", "number").limit(size).collect()
    places = [row.number for row in found]
    taken = without_longest(places, {row.number: row["size"] for row in found})
    wanted = np.array(taken, np.int64)
    some = stage(
        read.batches.select("part", "count", "texts", "text_ends"),
        partial(_texts, read.firsts, wanted),
        {"texts": "binary", "ends": "binary"},
    )
    texts = list[bytes]()
    for row in some.collect():
        ends = numbers(row.ends, np.uint64).tolist()
        texts += [bytes(row.texts[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    return texts


def in_languages(read: Read, repeated: RepeatedIds) -> Iterator[tuple[str, bytes]]:
    """Yield language and text of each document that is not repeated, in the driver: of few."""
    for first, row in numbered(read.firsts, (one.asDict() for one in read.batches.collect())):
        batch, own = batch_of(row), ~repeated.among(first, row["count"])
        texts, details = (
            [content[start:end] for start, end in zip([0, *ends], ends, strict=False)]
            for content, ends in (
                (bytes(batch.texts), batch.text_ends.tolist()),
                (bytes(batch.details), batch.detail_ends.tolist()),
            )
        )
        for place in np.flatnonzero(own).tolist():
            yield unpacked_details(details[place]).language.decode(), texts[place]


def _hashes(read: Read, repeated: RepeatedIds) -> Any:
    """A row for each document that is not repeated: hash of the id, number, bytes of the text."""
    columns = {"hash": "long", "number": "long", "size": "long"}
    firsts = read.firsts

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        arrow = pyarrow()

        for first, row in numbered(firsts, rows(batches)):
            own = np.flatnonzero(~repeated.among(first, row["count"]))
            hashes = numbers(row["hashes"], np.uint64)[own] ^ _SIGN
            sizes = np.diff(numbers(row["text_ends"], np.uint64), prepend=np.uint64(0))[own]
            arrays = (hashes.view(np.int64), own + first, sizes.astype(np.int64))
            yield arrow.RecordBatch.from_arrays(list(map(arrow.array, arrays)), list(columns))

    some = read.batches.select("part", "count", "hashes", "text_ends")
    return some.mapInArrow(task, schema_of(columns))


def _ids(firsts: dict[int, int], wanted: Any, batches: Iterator[Row]) -> Iterator[Row]:
    """The ids with these hashes, each with the number of its document."""
    for first, row in numbered(firsts, batches):
        content, ends = memoryview(row["details"]), numbers(row["detail_ends"], np.uint64)
        starts = np.append(np.uint64(0), ends[:-1])
        for place in np.flatnonzero(np.isin(numbers(row["hashes"], np.uint64), wanted)).tolist():
            details = unpacked_details(bytes(content[starts[place] : ends[place]]))
            yield {"id": details.id, "number": first + place}


def _texts(firsts: dict[int, int], wanted: Any, batches: Iterator[Row]) -> Iterator[Row]:
    """The texts of the documents with these numbers, which rise."""
    for first, row in numbered(firsts, batches):
        low, high = np.searchsorted(wanted, [first, first + row["count"]])
        if low == high:
            continue
        content, ends = memoryview(row["texts"]), numbers(row["text_ends"], np.uint64)
        starts, own = np.append(np.uint64(0), ends[:-1]), wanted[low:high] - first
        some = [bytes(content[starts[place] : ends[place]]) for place in own.tolist()]
        total = np.cumsum([len(text) for text in some], dtype=np.uint64)
        yield {"texts": b"".join(some), "ends": total}
