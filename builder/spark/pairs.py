"""All pairs of near-duplicates among the rows of a DataFrame."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.collections.corpus import Corpus, Numbers
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import COSINE, Comparing, PairsOptions
from pocketindex.builder.document import Document
from pocketindex.builder.functions.choices import Reading, settings_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import Tally
from pocketindex.keywords import takes
from pocketindex.options import option
from pocketindex.spark.alone.listed import COLUMNS, left, listed
from pocketindex.spark.alone.one_task import Told, how_of, in_one_task
from pocketindex.spark.corpus import compared
from pocketindex.spark.found import Found
from pocketindex.spark.frames import check_frame
from pocketindex.spark.near import MOST_NEAR, edges_of
from pocketindex.spark.reading import ids, numbered, read
from pocketindex.spark.stages import kept_on_disk, pyarrow, rows, schema_of
from pocketindex.spark.texts import compared_columns, documents_of

MOST_EQUAL = 1_000  # documents of one text that are paired with each other
_MEMBERS = {"text": "long", "number": "long", "id": "string", "place": "long"}


@dataclass(frozen=True, kw_only=True)
class Pairs(Reading, PairsOptions):
    """The arguments of pairs."""

    frame: Any = field(kw_only=False)
    order: str | None = None
    most_equal: int = option(
        MOST_EQUAL, "documents of one text that are paired with each other, at most", least=1
    )
    most_near: int = option(
        MOST_NEAR,
        "texts that a text is compared with, at most",
        least=1,
        only_with=("measure", COSINE),
    )


@takes(Pairs)
def pairs(call: Pairs) -> Found:
    """List all pairs of near-duplicates: those of [pairs][pocketindex.pairs], of the same documents
    in the same order.

    frame: a DataFrame with id and text; its documents are in the order of the column order and of
    their ids as strings, or of these alone. measure, min_similarity, probes: as of pairs. The other
    arguments are those of [Reading][pocketindex.Reading]; names of fields are of columns.

    Of a text that more than most_equal documents have, the first ones are paired with all others
    and with the documents that are near; each further one is paired with the first alone. By the
    cosine a text is compared with the most_near texts whose sketches are most similar to its own.
    What either bound cuts is counted and said.

    Returns Found: rows a, b (ids, a before b), similarity (0..1), kind ("exact", equal but for
    white space, or "near"). Raises TypeError (no DataFrame of Spark), ValueError, SourceError,
    NoSpace, OSError.

    >>> import pocketindex.spark
    >>> found = pocketindex.spark.pairs(frame)  # doctest: +SKIP
    >>> found.frame.write.parquet("pairs.parquet")  # doctest: +SKIP
    """
    call.check_effect(call.given)
    check_frame(call.frame)
    most_equal = call.most_equal
    settings, report = settings_of(call), Tally()
    with ExitStack() as stack:
        if call.measure == COSINE:
            members, joined, notes = _by_cosine(call, settings, report, stack)
            notes += _left_of(members, joined, most_equal, stack)
        else:
            frame, settings = compared_columns(call.frame, settings)
            work = partial(_work, how_of(call), settings, most_equal)
            if small := in_one_task(frame, settings, report, stack, call.order, work, COLUMNS):
                rows, told = small
                report.index(told["documents"])
                return Found(rows, report, told["notes"], stack.pop_all())
            members, joined, notes = _by_common(call, frame, settings, report, stack)
        rows = _equal(members, most_equal).unionByName(_near(members, joined, most_equal))
        return Found(rows, report, notes, stack.pop_all())


def _work(
    how: Comparing, settings: Settings, most: int, documents: Iterator[Document], folder: Path
) -> Generator[Any, None, Told]:
    """Yield the pairs of documents, as a task does it alone."""
    ids = list[str]()

    def named() -> Iterator[Document]:
        for document in documents:
            ids.append(document.id)
            yield document

    with corpus_of(named(), folder, how, Progress(form="none"), settings) as corpus:
        said = yield from listed(corpus, ids, most)
        return {"documents": len(ids), "notes": [*corpus.hint(), *corpus.notes(), *said]}


def _by_cosine(
    call: Pairs, settings: Settings, report: Tally, stack: ExitStack
) -> tuple[Any, Any, list[str]]:
    """The documents of each text, numbered from 1 in their order, the texts that are near (one,
    two, similarity), and what is said of these.
    """
    from pyspark.sql import Window, functions

    given = documents_of(call.frame, settings, report, stack, call.order)
    edges = edges_of(given.texts, call.least, call.probes, call.most_near, settings, stack)
    report.index(given.count)
    place = functions.row_number().over(Window.partitionBy("text").orderBy("number"))
    members = given.documents.selectExpr("digest text", "number", "id")
    joined = edges.edges.selectExpr(
        "least(text, other) one", "greatest(text, other) two", "similarity"
    ).distinct()
    return members.withColumn("place", place), joined, edges.notes()


def _by_common(
    call: Pairs, frame: Any, settings: Settings, report: Tally, stack: ExitStack
) -> tuple[Any, Any, list[str]]:
    """The same by what texts have in common. A text that is near to no other one, of one document,
    is left out.
    """
    found = read(frame, settings, report, stack, call.order)
    with compared(found, call, settings) as (corpus, _):
        joined, ones, twos = _joined(call.frame.sparkSession, corpus)
        text_of = np.array(corpus.text_of, np.int64)
        sizes = np.bincount(text_of)
        is_large = sizes > call.most_equal
        cut = int((is_large[ones] | is_large[twos]).sum())
        notes = [*corpus.hint(), *corpus.notes(), *left(sizes, cut, call.most_equal)]
    report.index(found.count)
    wanted = sizes > 1
    wanted[ones] = wanted[twos] = True
    of = np.where(wanted[text_of], text_of, -1)
    place = _places(text_of)
    sent = call.frame.sparkSession.sparkContext.broadcast((of, place))
    stack.callback(sent.destroy)
    some = found.batches.select("part", "count", "details", "detail_ends")
    members = some.mapInArrow(partial(_members, found.firsts, sent), schema_of(_MEMBERS))
    return kept_on_disk(members, stack), joined, notes


def _joined(session: Any, corpus: Corpus) -> tuple[Any, Numbers, Numbers]:
    """The texts that are near, as a DataFrame, and the numbers of the first and the second ones."""
    ones, twos, similarities = array("q"), array("q"), array("d")
    for text, (others, alike) in enumerate(corpus.pairs()):
        if others:
            ones.extend(others)
            twos.extend([text] * len(others))
            similarities.extend(alike)
    arrow = pyarrow()
    columns = {"one": ones, "two": twos, "similarity": similarities}
    table = arrow.table({name: arrow.array(np.array(own)) for name, own in columns.items()})
    return session.createDataFrame(table), np.array(ones), np.array(twos)


def _places(text_of: Any) -> Any:
    """The place of each document among those of its text, from 1 on."""
    order = np.argsort(text_of, kind="stable")
    own = text_of[order]
    starts = np.flatnonzero(np.diff(own, prepend=-1))
    places = np.empty(len(own), np.int64)
    places[order] = (
        np.arange(len(own)) - np.repeat(starts, np.diff(np.append(starts, len(own)))) + 1
    )
    return places


def _members(firsts: dict[int, int], sent: Any, batches: Iterable[Any]) -> Iterator[Any]:
    arrow = pyarrow()
    for first, row in numbered(firsts, rows(batches)):
        some = slice(first, first + row["count"])
        of, places = (column[some] for column in sent.value)
        own = np.flatnonzero(of >= 0)
        columns = [arrow.array(column[own]) for column in (of, np.arange(some.start, some.stop))]
        columns += [ids(row).take(arrow.array(own)), arrow.array(places[own])]
        yield arrow.RecordBatch.from_arrays(columns, list(_MEMBERS))


def _side(members: Any, name: str, text: str) -> Any:
    """Members as one side of a pair: the id has this name, the text that one."""
    return members.selectExpr(
        f"text {text}", f"number {name}_number", f"id {name}", f"place {name}_place"
    )


_EXACT = ("a", "b", "cast(1 as double) similarity", "'exact' kind")


def _equal(members: Any, most: int) -> Any:
    """Pairs of documents that have one text."""
    some = members.where(f"place <= {most}")
    among = _side(some, "a", "text").join(_side(some, "b", "text"), "text")
    firsts = _side(members.where("place = 1"), "a", "text")
    further = _side(members.where(f"place > {most}"), "b", "text")
    return (
        among.where("a_place < b_place")
        .selectExpr(*_EXACT)
        .unionByName(firsts.join(further, "text").selectExpr(*_EXACT))
    )


def _near(members: Any, joined: Any, most: int) -> Any:
    """Pairs of documents whose texts are near."""
    some = members.where(f"place <= {most}")
    beside = joined.join(_side(some, "a", "one"), "one").join(_side(some, "b", "two"), "two")
    return beside.selectExpr(
        "if(a_number < b_number, a, b) a",
        "if(a_number < b_number, b, a) b",
        "similarity",
        "'near' kind",
    )


def _left_of(members: Any, joined: Any, most: int, stack: ExitStack) -> list[str]:
    """What is said of pairs that are not listed (alone/listed.py)."""
    large = kept_on_disk(members.groupBy("text").count().where(f"count > {most}"), stack)
    sizes = np.array([row["count"] for row in large.select("count").collect()], np.int64)
    if not len(sizes):
        return []
    ends = [large.selectExpr(f"text {name}", f"count {name}_count") for name in ("one", "two")]
    beside = joined.join(ends[0], "one", "left").join(ends[1], "two", "left")
    return left(sizes, beside.where("one_count is not null or two_count is not null").count(), most)
