"""Would cells find more than tables of bits in large collections? A prototype with numpy over the product's own projections, on the files of crossing.py.

    python bench/crossing.py … --cache DIR; python bench/cells.py wiki_simple.jsonl.zst --cache DIR -o bench/results/cells.md

Cells: k-means of the projections of a sample, in steps of eight bits; a document lies in the nearest one, and a query has the documents of the
nearest cells compared. Found: of the hits among ten that the exact scan has, those that lie in these cells, or are found by the first table of
the file with so many probes. What both cost is documents compared, and runs of sketches that lie side by side.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from collection import load
from crossing import queries
from engine import SCAN, Engine
from intervals import mean, share, table
from pocketindex.cbits import ffi, lib
from truth import read

ASKED, AT = 300, 0.7
PER_CELL, ROUNDS, STEPS = 40, 8, 127  # sampled documents a cell; rounds of k-means; of a coordinate
NEAREST, PROBES = (8, 16, 32, 64, 128), (0, 1_024, 2_048)
BLOCK = 16_384
Rows = np.ndarray[Any, Any]


class Query(NamedTuple):
    """A text's projections, the documents that it should find, and those of them that the first table finds, by probes."""

    row: Rows
    wanted: Rows
    by_table: dict[int, Rows]


def projections(engine: Engine, texts: Iterator[bytes]) -> Rows:
    """A row a text: the sketch's bits with their margins, of length 1, in STEPS; zeros for a text that is too short."""
    handle, count = engine.index.handle, engine.index.info().components
    digits, weights, rows = ffi.new("uint8_t[]", count), ffi.new("uint32_t[]", count), []
    for text in texts:
        short = lib.pocket_sketch(handle, text, len(text), digits, weights, ffi.NULL, ffi.NULL)
        sizes, signs = np.frombuffer(ffi.buffer(weights), np.uint32), np.frombuffer(ffi.buffer(digits), np.uint8)
        row = np.where(signs, 1.0, -1.0) * sizes * (0 if short else 1)
        rows.append(np.clip(np.round(row * (STEPS / 4 / 1024)), -STEPS, STEPS).astype(np.int8))  # four standard deviations
    return np.array(rows)


def nearest(rows: Rows, centres: Rows, count: int = 1) -> Rows:
    """Find the nearest cells of each row, (rows, count). Products of such small integers are exact in float32."""
    turned, out = centres.T.astype(np.float32), []
    for start in range(0, len(rows), BLOCK):
        products = rows[start : start + BLOCK].astype(np.float32) @ turned
        out.append(products.argmax(1)[:, None] if count == 1 else np.argpartition(-products, count, axis=1)[:, :count])
    return np.concatenate(out)


def trained(rows: Rows, cells: int) -> Rows:
    """Centres of equal length, in steps."""
    chance = np.random.default_rng(1)
    sample = rows[chance.choice(len(rows), min(len(rows), PER_CELL * cells), replace=False)]
    centres = sample[:cells]
    for _ in range(ROUNDS):
        of, sums = nearest(sample, centres)[:, 0], np.zeros((cells, rows.shape[1]), np.float64)
        np.add.at(sums, of, sample)
        lengths = np.sqrt((sums**2).sum(1, keepdims=True))
        scaled = np.round(sums / np.maximum(lengths, 1) * (STEPS / 4) * np.sqrt(rows.shape[1]))
        centres = np.where(lengths > 0, np.clip(scaled, -STEPS, STEPS), centres).astype(np.int8)
    return centres


def asked(engine: Engine, texts: list[str], wanted: list[Rows] | None = None) -> list[Query]:
    """wanted: what each should find; None for what the scan finds at AT or more, but for the text itself."""
    out = []
    for number, text in enumerate(texts):
        data = text.encode()
        if wanted:
            own = wanted[number]
        else:
            scanned = engine.ask(data, 11, SCAN)
            own = scanned.documents[(scanned.similarities < 1) & (scanned.similarities >= AT)][:10]
        found = {}
        for probes in PROBES[1:]:
            hits = engine.index.query(data, 10, probes)
            found[probes] = np.array([hit.number for hit in hits if 0 in hit.keys], np.int64)
        if len(own):
            out.append(Query(projections(engine, iter([data]))[0], own, found))
    return out


