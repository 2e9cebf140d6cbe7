"""What a shape's constants find: tables, bits of a sub-key, probes, width of the sketch.

builder/schemes/shapes.py is chosen from its table.

    python bench/schemes/shape.py reuters.jsonl.zst newsgroups20.jsonl.zst wiki_simple.jsonl.zst --cache DIR -o bench/results/shape.md

Tables alone, never the scan. A sub-key has log2 n bits, rounded, and some `beyond`. Truth, queries,
edits: collection.py.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
from collection import AT, QUERIES, Collection, load
from engine import SCAN, Engine, built, settings
from intervals import table

PROBES = (1_024, 2_048, 4_096, 8_192, 16_384)
ASKED = 300
EDITED = 200
TIMED = 100
HARD = "30% replaced"


class Made(NamedTuple):
    """What decides a file: bits of the sketch, tables, bits of a sub-key beyond log2 n."""

    components: int
    tables: int
    beyond: int


GRID = [Made(128, tables, beyond) for tables in (1, 2, 3) for beyond in (0, 1, 2, 3)]
GRID += [Made(168, 1, beyond) for beyond in (0, 1, 2)]
GRID += [
    Made(96, 1, 0),
    Made(96, 1, 1),
    Made(96, 1, 2),
    Made(96, 2, 1),
    Made(256, 2, 1),
    Made(256, 3, 1),
]


def sub_key(made: Made, documents: int) -> int:
    return min(round(math.log2(documents)) + made.beyond, made.components // made.tables)


def measure(engine: Engine, collection: Collection, probes: int) -> dict[str, float]:
    recalls, candidates = [], []
    for q in collection.similar()[:ASKED]:
        same, wanted = collection.same(q), collection.near["raw"][q][0]
        found = engine.ask(collection.texts[q].encode(), 10 + len(same), probes)
        hits = [d for d in found.documents if d not in same][:10]
        recalls.append(np.isin(wanted, hits).sum() / min(10, len(wanted)))
        candidates.append(found.candidates)
    pairs = list(zip(collection.random, collection.edits[HARD], strict=True))[:EDITED]
    edited = [
        not collection.same(d).isdisjoint(engine.ask(text.encode(), 10, probes).documents)
        for d, text in pairs
    ]
    texts, took = [collection.texts[i].encode() for i in collection.random[:TIMED]], []
    for _ in range(3):
        start = time.perf_counter()
        for text in texts:
            engine.run(text, 10, probes)
        took.append(1e6 * (time.perf_counter() - start) / len(texts))
    return {
        "recall": float(np.mean(recalls)),
        "edited": float(np.mean(edited)),
        "candidates": float(np.mean(candidates)),
        "us": min(took),
        "bytes": engine.bytes,
    }


def page(found: dict[str, dict[str, dict[str, float]]], sizes: dict[str, int], names: str) -> str:
    """found: by sketch, tables, sub-key and probes, then by collection."""
    largest = max(sizes, key=lambda name: sizes[name])
    head = [
        "bits, tables, beyond, probes",
        *(f"{name} ({count:,})" for name, count in sizes.items()),
        "least",
        HARD + ", least",
    ]
    head += [f"candidates, {largest}", f"us, {largest}", f"bytes, {largest}"]
    rows = []
    for key, by in found.items():
        if set(by) == set(sizes):
            least = [
                f"{min(figures[what] for figures in by.values()):.3f}"
                for what in ("recall", "edited")
            ]
            big = by[largest]
            rows.append(
                [
                    key,
                    *(f"{by[name]['recall']:.3f}" for name in sizes),
                    *least,
                    f"{big['candidates']:,.0f}",
                    f"{big['us']:.0f}",
                    f"{big['bytes']:.1f}",
                ]
            )
    lines = [
        "# What a shape finds",
        "",
        f"`python bench/schemes/shape.py {names}`, {time.strftime('%Y-%m-%d')}, one thread. Recall among ten hits of what lies at cosine {AT} or more, by tables alone "
        f"({ASKED} queries at most, documents of the collection); `scan`: all sketches, the most that tables can find. `least`: of the collections. "
        f"{HARD}: {EDITED} edited documents found among ten.",
        "",
        *table(head, rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument(
        "--only",
        type=int,
        nargs="*",
        default=[],
        metavar="BITS",
        help="sketches of so many bits alone",
    )
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    found: dict[str, dict[str, dict[str, float]]] = {}
    sizes: dict[str, int] = {}
    names, text = " ".join(Path(path).name for path in arguments.collections), ""
    for path in arguments.collections:
        collection = load(path, arguments.cache, QUERIES)
        sizes[collection.name] = count = len(collection.texts)
        for made in GRID:
            if arguments.only and made.components not in arguments.only:
                continue
            with tempfile.TemporaryDirectory() as folder:
                chosen = settings(
                    "balanced", made.tables, sub_key(made, count), made.components, threads=2
                )
                engine = built(collection.texts, Path(folder) / "x.pocket", chosen)
                for probes in (*PROBES, SCAN):
                    key = (
                        f"{made.components}, scan"
                        if probes == SCAN
                        else f"{made.components}, {made.tables}, +{made.beyond}, {probes:,}"
                    )
                    if collection.name not in found.setdefault(key, {}):
                        found[key][collection.name] = measure(engine, collection, probes)
                        print(
                            collection.name,
                            key,
                            json.dumps(
                                {k: round(v, 3) for k, v in found[key][collection.name].items()}
                            ),
                            flush=True,
                        )
                engine.close()
        text = page(found, sizes, names)
        if arguments.output:
            arguments.output.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
