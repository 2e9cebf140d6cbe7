"""Whole queries in WebAssembly, as a page asks, beside the same ones in C: by a scan and by tables.

python bench/speed/wasm.py wiki_simple.jsonl.zst --cache DIR -o bench/results/wasm.md        (needs node)
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
from engine import SCAN, Engine, built
from intervals import table
from pocketindex.builder.build import Settings
from truth import read

QUERIES, ROUNDS = 200, 5


def native(engine: Engine, texts: list[str], probes: int) -> list[float]:
    """Ask in C; return the median microseconds of each text."""
    out = []
    for text in texts:
        times = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            engine.run(text.encode(), 10, probes)
            times.append(1e6 * (time.perf_counter() - start))
        out.append(float(np.median(times)))
    return out


def in_wasm(engine: Engine, texts: Path, probes: int) -> list[float]:
    """Ask in node; return the same."""
    module = str(files("pocketindex.data").joinpath("pocket.wasm"))
    script = Path(__file__).with_name("wasm.mjs")
    command = ["node", str(script), module, str(engine.path), str(texts), str(probes), str(ROUNDS)]
    out: list[float] = json.loads(
        subprocess.run(command, capture_output=True, text=True, check=True).stdout
    )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    documents = [
        document["text"]
        for document in read(arguments.collection)
        if len(document["text"].split()) >= 50
    ]
    chosen = random.Random(5).sample(documents, QUERIES)
    rows = []
    with tempfile.TemporaryDirectory(dir=arguments.cache) as folder:
        texts = Path(folder) / "texts.json"
        texts.write_text(json.dumps(chosen), encoding="utf-8")
        engine = built(documents, Path(folder) / "wasm.pocket", Settings())
        for way, probes in (("scan", SCAN), ("tables", engine.default_probes)):
            c = np.mean(native(engine, chosen, probes))
            wasm = np.mean(in_wasm(engine, texts, probes))
            rows.append(
                [
                    way,
                    f"{c:.0f}",
                    f"{wasm:.0f}",
                    f"{wasm / c:.2f}",
                    f"{1000 * wasm / engine.documents:.1f}",
                ]
            )
    node = subprocess.run(
        ["node", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    lines = [
        "# Queries in WebAssembly",
        "",
        f"`python bench/speed/wasm.py {Path(arguments.collection).name}`, {time.strftime('%Y-%m-%d')}, node {node}. {engine.documents:,} documents, {engine.shape}; {QUERIES} texts, "
        f"each the median of {ROUNDS} rounds, text to ten hits. The ones of a distance are counted by i64.popcnt.",
        "",
        *table(["", "us in C", "us in WebAssembly", "ratio", "ns a document"], rows),
    ]
    print("\n".join(lines))
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
