"""Find the items of a test set that are in a collection, in whole or in part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from pocketindex.answers.results import Result, Results
from pocketindex.builder.collections.findings import Evidence, Finding
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.document import Document
from pocketindex.builder.functions.checking import Checking
from pocketindex.builder.functions.choices import Reading, Shown, settings_of
from pocketindex.builder.functions.cleaning import Cleaned, cleaned
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.functions.left_out import leaving_out
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.inputs import check_used
from pocketindex.builder.inputs.options import SourceOptions
from pocketindex.builder.options import Path
from pocketindex.builder.report import Report
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import Tally
from pocketindex.index import Index
from pocketindex.joint_index import JointIndex
from pocketindex.keywords import takes
from pocketindex.queries.sources import WordsOnly
from pocketindex.wording.counted import counted


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Result):
    """An item, and what was found of it.

    verdict: "copy", "near", "passage", "phrase" or "not found". coverage: the share of the item
    that passages of all documents cover, 0 to 1; None if only whole texts were compared. looked:
    the methods by which it was looked for. evidence: the documents that have something of the item,
    strongest first; documents: the number of all of them, including those that are not listed.
    number: the position of the item, from 0. capped: whether the item has more matches than are
    looked at, so that documents may be missing. words_only: for a file that keeps no texts, the
    longest sentence whose words a document has in an unknown order; otherwise None.
    """

    id: str
    verdict: str
    coverage: float | None
    looked: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    number: int
    documents: int
    capped: bool
    words_only: WordsOnly | None


@dataclass(frozen=True, slots=True, repr=False)
class ItemPair(Result):
    """Two items, and what the first has of the second.

    first, second: their ids; numbers: their positions among the items, from 0. verdict: "copy",
    "near", "passage" or "phrase". evidence: what they have in common, with the second item as the
    document.
    """

    first: str
    second: str
    verdict: str
    evidence: Evidence
    numbers: tuple[int, int]


@dataclass(frozen=True, repr=False)
class Findings(Results[Checked]):
    """The findings, one for each item, in the order of the items.

    report: the counts of what was read and left out. pairs: with each_other, the pairs of items
    that have something in common, each pair once. cleaned: with clean, the documents of the
    training data that contain items, and those that stay.
    """

    findings: tuple[Checked, ...]
    report: Report
    pairs: tuple[ItemPair, ...] = ()
    cleaned: Cleaned | None = None

    def counts(self) -> dict[str, int]:
        """Return how many items have each verdict."""
        return dict(Counter(one.verdict for one in self.findings))

    def __repr__(self) -> str:
        return f"<Findings: {self._sum()}>"

    def _sum(self) -> str:
        counts = ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts().items())
        pairs = f"; {counted(len(self.pairs), 'pair')} of items" if self.pairs else ""
        return f"{counted(len(self), 'item')}: {counts or 'none'}{pairs}"


@dataclass(frozen=True, kw_only=True)
class CheckCall(Reading, CheckOptions, SourceOptions, Shown):
    """The arguments of check."""

    index: Index | JointIndex | Path | Iterable[Path] | None = field(kw_only=False)
    items: Documents = field(kw_only=False)
    source: Documents | None = None
    ignore: Documents | None = None
    clean: Documents | None = None


@takes(CheckCall)
def check(call: CheckCall) -> Findings:
    """Tell which items are in the collection of a pocket file, or which documents contain one.

    index: an open file, or the paths of one file or several, or of a manifest of shards. None: with
    clean, look for the items only in the training data. items: anything that
    [Documents][pocketindex.Documents] describes. source: the collection from which the files were
    built; it is read once and compared by its texts, while all items are in memory. source_format,
    source_encoding, source_text and so on: the format of the source, its encoding and the names of
    its fields, if they are not the default ones. min_similarity: the least similarity of a document
    that is near to an item, above 0, at most 1. measure: the similarity that is compared with it if
    the text of a document is available ("cosine", "jaccard" or "containment", as for pairs); the
    evidence has the first two. window: the number of words in each part into which a long paragraph
    is split. top: the number of documents to list for an item. probes: the number of keys to look
    up in each table. exclude_quotes: leave out the quotations and the bibliography of an item.
    ignore: texts whose passages do not count, such as an author's drafts or a form. each_other:
    also compare the items with each other, while all of them are in memory; Findings.pairs has the
    pairs. clean: training data, read once, in which all documents that contain an item are found;
    Findings.cleaned has them, and the numbers of the others. source_text and so on also apply to
    them. progress: None shows a bar on a terminal. The other arguments are those of
    [Reading][pocketindex.Reading]. format, encoding and the names of fields apply to the items;
    select, exclude, drop, add and follow_links apply to the source as well.

    Raises TypeError (items that cannot be read as documents), ValueError, SourceError,
    NotAPocketFile, Damaged, TextTooLong, OSError.

    >>> import pocketindex
    >>> train = ["Who wrote it? The play Faust was written by Goethe in 1808.", "another text"]
    >>> found = pocketindex.check(None, ["Faust was written by Goethe."], clean=train)
    >>> [train[number] for number in found.cleaned.kept]
    ['another text']
    """
    source, (settings, report) = call.source, (settings_of(call), Tally())
    if call.index is None and (call.clean is None or source is not None):
        raise ValueError(
            "there is no index; give a pocket file, or clean without source, to look for the items "
            "in these documents alone"
        )
    rows, training, found = list[Checked](), None, list[Finding]()
    with ExitStack() as stack:
        shown = stack.enter_context(looked_at(call.progress))
        each = stack.enter_context(Threads(settings.thread_count)).map
        asked = found_of(call.items, settings, alone=source is None and call.clean is None)
        numbered = Numbered(asked, report, shown)
        collection = None
        if source is None and call.clean is None:
            call.check_unused()
        own = replace(settings, **call.of_source())
        if source is not None:
            collection = found_of(source, own, alone=False)
        others = [] if call.clean is None else found_of(call.clean, own, alone=False)
        if source is not None or call.clean is not None:
            check_used(settings.reading, [*asked, *(collection or []), *others])
        items: Iterable[tuple[int, Document]] = ((numbered.numbers[-1], one) for one in numbered)
        ignored = [] if call.ignore is None else [call.ignore]
        left_out = stack.enter_context(leaving_out(call.exclude_quotes, ignored))
        indexes = None if call.index is None else opened(call.index, stack)
        run = Checking(call, indexes, each, left_out, shown)
        if call.clean is not None:
            items = list(items)
            training, found = cleaned(
                Numbered(others, Tally(), shown),
                [run.counted(one) for one in items],
                call.top,
                each,
                stack,
            )
        for number, item, one in run.findings(items, found, collection, settings.max_memory):
            report.arrive()
            rows.append(row_of(item, number, one))
        pairs = tuple(
            ItemPair(first.id, second.id, one.kind, one, (number, other))
            for (number, first), (other, second), one, _ in run.pairs("items")
        )
    report.notes += run.notes()
    report.index(len(rows))
    log(report)
    return Findings(tuple(rows), report.report(), pairs, training)


def row_of(item: Document, number: int, found: Finding) -> Checked:
    """Return the row of an item."""
    return Checked(
        item.id,
        found.verdict,
        found.coverage,
        tuple(found.looked),
        tuple(found.evidence),
        number,
        found.documents,
        found.capped,
        found.words_only,
    )


def opened(given: Any, stack: ExitStack) -> JointIndex:
    """Return the files to search. Those that are opened here are closed by the stack."""
    if isinstance(given, JointIndex):
        return given
    if isinstance(given, Index):
        return JointIndex.of([given])
    return stack.enter_context(JointIndex(given))
