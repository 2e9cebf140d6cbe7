"""The collection under test: its documents of enough words, and queries that no sample has seen."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.conventions import murmur
from pocketindex.builder.document import Skip
from pocketindex.builder.evaluate.truth import Neighbours, Truth, words
from pocketindex.builder.inputs import Input
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.threads import Each, Threads, one_by_one
from pocketindex.builder.tally import Tally
from pocketindex.errors import spelled
from pocketindex.wording.counted import counted, have

LEAST_WORDS = 50
LEAST_COSINE = 0.1
EACH = 12  # bytes that a character of the texts takes, with its terms twice


@dataclass
class Collection:
    """A collection to be measured on. texts: of the documents; sample: how many of them, those of
    smallest hash, profiles are learned from; random: numbers of queries drawn from the others;
    similar: numbers of queries among the others that have a neighbour at cosine >= .5; neighbours:
    of each query, byte-identical copies left out; copies: these, of each query that has some.
    """

    ids: list[str]
    texts: list[str]
    truth: Truth
    sample: int
    random: list[int]
    similar: list[int]
    neighbours: dict[int, Neighbours]
    copies: dict[int, npt.NDArray[np.int64]]

    def write(self, path: Path) -> None:
        """Write the documents as JSON Lines."""
        with path.open("w", encoding="utf-8") as out:
            for id, text in zip(self.ids, self.texts, strict=True):
                out.write(json.dumps({"id": id, "text": text}) + "\n")


def load(
    sources: Sequence[tuple[str, Input]],
    queries: int,
    seed: int,
    least_words: int = LEAST_WORDS,
    settings: Settings = DEFAULTS,
    report: Tally | None = None,
) -> Collection:
    """Read sources, which inputs.find_all has found.

    report: counts what was read and what was left out, short documents included. Of the settings,
    max_memory and threads count. Raises ValueError where too few documents are long
    enough, or the texts would not fit.
    """
    kept, size, report = dict[str, str](), 0, report or Tally()
    for source, kind in sources:
        for document in kind.documents(source, report.reject):
            report.arrive()
            if (count := len(words(document.text))) < least_words:
                detail = f"{counted(count, 'word')}, expected at least {least_words}"
                report.skip(Skip(document.id, "too few words", detail))
                continue
            if document.id in kept:
                detail = "an earlier document has this id; the first one is measured"
                report.skip(Skip(document.id, "duplicate id", detail))
                continue
            kept[document.id] = document.text
            size += len(document.text)
            if size * EACH > settings.max_memory:
                raise ValueError(
                    f"evaluate holds all texts and their terms, {EACH} bytes a character, and "
                    f"{source} has more than fit into {settings.max_memory:,} bytes; raise "
                    f"{spelled('max_memory')}, or give a part of the collection"
                )
    report.check_bad([source for source, _ in sources], settings.keep_going)
    with Threads(settings.thread_count) as threads:
        return of_texts(list(kept), list(kept.values()), queries, seed, threads.map)


def of_texts(
    ids: list[str], texts: list[str], queries: int, seed: int, each: Each = one_by_one
) -> Collection:
    """Return a collection of these texts; each: for the work of threads."""
    if len(texts) < 100:
        raise ValueError(
            f"{have(len(texts), 'document')} {LEAST_WORDS} words or more; at least 100 are needed to "
            "measure anything"
        )
    truth, sample = Truth(texts), min(20_000, len(texts) // 2)
    by_hash = sorted(range(len(ids)), key=lambda i: murmur(ids[i].encode()))
    others = np.random.default_rng(seed).permutation(by_hash[sample:])[: 4 * queries].tolist()
    found = truth.neighbours(truth.rows[others], LEAST_COSINE, each=each)
    neighbours, copies = {}, {}
    same: defaultdict[str, list[int]] = defaultdict(list)
    for i, text in enumerate(texts):
        same[text].append(i)
    for q, near in zip(others, found, strict=True):
        own = np.isin(near.documents, same[texts[q]])
        neighbours[q] = Neighbours(near.documents[~own], near.cosines[~own])
        if len(same[texts[q]]) > 1:
            copies[q] = np.array([i for i in same[texts[q]] if i != q], np.int64)
    random = others[:queries]
    similar = [q for q in others if (neighbours[q].cosines >= 0.5).any()][:queries]
    wanted = {*random, *similar}
    kept = {q: n for q, n in neighbours.items() if q in wanted}
    return Collection(
        ids,
        texts,
        truth,
        sample,
        random,
        similar,
        kept,
        {q: c for q, c in copies.items() if q in wanted},
    )
