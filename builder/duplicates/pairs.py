"""Pairs of near-duplicates, and the clusters they make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pocketindex.builder.duplicates.corpus import PROBES, Corpus
from pocketindex.builder.duplicates.near import Near
from pocketindex.index import Index


class Pair(NamedTuple):
    """Two documents by their numbers, first < second. similarity: 0..1; exact: equal texts, but for white space where texts are known."""

    first: int
    second: int
    similarity: float
    exact: bool


def text_pairs(corpus: Corpus, done: Callable[[int], None] = lambda count: None) -> Iterator[Pair]:
    """Pairs of a corpus by the second document, then the first. A pair counts when either text finds the other."""
    near: defaultdict[int, dict[int, float]] = defaultdict(dict)
    members: dict[int, list[int]] = {}
    for document, text in enumerate(corpus.text_of):
        done(1)
        if text not in members:
            members[text] = []
            for other, cosine in zip(*(column.tolist() for column in corpus.neighbours(text)), strict=True):
                near[text][other] = near[other][text] = cosine
        found = [Pair(earlier, document, 1.0, True) for earlier in members[text]]
        for other, cosine in near[text].items() if text in near else ():
            found += [Pair(earlier, document, cosine, False) for earlier in members.get(other, ())]
        yield from sorted(found)
        members[text].append(document)


def sketch_pairs(index: Index, least: float, probes: int | None = None, done: Callable[[int], None] = lambda count: None) -> Iterator[Pair]:
    """Pairs of an open file in the same order, from its sketches alone: similarities are estimates."""
    asked, waiting = Near(index, probes or PROBES), defaultdict[int, dict[int, float]](dict)
    for document in range(len(index)):
        done(1)
        found = waiting.pop(document, {})
        for other, similarity in zip(*(column.tolist() for column in asked.of_document(document)[:2]), strict=True):
            if similarity < least:
                break
            if other < document:
                found[other] = similarity
            else:
                waiting[other][document] = similarity
        for other in sorted(found):
            yield Pair(other, document, found[other], found[other] == 1.0)


def clusters(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """Documents 0 .. count - 1 joined by pairs, directly or through others: clusters of two or more by their first document."""
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
