"""Documents that are compared with each other, and the distinct texts that they have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from pocketindex.builder.collections.corpus import digest_of
from pocketindex.builder.collections.keep import preference
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.chunks.chunk import Details
from pocketindex.builder.tally import Tally
from pocketindex.spark.reading import details, numbered, read, texts
from pocketindex.spark.stages import arrow_batch, kept_on_disk, rows, schema_of

_DOCUMENTS = {"number": "long", "id": "string", "digest": "binary", "preference": "double"}
_TEXTS = {"number": "long", "digest": "binary", "text": "binary"}


@dataclass(frozen=True)
class Documents:
    """Documents in their order, and texts that are equal but for white space once.

    documents: number, id, digest, preference (keep.py); texts: digest, text. count: documents.
    """

    documents: Any
    texts: Any
    count: int


def compared_columns(frame: Any, settings: Settings, policy: str = "first") -> tuple[Any, Settings]:
    """Return the DataFrame, and settings that name of its columns ids and texts alone.

    policy: of keep.py; for "newest" the settings name the date, which comes along as the language
    of the documents.
    """
    fields = settings.fields
    if policy == "newest" and fields.date is not None:
        frame = frame.withColumn(fields.date, frame[fields.date].cast("string"))
        fields = Fields(id=fields.id, text=fields.text, lang=fields.date)
    else:
        fields = Fields(id=fields.id, text=fields.text)
    return frame, replace(settings, fields=fields)


def documents_of(
    frame: Any,
    settings: Settings,
    report: Tally,
    stack: ExitStack,
    order: str | None,
    policy: str = "first",
) -> Documents:
    """Read the rows of a DataFrame in the order of a column and their ids, or of these alone.

    policy: of keep.py; for "newest" the settings name the date. Raises what read does.
    """
    from pyspark.sql import functions

    found = read(*compared_columns(frame, settings, policy), report, stack, order)

    def document(number: int, text: bytes, own: Details) -> tuple[Any, ...]:
        said = text.decode()
        date = own.language.decode() or None
        return number, own.id.decode(), digest_of(said, number), preference(policy, said, date)

    def text_of(number: int, text: bytes, _: Details) -> tuple[Any, ...]:
        return number, digest_of(text.decode(), number), text

    documents, every_text = (
        found.batches.mapInArrow(_task(found.firsts, make, columns), schema_of(columns))
        for make, columns in ((document, _DOCUMENTS), (text_of, _TEXTS))
    )
    documents = kept_on_disk(documents, stack)
    firsts = documents.groupBy("digest").agg(functions.min("number").alias("number"))
    later = documents.join(firsts.select("number"), "number", "left_anti").select("number")
    texts = every_text.join(later, "number", "left_anti").drop("number")
    return Documents(documents, kept_on_disk(texts, stack), found.count)


def _task(
    firsts: dict[int, int], make: Callable[[int, bytes, Details], tuple[Any, ...]], columns: Any
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What makes rows of the documents of a part, a batch of each batch."""

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        for first, row in numbered(firsts, rows(batches)):
            made = (
                make(first + place, *one)
                for place, one in enumerate(zip(texts(row), details(row), strict=True))
            )
            yield arrow_batch(made, columns)

    return task
