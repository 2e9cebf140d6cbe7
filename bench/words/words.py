"""A few words: titles that ask for their articles by the bodies alone, beside tantivy, SQLite FTS5,
Xapian, the Xapian of a ZIM, and Pagefind.

    apt-get install python3-xapian
    pip install tantivy libzim pagefind-bin playwright
    python bench/words/words.py wiki_simple.jsonl --cache DIR -o bench/results/words.md

The results file has what was looked at by hand, too: the part of this script is put above it.

The 1,500 titles are drawn at random from those of two to six words that all stand in the body of
their own article; what stands in brackets is left out. Each index has the bodies alone (of the
product: --set title_weight=0). MRR@10 counts the place of the article among the first ten hits, or
nothing. Intervals are of 1,000 draws of the titles with replacement. Time is that of one thread, the
systems in turn, each as its readme uses it: of each title the least of the rounds, of titles the
median; of the product also in C alone, with two words. Pagefind is asked in chromium, and its time
is that of a page: it has requests over HTTP on loopback in it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
from pocketindex.builder import Settings, build
from pocketindex.cbits import ffi, lib
from word_peers import Ask, building, built_in, fts, pagefind, tantivy, xapian, zim

TITLES = 1_500
PAIRS = 2_000
ROUNDS = 3
TIMED = 200
WORD = re.compile(r"[^\W_]+")
INDEXES = ("words", "words:64", "words:32", "words:16")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("-o", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    with arguments.collection.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    files = {name: built(arguments, name) for name in INDEXES}
    with pocketindex.open(files["words"]) as index:
        rows = [row for row in rows if str(row["id"]) in index]
    asked, pairs = titles(rows), two_words(rows)
    systems = [*((f"`{name}`", *opened(path)) for name, path in files.items())]
    for name, peer in (("tantivy", tantivy), ("FTS5", fts), ("Xapian", xapian), ("ZIM", zim)):
        print(f"{name}, load {os.getloadavg()[0]:.1f}", flush=True)
        systems.append((name, *peer(rows, arguments.cache)))
    with pagefind(rows, arguments.cache) as (own_page, size, fragments):
        systems.append(("Pagefind", own_page, size))
        found = dict[str, Any]()
        for name, ask, _ in systems:
            found[name] = places(ask, asked)
            print(f"{name} asked, load {os.getloadavg()[0]:.1f}", flush=True)
        first_sent = statistics.median(own_page.sent)
        seconds = timed({name: ask for name, ask, _ in systems}, [text for _, text in asked])
    lines = [
        f"{len(rows):,} documents of {arguments.collection.name}, bodies alone; {TITLES:,} titles.",
        f"Load {os.getloadavg()[0]:.1f}.",
        "",
        "| | MRR@10 (95 %) | of tantivy's | among ten | bytes a document | ms a title "
        "| s to build | of processors |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    best = np.mean(found["tantivy"])
    for name, _, size in systems:
        own = found[name]
        low, high = interval(own)
        passed, processors = built_in(arguments.cache, name.strip("`"))
        lines.append(
            f"| {name} | {own.mean():.4f} ({low:.3f} to {high:.3f}) | {own.mean() / best:.3f} "
            f"| {(own > 0).mean():.3f} | {size / len(rows):.1f} | {1e3 * seconds[name]:.2f} "
            f"| {passed:.0f} | {processors:.0f} |"
        )
    lines += [
        "",
        f"Pagefind: fragments {fragments / len(rows):.1f} bytes a document; a title loads "
        f"{first_sent:,.0f} bytes in the median when it is asked for the first time.",
        f"A ZIM without the index takes {built_in(arguments.cache, 'plain')[0]:.0f} s.",
    ]
    lines += ["", "Two words, C alone, microseconds (median, mean, 9 of 10):", ""]
    for name in ("words", "words:32"):
        lines.append(
            f"- `{name}`: " + ", ".join(f"{own:,.0f}" for own in core_time(files[name], pairs))
        )
    arguments.o.write_text("\n".join(["# A few words", "", *lines]) + "\n", encoding="utf-8")
    print("\n".join(lines))


def built(arguments: argparse.Namespace, name: str) -> Path:
    target = arguments.cache / f"{arguments.collection.stem}-{name.replace(':', '-')}.pocket"
    if not target.exists():
        settings = Settings(index=("documents", name), title_weight=0)
        with building(arguments.cache, name):
            build([arguments.collection], target, settings)
    return target


def titles(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Id and words of articles whose title can find them."""
    chosen = list[tuple[str, str]]()
    for row in random.Random(2007).sample(rows, len(rows)):
        words = WORD.findall(re.sub(r"\(.*?\)", "", row["title"]).lower())
        body = set(WORD.findall(row["text"].lower()))
        if 2 <= len(words) <= 6 and body.issuperset(words):
            chosen.append((str(row["id"]), " ".join(words)))
        if len(chosen) == TITLES:
            break
    return chosen


def two_words(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The first two words of titles, whether or not a document has both."""
    found = list[str]()
    for row in random.Random(2008).sample(rows, len(rows)):
        words = WORD.findall(row["title"].lower())
        if len(words) > 1:
            found.append(" ".join(words[:2]))
        if len(found) == PAIRS:
            break
    return found


def opened(path: Path) -> tuple[Ask, int]:
    index = pocketindex.open(path)
    size = index.info().sections["words"]
    return lambda text: [hit.id for hit in index.search(text)], size


def places(ask: Ask, asked: Sequence[tuple[str, str]]) -> Any:
    """Return 1 / the place of each article among ten hits, 0 where it is not among them."""
    out = np.zeros(len(asked))
    for i, (id, text) in enumerate(asked):
        found = ask(text)
        if id in found:
            out[i] = 1 / (1 + found.index(id))
    return out


def interval(values: Any) -> tuple[float, float]:
    chance = np.random.default_rng(1)
    means = [chance.choice(values, len(values)).mean() for _ in range(1_000)]
    return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def timed(systems: dict[str, Ask], texts: Sequence[str]) -> dict[str, float]:
    """Seconds a text, the median of all: of each the least of some rounds, in each of which all
    systems come once.
    """
    least = {name: [float("inf")] * TIMED for name in systems}
    for _ in range(ROUNDS):
        for name, ask in systems.items():
            for i, text in enumerate(texts[:TIMED]):
                began = time.perf_counter()
                ask(text)
                least[name][i] = min(least[name][i], time.perf_counter() - began)
    return {name: statistics.median(own) for name, own in least.items()}


def core_time(path: Path, texts: Sequence[str]) -> tuple[float, float, float]:
    index = pocketindex.open(path)
    options = ffi.new("pocket_search_options *", [ffi.sizeof("pocket_search_options"), 10, 0, 0])
    out, taken = ffi.new("pocket_search_found **"), dict[str, float]()
    for _ in range(ROUNDS):
        for text in texts:
            data = text.encode()
            began = time.perf_counter()
            lib.pocket_search(index._core, data, len(data), options, out, ffi.NULL)
            seconds = time.perf_counter() - began
            lib.pocket_search_free(out[0])
            taken[text] = min(seconds, taken.get(text, 1))
    own = sorted(1e6 * seconds for seconds in taken.values())
    return statistics.median(own), statistics.fmean(own), own[len(own) * 9 // 10]


if __name__ == "__main__":
    main()
