"""Which documents of training data contain items of a test set, for a program that has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any, ClassVar, NamedTuple

import numpy as np
from pocketindex.builder.collections.contained import ContainedItems
from pocketindex.builder.collections.findings import Finding, FoundPassage
from pocketindex.builder.document import Document
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.functions.rows import Kept
from pocketindex.builder.out.rows import Types
from pocketindex.builder.spill.threads import Each
from pocketindex.wording.counted import counted

PASSAGES: Types = {
    "start": "int64",
    "end": "int64",
    "document_start": "int64",
    "document_end": "int64",
    "edited": "double",
    "documents": "int64",
}


class Containing(NamedTuple):
    """A document that contains an item.

    id, item: their ids; number, item_number: which they are of what was given, from 0. kind: "copy"
    (the document is the item), "passage", or "phrase" (an item of fewer than nine words). coverage:
    the share of the item that the passages cover; passage: the longest one.
    """

    id: str
    item: str
    kind: str
    coverage: float
    passage: str
    passages: list[FoundPassage]
    number: int
    item_number: int


class Cleaned(Kept[Containing]):
    """The documents that contain items, a row for each item of each; iterates over Containing.

    kept: the numbers of the documents that contain none, rising, an int64 array; mask: a bool for
    each document that was given, whether it contains none. What is no document is not kept; the
    report counts it. too_short: the numbers of the items that were not looked for, because they
    have fewer than five words.
    """

    types: ClassVar[Types] = {
        "id": "string",
        "item": "string",
        "kind": "string",
        "coverage": "double",
        "passage": "string",
        "passages": [dict(PASSAGES)],
        "number": "int64",
        "item_number": "int64",
    }
    _make: ClassVar[Any] = Containing
    too_short: Sequence[int] = ()

    def _values(self, column: Sequence[Any]) -> Sequence[Any]:
        if column is self._columns[5]:
            return [[asdict(one) for one in passages] for passages in column]
        return column

    def _sum(self) -> str:
        return (
            f"{len(self.kept):,} of {counted(len(self.mask), 'document')} kept, "
            f"{len(set(self._columns[6])):,} contain an item"
        )


def cleaned(
    training: Numbered,
    items: Sequence[tuple[int, Document]],
    top: int,
    each: Each,
    stack: ExitStack,
) -> tuple[Cleaned, list[Finding]]:
    """Look for items, which have numbers, in training data. Returns the documents that contain some
    and, for each item, what was found of it.
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
    columns = list(zip(*rows, strict=True)) or [()] * len(Cleaned.types)
    out = Cleaned(columns, report, np.array(kept, np.int64), training.count)
    out.too_short = sorted(items[number][0] for number in found.too_short)
    return out, [found.finding(number, lambda document: "") for number in range(len(items))]
