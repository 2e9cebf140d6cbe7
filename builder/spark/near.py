"""Which texts are near: sketches propose them, the texts decide.

The sketches and keys of all texts are written by spark.build, as a pocket file. Every task then
asks that file with its own texts, as collections/cosine/corpus.py does, so what is proposed is that
of a single machine: by a scan of the sketches, or by keys where there are too many for that. A
query ends at 65,536 candidates, and no key is ever joined with itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.collections.cosine.corpus import PAIRS
from pocketindex.builder.collections.cosine.near import BITS, Near
from pocketindex.builder.collections.cosine.vectors import (
    SLOTS,
    Similarities,
    TextRows,
    in_slots,
    together,
    weights_of,
)
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import NoDocument
from pocketindex.contents.documents import read_records
from pocketindex.index import Index
from pocketindex.spark.build import build_file
from pocketindex.spark.stages import arrow_batch, kept_on_disk, pyarrow, schema_of

MOST_NEAR = 4_096  # texts that a text is compared with
TOGETHER = 1_024  # texts whose neighbours are compared at once, in one task
_BATCH = 1_024  # texts whose terms are counted at once

_ASKED = {
    "leader": "binary",
    "text": "binary",
    "found": "array<binary>",
    "slots": "binary",
    "counts": "binary",
    "cut": "long",
    "capped": "int",
}
_VECTORS = {"text": "binary", "slots": "binary", "counts": "binary"}
_FREQUENCY = {"slot": "int", "texts": "long"}
_EDGES = {"text": "binary", "other": "binary", "similarity": "double"}


@dataclass(frozen=True)
class Edges:
    """Texts that a text has found, by their digests, at least or more similar by their words.

    edges: text, other, similarity. short: texts with too few terms for a sketch; capped: those with
    more than 65,536 candidates; cut: those with more than most, and left: candidates that they were
    not compared with.
    """

    edges: Any
    short: int
    capped: int
    cut: int
    left: int

    def notes(self) -> list[str]:
        """What people should know of it."""
        notes = []
        if self.short:
            notes.append(
                f"{self.short:,} texts have too few terms for a sketch: only equal ones are found"
            )
        if self.capped:
            notes.append(
                f"{self.capped:,} texts have more than 65,536 candidates: of theirs some pairs may "
                "be missing"
            )
        if self.cut:
            notes.append(
                f"{self.cut:,} texts have more candidates than they are compared with: "
                f"{self.left:,} less similar ones are left out; most_near sets it"
            )
        return notes


def edges_of(
    texts: Any, least: float, probes: int | None, most: int, settings: Settings, stack: ExitStack
) -> Edges:
    """Compare texts (digest, text) with each other.

    least: 0..1; most: of the texts that a text proposes, the most similar ones that it is compared
    with. stack: keeps what the edges are made from.
    """
    from pyspark.sql import functions

    session = texts.sparkSession
    path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pocketindex-")))
    path = path / f"{path.name}.pocket"  # addFile knows a file by its name
    named = texts.selectExpr("lower(hex(digest)) id", "lower(hex(digest)) title", "text")
    own = Settings(
        scheme_settings=RffSettings(tables=2, components=BITS, cells=0),
        max_memory=settings.max_memory,
        threads=settings.threads,
    )
    try:
        report = build_file(named, path, own, Progress(form="none"))
    except NoDocument as error:
        return Edges(session.createDataFrame([], schema_of(_EDGES)), error.report.short, 0, 0, 0)
    session.sparkContext.addFile(str(path))
    ask = partial(_ask, path.name, probes, least, most)
    asked = kept_on_disk(texts.mapInArrow(ask, schema_of(_ASKED)), stack)
    (count, capped, cut, left) = asked.selectExpr(
        "count(*)", "sum(capped)", "count_if(cut > 0)", "sum(cut)"
    ).first()
    vectors = kept_on_disk(texts.mapInArrow(_vectors, schema_of(_VECTORS)), stack)
    weights = session.sparkContext.broadcast(_weights(vectors))
    placed = _placed(asked, count)
    # Spark takes two columns that come from one for ambiguous, unless they have different names.
    needed = placed.select(placed.place.alias("at"), functions.explode("found").alias("text"))
    others = needed.distinct().join(vectors, "text")
    edges = (
        placed.groupBy("place")
        .cogroup(others.groupBy("at"))
        .applyInArrow(partial(_compare, weights, least), schema_of(_EDGES))
    )
    return Edges(kept_on_disk(edges, stack), report.short, capped or 0, cut, left or 0)


def _ask(
    name: str, probes: int | None, least: float, most: int, batches: Iterable[Any]
) -> Iterator[Any]:
    """What each text finds in the file, with its terms; leader: the first of all by its digest."""
    from pyspark import SparkFiles

    with Index(SparkFiles.get(name)) as index:
        near = Near(index, least, probes)
        for batch in batches:
            digests, texts = (column.to_pylist() for column in batch.columns)
            answers = [near.of_text(text) for text in texts]
            names = _names(index, [found for found, _ in answers])
            rows = []
            for digest, text, (answer, capped) in zip(digests, texts, answers, strict=True):
                found = [name for name in map(names.__getitem__, answer.tolist()) if name != digest]
                if found or capped:
                    own = found[:most]
                    rows.append((min([digest, *own]), digest, own, text, len(found), int(capped)))
            terms = _terms([row[3] for row in rows])
            yield arrow_batch(
                (
                    (leader, digest, own, slots, counts, count - len(own), capped)
                    for (leader, digest, own, _, count, capped), (slots, counts) in zip(
                        rows, terms, strict=True
                    )
                ),
                _ASKED,
            )


def _names(index: Index, answers: list[Any]) -> dict[int, bytes]:
    """The digests of documents by their numbers: their ids are these."""
    numbers = np.unique(np.concatenate(answers)).tolist() if answers else []
    records = read_records(index._core, index.path, numbers)
    return {record.number: bytes.fromhex(record.id) for record in records}


def _terms(texts: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The slots of each text, and their counts, as bytes."""
    for start in range(0, len(texts), _BATCH):
        slots, counts, ends = in_slots(texts[start : start + _BATCH])
        for first, end in zip([0, *ends.tolist()], ends.tolist(), strict=False):
            yield slots[first:end].tobytes(), counts[first:end].tobytes()


