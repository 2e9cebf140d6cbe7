"""Stages: what a task does to the rows of its part of a DataFrame.

A row is a batch of documents or of pairs, with arrays as bytes. A task is a function of the rows of
its part, in their order; it has no other result, and writes nothing: so it may be run again, or
twice at once, and changes nothing by that.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

Row = dict[str, Any]
Task = Callable[[Iterator[Row]], Iterable[Row]]
Columns = Mapping[str, str]

AT_ONCE = 1 << 27  # bytes that come to the driver at once

# Without it what is kept lies in spark.sql.shuffle.partitions parts, 200 as Spark comes, however
# small it is: a stage of a thousand documents takes twenty seconds.
_CONF = Lock()
_COALESCE = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"


def stage(frame: Any, task: Task, columns: Columns) -> Any:
    """Return the DataFrame of what the task makes of each part of one. columns: their types, of
    Spark's `int`, `long`, `string` and `binary`.
    """

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        for row in task(rows(batches)):
            yield record(row, columns)

    return frame.mapInArrow(run, schema_of(columns))


def schema_of(columns: Columns) -> str:
    """The schema of rows with these columns."""
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def pyarrow() -> Any:
    """Import it."""
    return importlib.import_module("pyarrow")


def rows(batches: Iterable[Any]) -> Iterator[Row]:
    """The rows of Arrow batches; binary values are buffers, which lie where they came."""
    for batch in batches:
        for number in range(batch.num_rows):
            yield {
                name: _value(column[number])
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            }


def _value(value: Any) -> Any:
    return value.as_buffer() if hasattr(value, "as_buffer") else value.as_py()


def record(row: Row, columns: Columns) -> Any:
    """The Arrow batch of one row."""
    arrow = pyarrow()
    kinds = {
        "int": arrow.int32(),
        "long": arrow.int64(),
        "string": arrow.string(),
        "binary": arrow.binary(),
    }
    arrays = [_array(arrow, row[name], kinds[kind]) for name, kind in columns.items()]
    return arrow.RecordBatch.from_arrays(arrays, names=list(columns))


def _array(arrow: Any, value: Any, kind: Any) -> Any:
    if kind != arrow.binary():
        return arrow.array([value], kind)
    content = arrow.py_buffer(
        np.ascontiguousarray(value).reshape(-1) if hasattr(value, "dtype") else value
    )
    ends = arrow.py_buffer(np.array([0, content.size], np.int32))
    return arrow.Array.from_buffers(kind, 1, [None, ends, content])


def arrow_batch(some: Iterable[tuple[Any, ...]], columns: Columns) -> Any:
    """The Arrow batch of rows with these columns, which may be of Spark's `double` and
    `array<binary>`, too.
    """
    arrow = pyarrow()
    kinds = {
        "int": arrow.int32(),
        "long": arrow.int64(),
        "double": arrow.float64(),
        "string": arrow.string(),
        "binary": arrow.binary(),
        "array<binary>": arrow.list_(arrow.binary()),
    }
    values = list(zip(*some, strict=True)) or [()] * len(columns)
    arrays = [
        arrow.array(value, kinds[kind])
        for value, kind in zip(values, columns.values(), strict=True)
    ]
    return arrow.RecordBatch.from_arrays(arrays, names=list(columns))


def numbers(content: Any, kind: Any) -> npt.NDArray[Any]:
    """The array that has these bytes."""
    if not len(memoryview(content)):
        return np.zeros(0, kind)
    found = np.frombuffer(content, kind)
    return found if found.flags.aligned else found.copy()


def kept_on_disk(frame: Any, stack: ExitStack) -> Any:
    """Keep the rows of a DataFrame on the executors' disks until the stack is left: they are asked
    for more than once. What a lost executor had is made again.
    """
    from pyspark import StorageLevel

    conf = frame.sparkSession.conf
    with _CONF:  # another thread must not take ours for the user's
        before = conf.get(_COALESCE, None)
        conf.set(_COALESCE, "true")
        try:
            kept = frame.persist(StorageLevel.DISK_ONLY)
        finally:
            conf.unset(_COALESCE) if before is None else conf.set(_COALESCE, before)
    stack.callback(kept.unpersist)
    return kept


def made(frame: Any) -> Any:
    """Make all rows of a DataFrame that is kept, by all executors at once; without it
    toLocalIterator makes one part after the other. Returns the DataFrame.
    """
    frame.count()
    return frame


def gathered(frame: Any, size: int) -> Iterator[Row]:
    """Yield the rows of a DataFrame in order, in the driver. size: about the bytes that they have:
    few come by one job, and more are made on the executors' disks and then streamed.
    """
    if size <= AT_ONCE:
        yield from rows(frame.toArrow().to_batches())
        return
    with ExitStack() as stack:
        for row in streamed(made(kept_on_disk(frame, stack)), *frame.columns):
            yield row.asDict()


def streamed(frame: Any, *columns: str) -> Iterator[Any]:
    """The rows of a DataFrame in order, in the driver, a part or two at a time."""
    return iter(frame.select(*columns).toLocalIterator(prefetchPartitions=True))
