"""The rival route of DIR 2007, 2.1: the heaviest terms of a document are searched for as words, and
the hits ranked; beside fingerprints, in the collection and in a focused one (4.2).
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.evaluate.collection import Collection, of_texts
from pocketindex.builder.evaluate.measure import Subject
from pocketindex.builder.evaluate.truth import interval
from pocketindex.builder.pipeline import Settings

TERMS = (5, 10, 25, 64)  # of a document, the heaviest
TOP = 10
THRESHOLDS = (0.5, 0.7, 0.9)
SEEDS, KEYWORDS, MOST_OF_A_QUESTION = 15, 100, 5  # DIR 2007, 4.2
QUESTIONS = 300
RESULTS = 50
LEAST_FOCUSED = 200

Ask = Callable[[int], list[str]]


def keyword_route(
    collection: Collection, seed: int, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Compare both routes in the collection, and in a focused one where that has 200 documents.

    Returns a part for each, ready for JSON.
    """
    say("keywords")
    with tempfile.TemporaryDirectory() as folder:
        subject = _subject(collection, Path(folder))
        parts = [_compared("this collection", collection, subject)]
        ids = focused(collection, subject, seed)
        subject.close()
    if len(ids) < LEAST_FOCUSED:
        return parts
    say(f"keywords, a focused collection of {len(ids):,} documents")
    texts = dict(zip(collection.ids, collection.texts, strict=True))
    smaller = of_texts(ids, [texts[id] for id in ids], min(500, len(ids) // 4), seed)
    with tempfile.TemporaryDirectory() as folder:
        subject = _subject(smaller, Path(folder))
        parts.append(_compared("a focused collection", smaller, subject))
        subject.close()
    return parts


def focused(collection: Collection, subject: Subject, seed: int) -> list[str]:
    """Return the ids of what a search for the keywords of 15 documents on one topic brings."""
    chance = random.Random(seed)
    first = chance.choice(collection.similar or collection.random)
    numbers = {id: i for i, id in enumerate(collection.ids)}
    topic = subject.index.search(" ".join(_heaviest(collection, first, 25)), SEEDS)
    seeds = [numbers[hit.id] for hit in topic]
    weight: dict[str, float] = {}
    for number in seeds:
        for word, own in collection.truth.heaviest(number, KEYWORDS):
            weight[word] = weight.get(word, 0) + own
    keywords = sorted(weight, key=lambda word: (-weight[word], word))[:KEYWORDS]
    found: dict[str, None] = {}
    for _ in range(QUESTIONS):
        count = chance.randint(1, min(MOST_OF_A_QUESTION, len(keywords)))
        asked = " ".join(chance.sample(keywords, count))
        found |= dict.fromkeys(hit.id for hit in subject.index.search(asked, RESULTS))
    return list(found)


def _subject(collection: Collection, folder: Path) -> Subject:
    settings = Settings(
        profile="learn",
        sample=collection.sample,
        index=("documents", "words"),
        title_weight=0,
    )
    return Subject(collection, folder, settings)


def _heaviest(collection: Collection, number: int, count: int) -> list[str]:
    return [word for word, _ in collection.truth.heaviest(number, count)]


def _compared(name: str, collection: Collection, subject: Subject) -> dict[str, Any]:
    index, info = subject.index, subject.index.info()
    texts, documents = collection.texts, max(len(subject.index), 1)

    def fingerprints(number: int) -> list[str]:
        return [hit.id for hit in index.query(texts[number], top=TOP + 1, min_similarity=0)]

    def keywords(count: int) -> Ask:
        return lambda number: [
            hit.id for hit in index.search(" ".join(_heaviest(collection, number, count)), TOP + 1)
        ]

    size = info.sections["words"] / documents
    ways: list[tuple[str, Ask, float]] = [("fingerprints", fingerprints, subject.look_up_bytes)]
    ways += [(f"{count} keywords", keywords(count), size) for count in TERMS]
    return {
        "name": name,
        "documents": documents,
        "queries": len(collection.similar),
        "rows": [_row(way, ask, own, collection) for way, ask, own in ways],
    }


def _row(way: str, ask: Ask, size: float, collection: Collection) -> dict[str, Any]:
    """Return recall of the ten nearest neighbours at so high a cosine among ten hits."""
    ids = {id: i for i, id in enumerate(collection.ids)}
    recalls: dict[float, list[float]] = {threshold: [] for threshold in THRESHOLDS}
    began = time.perf_counter()
    hits = {q: ask(q) for q in collection.similar}
    seconds = time.perf_counter() - began
    for q, found in hits.items():
        left_out = {q, *collection.copies.get(q, np.zeros(0, np.int64)).tolist()}
        own = [ids[id] for id in found if ids[id] not in left_out][:TOP]
        near = collection.neighbours[q]
        order = near.documents[np.argsort(-near.cosines, kind="stable")]
        for threshold in THRESHOLDS:
            wanted = order[: min(TOP, int((near.cosines >= threshold).sum()))]
            if len(wanted):
                recalls[threshold].append(float(np.isin(wanted, own).mean()))
    return {
        "way": way,
        "bytes": size,
        "microseconds": 1e6 * seconds / max(len(hits), 1),
        "recall": {str(at): float(np.mean(own)) if own else None for at, own in recalls.items()},
        "interval": {str(at): interval(np.array(own)) for at, own in recalls.items()},
    }