def _vectors(batches: Iterable[Any]) -> Iterator[Any]:
    """The terms of all texts."""
    for batch in batches:
        digests, texts = (column.to_pylist() for column in batch.columns)
        rows = zip(digests, _terms(texts), strict=True)
        yield arrow_batch(((digest, *terms) for digest, terms in rows), _VECTORS)


def _weights(vectors: Any) -> Any:
    """The weights of all slots, from the texts that have them."""
    found = vectors.mapInArrow(_frequency, schema_of(_FREQUENCY)).groupBy("slot").sum("texts")
    table = found.toArrow()
    frequency = np.zeros(SLOTS, np.uint32)
    frequency[table.column(0).to_numpy()] = table.column(1).to_numpy()
    return weights_of(frequency, vectors.count())


def _frequency(batches: Iterable[Any]) -> Iterator[Any]:
    frequency = np.zeros(SLOTS, np.int64)
    for batch in batches:
        for own in _numbers(batch.column(1)):
            frequency[own] += 1  # each slot is there once
    places = np.flatnonzero(frequency)
    columns = (places.tolist(), frequency[places].tolist())
    yield arrow_batch(zip(*columns, strict=True), _FREQUENCY)


def _placed(asked: Any, count: int) -> Any:
    """The texts with the places where they are compared. Texts of one leader share most of their
    neighbours, so they lie together; where they are too many they are parted.
    """
    from pyspark.sql import functions

    large = asked.groupBy("leader").count().where(f"count > {TOGETHER}")
    piece = f"pmod(xxhash64(text), ceil(coalesce(count, 1) / {TOGETHER}))"
    place = f"cast(pmod(xxhash64(leader, {piece}), {count // TOGETHER + 1}) as int) place"
    beside = asked.join(functions.broadcast(large), "leader", "left")
    return beside.selectExpr(place, "text", "found", "slots", "counts")


def _compare(weights: Any, least: float, asked: Any, others: Any) -> Any:
    """The edges of the texts of a place."""
    texts = asked.column("text").to_pylist()
    known = {text: number for number, text in enumerate(others.column("text").to_pylist())}
    # The terms of the others, then those of the asked ones.
    slots, counts = (
        [_numbers(some.column(name)) for some in (others, asked)] for name in ("slots", "counts")
    )
    sizes = [len(one) for some in slots for one in some]
    starts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    rows = TextRows(starts, *(np.concatenate([*a, *b, _NONE]) for a, b in (slots, counts)))
    similarities, named = Similarities(weights.value, rows), [*known, *texts]
    found = asked.column("found").to_pylist()
    edges = list[tuple[bytes, bytes, float]]()
    for start, end in together([len(others) for others in found], PAIRS):
        some = found[start:end]
        own = np.arange(len(known) + start, len(known) + end)
        firsts = np.repeat(own, [len(others) for others in some])
        seconds = np.array([known[other] for others in some for other in others], np.int64)
        cosines = similarities.of(firsts, seconds)
        near = cosines >= least
        columns = (column[near].tolist() for column in (firsts, seconds, cosines))
        edges += [(named[a], named[b], cosine) for a, b, cosine in zip(*columns, strict=True)]
    return pyarrow().Table.from_batches([arrow_batch(edges, _EDGES)])


_NONE = np.zeros(0, np.uint32)


def _numbers(column: Any) -> list[Any]:
    """The arrays that the values of a column are."""
    return [np.frombuffer(value, np.uint32) for value in column.to_pylist()]
