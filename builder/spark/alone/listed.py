"""The pairs of documents that a task lists, and what is said of those that no way lists: of a text
that very many documents have, all pairs would be half the square of their number.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator
from itertools import product
from typing import Any

import numpy as np
from pocketindex.builder.collections.corpus import Corpus, Numbers
from pocketindex.spark.alone.one_task import ROWS
from pocketindex.spark.stages import pyarrow

COLUMNS = {"a": "string", "b": "string", "similarity": "double", "kind": "string"}


class _Members:
    """The documents that have each text, in their order. sizes: the number of these documents."""

    def __init__(self, corpus: Corpus, most: int) -> None:
        text_of = np.array(corpus.text_of, np.int64)
        self.sizes = np.bincount(text_of, minlength=corpus.texts)
        self._most, self._order = most, np.argsort(text_of, kind="stable")
        self._ends = np.cumsum(self.sizes)

    def all_of(self, text: int) -> Numbers:
        return self._order[self._ends[text] - self.sizes[text] : self._ends[text]]

    def some_of(self, text: int) -> list[int]:
        """Return the first ones, which are paired with those of other texts."""
        some: list[int] = self.all_of(text)[: self._most].tolist()
        return some


class _Listed:
    """Collects pairs of documents, and yields them in batches."""

    def __init__(self, ids: list[str]) -> None:
        arrow = pyarrow()
        self._ids = arrow.array(ids, arrow.string())
        self._kinds = arrow.array(["near", "exact"])
        self._clear()

    def _clear(self) -> None:
        self._columns = array("q"), array("q"), array("d"), array("b")

    def add(self, first: int, second: int, similarity: float) -> None:
        firsts, seconds, similarities, equal = self._columns
        firsts.append(first)
        seconds.append(second)
        similarities.append(similarity)
        equal.append(0)

    def add_equal(self, first: int, others: Numbers) -> None:
        """Add a document with each of others."""
        firsts, seconds, similarities, equal = self._columns
        firsts.extend([first] * len(others))
        seconds.extend(others.tolist())
        similarities.extend([1.0] * len(others))
        equal.extend([1] * len(others))

    def batches(self, least: int = ROWS) -> Iterator[Any]:
        """Yield all of them, if they are as many."""
        if len(self._columns[0]) < least:
            return
        arrow = pyarrow()
        firsts, seconds, similarities, equal = (arrow.array(np.array(own)) for own in self._columns)
        columns = [self._ids.take(firsts), self._ids.take(seconds), similarities]
        yield arrow.RecordBatch.from_arrays([*columns, self._kinds.take(equal)], list(COLUMNS))
        self._clear()


def listed(corpus: Corpus, ids: list[str], most: int) -> Generator[Any, None, list[str]]:
    """Yield the pairs of documents as Arrow batches (COLUMNS), and return what is said of those
    that are left out. ids: of the documents; most: how many of one text are paired with each other.
    """
    members, rows, cut = _Members(corpus, most), _Listed(ids), 0
    for text in np.flatnonzero(members.sizes > 1).tolist():
        own = members.all_of(text)
        for place, document in enumerate(own[:most].tolist()):
            rows.add_equal(document, own[place + 1 : most if place else None])
            yield from rows.batches()
    is_large = members.sizes > most
    for text, (others, alike) in enumerate(corpus.pairs()):
        if others:
            later = members.some_of(text)
        for other, similarity in zip(others, alike, strict=True):
            cut += bool(is_large[text] or is_large[other])
            for one, two in product(members.some_of(other), later):
                rows.add(min(one, two), max(one, two), similarity)
            yield from rows.batches()
    yield from rows.batches(1)
    return left(members.sizes, cut, most)


def left(sizes: Numbers, near: int, most: int) -> list[str]:
    """Say what is left out. sizes: how many documents texts have; near: pairs of near texts of
    which one has more than most.
    """
    large = sizes[sizes > most].astype(np.int64)
    if not len(large):
        return []
    further = large - most
    pairs = int((further * (further - 1) // 2 + further * (most - 1)).sum())
    notes = [
        f"{len(large):,} texts have more than {most:,} documents, {int(large.sum()):,} in all: of "
        f"the pairs of equal ones {pairs:,} are not listed, where neither is the first; "
        "most_equal sets it"
    ]
    if near:
        notes.append(
            f"{near:,} near texts have such a text among them: only its first {most:,} "
            "documents are paired with those of the other"
        )
    return notes
