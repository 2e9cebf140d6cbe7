"""What grows from 10,000 to 10,000,000 documents: the build, a look-up, its candidates, what it
reads, what it finds. A table and a plot.

    python bench/growth/growth.py wiki_simple.jsonl 10000.jsonl 50000.jsonl … --files 2000000.pocket 10000000.pocket:build.json --cache DIR -o bench/results/growth.md

Each collection given is built in DIR, in a process of its own with two threads, and asked. --files
are asked only; a build.json is what large.build said when the file was built. All hold the
documents of the first collection, which are of wiki_simple, by their ids ("simple-12") or by their
places in wiki_simple. The queries are from them, so the same for all sizes. Needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
from collection import AT, SEED, pool_of, replaced
from crossing import agreement, microseconds
from engine import SCAN, Engine
from intervals import mean, share, table
from large import build
from pocketindex.cbits import lib
from touched import touched
from truth import read

NATURAL = 400
EDITED = 400
TIMED = 100
TOUCHED = 40
REPLACED, LEAST_WORDS = 0.3, 50
WAYS = {"default": 0, "first answer": lib.POCKET_COLD, "scan": SCAN}
KINDS = ("30 % replaced", "second half")


def queries(first: list[dict[str, Any]]) -> tuple[list[str], dict[str, list[str]]]:
    """Texts of the first collection as they are, and edited, by kind; ids of the documents that are
    edited.
    """
    chance = random.Random(SEED + 14)
    long = [document for document in first if len(document["text"].split()) >= LEAST_WORDS]
    natural = chance.sample(long, NATURAL)
    pool = pool_of([document["text"] for document in long], chance)
    texts = [document["text"] for document in natural]
    return [document["id"] for document in natural[:EDITED]], {
        "natural": texts,
        KINDS[0]: [replaced(text, REPLACED, pool, chance) for text in texts[:EDITED]],
        KINDS[1]: [" ".join((own := text.split())[len(own) // 2 :]) for text in texts[:EDITED]],
    }


def number_of(engine: Engine, id: str, places: dict[str, int]) -> int:
    """The number that the file has for a document, by its id or by its place in the collection that
    it is from.
    """
    try:
        return engine.index.document(id).number
    except KeyError:
        return engine.index.document(str(places[id])).number


def measure(
    path: Path, ids: list[str], texts: dict[str, list[str]], places: dict[str, int]
) -> dict[str, Any]:
    engine = Engine(path)
    info = engine.index.info()
    numbers = [number_of(engine, id, places) for id in ids]
    timed = [text.encode() for kind in ("natural", KINDS[0]) for text in texts[kind][:TIMED]]

    def found(kind: str, probes: int) -> list[bool]:
        pairs = zip(numbers, texts[kind], strict=True)
        return [number in engine.ask(text.encode(), 10, probes).documents for number, text in pairs]

    out = {
        "documents": engine.documents,
        "way": engine.way,
        "cells": f"{info.cells_asked} of {info.cells:,}" if info.cells else "none",
        "bytes": engine.bytes,
        "took": microseconds(engine, timed, WAYS),
        "natural": {
            way: agreement(engine, texts["natural"], probes)
            for way, probes in WAYS.items()
            if way != "scan"
        },
        **{kind: {way: found(kind, probes) for way, probes in WAYS.items()} for kind in KINDS},
    }
    for way, probes in WAYS.items():
        pieces = (
            touched(path, timed[TIMED - TOUCHED // 2 : TIMED + TOUCHED // 2], probes)
            if way != "scan"
            else []
        )
        out[f"candidates, {way}"] = float(
            np.mean([engine.ask(text, 10, probes).candidates for text in timed])
        )
        out[f"kB, {way}"] = sum(each.size for each in pieces) / 1000 / TOUCHED
        out[f"reads, {way}"] = sum(each.reads for each in pieces) / TOUCHED
    engine.close()
    return out


def panels(rows: list[dict[str, Any]]) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """Points of each line of each part of the plot, which is named by what it shows and its unit."""

    def line(value: Any) -> list[tuple[int, float]]:
        return [(row["documents"], float(value(row))) for row in rows]

    built = [row for row in rows if row["build"]]
    two = [way for way in WAYS if way != "scan"]
    return {
        "build, two threads: microseconds a document": {
            name: [(row["documents"], 1e6 * row["build"][key] / row["documents"]) for row in built]
            for name, key in (("processor", "cpu"), ("clock", "seconds"))
        },
        "look-up in C, text to ten hits: microseconds": {
            way: line(lambda row, way=way: row["took"][way]) for way in WAYS
        },
        "candidates of a look-up: documents": {
            way: line(lambda row, way=way: row[f"candidates, {way}"]) for way in two
        },
        "read by a look-up of a cold file: kilobytes": {
            way: line(lambda row, way=way: row[f"kB, {way}"]) for way in two
        },
        "found by the default way: share": {
            "natural, of what the scan finds": line(lambda row: np.mean(row["natural"]["default"])),
            **{kind: line(lambda row, kind=kind: np.mean(row[kind]["default"])) for kind in KINDS},
        },
        "look-up part of the file: bytes a document": {
            "tables, cells, sketches": line(lambda row: row["bytes"])
        },
    }


def plot(rows: list[dict[str, Any]], target: Path) -> None:
    import matplotlib
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "growth"

    figure, grid = pyplot.subplots(3, 2, figsize=(9, 10), layout="constrained")
    for axes, (label, drawn) in zip(grid.flat, panels(rows).items(), strict=True):
        for (name, points), marker in zip(drawn.items(), "os^", strict=False):
            axes.plot(*zip(*points, strict=True), marker=marker, label=name)
        (title, unit), logarithmic = (
            label.split(": "),
            "look-up " in label and "candidates" not in label and "part" not in label,
        )
        axes.set(
            xscale="log",
            yscale="log" if logarithmic else "linear",
            title=title,
            xlabel="documents",
            ylabel=unit,
        )
        if unit == "share":
            axes.set_ylim(0.7, 1.01)
        elif not logarithmic:
            axes.set_ylim(0, 1.15 * max(y for points in drawn.values() for _, y in points))
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)


def page(rows: list[dict[str, Any]], picture: str) -> str:
    builds = []
    asked = []
    found = []
    for row in rows:
        count, own = f"{row['documents']:,}", row["build"]
        if own:
            rates = [
                1e6 * own["seconds"] / row["documents"],
                1e6 * own["cpu"] / row["documents"],
                own["input"] / 1e6 / own["cpu"],
            ]
            sizes = [f"{own['input'] / 1e6:,.0f}", f"{own['seconds']:.1f}", f"{own['cpu']:.1f}"]
            builds.append(
                [count, *sizes, *(f"{rate:.1f}" for rate in rates), f"{own['peak'] / 2**20:,.0f}"]
            )
        took = [row["took"][way] for way in WAYS]
        cold = [
            row[f"{what}, {way}"]
            for way in ("default", "first answer")
            for what in ("candidates", "kB", "reads")
        ]
        times = [*(f"{each:,.0f}" for each in took), f"{took[0] / took[2]:.2f}"]
        asked.append(
            [
                count,
                row["way"],
                row["cells"],
                f"{row['bytes']:.1f}",
                *times,
                *(f"{each:,.0f}" for each in cold),
            ]
        )
        natural = [mean(shares) for shares in row["natural"].values()]
        edited = [share(row[kind][way]) for kind in KINDS for way in WAYS]
        found.append([count, str(len(row["natural"]["default"])), *natural, *edited])
    build_head = [
        "documents",
        "MB of text",
        "seconds",
        "processor s",
        "us a document",
        "processor us a document",
    ]
    asked_head = [
        "documents",
        "default way",
        "cells asked",
        "look-up bytes a document",
        *(f"us, {way}" for way in WAYS),
        "default / scan",
    ]
    asked_head += [
        f"{what}, {way}"
        for way in ("default", "first answer")
        for what in ("candidates", "kB", "reads")
    ]
    found_head = [
        "documents",
        "texts with natural neighbours",
        *(f"natural, {way}" for way in WAYS if way != "scan"),
    ]
    lines = [
        "# What grows from 10,000 to 10,000,000 documents",
        "",
        f"`python bench/growth/growth.py`, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores shared with other work.",
        "",
        "**Build**, two threads, default settings.",
        "",
        *table([*build_head, "MB a processor second", "peak memory MiB"], builds),
        "",
        f"**Look-up**. Times: {2 * TIMED} texts, half of them with 30 % of their words replaced, text to ten hits in C, one thread, the file in memory, the ways in turn. kB and reads: mean of {TOUCHED} of "
        "these texts, each asked of a reader that has only the heads of the file. Such a reader does not scan: its default way is that of tables and cells.",
        "",
        *table(asked_head, asked),
        "",
        f"**Found**; 95 % intervals. Natural: of what the scan finds among ten hits of {NATURAL:,} texts at similarity {AT} or more, where there is any. Edited: {EDITED} texts, found among ten.",
        "",
        *table([*found_head, *(f"{kind}, {way}" for kind in KINDS for way in WAYS)], found),
        "",
        f"![Growth]({picture})",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("origin", help="the JSON Lines that the first collection is of")
    parser.add_argument("collections", nargs="+", type=Path, metavar="COLLECTION.jsonl")
    parser.add_argument("--files", nargs="+", default=[], metavar="FILE.pocket[:BUILD.json]")
    parser.add_argument("--max-memory", default="1G")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    ids, texts = queries(read(arguments.collections[0]))
    places = {
        f"simple-{document['id']}": place for place, document in enumerate(read(arguments.origin))
    }
    given: list[tuple[Path, Any]] = [
        (arguments.cache / f"growth-{path.stem}.pocket", path) for path in arguments.collections
    ]
    given += [
        (Path(name), built) for name, _, built in (each.partition(":") for each in arguments.files)
    ]
    rows = []
    for target, source in given:
        if isinstance(source, Path):
            built = build(source, target, arguments, 2)
        else:
            built = json.loads(Path(source).read_text()) if source else None
        rows.append({**measure(target, ids, texts, places), "build": built})
        arguments.output.write_text(
            page(rows, arguments.output.with_suffix(".svg").name), encoding="utf-8"
        )
        plot(rows, arguments.output.with_suffix(".svg"))


if __name__ == "__main__":
    main()
