"""Pairs of near-duplicates, and the clusters they make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pocketindex.builder.collections.corpus import Corpus
from pocketindex.builder.collections.cosine.near import PROBES, of_document
from pocketindex.ffi.threads import in_threads
from pocketindex.index import Index

TOGETHER = 4_096  # documents that are asked for at once, by all threads
# Of a file with cells, which asks 32 and the nearest 256 cells by itself: twice as many find what
# the scan finds, but for one pair in a hundred at 2,000,000 documents.
CELL_PROBES = 64


class Pair(NamedTuple):
    """Two documents by their numbers, first < second.

    similarity: 0..1; exact: equal texts, but for white space where texts are known.
    """

    first: int
    second: int
    similarity: float
    exact: bool


def text_pairs(corpus: Corpus, done: Callable[[int], None] = lambda count: None) -> Iterator[Pair]:
    """Pairs of a corpus by the second document, then the first."""
    near: defaultdict[int, dict[int, float]] = defaultdict(dict)
    members = list[list[int]]()
    answers = corpus.pairs()
    for document, text in enumerate(corpus.text_of):
        done(1)
        if text == len(members):
            members.append([])
            for other, similarity in zip(*next(answers), strict=True):
                near[text][other] = near[other][text] = similarity
        found = [Pair(earlier, document, 1.0, True) for earlier in members[text]]
        for other, similarity in near[text].items() if text in near else ():
            found += [Pair(earlier, document, similarity, False) for earlier in members[other]]
        yield from sorted(found)
        members[text].append(document)


def sketch_pairs(
    index: Index,
    least: float,
    probes: int | None = None,
    done: Callable[[int], None] = lambda count: None,
    threads: int | None = None,
) -> Iterator[Pair]:
    """Pairs of an open file in the same order, from its sketches alone: similarities are estimates.

    A small file is scanned, so that no pair is missed that its sketches tell. In a larger one each
    document is compared with those of the nearest cells, or with those of which keys are found.
    """
    if probes is None:
        info = index.info()
        probes = 0 if info.way == "scan" else CELL_PROBES if info.cells else PROBES
    asked, waiting = probes, defaultdict[int, dict[int, float]](dict)
    for start in range(0, len(index), TOGETHER):
        batch = range(start, min(start + TOGETHER, len(index)))
        answers = in_threads(
            lambda document: of_document(index, document, asked, least), batch, threads
        )
        for document, answer in zip(batch, answers, strict=True):
            found = waiting.pop(document, {})
            for other, similarity in answer:
                (found if other < document else waiting[other])[min(other, document)] = similarity
            for other in sorted(found):
                yield Pair(other, document, found[other], found[other] == 1.0)
        done(len(batch))


def clusters(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """Documents 0 ..

    count - 1 joined by pairs, directly or through others: clusters of two or more by their first
    document.
    """
    parent = list(range(count))

    def root(document: int) -> int:
        while parent[document] != document:
            parent[document] = parent[parent[document]]
            document = parent[document]
        return document

    for pair in pairs:
        a, b = sorted((root(pair.first), root(pair.second)))
        parent[b] = a
    found: defaultdict[int, list[int]] = defaultdict(list)
    for document in range(count):
        found[root(document)].append(document)
    return [documents for _, documents in sorted(found.items()) if len(documents) > 1]
