"""Which rows of a DataFrame stay without near-duplicates."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.collections.dedup import KINDS, Decision, decide, samples
from pocketindex.builder.collections.keep import preference
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import COSINE, Comparing, DedupOptions
from pocketindex.builder.document import Document
from pocketindex.builder.functions.choices import Reading, settings_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.chunks.document_batch import LANGUAGE
from pocketindex.builder.tally import Tally
from pocketindex.keywords import takes
from pocketindex.options import option
from pocketindex.spark.alone.one_task import ROWS, Told, how_of, in_one_task
from pocketindex.spark.corpus import compared
from pocketindex.spark.found import Found
from pocketindex.spark.frames import check_frame
from pocketindex.spark.near import MOST_NEAR, edges_of
from pocketindex.spark.reading import Read, ids, numbered, read
from pocketindex.spark.rounds import decided
from pocketindex.spark.stages import kept_on_disk, pyarrow, rows, schema_of
from pocketindex.spark.texts import compared_columns, documents_of

_DECIDED = {
    "id": "string",
    "number": "long",
    "keeper": "long",
    "similarity": "double",
    "wanted": "boolean",
    "kind": "string",
}
_DROPPED = {"id": "string", "kept": "string", "similarity": "double", "kind": "string"}


class Deduplicated(Found):
    """frame: the documents that go, with id, kept (the id of the one that stays for it), similarity
    (0..1) and kind ("exact", equal but for white space, or "near"); kept: the ids of those that
    stay, a DataFrame with the column id.
    """

    def __init__(self, frame: Any, kept: Any, *rest: Any) -> None:
        super().__init__(frame, *rest)
        self.kept = kept


@dataclass(frozen=True, kw_only=True)
class Dedup(Reading, DedupOptions):
    """The arguments of dedup."""

    frame: Any = field(kw_only=False)
    order: str | None = None
    most_near: int = option(
        MOST_NEAR,
        "texts that a text is compared with, at most",
        least=1,
        only_with=("measure", COSINE),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.prefer is not None:
            raise self.refused(
                "{prefer} is {0}, and on Spark no column is preferred; omit it, and name the "
                "column in order: of near-duplicates, the first in this order is kept",
                repr(self.prefer),
            )


@takes(Dedup)
def dedup(call: Dedup) -> Deduplicated:
    """Choose the documents that stay when near-duplicates go: those of [dedup][pocketindex.dedup],
    of the same documents in the same order.

    Documents are taken as keep prefers them ("first", "longest" or "newest", which needs the column
    of a date): one that is near to none kept so far stays, and another one goes for the one that it
    is nearest to.

    frame, order, most_near and the rest: as [pairs][pocketindex.spark.pairs] has them.

    Raises TypeError (no DataFrame of Spark), ValueError, SourceError, NoSpace, OSError.

    >>> import pocketindex.spark
    >>> found = pocketindex.spark.dedup(frame)  # doctest: +SKIP
    >>> frame.join(found.kept, "id").write.parquet("kept.parquet")  # doctest: +SKIP
    """
    call.check_effect(call.given)
    check_frame(call.frame)
    settings, report = settings_of(call), Tally()
    with ExitStack() as stack:
        found = _by_cosine if call.measure == COSINE else _by_common
        gone, stays, notes = found(call, settings, report, stack)
        return Deduplicated(gone, stays, report, notes, stack.pop_all())


def _by_cosine(
    call: Dedup, settings: Settings, report: Tally, stack: ExitStack
) -> tuple[Any, Any, list[str]]:
    """The documents that go, those that stay, and what is said of these."""
    given = documents_of(call.frame, settings, report, stack, call.order, call.keep)
    dated = "preference < double('infinity')"
    if call.keep == "newest" and given.count:
        _check_dated(call, given.count, not given.documents.where(dated).isEmpty())
    edges = edges_of(given.texts, call.least, call.probes, call.most_near, settings, stack)
    report.index(given.count)
    found = decided(given.documents, edges.edges, stack)
    gone = found.where("kept is not null").select("id", "kept", "similarity", "kind")
    return gone, found.where("kept is null").select("id"), edges.notes()


def _by_common(
    call: Dedup, settings: Settings, report: Tally, stack: ExitStack
) -> tuple[Any, Any, list[str]]:
    """The same by what texts have in common."""
    frame, settings = compared_columns(call.frame, settings, call.keep)
    work = partial(_work, how_of(call), settings, call.keep)
    if small := in_one_task(frame, settings, report, stack, call.order, work, _DROPPED):
        rows, told = small
        _check_dated(call, told["documents"], told["dated"])
        report.index(told["documents"])
        stays = rows.where("kept is null").select("id")
        return rows.where("kept is not null"), stays, told["notes"]
    found = read(frame, settings, report, stack, call.order)
    with compared(found, call, settings, call.keep) as (corpus, preferences):
        _check_dated(call, found.count, _dated(preferences))
        decision = decide(corpus, preferences)
        notes = [*corpus.hint(), *corpus.notes()]
    report.index(found.count)
    some = _with_ids(found, decision, stack)
    notes += samples(partial(_name_of, some), decision, "min_similarity")
    keepers = some.where("keeper = number").selectExpr("number keeper", "id kept", "wanted")
    gone = some.where("keeper <> number").join(keepers.where("wanted"), "keeper")
    return gone.select("id", "kept", "similarity", "kind"), keepers.selectExpr("kept id"), notes


def _check_dated(call: Dedup, documents: int, dated: bool) -> None:
    if call.keep == "newest" and documents and not dated:
        raise ValueError(
            "keep is 'newest', and no document has a date; name the column with date=..."
        )


def _dated(preferences: array[float]) -> bool:
    return min(preferences, default=float("inf")) < float("inf")


def _work(
    how: Comparing, settings: Settings, policy: str, documents: Iterator[Document], folder: Path
) -> Generator[Any, None, Told]:
    """Yield what becomes of each document, as a task does it alone."""
    ids, preferences = list[str](), array("d")

    def preferred() -> Iterator[Document]:
        for document in documents:
            ids.append(document.id)
            date = document.lang[:LANGUAGE] or None
            preferences.append(preference(policy, document.text, date))
            yield document

    with corpus_of(preferred(), folder, how, Progress(form="none"), settings) as corpus:
        decision = decide(corpus, preferences)
        notes = [*corpus.hint(), *corpus.notes()]
    notes += samples(lambda place: repr(ids[place]), decision, "min_similarity")
    arrow = pyarrow()
    named = arrow.array(ids, arrow.string())
    keepers = arrow.array(decision.keepers, mask=decision.stays)
    kinds = arrow.array(KINDS).take(arrow.array(decision.verdicts))
    similarities = arrow.array(decision.similarities)
    columns = [named, named.take(keepers), similarities, kinds]
    yield from arrow.table(columns, names=list(_DROPPED)).to_batches(max_chunksize=ROWS)
    return {"documents": len(ids), "dated": _dated(preferences), "notes": notes}


def _name_of(some: Any, number: int) -> str:
    return repr(some.where(some.number == number).first().id)


def _with_ids(found: Read, decision: Decision, stack: ExitStack) -> Any:
    """What became of each document, with its id."""
    wanted = np.zeros(found.count, np.bool_)
    wanted[decision.keepers[~decision.stays]] = True
    columns = (decision.verdicts, decision.keepers, decision.similarities, wanted)
    sent = found.batches.sparkSession.sparkContext.broadcast(columns)
    stack.callback(sent.destroy)
    some = found.batches.select("part", "count", "details", "detail_ends")
    made = some.mapInArrow(partial(_decided, found.firsts, sent), schema_of(_DECIDED))
    return kept_on_disk(made, stack)


def _decided(firsts: dict[int, int], sent: Any, batches: Iterable[Any]) -> Iterator[Any]:
    arrow = pyarrow()
    kinds = arrow.array(KINDS)
    for first, row in numbered(firsts, rows(batches)):
        some = slice(first, first + row["count"])
        verdicts, *columns = (arrow.array(column[some]) for column in sent.value)
        own = arrow.array(np.arange(some.start, some.stop))
        yield arrow.RecordBatch.from_arrays(
            [ids(row), own, *columns, kinds.take(verdicts)], list(_DECIDED)
        )
