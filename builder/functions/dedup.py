"""Which documents that a program has stay without near-duplicates."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from pocketindex.answers.results import Result
from pocketindex.builder.collections.dedup import KEPT, KINDS, decide, samples
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import DedupOptions
from pocketindex.builder.document import Document
from pocketindex.builder.functions.choices import Reading, Shown, settings_of
from pocketindex.builder.functions.documents import Documents, records_of
from pocketindex.builder.functions.kept import Kept
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.report import Report
from pocketindex.builder.tally import Tally
from pocketindex.keywords import takes
from pocketindex.wording.counted import counted


@dataclass(frozen=True, slots=True, repr=False)
class Dropped(Result):
    """A document that goes for another.

    id, kept: their ids; similarity: 0..1; kind: "exact" (equal but for white space) or "near";
    number, kept_number: which they are of what was given, from 0.
    """

    id: str
    kept: str
    similarity: float
    kind: str
    number: int
    kept_number: int


@dataclass(frozen=True, repr=False)
class Deduplicated(Kept[Dropped]):
    """The documents that were dropped.

    kept: the numbers of those that stay, rising; documents: how many were given; report:
    what was read and left out. What is no document, as an empty text, does not stay; the report
    counts it.
    """

    dropped: tuple[Dropped, ...]
    kept: list[int]
    documents: int
    report: Report

    def _sum(self) -> str:
        given = counted(self.documents, "document")
        return f"{len(self.kept):,} of {given} kept, {len(self):,} dropped"


@dataclass(frozen=True, kw_only=True)
class DedupCall(Reading, DedupOptions, Shown):
    """The arguments of dedup."""

    documents: Documents = field(kw_only=False)


@takes(DedupCall)
def dedup(call: DedupCall) -> Deduplicated:
    """Choose the documents that stay when near-duplicates go.

    Documents are taken as keep has them ("first", "longest" or "newest", which needs a date), or by
    the values of the field that prefer names, the greatest first ("FIELD:least": the least): one
    that is near to none kept so far stays, and another one goes for the one that it is nearest to.
    So no two that stay are near, and what stays loses nothing when it is deduplicated again, unless
    the measure is "cosine" or "records", which depend on the whole collection.

    documents: what [Documents][pocketindex.Documents] says, read once. measure,
    min_similarity, probes: as of pairs(). progress: None for a bar where somebody looks. The other
    arguments are those of [Reading][pocketindex.Reading].

    Raises TypeError (documents that are none), ValueError, SourceError, NoSpace, OSError.

    >>> import pocketindex
    >>> texts = ["a rose is a rose is a rose"] * 2 + ["another text of other words"]
    >>> found = pocketindex.dedup(texts)
    >>> [texts[number] for number in found.kept]
    ['a rose is a rose is a rose', 'another text of other words']
    """
    keep, settings, report, ids = call.keep, settings_of(call), Tally(), list[str]()
    preferences = Preferences(keep, call.prefer)
    if call.prefer is not None:
        if call.date is not None:
            raise ValueError(
                "date names the field of keep='newest', and prefer the one to order by; omit one"
            )
        fields = replace(settings.fields, date=preferences.field, dated_by="prefer")
        settings = replace(settings, fields=fields)
    with looked_at(call.progress) as shown, tempfile.TemporaryDirectory() as folder:
        given = Numbered(records_of(call.documents, settings, report), report, shown)

        def preferred() -> Iterator[Document]:
            for document in given:
                report.arrive()
                ids.append(document.id)
                preferences.add(document.text, document.date or None)
                yield document

        with corpus_of(preferred(), Path(folder), call, shown, settings) as corpus:
            preferences.check_dated("date=...")
            if ids:
                call.check_known(preferences)
            shown.phase("comparing", documents=len(ids))
            decision = decide(corpus, preferences.ranks())
            report.notes += [*corpus.hint(), *preferences.notes(), *corpus.notes()]
            report.notes += samples(lambda place: repr(ids[place]), decision, "min_similarity")
    report.index(len(ids))
    numbers = np.array(given.numbers, np.int64)
    verdicts, keepers = decision.verdicts, decision.keepers
    gone = np.flatnonzero(verdicts != KEPT)
    dropped = tuple(
        Dropped(
            ids[place],
            ids[keepers[place]],
            float(decision.similarities[place]),
            KINDS[verdicts[place]],
            int(numbers[place]),
            int(numbers[keepers[place]]),
        )
        for place in gone.tolist()
    )
    log(report)
    kept = numbers[verdicts == KEPT].tolist()
    return Deduplicated(dropped, kept, given.count, report.report())
