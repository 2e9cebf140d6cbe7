"""Whole queries, text in, hits out, in C and from Python, beside tantivy's and faiss's: one thread,
in turn, so that all see the same machine.

    pip install tantivy faiss-cpu zstandard scipy
    python bench/speed/query_time.py wiki_simple.jsonl.zst --cache DIR -o bench/results/query_time.md

All documents of the collection are in all indexes. Told apart: the text to its sketch (no table is
read), the look-up (a query less that), and what Python adds for the titles of ten hits and of 200.
faiss gets the bits of the texts ready made, tantivy its 25 terms.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))
sys.path.insert(0, str(Path(__file__).parents[1] / "recall"))

import numpy as np
import numpy.typing as npt
from collection import Collection, Truth, text_of
from engine import SCAN, Engine, settings
from intervals import table
from peers import Projections, bits, tantivy
from pocketindex.builder.pipeline import build
from pocketindex.cbits import ffi, lib
from running import called, parser, report
from truth import bootstrap, read

QUERIES = 1_000
ROUNDS = 5
TURN = 50
BASE = "text to hits in C"
Timed = Callable[[Any], Any]


def flat(collection: Collection) -> tuple[Timed, Timed]:
    """The bits of a text, and faiss's search with them."""
    import faiss

    faiss.omp_set_num_threads(1)
    hashed = Projections(collection.truths["raw"], 128)
    index = faiss.IndexBinaryFlat(128)
    index.add(bits(hashed.of(collection.truths["raw"].rows)))
    return (lambda text: bits(hashed.of_text(text.decode()))), (lambda row: index.search(row, 10))


def ours(engine: Engine) -> dict[str, Timed]:
    """From a text on. Titles are looked at: hits may be lazy."""
    index = engine.index
    handle = engine.index._core
    summary = ffi.new("pocket_summary *")
    lib.pocket_summarize(handle, summary)
    digits = ffi.new("uint8_t[]", summary.components)
    weights = ffi.new("uint32_t[]", summary.components)
    return {
        "text to sketch": lambda text: lib.pocket_sketch(
            handle, text, len(text), digits, weights, ffi.NULL, ffi.NULL
        ),
        BASE: engine.run,
        "the same by tables": lambda text: engine.run(text, 10, engine.default_probes),
        "the same by scan": lambda text: engine.run(text, 10, SCAN),
        "text to 200 hits in C": lambda text: engine.run(text, 200),
        "ten hits with titles, from Python": lambda text: [
            hit.title for hit in index.query(text, top=10)
        ],
        "200 hits with titles, from Python": lambda text: [
            hit.title for hit in index.query(text, top=200)
        ],
        "200 hits without a look at titles, from Python": lambda text: index.query(text, top=200),
        "ten hits by query_many, numbers alone": lambda text: index.query_many(
            [text], numbers=True
        ),
    }


def measure(
    steps: dict[str, Timed], arguments: dict[str, list[Any]], count: int
) -> dict[str, npt.NDArray[Any]]:
    """Microseconds of each step and text, median of rounds; each step takes TURN texts, then the
    next has its turn.
    """
    took = {name: np.zeros((count, ROUNDS)) for name in steps}
    for first in range(0, count, TURN):
        for again in range(ROUNDS):
            for name, step in steps.items():
                texts = arguments[name]
                for place in range(first, min(first + TURN, count)):
                    start = time.perf_counter_ns()
                    step(texts[place])
                    took[name][place, again] = (time.perf_counter_ns() - start) / 1000
    return {name: np.median(times, axis=1) for name, times in took.items()}


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collection")
    options.add_argument("--queries", type=int, default=QUERIES)
    options.add_argument("--cache", required=True, type=Path)
    options.add_argument("--keep", action="store_true", help="use the file of an earlier run")
    arguments = options.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    documents = read(arguments.collection)
    path, source = arguments.cache / "query_time.pocket", arguments.cache / "query_time.jsonl"
    if not (arguments.keep and path.exists()):
        with source.open("w", encoding="utf-8") as out:
            for number, d in enumerate(documents):
                one = {"id": str(number), "title": d["title"], "text": d["text"]}
                out.write(json.dumps(one, ensure_ascii=False) + "\n")
        build([str(source)], path, settings())
    engine = Engine(path)
    collection = Collection(
        "all", [text_of(d, titles=False) for d in documents], {"raw": Truth(damped=False)}
    )
    collection.truths["raw"].learn(collection.texts)
    chosen = random.Random(5).sample(
        [t.encode() for t in collection.texts if len(t.split()) >= 50], arguments.queries
    )
    steps = ours(engine)
    given: dict[str, list[Any]] = dict.fromkeys(steps, chosen)
    project, search = flat(collection)
    steps["faiss BinaryFlat 128, search alone"] = search
    given["faiss BinaryFlat 128, search alone"] = [project(text) for text in chosen]
    (peer,) = tantivy(collection, fresh(arguments.cache / "query_time"))
    steps["tantivy, search alone"] = lambda query: peer.search(query, 10)
    given["tantivy, search alone"] = [peer.prepare(text.decode()) for text in chosen]
    print("all indexes are made", flush=True)
    took = measure(steps, given, len(chosen))
    took["look-up alone, in C"] = took[BASE] - took["text to sketch"]
    base = float(took[BASE].mean())
    rows = [
        [
            name,
            f"{v.mean():.0f}",
            f"{np.median(v):.0f}",
            f"{np.percentile(v, 95):.0f}",
            f"{v.mean() / base:.2f}",
        ]
        for name, v in took.items()
    ]
    per = took[BASE] / took["tantivy, search alone"]
    low, high = bootstrap(per)
    candidates = statistics.fmean(
        engine.ask(text, 10, engine.default_probes).candidates for text in chosen
    )
    lines = [
        "# Whole queries beside tantivy's and faiss's",
        "",
        f"`{called()}`, {date.today()}, one thread, Python {sys.version.split()[0]}; load at the end {os.getloadavg()[0]:.1f}.",
        f"{engine.documents:,} documents; {len(chosen):,} queries of 50 words or more that are documents of the collection, each the median of {ROUNDS} rounds, in turn.",
        f"{engine.shape}, asked by {engine.way}; {engine.default_probes:,} probes a table and {candidates:,.0f} candidates where tables are asked; {engine.bytes:.1f} look-up bytes a document.",
        "",
        *table(["microseconds a query", "mean", "median", "95 %", "of text to hits in C"], rows),
        "",
        "With titles, from Python, beside the same query in C: "
        f"ten hits {took['ten hits with titles, from Python'].mean() / base:.2f} times, "
        f"200 hits {took['200 hits with titles, from Python'].mean() / took['text to 200 hits in C'].mean():.2f} times.",
        "",
        f"Text to hits in C to tantivy's search alone: {base / took['tantivy, search alone'].mean():.2f} of its time in sum; mean ratio a query {per.mean():.2f} ({low:.2f} to {high:.2f}). "
        f"To faiss's search alone, whose bits are made beforehand: {base / took['faiss BinaryFlat 128, search alone'].mean():.2f}.",
    ]
    report(lines, arguments.output)


def fresh(folder: Path) -> Path:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
