"""Which items of a test set are, whole or in part, in a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.findings import Evidence, Finding
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.document import Document
from pocketindex.builder.functions.checking import checked, missed_note
from pocketindex.builder.functions.choices import Reading, Shown, settings_of
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.functions.rows import Rows
from pocketindex.builder.inputs import check_used
from pocketindex.builder.inputs.options import SourceOptions
from pocketindex.builder.options import Path
from pocketindex.builder.out.rows import Types
from pocketindex.builder.report import Report
from pocketindex.builder.spill.threads import Threads
from pocketindex.index import Index
from pocketindex.joint_index import JointIndex
from pocketindex.keywords import takes
from pocketindex.wording.counted import counted

EVIDENCE: Types = {
    "kind": "string",
    "id": "string",
    "title": "string",
    "url": "string",
    "file": "string",
    "similarity": "double",
    "cosine": "double",
    "coverage": "double",
    "passage": "string",
}


class Checked(NamedTuple):
    """An item, and what was found of it.

    verdict: "copy", "near", "passage" or "not found"; coverage: share of the item in passages,
    0..1, None where only whole texts were compared; looked: how it was looked for; evidence: the
    documents that have it, strongest first; number: which it is of the items, from 0.
    """

    id: str
    verdict: str
    coverage: float | None
    looked: list[str]
    evidence: list[Evidence]
    number: int


class Findings(Rows[Checked]):
    """An item a row, in their order; iterates over Checked."""

    types: ClassVar[Types] = {
        "id": "string",
        "verdict": "string",
        "coverage": "double",
        "looked": ["string"],
        "evidence": [dict(EVIDENCE)],
        "number": "int64",
    }
    _make: ClassVar[Any] = Checked

    def _values(self, column: Sequence[Any]) -> Sequence[Any]:
        if column is self._columns[4]:
            return [[asdict(one) for one in evidence] for evidence in column]
        return column

    def counts(self) -> dict[str, int]:
        """Return how many items have each verdict."""
        counts: dict[str, int] = {}
        for verdict in self._columns[1]:
            counts[verdict] = counts.get(verdict, 0) + 1
        return counts

    def _sum(self) -> str:
        counts = ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts().items())
        return f"{counted(len(self), 'item')}: {counts or 'none'}"


@dataclass(frozen=True, kw_only=True)
class CheckCall(Reading, CheckOptions, SourceOptions, Shown):
    """The arguments of check."""

    index: Index | JointIndex | Path | Iterable[Path] = field(kw_only=False)
    items: Documents = field(kw_only=False)
    source: Documents | None = None


@takes(CheckCall)
def check(call: CheckCall) -> Findings:
    """Tell which items are in the collection of a pocket file.

    index: an open file, or the paths of one or several, or of a manifest of shards. items: what
    [Documents][pocketindex.builder.Documents] says. source: the collection itself, too: it is read
    once, every shingle of run_terms terms that an item shares with a document is found, and all
    items are in memory at a time. source_format, source_encoding, and source_text and so on: its
    format, its encoding and the names of its fields, where they are not the usual ones.
    min_similarity: from which on a document is near to an item, above 0, at most 1; window: words
    of a part of a long paragraph; top: documents to name for an item; probes: keys looked up in
    each table.
    progress: None for a bar where somebody looks. The other arguments are those of
    [Reading][pocketindex.builder.Reading]; names of fields are of the items, and so are format and
    encoding, while select, exclude, drop, add and follow_links hold for the source, too.

    Raises TypeError (items that are none), ValueError, SourceError, NotAPocketFile, Damaged,
    TextTooLong, OSError.

    >>> import pocketindex
    >>> found = pocketindex.check("train.pocket", ["a question"])  # doctest: +SKIP
    """
    source, (settings, report) = call.source, (settings_of(call), Report())
    rows, missed = list[Checked](), Counter[str]()
    with ExitStack() as stack:
        shown = stack.enter_context(looked_at(call.progress))
        each = stack.enter_context(Threads(settings.thread_count)).map
        indexes = opened(call.index, stack)
        checker = Checker(
            indexes,
            call.min_similarity,
            call.run_terms,
            call.window,
            call.top,
            call.probes,
            each,
        )
        asked = found_of(call.items, settings, alone=source is None)
        numbered = Numbered(asked, report, shown)
        collection = None
        if source is None:
            call.check_unused()
        else:
            own = replace(settings, **call.of_source(python=True))
            collection = found_of(source, own, alone=False)
            check_used(settings.reading, [*asked, *collection])
        items_once = ((numbered.numbers[-1], item) for item in numbered)
        looked_for = checked(items_once, checker, collection, missed, shown, settings.max_memory)
        for number, item, one in looked_for:
            report.arrive()
            shown.add()
            rows.append(row_of(item, number, one))
    report.notes += [missed_note(source, count) for source, count in (+missed).items()]
    report.index(len(rows))
    log(report)
    return findings_of(rows, report)


def row_of(item: Document, number: int, found: Finding) -> Checked:
    """Return an item with what was found of it."""
    return Checked(item.id, found.verdict, found.coverage, found.looked, found.evidence, number)


def findings_of(rows: Sequence[Checked], report: Report) -> Findings:
    """Return the rows as columns."""
    return Findings(list(zip(*rows, strict=True)) or [()] * len(Findings.types), report)


def opened(given: Any, stack: ExitStack) -> JointIndex:
    """Return the files to be asked; stack closes those that are opened here."""
    if isinstance(given, JointIndex):
        return given
    if isinstance(given, Index):
        return JointIndex.of([given])
    return stack.enter_context(JointIndex(given))
