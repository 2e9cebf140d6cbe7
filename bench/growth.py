"""What grows from 10,000 to 10,000,000 documents, and what does not: the build, a look-up, its candidates, what it reads, what it finds. A table and a plot.

    python bench/growth.py wiki_simple.jsonl 10000.jsonl 50000.jsonl … --file 2000000.pocket --file 10000000.pocket:build.json --cache DIR -o bench/results/growth.md

Each collection given is built in DIR, in a process of its own with two threads, and asked. A --file is asked only; its build.json is what large.build
said when it was built, where that was kept. All hold wiki_simple's sample of the first collection, by ids ("simple-12", or its place in wiki_simple), from which the
queries come: so the same for all sizes. Needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
from collection import AT, SEED, pool_of, replaced
from crossing import agreement, microseconds
from engine import SCAN, Engine
from intervals import mean, share, table
from large import build
from pocketindex.cbits import lib
from touched import touched
from truth import read

ASKED, TIMED, TOUCHED = 400, 200, 40
REPLACED, LEAST_WORDS = 0.3, 50
COLD = lib.POCKET_COLD


def queries(first: list[dict[str, Any]]) -> tuple[list[str], dict[str, list[str]]]:
    """Ids of documents of the first collection, and by kind their texts, edited in two ways and as they are."""
    chance = random.Random(SEED + 14)
    long = [document for document in first if len(document["text"].split()) >= LEAST_WORDS]
    chosen = chance.sample(long, ASKED)
    pool = pool_of([document["text"] for document in long], chance)
    words = [document["text"].split() for document in chosen]
    return [document["id"] for document in chosen], {
        "natural": [document["text"] for document in chosen],
        "replaced": [replaced(document["text"], REPLACED, pool, chance) for document in chosen],
        "half": [" ".join(own[len(own) // 2 :]) for own in words],
    }


def number_of(engine: Engine, id: str, places: dict[str, int]) -> int:
    """The number that the file has for a document, by its id or by its place in the collection that it is from."""
    try:
        return engine.index.document(id).number
    except KeyError:
        return engine.index.document(str(places[id])).number


def measure(path: Path, ids: list[str], texts: dict[str, list[str]], places: dict[str, int]) -> dict[str, Any]:
    engine = Engine(path)
    own = [number_of(engine, id, places) for id in ids]
    timed = [text.encode() for kind in ("natural", "replaced") for text in texts[kind][: TIMED // 2]]
    info = engine.index.info()
    found = {
        kind: {
            way: [number in engine.ask(text.encode(), 10, probes).documents for number, text in zip(own, texts[kind], strict=True)]
            for way, probes in (("default", 0), ("first", COLD), ("scan", SCAN))
        }
        for kind in ("replaced", "half")
    }
    read = {way: touched(path, timed[TIMED // 2 - TOUCHED // 2 : TIMED // 2 + TOUCHED // 2], probes) for way, probes in (("default", 0), ("first", COLD))}
    row = {
        "documents": engine.documents,
        "way": engine.way,
        "cells": f"{info.cells_asked} of {info.cells:,}" if info.cells else "none",
        "bytes": engine.bytes,
        "took": microseconds(engine, timed, {"default": 0, "first": COLD, "scan": SCAN}),
        "candidates": {way: float(np.mean([engine.ask(text, 10, probes).candidates for text in timed])) for way, probes in (("default", 0), ("first", COLD))},
        "blocks": {way: [float(np.mean([getattr(each, field) for each in own])) for field in ("size", "read", "reads")] for way, own in read.items()},
        "natural": {way: agreement(engine, texts["natural"], probes) for way, probes in (("default", 0), ("first", COLD))},
        "found": found,
    }
    engine.close()
    return row


def plot(rows: list[dict[str, Any]], target: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "growth"
    from matplotlib import pyplot

    figure, grid = pyplot.subplots(3, 2, figsize=(10, 10.5), layout="constrained")
    counts = [row["documents"] for row in rows]
    built = [row for row in rows if row["build"]]
    lines: list[tuple[str, dict[str, tuple[list[float], list[float]]]]] = [
        (
            "build: microseconds a document, two threads",
            {
                kind: ([row["documents"] for row in built], [1e6 * row["build"][key] / row["documents"] for row in built])
                for kind, key in (("processor", "cpu"), ("clock", "seconds"))
            },
        ),
        ("look-up: microseconds, text to ten hits in C", {name: (counts, [row["took"][way] for row in rows]) for name, way in WAYS.items()}),
        ("candidates that are ranked", {name: (counts, [row["candidates"][way] for row in rows]) for name, way in WAYS.items() if way != "scan"}),
        (
            "kilobytes that a first query needs of a cold file",
            {name: (counts, [row["blocks"][way][0] / 1000 for row in rows]) for name, way in WAYS.items() if way != "scan"},
        ),
        (
            "share found by the default way",
            {
                "natural, of what the scan finds": (counts, [float(np.mean(row["natural"]["default"])) for row in rows]),
                "30 % of the words replaced": (counts, [float(np.mean(row["found"]["replaced"]["default"])) for row in rows]),
                "second half": (counts, [float(np.mean(row["found"]["half"]["default"])) for row in rows]),
            },
        ),
        ("look-up bytes a document", {"tables, cells and sketches": (counts, [row["bytes"] for row in rows])}),
    ]
    for axes, (label, drawn) in zip(grid.flat, lines, strict=True):
        for (name, (xs, ys)), marker in zip(drawn.items(), "os^", strict=False):
            axes.plot(xs, ys, marker=marker, label=name)
        axes.set(xscale="log", xlabel="documents", ylabel=label)
        top = max(y for _, ys in drawn.values() for y in ys)
        if "share" in label:
            axes.set_ylim(0.85, 1.005)
        elif "look-up: " in label or "kilobytes" in label:
            axes.set_yscale("log")
        else:
            axes.set_ylim(0, 1.15 * top)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)


WAYS = {"default way": "default", "first answer": "first", "scan": "scan"}


def page(rows: list[dict[str, Any]], arguments: argparse.Namespace) -> str:
    build_head = ["documents", "MB of input", "seconds", "processor seconds", "us a document", "processor us a document", "MB a processor second", "peak memory MiB"]
    builds = [
        [f"{row['documents']:,}", f"{own['input'] / 1e6:,.0f}", f"{own['seconds']:.1f}", f"{own['cpu']:.1f}", f"{1e6 * own['seconds'] / row['documents']:.1f}"]
        + [f"{1e6 * own['cpu'] / row['documents']:.1f}", f"{own['input'] / 1e6 / own['cpu']:.1f}", f"{own['peak'] / 2**20:,.0f}"]
        for row in rows
        if (own := row["build"])
    ]
    head = ["documents", "default way", "cells asked", "look-up bytes a document", "us, default", "us, first answer", "us, scan", "default / scan"]
    head += ["candidates, default", "first answer", "kB needed, default", "first answer", "its kB with gaps", "its reads"]
    asked = [
        [f"{row['documents']:,}", row["way"], row["cells"], f"{row['bytes']:.1f}", *(f"{row['took'][way]:.0f}" for way in ("default", "first", "scan"))]
        + [f"{row['took']['default'] / row['took']['scan']:.2f}", *(f"{row['candidates'][way]:,.0f}" for way in ("default", "first"))]
        + [f"{row['blocks']['default'][0] / 1000:,.0f}", f"{row['blocks']['first'][0] / 1000:,.0f}", f"{row['blocks']['first'][1] / 1000:,.0f}"]
        + [f"{row['blocks']['first'][2]:.0f}"]
        for row in rows
    ]
    found_head = ["documents", f"natural, of what the scan finds at {AT}", "first answer", "texts that have such"]
    found_head += [f"{kind}, {way}" for kind in ("30 % replaced", "second half") for way in ("default", "first answer", "scan")]
    found = [
        [f"{row['documents']:,}", mean(row["natural"]["default"]), mean(row["natural"]["first"]), str(len(row["natural"]["default"]))]
        + [share(row["found"][kind][way]) for kind in ("replaced", "half") for way in ("default", "first", "scan")]
        for row in rows
    ]
    lines = [
        "# What grows from 10,000 to 10,000,000 documents",
        "",
        f"`python bench/growth.py`, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores shared with other work. {ASKED} documents of the smallest collection are asked for, the same for all sizes.",
        "",
        "**Build**, two threads, default settings.",
        "",
        *table(build_head, builds),
        "",
        f"**Look-up**. Times: {TIMED} texts, half of them with 30 % of their words replaced, the ways in turn, the file in memory, one thread. Kilobytes: {TOUCHED} texts, each asked of a file of which a reader has nothing but the heads; such a reader is not given a scan.",
        "",
        *table(head, asked),
        "",
        f"**Found**, of {ASKED} texts; 95 % intervals.",
        "",
        *table(found_head, found),
        "",
        f"![Growth]({arguments.output.with_suffix('.svg').name})",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("origin", help="the JSON Lines that the ids of the first collection come from")
    parser.add_argument("collections", nargs="+", type=Path, metavar="COLLECTION.jsonl")
    parser.add_argument("--file", action="append", default=[], metavar="FILE.pocket[:BUILD.json]")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.max_memory = "1G"
    ids, texts = queries(read(arguments.collections[0]))
    places = {f"simple-{document['id']}": place for place, document in enumerate(read(arguments.origin))}
    given = [(arguments.cache / f"{path.stem}.pocket", path, "") for path in arguments.collections]
    given += [(Path(name), None, built) for name, _, built in (each.partition(":") for each in arguments.file)]
    rows = []
    for target, source, built in given:
        kept = json.loads(Path(built).read_text()) if built else None
        made = build(source, target, arguments, 2) if source else kept
        rows.append({**measure(target, ids, texts, places), "build": made})
        print(json.dumps({key: value for key, value in rows[-1].items() if key not in ("natural", "found")}), flush=True)
        arguments.output.write_text(page(rows, arguments), encoding="utf-8")
        plot(rows, arguments.output.with_suffix(".svg"))


if __name__ == "__main__":
    main()
