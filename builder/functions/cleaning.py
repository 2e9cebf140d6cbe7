"""Find the documents of training data that contain items of a test set, for a program that has both
in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from pocketindex.answers.results import Result
from pocketindex.builder.collections.contained import ContainedItems
from pocketindex.builder.collections.findings import Finding, FoundPassage
from pocketindex.builder.document import Document
from pocketindex.builder.functions.kept import Kept
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.report import Report
from pocketindex.builder.spill.threads import Each
from pocketindex.wording.counted import counted


@dataclass(frozen=True, slots=True, repr=False)
class Containing(Result):
    """A document that contains an item.

    id, item: the ids of the document and of the item; number, item_number: their numbers in what
    was given, from 0. kind: "copy" (the document is the item), "passage", or "phrase" (an item of
    fewer than nine words). coverage: the share of the item that the passages cover; passage: the
    longest one.
    """

    id: str
    item: str
    kind: str
    coverage: float
    passage: str
    passages: tuple[FoundPassage, ...]
    number: int
    item_number: int


@dataclass(frozen=True, repr=False)
class Cleaned(Kept[Containing]):
    """The documents that contain items, once for each of their items, in the order of the
    documents.

    kept: the numbers of the documents that contain no item, in rising order; documents: the number
    of given documents; report: the counts of what was read and left out. Something that is not a
    document, such as an empty text, is not kept, and the report counts it. too_short: the numbers
    of the items that were not looked for, because they have fewer than five words.
    """

    containing: tuple[Containing, ...]
    kept: list[int]
    documents: int
    report: Report
    too_short: list[int]

    def _sum(self) -> str:
        return (
            f"{len(self.kept):,} of {counted(self.documents, 'document')} kept, "
            f"{len({one.number for one in self.containing}):,} contain an item"
        )


def cleaned(
    training: Numbered,
    items: Sequence[tuple[int, Document]],
    top: int,
    each: Each,
    stack: ExitStack,
) -> tuple[Cleaned, list[Finding]]:
    """Look for numbered items in training data. Return the documents that contain some and, for
    each item, what was found of it.
    """
    found = stack.enter_context(ContainedItems([item.text for _, item in items], top, each))
    rows, kept, report = list[Containing](), list[int](), training.report
    ids = list[str]()

    def documents() -> Iterator[Document]:
        for document in training:
            report.arrive()
            ids.append(document.id)
            yield document

    for place, contained in enumerate(found.look(documents())):
        number = training.numbers[place]
        if not contained:
            kept.append(number)
        for own, one in contained:
            item_number, item = items[own]
            rows.append(
                Containing(
                    ids[place],
                    item.id,
                    one.kind,
                    one.coverage or 0.0,
                    one.passage or "",
                    one.passages,
                    number,
                    item_number,
                )
            )
    report.index(len(ids))
    too_short = sorted(items[number][0] for number in found.too_short)
    out = Cleaned(tuple(rows), kept, training.count, report.report(), too_short)
    return out, [found.finding(number, lambda document: "") for number in range(len(items))]
