"""Which documents contain a text that is looked for: what training data are cleaned of.

Each document is judged by itself, so that the answer does not depend on what else is in the
collection, and there is no limit to how many documents are named.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue

from pocketindex.builder.collections.contamination import passages_of
from pocketindex.builder.collections.findings import (
    COPY,
    NOT_FOUND,
    PASSAGE,
    PHRASE,
    SOURCE,
    Evidence,
    Finding,
    FoundPassage,
)
from pocketindex.builder.collections.given_texts import GivenOneByOne
from pocketindex.builder.collections.parts import word_spans
from pocketindex.builder.collections.runs import Runs, longest_run
from pocketindex.builder.collections.sketch_hits import same_words
from pocketindex.builder.collections.temporary_index import TemporaryIndex
from pocketindex.builder.document import Document
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.index import encode
from pocketindex.opening.closing import Closing
from pocketindex.queries.sources import Source

LEAST_WORDS = 5  # of an item: shorter ones are not looked for
LEAST_EDITED = 9  # unchanged words of an item that was edited
ENOUGH = 20  # unchanged words of a passage that are enough
MOST_OF_ITEM = 4 / 5  # of the words of a shorter item
MOST_IN_A_ROW = 3 / 4  # of its words, if some are in a row
IN_A_ROW = 8
MOST_CHANGED = 2 / 13  # of the words of a passage
_TOGETHER = 256  # documents that a thread looks at
_BYTES = 1 << 22

# The numbers of the items that a document contains, rising, and what it has of each.
Contained = list[tuple[int, Evidence]]


class ContainedItems(Closing):
    """Looks for items in documents.

    items: texts; top: documents that finding() names for an item; each: runs a function for several
    documents, in threads. too_short: the numbers of the items that are not looked for, because
    they have fewer than LEAST_WORDS words; counts: of the documents that contain each item.
    """

    def __init__(self, items: Sequence[str], top: int = 3, each: Each = one_by_one) -> None:
        self._items, self._top, self._each = items, top, each
        self._runs = Runs([encode(item) for item in items])
        self._words = self._runs.words
        self.too_short = {n for n, count in enumerate(self._words) if count < LEAST_WORDS}
        self.counts = [0] * len(items)
        self._best: list[list[tuple[tuple[bool, float], int, Evidence]]] = [[] for _ in items]
        self._looked = ["" if n in self.too_short else item for n, item in enumerate(items)]
        # Its words are weighed by the items alone, so that every collection is judged alike.
        self._made = TemporaryIndex(self._looked)
        self._free = SimpleQueue[GivenOneByOne]()

    def look(self, documents: Iterable[Document]) -> Iterator[Contained]:
        """Yield for each document the items that it contains. Raises TextTooLong."""
        number = 0
        some = batches(documents, lambda one: len(one.text), _TOGETHER, _BYTES)
        for found in self._each(self._look, some):
            for contained in found:
                for item, evidence in contained:
                    self._count(item, number, evidence)
                yield contained
                number += 1

    def finding(self, item: int, source_of: Callable[[int], str]) -> Finding:
        """Return what was found of an item so far, by its number. source_of: the name of the source
        of a document, which is named by the number of documents before it.
        """
        evidence = [
            replace(one, file=source_of(-place))
            for _, place, one in sorted(self._best[item], reverse=True)
        ]
        if item in self.too_short:
            return Finding(NOT_FOUND, None, [], [])
        coverage = max((one.coverage or 0.0 for one in evidence), default=0.0)
        verdict = evidence[0].kind if evidence else NOT_FOUND
        return Finding(verdict, coverage, [SOURCE], evidence, self.counts[item])

    def _look(self, documents: Sequence[Document]) -> list[Contained]:
        if self._made.index is None:
            return [[] for _ in documents]
        try:
            given = self._free.get_nowait()
        except Empty:  # each thread has its own
            given = GivenOneByOne(self._made.index, self._looked)
        try:
            runs = self._runs.shared([encode(document.text) for document in documents])
            return [
                self._contained(given, document, own)
                for document, own in zip(documents, runs, strict=True)
            ]
        finally:
            self._free.put(given)

    def _contained(self, given: GivenOneByOne, document: Document, runs: set[int]) -> Contained:
        found = {
            item: source
            for item, source in given.look(document)
            if item in runs or contains(source, self._words[item], self._items[item], document.text)
        }
        return [
            (item, self._evidence(item, found.get(item), document))
            for item in sorted(found.keys() | runs)
        ]

    def _evidence(self, item: int, source: Source | None, document: Document) -> Evidence:
        text = self._items[item]
        kind, coverage, passage, passages = COPY, 1.0, None, tuple[FoundPassage, ...]()
        if not same_words(document.text, text):
            kind = PHRASE if source and source.phrases_only else PASSAGE
            if source:
                coverage, passage, passages = passages_of(text, source)
            elif run := longest_run(text, document.text):
                passages, passage = (run,), text[run.start : run.end]
                coverage = round(len(word_spans(passage)) / len(word_spans(text)), 4)
        return Evidence(
            kind,
            document.id,
            document.title,
            document.url,
            "",
            verified=True,
            coverage=coverage,
            passage=passage,
            passages=passages,
        )

    def _count(self, item: int, number: int, evidence: Evidence) -> None:
        self.counts[item] += 1
        own = ((evidence.kind == COPY, evidence.coverage or 0.0), -number, evidence)
        if len(self._best[item]) < self._top:
            heapq.heappush(self._best[item], own)
        else:
            heapq.heappushpop(self._best[item], own)

    def close(self) -> None:
        """Free the memory and remove the temporary file."""
        while not self._free.empty():
            self._free.get().close()
        self._made.close()


def contains(source: Source, words: int, item: str, document: str) -> bool:
    """Return whether a document contains an item of so many words, by the passages that it has of
    it. item, document: their texts.
    """
    sizes = [last - first for first, last in source.terms]
    if sum(sizes) >= words and not any(passage.edited for passage in source.common):
        return True  # all of it, perhaps in another order
    for size, passage in zip(sizes, source.common, strict=True):
        same = round(size * (1 - passage.edited))
        share = same / words
        if passage.edited > MOST_CHANGED or same < LEAST_EDITED:
            continue
        if same >= ENOUGH or share >= MOST_OF_ITEM:
            return True
        if share >= MOST_IN_A_ROW:
            own = item[passage.start : passage.end]
            run = longest_run(own, document[passage.document_start : passage.document_end])
            if run and len(word_spans(own[run.start : run.end])) >= IN_A_ROW:
                return True
    return False
