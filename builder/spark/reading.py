"""Rows of a DataFrame in their order, as documents: the first stage.

A row of what comes out is a batch of documents, as the spool of a single machine keeps them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.document import Document, Notice, Skip
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.given import check_no_source
from pocketindex.builder.inputs.rows import arrow_batches
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.source import Place, needed
from pocketindex.builder.report import EXAMPLES
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.chunks.chunk import Details, unpacked_details
from pocketindex.builder.spill.chunks.document_batch import SIZES, DocumentBatch
from pocketindex.builder.spill.chunks.spool import Filling
from pocketindex.builder.tally import Tally
from pocketindex.spark.stages import Row, kept_on_disk, numbers, pyarrow, record, schema_of

SOURCE = "<DataFrame>"  # in messages; rows are numbered from 0 in their order, as those of a table
MOST_DOCUMENTS, MOST_BYTES = 4_096, 1 << 22  # of a batch, if not of a single text

COLUMNS = {
    "part": "int",
    "count": "int",
    "texts": "binary",
    "details": "binary",
    "text_ends": "binary",
    "detail_ends": "binary",
    "hashes": "binary",
    "said": "string",  # by the last row of a part: what was left out of it
}


@dataclass(frozen=True)
class Read:
    """The documents, with those of repeated ids.

    batches: a DataFrame with a row a batch (COLUMNS), in order; firsts: of each part, the number of
    its first document; count: documents; size: bytes of their texts.
    """

    batches: Any
    firsts: dict[int, int]
    count: int
    size: int


def read(
    frame: Any,
    settings: Settings,
    report: Tally,
    stack: ExitStack,
    order: str | None = None,
    partitions: int | None = None,
) -> Read:
    """Read the rows in the order of a column and their ids as strings, or of the ids alone; equal
    ones in that of their other columns.

    What was left out is told report. partitions: that the documents are kept in, None for what
    Spark chooses. Raises SourceError (a column is missing, or of another type), Refused (strict),
    ValueError (order is no column, settings that only sources have).
    """
    check_no_source(settings.reading)
    chosen = _in_order(frame, settings.fields, order, partitions)
    task = partial(_documents, replace(settings.fields, date=None), examples_of(settings, report))
    batches = kept_on_disk(chosen.mapInArrow(task, schema_of(COLUMNS)), stack)
    firsts = dict[int, int]()
    count = 0
    size = 0
    place = 0
    found = batches.selectExpr("part", "count", "length(texts) size", "said").collect()
    for row in found:
        firsts.setdefault(row.part, count)
        count, size = count + row["count"], size + row["size"]
        report.arrive(row["count"])
        if row.said:
            place = tell(json.loads(row.said), place, report)
    return Read(batches, firsts, count, size)


def _in_order(frame: Any, fields: Fields, order: str | None, partitions: int | None) -> Any:
    """The columns that become documents, sorted."""
    keys, own = order_of(frame, fields, order)
    # Equal ids come to one part: where only these are the order, they lie side by side.
    parted = frame.repartitionByRange(*([partitions] if partitions else []), *keys)
    return parted.sortWithinPartitions(*keys, *own).select(*own)


def order_of(frame: Any, fields: Fields, order: str | None) -> tuple[list[Any], list[Any]]:
    """Return the columns by which rows are ordered, and the columns that become documents, which
    order rows that are equal in the first ones.
    """
    arrow = needed("pyarrow", "spark", SOURCE, "its rows are Arrow")
    from pyspark.sql import functions

    if order is not None and order not in frame.columns:
        raise ValueError(f"order is {order!r}; the DataFrame has {', '.join(frame.columns)}")
    looked_at = Rows(arrow, SOURCE, frame.limit(0).toArrow().schema, fields)
    names = dict(zip(looked_at.parts, looked_at.names, strict=True))
    names.pop("date", None)  # which no file has
    columns = {name: functions.col(_quoted(name)) for name in names.values()}
    keys = [columns[names["id"]].cast("string")]
    if order is not None:
        keys.insert(0, functions.col(_quoted(order)))
    return keys, list(columns.values())


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def examples_of(settings: Settings, report: Tally) -> int:
    """Return how many records of each reason a part names."""
    every = settings.strict or report.skipped_list is not None
    return 1 << 62 if every else EXAMPLES


def _documents(fields: Fields, most_said: int, batches: Iterable[Any]) -> Iterator[Any]:
    """The documents of a part, as a task makes them."""
    arrow = pyarrow()
    from pyspark import TaskContext

    part = TaskContext.get().partitionId()
    said = Said(most_said)
    place = Place()
    filling = Filling()
    for batch in batches:
        own = Rows(arrow, "", batch.schema, fields, first=0)
        for some in arrow_batches.batches(arrow, own, batch, said, place):
            if isinstance(some, Document):
                filling.add(some)
            else:
                filling.add_many(some)
            if len(filling) >= MOST_DOCUMENTS or filling.size >= MOST_BYTES:
                yield record(_row(part, filling), COLUMNS)
                filling = Filling()
    if place.lines:
        yield record(_row(part, filling, said.text(place.lines)), COLUMNS)


def _row(part: int, filling: Filling, said: str | None = None) -> Row:
    batch = filling.batch()
    return {
        "part": part,
        "count": len(batch),
        "texts": batch.texts,
        "details": batch.details,
        "text_ends": batch.text_ends,
        "detail_ends": batch.detail_ends,
        "hashes": batch.hashes,
        "said": said,
    }


def batch_of(row: Row) -> DocumentBatch:
    """The documents of a row."""
    return DocumentBatch(
        memoryview(row["texts"]),
        memoryview(row["details"]),
        numbers(row["text_ends"], np.uint64),
        numbers(row["detail_ends"], np.uint64),
        numbers(row["hashes"], np.uint64),
    )


def joined(row: Row, name: str) -> tuple[memoryview, npt.NDArray[np.uint64]]:
    """The texts or details of the documents of a row, one after the other, and where each ends."""
    return memoryview(row[f"{name}s"]), numbers(row[f"{name}_ends"], np.uint64)


def pieces(content: memoryview, ends: npt.NDArray[np.uint64]) -> Iterator[bytes]:
    """Yield what lies one after the other and ends there."""
    start = 0
    for end in ends.tolist():
        yield bytes(content[start:end])
        start = end


def texts(row: Row) -> Iterator[bytes]:
    """Yield the text of each document of a row."""
    return pieces(*joined(row, "text"))


def details(row: Row) -> Iterator[Details]:
    """Yield what else there is of each document of a row."""
    return map(unpacked_details, pieces(*joined(row, "detail")))


def ids(row: Row) -> Any:
    """Return the ids of the documents of a row, an Arrow array of strings."""
    content, ends = joined(row, "detail")
    starts = np.append(np.uint64(0), ends[:-1]).astype(np.int64)
    data = np.frombuffer(content, np.uint8)
    sizes = data[starts] + (data[starts + 1].astype(np.int64) << 8)  # SIZES begins with it
    begins = starts + SIZES.size
    places = zip(begins.tolist(), (begins + sizes).tolist(), strict=True)
    own = bytes(content)
    arrow = pyarrow()
    return arrow.array([own[start:end] for start, end in places], arrow.binary()).cast("string")


def numbered(firsts: dict[int, int], batches: Iterable[Row]) -> Iterator[tuple[int, Row]]:
    """Each row of a part, with the number of its first document. firsts: of the parts."""
    part, at = -1, 0
    for row in batches:
        if row["part"] != part:
            part, at = row["part"], firsts[row["part"]]
        yield at, row
        at += row["count"]


class Said:
    """Counts what a part says of its records, with the first ones of each reason."""

    def __init__(self, most: int) -> None:
        self._most, self._counts = most, dict[str, int]()
        self._examples = list[tuple[bool, int, str, str]]()

    def __call__(self, one: Skip | Notice) -> None:
        count = self._counts[one.reason] = self._counts.get(one.reason, 0) + 1
        if count <= self._most:
            row = int(one.place.rpartition(":")[2])
            self._examples.append((isinstance(one, Notice), row, one.reason, one.detail))

    def text(self, records: int) -> str:
        """All of it, of a part with so many records."""
        return json.dumps([records, self._counts, self._examples])


def tell(said: Any, before: int, report: Tally) -> int:
    """Tell a report what a part says, which has so many records before it. Returns how many there
    are up to its end.
    """
    records, counts, examples = said
    left = dict(counts)
    for is_notice, row, reason, detail in examples:
        kind = Notice if is_notice else Skip
        report.reject(kind(f"{SOURCE}:{before + row}", reason, detail))
        left[reason] -= 1
    notices = {reason for is_notice, _, reason, _ in examples if is_notice}
    for reason, count in left.items():
        report.reject_more(reason, count, reason in notices)
    return before + int(records)
