"""Look for items in indexes and in a collection, as many at once as memory allows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.each_other import each_other
from pocketindex.builder.collections.findings import Evidence, Finding
from pocketindex.builder.collections.ignored import NOTHING, LeftOut
from pocketindex.builder.collections.together import TOGETHER, together
from pocketindex.builder.document import Document
from pocketindex.builder.inputs import given
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.threads import Each
from pocketindex.builder.tally import Tally
from pocketindex.wording.counted import no_document, were


def checked(
    items: Iterable[tuple[int, Document]],
    checker: Checker,
    collection: given.Found | None,
    missed: Counter[str],
    progress: Progress,
    max_memory: int,
    again: bool = False,
    left_out: LeftOut = NOTHING,
) -> Iterator[tuple[int, Document, Finding]]:
    """Yield each item with its number and its finding.

    collection: documents that are searched besides the indexes; again: whether they can be read
    more than once, each time for as many items as fit into max_memory bytes. missed: gets the
    number of records of each source of the collection that are not documents. left_out: leaves out
    the parts of an item that do not count. Raises SourceError if a source has records and none of
    them is a document.
    """
    most = TOGETHER if collection is None else sys.maxsize
    memory = max_memory if collection is None or again else sys.maxsize
    for batch in together(items, lambda one: one[1].text, memory, most):
        documents = None if collection is None else _documents(collection, missed, progress)
        found = checker.check([left_out.of(item.text) for _, item in batch], documents)
        for (number, item), one in zip(batch, found, strict=True):
            yield number, item, one


class Together:
    """Collects items, to compare them with each other. least, window, measure: as for Checker."""

    def __init__(self, least: float, window: int, measure: str) -> None:
        self._least = least
        self._measure = measure
        self._window = window
        self._items: list[tuple[int, Document]] = []

    def add(self, number: int, item: Document, left_out: LeftOut) -> None:
        """Add an item without the parts that do not count."""
        self._items.append((number, replace(item, text=left_out.of(item.text))))

    def pairs(
        self, name: str, each: Each
    ) -> Iterator[tuple[tuple[int, Document], tuple[int, Document], Evidence, bool]]:
        """Yield each pair of items that have something in common: both items with their numbers,
        what the first has of the second, and whether there were more matches than are looked at.

        name: the name that stands for the items where evidence names a file.
        """
        texts = [item.text for _, item in self._items]
        for pair in each_other(texts, self._least, self._window, self._measure, each):
            first, second = self._items[pair.first], self._items[pair.second]
            other = second[1]
            evidence = replace(
                pair.evidence, id=other.id, title=other.title, url=other.url, file=name
            )
            yield first, second, evidence, pair.capped


def missed_note(source: str, count: int) -> str:
    """Return a line that says how many records of a source were not searched."""
    return f"{source}: {were(count, 'record')} skipped, because no document could be read there"


def _documents(
    found: given.Found, missed: Counter[str], progress: Progress
) -> Iterator[tuple[str, Document]]:
    """Yield the documents of a collection, with the names of their sources. Raises SourceError if
    there are none: a search of it would find nothing, whatever it is.
    """
    records = 0
    for source, kind in found:
        report = Tally()
        progress.phase(f"reading {source}")
        for document in kind.documents(source, report.reject, progress.measure):
            report.arrive()
            progress.add()
            yield source, document
        check_documents(report, source)
        missed[source] = report.left_out  # the same each time that it is read
        records += report.read
    if found and not records:
        raise SourceError(
            found[0][0], "there is no record in it; give what the file was built from"
        )


def check_documents(report: Tally, source: str) -> None:
    """Raise SourceError if a source has records and none of them is a document: a search of it
    would find nothing, whatever it contains.
    """
    if report.left_out == report.read > 0:
        one = report.reasons[0]
        first = one.examples[0]
        raise SourceError(
            source,
            f"{no_document(report.read, 'its')}: {one.records:,} {one.reason} "
            f"({first.place}: {first.detail}); give what the file was built from, with the "
            "fields id, title and text",
        )
