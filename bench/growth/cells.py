"""Cells beside one table: what both find of what the exact scan finds, at which
bytes, time and reads, on the files of crossing.py.

    python bench/growth/crossing.py … --cache DIR; python bench/growth/cells.py wiki_simple.jsonl.zst --cache DIR -o bench/results/cells.md

Natural: of the hits among ten that the exact scan has at similarity AT or more, the share that is
found. Replaced, half: texts of the smallest sample with 30 % of their words replaced, and second
halves; found among ten hits. Time is that of pocket_query in C, the ways in turn. Reads: runs of
blocks that a reader fetches that has nothing but the heads (touched.py).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
from collection import load
from crossing import microseconds, queries
from engine import SCAN, Engine, settings
from intervals import mean, share, table
from pocketindex.builder.build import build
from pocketindex.cbits import lib
from touched import touched
from truth import read

ASKED = 400
TIMED = 100
AT = 0.7
COLD = lib.POCKET_COLD
COUNTS = (126_049, 500_000, 2_000_000)


def engine_of(cache: Path, documents: int, cells: int | None, probes: int = 0) -> Engine:
    """The file with so many cells, None for those of the rule, and probes, 0 for those of the rule;
    built where it is not there.
    """
    target = cache / f"cells-{documents}-{cells}-{probes}.pocket"
    seconds = 0.0
    if not target.exists():
        start = time.perf_counter()
        build(
            [str(cache / f"{documents}.jsonl")],
            target,
            settings(cells=cells, probes=probes or None),
        )
        seconds = time.perf_counter() - start
    return Engine(target, seconds)


def wanted(engine: Engine, texts: list[str]) -> list[set[str]]:
    """Ids of what each text should find, by the scan."""
    out = []
    for text in texts:
        hits = engine.index.query(text, 11, exhaustive=True)
        out.append({hit.id for hit in hits if AT <= hit.similarity < 1})
    return out


def found(engine: Engine, text: str, probes: int) -> list[str]:
    return [
        engine.index.record(number).id
        for number in engine.ask(text.encode(), 11, probes).documents.tolist()
    ]


def row(
    engine: Engine,
    name: str,
    probes: int,
    took: dict[str, float],
    asked: dict[str, list[tuple[str, set[str]]]],
) -> list[str]:
    shares = {
        kind: [
            len(own & set(found(engine, text, probes)[: 11 if kind == "natural" else 10]))
            / len(own)
            for text, own in given
            if own
        ]
        for kind, given in asked.items()
    }
    texts = [text.encode() for text, _ in asked["natural"][:TIMED]]
    report = [engine.ask(text, 10, probes).candidates for text in texts]
    cold = touched(engine.path, texts[:40], probes) if probes != SCAN else []
    return [
        f"{engine.documents:,}",
        name,
        f"{engine.bytes:.1f}",
        mean(shares["natural"]),
        share([value == 1 for value in shares["30 % replaced"]]),
        share([value == 1 for value in shares["second half"]]),
        f"{took[name]:.0f}",
        f"{took[name] / took['scan']:.2f}",
        f"{np.mean(report):,.0f}",
        f"{np.mean([each.reads for each in cold]):,.0f}" if cold else "-",
        f"{np.mean([each.read for each in cold]) / 1000:,.0f}" if cold else "-",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--counts", nargs="+", type=int, default=COUNTS)
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    smallest = read(arguments.cache / "50000.jsonl")
    similar, changed = queries(smallest, load(arguments.collection, arguments.cache))
    own = [{smallest[number]["id"]} for number, _ in changed[:ASKED]]
    halves = [
        " ".join(words[len(words) // 2 :])
        for words in (smallest[number]["text"].split() for number, _ in changed[:ASKED])
    ]
    rows, built = [], []
    for documents in arguments.counts:
        cells = None if documents >= 1 << 17 else 1_024
        two, one, probing = (
            engine_of(arguments.cache, documents, *shape)
            for shape in ((0,), (cells,), (cells, 256))
        )
        natural = list(zip(similar[:ASKED], wanted(one, similar[:ASKED]), strict=True))
        asked = {
            "natural": natural,
            "30 % replaced": list(zip([text for _, text in changed], own, strict=False)),
            "second half": list(zip(halves, own, strict=True)),
        }
        texts = [text.encode() for text in similar[:TIMED]]
        by_tables = {"one table, 2,048 probes": 2_048, "one table, 8,192 probes": 8_192}
        by_cells = {
            f"{8 * probes:,} cells, {probes:,} probes": probes for probes in (16, 32, 48, 64)
        } | {"first answer": COLD}
        by_both = {f"{probes:,} cells, as many probes": probes for probes in (128, 256)}
        took = (
            microseconds(one, texts, {"scan": SCAN, **by_cells})
            | microseconds(two, texts, by_tables)
            | microseconds(probing, texts, by_both)
        )
        rows.append(row(one, "scan", SCAN, took, asked))
        rows += [row(two, name, probes, took, asked) for name, probes in by_tables.items()]
        rows += [row(probing, name, probes, took, asked) for name, probes in by_both.items()]
        rows += [row(one, name, probes, took, asked) for name, probes in by_cells.items()]
        print(*rows[-10:], sep="\n", flush=True)
        built.append(
            f"{documents:,}: {one.index.info().cells:,} cells, the nearest {one.index.info().cells_asked} asked with {one.default_probes:,} probes"
        )
        for each in (two, one, probing):
            each.close()
    head = [
        "documents",
        "way",
        "look-up bytes a document",
        "natural",
        "30 % replaced",
        "second half",
        "us",
        "times the scan",
        "candidates",
        "cold reads",
        "cold kB",
    ]
    lines = [
        "# Cells beside one table",
        "",
        f"`python bench/growth/cells.py {Path(arguments.collection).name}`, {time.strftime('%Y-%m-%d')}. 95 % intervals. From 131,072 documents on the default is 256 cells and one table with 32 probes; one table alone is asked with 8,192. "
        f"Fewer probes ask fewer cells in proportion; the two ways with as many probes as cells are those of a file that was built so. {'; '.join(built)}. The sizes above 126,049 have recombinations (large.py), each like three real articles.",
        "",
        *table(head, rows),
    ]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
