"""Look for items in indexes and in a collection, as many at once as memory allows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.each_other import each_other
from pocketindex.builder.collections.findings import Evidence, Finding
from pocketindex.builder.collections.ignored import LeftOut
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.collections.together import TOGETHER, together
from pocketindex.builder.document import Document
from pocketindex.builder.inputs import given
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.threads import Each
from pocketindex.builder.tally import Tally
from pocketindex.joint_index import JointIndex
from pocketindex.wording.counted import no_document, were

Numbered: TypeAlias = tuple[int, Document]  # an item with its position, or its line


class Checking:
    """A run of check: looks for items in indexes, in a collection and in one another.

    options: how; indexes: the files, None if findings in training data are given; each: runs a
    function for several texts, in threads; left_out: leaves out the parts of an item that do not
    count. missed: the number of records of each source of the collection that are not documents.
    """

    def __init__(
        self,
        options: CheckOptions,
        indexes: JointIndex | None,
        each: Each,
        left_out: LeftOut,
        progress: Progress,
    ) -> None:
        self._options, self._each = options, each
        self._left_out, self._progress = left_out, progress
        self.checker = None
        if indexes is not None:
            self.checker = Checker(
                indexes,
                options.min_similarity,
                options.window,
                options.top,
                options.probes,
                each,
                options.measure,
            )
        self.missed = Counter[str]()
        self._compared: list[Numbered] = []  # what is compared with each other

    def counted(self, item: Numbered) -> Numbered:
        """Return a numbered item without the parts that do not count."""
        number, document = item
        return number, replace(document, text=self._left_out.of(document.text))

    def findings(
        self,
        items: Iterable[Numbered],
        training: Iterable[Finding],
        collection: given.Found | None,
        max_memory: int,
        again: bool = False,
    ) -> Iterator[tuple[int, Document, Finding]]:
        """Yield each item with its number and its finding.

        training: the findings in training data, which count if there are no indexes. collection:
        documents that are searched besides the indexes; again: whether they can be read more than
        once, each time for as many items as fit into max_memory bytes. Raises SourceError if a
        source has records and none of them is a document.
        """
        if self.checker is None:
            found: Iterable[tuple[Numbered, Finding]] = zip(items, training, strict=True)
        else:
            found = self._searched(self.checker, items, collection, max_memory, again)
        for item, finding in found:
            if self._options.each_other:
                self._compared.append(self.counted(item))
            if collection is None:  # else its documents are counted
                self._progress.add()
            yield *item, finding

    def pairs(self, name: str) -> Iterator[tuple[Numbered, Numbered, Evidence, bool]]:
        """Yield each pair of items that have something in common: both items with their numbers,
        what the first has of the second, and whether there were more matches than are looked at.

        name: the name that stands for the items where evidence names a file.
        """
        if self._options.each_other:
            self._progress.phase(f"comparing the items of {name}")
        asked = self._options
        texts = [item.text for _, item in self._compared]
        for pair in each_other(
            texts, asked.min_similarity, asked.window, asked.measure, self._each
        ):
            first, second = self._compared[pair.first], self._compared[pair.second]
            other = second[1]
            evidence = replace(
                pair.evidence, id=other.id, title=other.title, url=other.url, file=name
            )
            yield first, second, evidence, pair.capped

    def notes(self) -> list[str]:
        """Return lines that say how many records of the collection were not searched."""
        return [
            f"{source}: {were(count, 'record')} skipped, because no document could be read there"
            for source, count in (+self.missed).items()
        ]

    def _searched(
        self,
        checker: Checker,
        items: Iterable[Numbered],
        collection: given.Found | None,
        max_memory: int,
        again: bool,
    ) -> Iterator[tuple[Numbered, Finding]]:
        most = TOGETHER if collection is None else sys.maxsize
        memory = max_memory if collection is None or again else sys.maxsize
        for batch in together(items, lambda one: one[1].text, memory, most):
            documents = None
            if collection is not None:
                documents = _documents(collection, self.missed, self._progress)
            texts = [self._left_out.of(item.text) for _, item in batch]
            yield from zip(batch, checker.check(texts, documents), strict=True)


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
