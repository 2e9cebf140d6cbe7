"""A small DataFrame is compared by a single task, by the functions of one process. The other way
takes several stages, which Spark has to plan, send and start, however few the rows are.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pocketindex.builder.collections.options import Comparing
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.given import check_no_source
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.source import Place
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import Tally
from pocketindex.spark.reading import Said, examples_of, order_of, tell
from pocketindex.spark.stages import Columns, arrow_batch, kept_on_disk, pyarrow, schema_of

# What Spark gives to a task of the files that it reads (spark.sql.files.maxPartitionBytes). A task
# compares as much in the time that the stages of the other way take by themselves.
SMALL = 1 << 27
_MORE = 4  # times as many bytes are taken for small when they come: files are compressed
ROWS = 1 << 16  # of an Arrow batch that a task yields

# What is told of all documents: how many these are ("documents"), and more.
Told = dict[str, Any]
# What a task makes of documents: Arrow batches, and in the end what it tells of all of them.
Work = Callable[[Iterator[Document], Path], Generator[Any, None, Told]]


def how_of(call: Comparing) -> Comparing:
    """Return how texts are compared, without the DataFrame, which goes to no task."""
    return Comparing(measure=call.measure, min_similarity=call.min_similarity)


def in_one_task(
    frame: Any,
    settings: Settings,
    report: Tally,
    stack: ExitStack,
    order: str | None,
    work: Work,
    columns: Columns,
) -> tuple[Any, Told] | None:
    """Let one task compare all documents of a small DataFrame.

    Returns its rows, which have these columns, and what it tells of all documents together. Returns
    None if the DataFrame is not small, or if it has no row, because Spark then runs no task. work:
    gets the documents in their order and a folder for temporary files.

    Tells report what was left out. Raises what read (reading.py) does.
    """
    check_no_source(settings.reading)
    keys, own = order_of(frame, settings.fields, order)
    if _estimated_bytes(frame.select(*own)) > SMALL:
        return None
    rows = frame.repartition(1).sortWithinPartitions(*keys, *own).select(*own)
    fields = replace(settings.fields, date=None)
    task = partial(_task, work, fields, examples_of(settings, report), columns, _MORE * SMALL)
    made = kept_on_disk(rows.mapInArrow(task, schema_of({**columns, "told": "string"})), stack)
    last = made.where("told is not null").first()
    told = json.loads(last.told) if last is not None else None
    if told is None:
        return None
    report.arrive(told["documents"])
    if told["said"]:
        tell(json.loads(told["said"]), 0, report)
    return made.where("told is null").drop("told"), told


def _estimated_bytes(frame: Any) -> int:
    """Return how many bytes Spark expects the rows to have: of files, the bytes of these. Where it
    does not know, it expects more than there could be.
    """
    plan = frame._jdf.queryExecution().optimizedPlan()
    return int(str(plan.stats().sizeInBytes()))


class _TooMany(Exception):
    """More bytes came than a task should take."""


def _task(
    work: Work,
    fields: Fields,
    most_said: int,
    columns: Columns,
    most_bytes: int,
    batches: Iterable[Any],
) -> Iterator[Any]:
    """Yield what is made of the documents of all batches, and in the end a row of what is told,
    which is null where there are more bytes.
    """
    arrow = pyarrow()
    said, place = Said(most_said), Place()

    def documents() -> Iterator[Document]:
        size = 0
        for batch in batches:
            size += batch.nbytes
            if size > most_bytes:
                raise _TooMany
            own = Rows(arrow, "", batch.schema, fields, first=0)
            yield from own.documents(batch, said, place)

    names = [*columns, "told"]
    with tempfile.TemporaryDirectory(prefix="pocketindex-") as folder:
        made, told = work(documents(), Path(folder)), None
        try:
            while True:
                batch = next(made)
                nothing = arrow.nulls(batch.num_rows, arrow.string())
                yield arrow.RecordBatch.from_arrays([*batch.columns, nothing], names)
        except StopIteration as end:
            told = {**end.value, "said": said.text(place.lines) if place.lines else None}
        except _TooMany:
            pass
    yield arrow_batch([(*[None] * len(columns), json.dumps(told))], {**columns, "told": "string"})
