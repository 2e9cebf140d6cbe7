"""Recall by exact truth over all documents: the neighbours of sampled documents at cosine .7 or
more, and which of them each way finds.

    python bench/recall/exact.py COLLECTION.jsonl FILE.pocket DOCUMENTS --cache DIR -o bench/results/exact.md       minutes of two cores; the truth is kept in DIR

The truth is that of `build --measure` (builder/passes/measuring.py): cosines of all documents with the
sampled ones. Found is what is among ten hits, the document itself aside; a document with more than
ten neighbours has found all with ten of them.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import pocketindex
from intervals import mean, table
from pocketindex.builder.passes.measuring import NEAR, Truth
from pocketindex.builder.progress import Progress
from pocketindex.builder.work.batches import batches
from pocketindex.builder.work.threads import Threads

QUERIES = 500
LEAST_WORDS = 50
TOP = 10
WAYS: dict[str, dict[str, Any]] = {
    "default": {},
    "first answer": {},
    "half the cells": {"probes": 16},
    "twice the cells": {"probes": 64},
    "four times": {"probes": 128},
    "scan": {"exhaustive": True},
    "default, whatever the similarity": {"min_similarity": 0},
    "scan, whatever the similarity": {"exhaustive": True, "min_similarity": 0},
}


def truth_of(
    source: Path, documents: int
) -> tuple[list[bytes], list[int], list[list[tuple[float, int]]]]:
    """Sampled texts, their places in the collection, and of each its neighbours: cosine and place."""
    sampled = set(random.Random(77).sample(range(documents), 3 * QUERIES))
    texts = list[bytes]()
    places = list[int]()
    with source.open("rb") as lines:
        for place, line in enumerate(lines):
            if (
                place in sampled
                and len(texts) < QUERIES
                and len((text := json.loads(line)["text"]).split()) >= LEAST_WORDS
            ):
                texts.append(text.encode())
                places.append(place)

    def all_documents() -> Iterator[tuple[int, list[bytes]]]:
        place = 0
        with source.open("rb") as lines:
            for some in batches(json.loads(line)["text"].encode() for line in lines):
                yield place, some
                place += len(some)

    with Threads(2) as threads:
        truth: Any = Truth(
            texts, all_documents, SimpleNamespace(threads=threads, progress=Progress())
        )  # type: ignore[arg-type]

        def near(batch: tuple[int, list[bytes]]) -> list[tuple[int, float, int]]:
            products = truth._products(batch[1])
            return [
                (int(q), float(products[d, q]), batch[0] + int(d))
                for d, q in np.argwhere(products >= NEAR)
            ]

        found: list[list[tuple[float, int]]] = [[] for _ in texts]
        for some in threads.map(near, all_documents()):
            for query, cosine, place in some:
                found[query].append((cosine, place))
    return texts, places, found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("documents", type=int)
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    kept = arguments.cache / f"exact-{arguments.documents}.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(truth_of(arguments.collection, arguments.documents)))
    texts, places, found = pickle.loads(kept.read_bytes())
    with arguments.collection.open("rb") as lines:
        place_of = {
            json.loads(line[: line.index(b', "title"')] + b"}")["id"]: place
            for place, line in enumerate(lines)
        }
    rows = []
    for name, how in WAYS.items():
        right = 0
        wanted = 0
        shares = []
        with pocketindex.open(arguments.file, cold=name == "first answer") as index:
            for text, own, near in zip(texts, places, found, strict=True):
                if near:
                    hits = [place_of[hit.id] for hit in index.query(text, TOP + 4, **how)]
                    expected = min(TOP, len(near))
                    true = min(
                        expected,
                        len(
                            {place for _, place in near}.intersection(
                                [hit for hit in hits if hit != own][:TOP]
                            )
                        ),
                    )
                    right, wanted = right + true, wanted + expected
                    shares.append(true / expected)
        rows.append(
            [
                name,
                f"{right:,} of {wanted:,}",
                f"{right / wanted:.3f}",
                mean(shares),
                str(len(shares)),
            ]
        )
        print(rows[-1], flush=True)
    head = ["", "found", "share", "mean of the texts", "texts with neighbours"]
    lines_out = [
        "# Recall by exact truth over all documents",
        "",
        f"`python bench/recall/exact.py {arguments.collection.name} {arguments.file.name} {arguments.documents}`, {time.strftime('%Y-%m-%d')}. "
        f"{len(texts)} documents of at least {LEAST_WORDS} words; neighbours at cosine {NEAR} or more among all, at most {TOP}. 95 % intervals.",
        "",
        *table(head, rows),
    ]
    arguments.output.write_text("\n".join(lines_out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
