"""Where asking tables becomes faster than scanning the sketches: both ways at growing numbers
of documents, as a table and a plot. Cells: cells.py.

    python bench/growth/crossing.py wiki_simple.jsonl.zst wiki_de.jsonl.zst wiki_en_tasks.jsonl.zst --cache DIR -o bench/results/crossing.md

Collections as in large.py: a sample of the first, all of it, and with recombinations of all (5 GB
in DIR). Queries are of documents that are in the smallest sample, so the same for all sizes. Time
is that of pocket_query in C, from text to ten hits, one thread, the file in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
from collection import AT, SEED, Collection, load, pool_of, replaced
from engine import SCAN, Engine, settings
from intervals import mean, share, table
from large import originals, shares, write
from pocketindex.builder.build import build
from truth import read

COUNTS = (50_000, 126_049, 500_000, 2_000_000)
TIMED, ROUNDS = 200, 5
ASKED, REPLACED = 400, 0.3
DEEPER = 8_192  # probes with which tables find nearly what the scan finds


def made(path: Path, sources: list[str], count: int) -> Path:
    """The collection of so many documents, as JSON Lines."""
    if not path.exists():
        collections = originals(sources)
        write(path, collections, shares(sources, collections), count)
    return path


def queries(
    smallest: list[dict[str, Any]], truth: Collection
) -> tuple[list[str], list[tuple[int, str]]]:
    """Texts with a neighbour at AT in the first collection, and edited texts with their document's
    number in the smallest sample.
    """
    place = {document["text"]: number for number, document in enumerate(smallest)}
    similar = [truth.texts[q] for q in truth.similar() if truth.texts[q] in place][:ASKED]
    chance = random.Random(SEED + 3)
    long = [
        number for number, document in enumerate(smallest) if len(document["text"].split()) >= 50
    ]
    pool = pool_of([smallest[number]["text"] for number in long], chance)
    return similar, [
        (number, replaced(smallest[number]["text"], REPLACED, pool, chance))
        for number in chance.sample(long, ASKED)
    ]


def microseconds(engine: Engine, texts: list[bytes], ways: dict[str, int]) -> dict[str, float]:
    """Mean over texts of the median of rounds, the ways in turn."""
    took: dict[str, list[list[float]]] = {way: [[] for _ in texts] for way in ways}
    for _ in range(ROUNDS):
        for way, probes in ways.items():
            for times, text in zip(took[way], texts, strict=True):
                start = time.perf_counter_ns()
                engine.run(text, 10, probes)
                times.append((time.perf_counter_ns() - start) / 1000)
    return {way: statistics.fmean(map(statistics.median, times)) for way, times in took.items()}


def agreement(engine: Engine, texts: list[str], probes: int) -> list[float]:
    """Of what the scan has among ten hits at similarity AT or more, the text's own document aside,
    the share that tables find as well: with as high a similarity, because ties are many.
    """
    out = []
    for text in texts:
        scanned, found = (engine.ask(text.encode(), 11, way) for way in (SCAN, probes))
        worth = scanned.similarities[scanned.similarities < 1][:10]
        worth, there = worth[worth >= AT], found.similarities[found.similarities < 1]
        if len(worth):
            out.append(min(1.0, float((there >= worth[-1]).sum()) / len(worth)))
    return out


def measure(engine: Engine, similar: list[str], edited: list[tuple[str, str]]) -> dict[str, Any]:
    tables = engine.default_probes
    texts = [text.encode() for text in similar[: TIMED // 2]] + [
        text.encode() for _, text in edited[: TIMED // 2]
    ]
    took = microseconds(
        engine, texts, {"scan": SCAN, "tables": tables, "default": 0, "deeper": DEEPER}
    )
    numbers = {id: engine.index.document(id).number for id, _ in edited}
    found = {
        way: [numbers[id] in engine.ask(text.encode(), 10, probes).documents for id, text in edited]
        for way, probes in (("scan", SCAN), ("tables", tables))
    }
    return {
        "documents": engine.documents,
        "way": engine.way,
        "shape": engine.shape,
        "probes": tables,
        "bytes": engine.bytes,
        "took": took,
        "candidates": float(np.mean([engine.ask(text, 10, tables).candidates for text in texts])),
        "agreement": agreement(engine, similar, tables),
        "deeper": agreement(engine, similar, DEEPER),
        "edited": found,
    }


def plot(rows: list[dict[str, Any]], target: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "crossing"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    counts = [row["documents"] for row in rows]
    for way, marker in (("scan", "s"), ("tables", "o")):
        axes.plot(counts, [row["took"][way] for row in rows], marker=marker, label=way)
    axes.plot(
        counts, [row["took"]["default"] for row in rows], "k--", linewidth=1, label="default way"
    )
    axes.set(
        xscale="log", yscale="log", xlabel="documents", ylabel="microseconds, text to ten hits in C"
    )
    axes.set_xticks(counts, [f"{count:,}" for count in counts])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)


def crossing(rows: list[dict[str, Any]]) -> str:
    """Where the lines meet, drawn straight between sizes on logarithmic axes."""
    for one, two in pairwise(rows):
        a, b = (float(np.log(row["took"]["scan"] / row["took"]["tables"])) for row in (one, two))
        if a < 0 <= b:
            at = np.exp(np.interp(0, [a, b], np.log([one["documents"], two["documents"]])))
            return f"The lines meet at about {at:,.0f} documents."
    return "The lines do not meet between these sizes."


def page(rows: list[dict[str, Any]], arguments: argparse.Namespace) -> str:
    names = " ".join(Path(path).name for path in arguments.sources)
    head = [
        "documents",
        "scan us",
        "tables us",
        "scan / tables",
        "default",
        "default us",
        "candidates of tables",
        "tables of what the scan finds",
        f"tables us, {DEEPER:,} probes",
        "of what the scan finds",
    ]
    head += ["30 % replaced, scan", "30 % replaced, tables", "look-up bytes", "shape"]
    cells = [
        [
            f"{row['documents']:,}",
            f"{row['took']['scan']:.0f}",
            f"{row['took']['tables']:.0f}",
            f"{row['took']['scan'] / row['took']['tables']:.2f}",
            row["way"],
            f"{row['took']['default']:.0f}",
            f"{row['candidates']:,.0f}",
            f"{mean(row['agreement'])} ({len(row['agreement'])})",
            f"{row['took']['deeper']:.0f}",
            mean(row["deeper"]),
            share(row["edited"]["scan"]),
            share(row["edited"]["tables"]),
            f"{row['bytes']:.1f}",
            f"{row['shape']}, {row['probes']:,} probes",
        ]
        for row in rows
    ]
    lines = [
        "# Scan or tables",
        "",
        f"`python bench/growth/crossing.py {names}`, {time.strftime('%Y-%m-%d')}, {platform.machine()}, {os.cpu_count()} cores, one thread. "
        f"Sizes above the first collection's are real articles of all and recombinations of their sentences (large.py). Times: {TIMED} texts, half of "
        f"them edited, median of {ROUNDS} rounds, both ways in turn. Tables of what the scan finds: of the hits among ten at similarity {AT} or more, over "
        f"texts that have such; 95 % intervals. Replaced: {ASKED} documents with {REPLACED:.0%} of their words replaced, found among ten.",
        "",
        *table(head, cells),
        "",
        crossing(rows),
        "",
        f"![Scan and tables]({arguments.output.with_suffix('.svg').name})",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", nargs="+", metavar="FILE.jsonl[.zst]")
    parser.add_argument("--counts", nargs="+", type=int, default=list(COUNTS), metavar="N")
    parser.add_argument("--keep", action="store_true", help="use files of an earlier run")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    smallest = read(
        made(
            arguments.cache / f"{arguments.counts[0]}.jsonl", arguments.sources, arguments.counts[0]
        )
    )
    similar, changed = queries(smallest, load(arguments.sources[0], arguments.cache))
    edited = [(smallest[number]["id"], text) for number, text in changed]
    rows = []
    for count in arguments.counts:
        target = arguments.cache / f"crossing-{count}.pocket"
        if not (arguments.keep and target.exists()):
            build(
                [str(made(arguments.cache / f"{count}.jsonl", arguments.sources, count))],
                target,
                settings(cells=0, threads=2),
            )
        engine = Engine(target)
        rows.append(measure(engine, similar, edited))
        engine.close()
        print(
            json.dumps(
                {
                    key: value
                    for key, value in rows[-1].items()
                    if key not in ("agreement", "deeper", "edited")
                }
            ),
            flush=True,
        )
        arguments.output.write_text(page(rows, arguments), encoding="utf-8")
        plot(rows, arguments.output.with_suffix(".svg"))
    print(page(rows, arguments))


if __name__ == "__main__":
    main()
