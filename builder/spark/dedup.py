"""Which rows of a DataFrame stay without near-duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from pocketindex.builder.collections.dedup import KINDS, Decision, decide
from pocketindex.builder.collections.options import COSINE, DedupOptions
from pocketindex.builder.functions.choices import Reading, settings_of
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import Tally
from pocketindex.keywords import takes
from pocketindex.options import option
from pocketindex.spark.corpus import compared
from pocketindex.spark.found import Found
from pocketindex.spark.frames import check_frame
from pocketindex.spark.near import MOST_NEAR, edges_of
from pocketindex.spark.reading import Read, ids, numbered
from pocketindex.spark.rounds import decided
from pocketindex.spark.stages import kept_on_disk, pyarrow, rows, schema_of
from pocketindex.spark.texts import documents_of, texts_of

_DECIDED = {
    "id": "string",
    "number": "long",
    "keeper": "long",
    "similarity": "double",
    "wanted": "boolean",
    "kind": "string",
}
_NO_DATE = "keep is 'newest', and no document has a date; name the column with date=..."


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
    if call.keep == "newest" and given.count and given.documents.where(dated).isEmpty():
        raise ValueError(_NO_DATE)
    edges = edges_of(given.texts, call.least, call.probes, call.most_near, settings, stack)
    report.index(given.count)
    found = decided(given.documents, edges.edges, stack)
    gone = found.where("kept is not null").select("id", "kept", "similarity", "kind")
    return gone, found.where("kept is null").select("id"), edges.notes()


def _by_common(
    call: Dedup, settings: Settings, report: Tally, stack: ExitStack
) -> tuple[Any, Any, list[str]]:
    """The same by what texts have in common."""
    found = texts_of(call.frame, settings, report, stack, call.order, call.keep)
    with compared(found, call, settings, call.keep) as (corpus, preferences):
        if call.keep == "newest" and found.count and min(preferences) == float("inf"):
            raise ValueError(_NO_DATE)
        decision = decide(corpus, preferences)
        notes = [*corpus.hint(), *corpus.notes()]
    report.index(found.count)
    some = _with_ids(found, decision, stack)
    keepers = some.where("keeper = number").selectExpr("number keeper", "id kept", "wanted")
    gone = some.where("keeper <> number").join(keepers.where("wanted"), "keeper")
    return gone.select("id", "kept", "similarity", "kind"), keepers.selectExpr("kept id"), notes


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
