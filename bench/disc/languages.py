"""Which of several collections the page of a disc asks by the language of a text
(builder/page/web/ask/several.js): the own one always, others of its language?

    python bench/disc/languages.py wiki_simple.jsonl.zst wiki_de.jsonl.zst reuters.jsonl.zst … --cache DIR -o bench/results/languages.md

The rule of several.js in Python: of sampled documents of every collection, whole and twenty words
of each, the share for which each collection is asked.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import pocketindex
from pocketindex.builder import build
from pocketindex.cbits import ffi, lib
from truth import read

COMMON, ENOUGH, LEAST = 40, 0.25, 0.15  # as in several.js
QUERIES = 300
LEAST_WORDS = 30
WORDS = 20
CLASS = np.dtype([("hash", "<u8"), ("number", "<i4"), ("value", "<i4")])


def common_share(index: pocketindex.Index, text: str) -> float:
    data = text.encode()[:65_536]
    count = ffi.new("uint64_t *", 0)
    lib.pocket_classes(index._core, data, len(data), ffi.NULL, count)
    classes = ffi.new("pocket_class[]", count[0] or 1)
    lib.pocket_classes(index._core, data, len(data), classes, count)
    found = np.frombuffer(ffi.buffer(classes), CLASS)[: count[0]]
    weight = np.abs(found["value"])
    return (
        float(((found["number"] < 0) | ((weight > 0) & (weight < COMMON))).mean())
        if count[0]
        else 0.0
    )


def asked(indexes: list[pocketindex.Index], texts: list[str]) -> Any:
    """A row a text, a column a collection."""
    shares = np.array([[common_share(index, text) for index in indexes] for text in texts])
    most = shares.max(axis=1, keepdims=True)
    return (most < LEAST) | (shares >= ENOUGH * most)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    names = [Path(path).name.split(".")[0] for path in arguments.collections]
    indexes, queries = [], []
    for path, name in zip(arguments.collections, names, strict=True):
        target = arguments.cache / f"{name}.pocket"
        if not target.exists():
            build([path], target)
        indexes.append(pocketindex.open(target))
        texts = [d["text"] for d in read(path) if len(d["text"].split()) >= LEAST_WORDS]
        queries.append(random.Random(2007).sample(texts, QUERIES))
    lines = [
        "# Which collections a text is put to",
        "",
        f"`python bench/disc/languages.py {' '.join(Path(path).name for path in arguments.collections)}`, {time.strftime('%Y-%m-%d')}.",
        f"Percent of {QUERIES} documents a row, sampled among those of {LEAST_WORDS} words or more, for which the column's collection is asked when all of these are on a disc.",
        "",
        f"| documents of | {' | '.join(names)} |",
        f"|---|{'--:|' * len(names)}",
    ]
    for words, said in ((None, ""), (WORDS, f", {WORDS} words")):
        for name, texts in zip(names, queries, strict=True):
            cut = (
                texts
                if words is None
                else [" ".join(text.split()[10 : 10 + words]) for text in texts]
            )
            share = 100 * asked(indexes, cut).mean(axis=0)
            lines.append(f"| {name}{said} | {' | '.join(f'{each:.1f}' for each in share)} |")
            print(lines[-1], flush=True)
    arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
