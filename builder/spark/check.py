"""Find the items of a test set in the rows of a DataFrame, whole or in part."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.collections.contamination import Checker, Item
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.document import Document
from pocketindex.builder.functions.check import Findings, opened, row_of
from pocketindex.builder.functions.choices import Reading, settings_of
from pocketindex.builder.functions.documents import found_of
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import DEFAULTS
from pocketindex.builder.tally import Tally
from pocketindex.keywords import takes
from pocketindex.options import option
from pocketindex.spark.build import build_file
from pocketindex.spark.found import Found
from pocketindex.spark.frames import check_frame
from pocketindex.spark.reading import SOURCE, Read, details, numbered, read, texts
from pocketindex.spark.shingles import Shingles
from pocketindex.spark.stages import arrow_batch, kept_on_disk, rows, schema_of

MOST_SHARED = 1_000  # the most documents that are compared because of one shingle of an item
_KEYS = {"key": "string", "number": "long"}
_DOCUMENTS = {
    "number": "long",
    "id": "string",
    "title": "string",
    "text": "binary",
    "url": "string",
}


@dataclass(frozen=True, kw_only=True)
class Check(Reading, CheckOptions):
    """The arguments of check."""

    frame: Any = field(kw_only=False)
    items: Any = field(kw_only=False)
    index: Any = None
    order: str | None = None
    most_shared: int = option(MOST_SHARED, "documents to look at for one shingle, at most", least=1)


@takes(Check)
def check(call: Check) -> Found:
    """Find the items that are in the collection of a DataFrame, as [check][pocketindex.check] does
    for a file with source.

    frame: a DataFrame with id and text, ordered by the column order and by ids. items: a DataFrame
    with the same columns, or any of [Documents][pocketindex.Documents]; the driver holds
    all of them. index: the pocket file of the collection, or its shards, which the driver opens; if
    it is None, one is built. Documents that have a shingle of five words of an item are compared.
    most_shared: the most documents that are compared because of one shingle, one text or one id.
    These are the first ones; a note of the answer has the number of documents left out. Names of
    fields are names of columns; all other arguments are those of check.

    Returns a Found with a row for each item: id, verdict, coverage, looked, evidence, number and
    more. Raises what check raises.

    >>> import pocketindex.spark
    >>> found = pocketindex.spark.check(frame, ["a question"])  # doctest: +SKIP
    """
    frame, index, order = call.frame, call.index, call.order
    check_frame(frame)
    settings, report = settings_of(call), Tally()
    given = call.items.toArrow() if hasattr(call.items, "toArrow") else call.items
    with ExitStack() as stack:
        asked = Numbered(found_of(given, DEFAULTS), report, Progress(form="none"))
        documents = list(asked)
        report.arrive(len(documents))
        if index is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pocketindex-"))
            index = Path(folder) / "collection.pocket"
            build_file(frame, index, settings, Progress(form="none"), order)
        files = opened(index, stack)
        checker = Checker(
            files,
            call.min_similarity,
            call.window,
            call.top,
            call.probes,
            measure=call.measure,
        )
        proposed = checker.propose([item.text for item in documents])
        shared, note = _shared(frame, proposed, settings, order, call.most_shared, stack)
        found = checker.judge(proposed, ((SOURCE, document) for document in shared))
    report.index(len(documents))
    rows = tuple(row_of(*one) for one in zip(documents, asked.numbers, found, strict=True))
    findings = Findings(rows, report.report())
    table = frame.sparkSession.createDataFrame(findings.to_arrow())
    return Found(table, report, [note] if note else [], ExitStack())


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What makes a document worth comparing: a shingle of an item, the id of a candidate, or the
    whole text of an item.
    """

    shingles: Shingles
    ids: frozenset[str]
    texts: frozenset[str]

    @classmethod
    def of(cls, proposed: Sequence[Item]) -> _Wanted:
        ids = (one.hit.id for item in proposed for one in item.hits.proposed.values())
        texts = [item.text for item in proposed]
        return cls(Shingles(texts), frozenset(ids), frozenset(texts))

    def keys_in(self, documents: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int]]:
        """Yield (key, number) for each key that documents, given as (id, text), have."""
        of, keys = self.shingles.keys_in([text for _, text in documents])
        for number, key in set(zip(of.tolist(), keys.tolist(), strict=True)):
            yield f"shingle {key}", number
        for number, (id, text) in enumerate(documents):
            if id in self.ids:
                yield f"id {id}", number
            if text in self.texts:
                yield f"text {hashlib.blake2b(text.encode()).hexdigest()}", number


def _shared(
    frame: Any,
    proposed: Sequence[Item],
    settings: Any,
    order: str | None,
    most: int,
    stack: ExitStack,
) -> tuple[list[Document], str]:
    """Return the documents that have a key in common with an item, in their order, and a note that
    says how many were left out. At most most documents are taken for each key, the first ones.
    """
    from pyspark.sql import Window, functions

    found = read(frame, settings, Tally(), stack, order)
    wanted = frame.sparkSession.sparkContext.broadcast(_Wanted.of(proposed))
    keys = found.batches.mapInArrow(partial(_keys, found.firsts, wanted), schema_of(_KEYS))
    keys = kept_on_disk(keys, stack)
    place = functions.row_number().over(Window.partitionBy("key").orderBy("number"))
    first = keys.withColumn("place", place).where(f"place <= {most}")
    numbers = np.array(
        sorted(row.number for row in first.select("number").distinct().collect()), np.int64
    )
    every = keys.select("number").distinct().count()
    note = ""
    if every > len(numbers):
        large = keys.groupBy("key").count().where(f"count > {most}").count()
        note = (
            f"{large:,} shingles of the items are in more than {most:,} documents; "
            f"{every - len(numbers):,} documents that have no other part of an item were not "
            "compared; most_shared sets this limit"
        )
    return _chosen(found, numbers), note


def _keys(firsts: dict[int, int], wanted: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Yield the keys of all documents."""
    for first, row in numbered(firsts, rows(batches)):
        documents = [
            (own.id.decode(), text.decode())
            for text, own in zip(texts(row), details(row), strict=True)
        ]
        keys = wanted.value.keys_in(documents)
        yield arrow_batch(((key, first + number) for key, number in keys), _KEYS)


def _chosen(found: Read, numbers: Any) -> list[Document]:
    """Return the documents with these numbers, which rise."""
    firsts = found.firsts  # a task cannot hold a DataFrame

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        for first, row in numbered(firsts, rows(batches)):
            low, high = np.searchsorted(numbers, [first, first + row["count"]])
            own = set((numbers[low:high] - first).tolist())
            chosen = (
                (first + place, one.id.decode(), one.title.decode(), text, one.url.decode())
                for place, (text, one) in enumerate(zip(texts(row), details(row), strict=True))
                if place in own
            )
            yield arrow_batch(chosen, _DOCUMENTS)

    some = found.batches.mapInArrow(task, schema_of(_DOCUMENTS)).collect()
    return [
        Document(row.id, row.title, bytes(row.text).decode(), row.url)
        for row in sorted(some, key=lambda row: row.number)
    ]