def measured(engine: Engine, rows: Rows, cells: int, kinds: dict[str, list[Query]]) -> Iterator[list[str]]:
    start = time.process_time()
    centres = trained(rows, cells)
    seconds, of = time.process_time() - start, nearest(rows, centres)[:, 0]
    sizes = np.bincount(of, minlength=cells)
    for count in NEAREST:
        near = {kind: nearest(np.array([query.row for query in given]), centres, count) for kind, given in kinds.items()}
        for probes in PROBES:
            found: dict[str, list[float]] = {kind: [] for kind in kinds}
            for kind, given in kinds.items():
                for query, own in zip(given, near[kind], strict=True):
                    by_cells = np.isin(of[query.wanted], own)
                    by_table = np.isin(query.wanted, query.by_table[probes]) if probes else by_cells
                    found[kind].append(float((by_cells | by_table).mean()))
            compared = np.mean([sizes[own].sum() for each in near.values() for own in each])
            natural, *others = found.values()
            yield [
                f"{engine.documents:,}",
                f"{cells:,}",
                f"{seconds:.0f}",
                f"{count}",
                f"{probes:,}",
                mean(natural),
                *(share([value == 1 for value in values]) for values in others),
                f"{compared:,.0f}",
            ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection")
    parser.add_argument("--counts", nargs="+", type=int, default=[126_049, 500_000, 2_000_000])
    parser.add_argument("--cells", nargs="+", type=int, default=[1_024, 4_096])
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    similar, changed = queries(read(arguments.cache / "50000.jsonl"), load(arguments.collection, arguments.cache))
    smallest, rows = read(arguments.cache / "50000.jsonl"), list[list[str]]()
    for documents in arguments.counts:
        engine = Engine(arguments.cache / f"crossing-{documents}.pocket")
        made = arguments.cache / f"projections-{documents}.npy"
        if not made.exists():
            out = np.zeros((engine.documents, engine.index.info().components), np.int8)
            with (arguments.cache / f"{documents}.jsonl").open(encoding="utf-8") as lines:
                for record in map(json.loads, lines):
                    if record["id"] in engine.index:
                        out[engine.index.document(record["id"]).number] = projections(engine, iter([record["text"].encode()]))[0]
            np.save(made, out)
        of = [np.array([engine.index.document(smallest[number]["id"]).number]) for number, _ in changed[:ASKED]]
        halves = [" ".join(words[len(words) // 2 :]) for words in (smallest[number]["text"].split() for number, _ in changed[:ASKED])]
        kinds = {
            "natural": asked(engine, similar[:ASKED]),
            "30 % replaced": asked(engine, [text for _, text in changed[:ASKED]], of),
            "second half": asked(engine, halves, of),
        }
        for cells in arguments.cells:
            rows += measured(engine, np.load(made), cells, kinds)
            print(*rows[-len(NEAREST) * len(PROBES) :], sep="\n", flush=True)
        engine.close()
    head = ["documents", "cells", "training s", "nearest asked", "probes of a table beside", "natural", "30 % replaced", "second half"]
    lines = [
        "# Cells beside tables of bits",
        "",
        f"`python bench/cells.py {Path(arguments.collection).name}`, {time.strftime('%Y-%m-%d')}, a prototype. Of what the exact scan of 128 bits has among ten hits at "
        f"similarity {AT} or more, the share that lies in the nearest cells or is found by one table (natural; 95 % intervals); edited documents and halves that are found so. "
        "What tables alone find is in [crossing](crossing.md).",
        "",
        *table([*head, "documents compared"], rows),
    ]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
