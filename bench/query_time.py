"""Whole queries, text in, hits out, beside tantivy's, in one run: one thread, queries taken in turn, so that both see the same machine.

    pip install tantivy
    python bench/query_time.py wiki_simple.jsonl.zst --cache DIR -o bench/results/query_time.md

All documents of the collection are in both indexes. Three stages of ours are told apart: the text to its sketch (no table is read),
the look-up (a query less that: keys, tables, checksums, ranking), and titles and ids of ten hits.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
import tantivy
from pocketindex.builder.build import build
from pocketindex.builder.evaluate.truth import words
from pocketindex.cbits import ffi, lib
from quality import read

QUERIES = 1_000
ROUNDS = 5
TERMS = 25  # of a text, the heaviest: what tantivy's more-like-this asks with
Timed = Callable[[bytes], Any]


def tantivy_search(texts: list[str], folder: Path) -> tuple[Callable[[bytes], Any], Callable[[Any], Any]]:
    """Two steps: the text to a query of its heaviest terms (Python), and the search with it (tantivy)."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False)
    builder.add_integer_field("number", stored=True)
    fields = builder.build()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    index = tantivy.Index(fields, path=str(folder))
    writer = index.writer(heap_size=256_000_000, num_threads=1)
    seen: Counter[str] = Counter()
    for number, text in enumerate(texts):
        writer.add_document(tantivy.Document(text=text, number=number))
        seen.update(set(words(text)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def terms(text: bytes) -> Any:
        counts = Counter(words(text.decode()))
        weights = {w: n * float(np.log(len(texts) / seen[w])) for w, n in counts.items() if seen[w]}
        best = sorted(weights, key=lambda w: -weights[w])[:TERMS]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, tantivy.Query.term_query(fields, "text", w)) for w in best])

    def search(query: Any) -> Any:
        return [searcher.doc(address)["number"][0] for _, address in searcher.search(query, 10).hits]

    return terms, search


def ours(index: pocketindex.Index) -> dict[str, Timed]:
    handle, count = index.handle, ffi.new("uint32_t *")
    summary = ffi.new("pocket_summary *")
    lib.pocket_summarize(handle, summary)
    digits, weights = ffi.new("uint8_t[]", summary.components), ffi.new("uint32_t[]", summary.components)
    found, report, error = ffi.new("pocket_hit[]", 10), ffi.new("pocket_report *"), ffi.new("pocket_error *")

    def query(text: bytes) -> Any:
        count[0] = 10
        return lib.pocket_query(handle, text, len(text), 0, found, count, report, error)

    return {
        "text to sketch": lambda text: lib.pocket_sketch(handle, text, len(text), digits, weights, ffi.NULL, ffi.NULL),
        "sketch and look-up": query,
        "whole query, titles and all, from Python": lambda text: next(index.query_many([text])),
    }


def microseconds(call: Timed, argument: Any) -> float:
    start = time.perf_counter_ns()
    call(argument)
    return (time.perf_counter_ns() - start) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    parser.add_argument("--keep", action="store_true", help="use the index of an earlier run")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    documents = read(arguments.collection)
    texts = [d["text"] for d in documents]
    path = arguments.cache / "query_time.pocket"
    if not (arguments.keep and path.exists()):
        source = arguments.cache / "query_time.jsonl"
        source.write_text("".join(json.dumps({"id": str(d["id"]), "title": d["title"], "text": d["text"]}) + "\n" for d in documents))
        start, cpu = time.perf_counter(), time.process_time()
        build([str(source)], path)
        print(f"built in {time.perf_counter() - start:.1f} s, {time.process_time() - cpu:.1f} s of processor time", flush=True)
    to_terms, search = tantivy_search(texts, arguments.cache / "query_time.tantivy")
    print("tantivy's index is made", flush=True)
    chosen = random.Random(5).sample([t.encode() for t in texts if len(t.split()) >= 50], QUERIES)
    with pocketindex.open(path) as index:
        steps = ours(index)
        names = [*steps, "look-up alone", "tantivy, search alone", "tantivy, terms chosen in Python and search"]
        best: dict[str, list[float]] = {name: [] for name in names}
        candidates = [next(index.query_many([t])).candidates for t in chosen]
        for text in chosen:
            rounds: dict[str, list[float]] = {name: [] for name in names}
            for _ in range(ROUNDS):
                for name, step in steps.items():
                    rounds[name].append(microseconds(step, text))
                rounds["look-up alone"].append(rounds["sketch and look-up"][-1] - rounds["text to sketch"][-1])
                start = time.perf_counter_ns()
                asked = to_terms(text)
                chosen_in = (time.perf_counter_ns() - start) / 1000
                searched = microseconds(search, asked)
                rounds["tantivy, search alone"].append(searched)
                rounds["tantivy, terms chosen in Python and search"].append(chosen_in + searched)
            for name in names:
                best[name].append(statistics.median(rounds[name]))
        info = index.info()
        per = np.array(best["sketch and look-up"]) / np.array(best["tantivy, search alone"])
    rows = [f"| {name} | {np.mean(v):.0f} | {np.median(v):.0f} | {np.percentile(v, 95):.0f} |" for name, v in best.items()]
    draws = np.random.default_rng(1).choice(per, (1000, len(per))).mean(axis=1)
    total = float(np.sum(best["sketch and look-up"]) / np.sum(best["tantivy, search alone"]))
    command = f"python bench/query_time.py {Path(arguments.collection).name}"
    load = subprocess.run(["uptime"], capture_output=True, text=True).stdout.split("load average:")[-1].strip()
    lines = [
        "# Whole queries beside tantivy's",
        "",
        f"`{command}`, {time.strftime('%Y-%m-%d')}, one thread, Python {sys.version.split()[0]}; load at the end {load} on two cores.",
        f"{info.documents:,} documents; {len(chosen):,} queries of 50 words or more that are documents of the collection, each the median of {ROUNDS} rounds, both in turn.",
        f"{len(info.tables)} tables, {info.default_probes} probes a table at most, {info.bytes_per_document['look-up']:.1f} look-up bytes a document, {np.mean(candidates):.0f} candidates a query.",
        "",
        "| microseconds a query | mean | median | 95 % |",
        "|---|--:|--:|--:|",
        *rows,
        "",
        f"Ours, text in, hits out, in C, to tantivy's search alone, whose terms are chosen beforehand: {total:.2f} of its time in sum; mean ratio a query {per.mean():.2f} ({np.percentile(draws, 2.5):.2f} to {np.percentile(draws, 97.5):.2f}).",
    ]
    print("\n".join(lines))
    arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
