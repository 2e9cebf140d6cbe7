"""Small collections: weights of their own, or those of a shipped profile?

    python bench/recall/small.py reuters.jsonl.zst:en wiki_simple.jsonl.zst:en newsgroups20.jsonl.zst:en wiki_de.jsonl.zst:de -o bench/results/small.md

Documents drawn from a large collection are built into small files, with weights learned and
shipped, and asked with others of the collection and with edited copies of their own. The truth
weighs terms by the large collection, which neither way knows.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
from engine import Engine, built, settings
from intervals import table
from truth import Collection, load

ASKED = 300
EDITED = 100
REPLACED = 0.2
SIZES = (50, 100, 200, 500, 1_000, 2_000)
SHOWN = 0.3
HIGH = 0.5
UNRELATED = 0.3
NEAR = 0.5


def edited(text: str, others: list[str], chance: random.Random) -> str:
    """A copy with a share of its words replaced by another text's."""
    words = text.split()
    for place in chance.sample(range(len(words)), int(REPLACED * len(words))):
        words[place] = chance.choice(others)
    return " ".join(words)


def row(engine: Engine, whole: Collection, own: np.ndarray, asked: np.ndarray) -> list[str]:
    """Figures of a file of the documents own, asked with others."""
    similarities = []
    cosines = []
    found = 0
    wanted = 0
    rows = whole.rows[own]
    for query in asked:
        hits = engine.ask(whole.texts[query].encode())
        true = np.asarray((rows @ whole.rows[query].T).todense()).ravel()
        similarities.append(hits.similarities)
        cosines.append(true[hits.documents])
        near = np.flatnonzero(true >= NEAR)
        best = near[np.argsort(-true[near])][:10]
        wanted, found = wanted + len(best), found + int(np.isin(best, hits.documents).sum())
    shown, true = np.concatenate(similarities), np.concatenate(cosines)
    chance, copies = random.Random(1), []
    others = whole.texts[asked[0]].split()
    for number, document in enumerate(own[:EDITED].tolist()):
        hits = engine.ask(edited(whole.texts[document], others, chance).encode())
        copies += hits.similarities[hits.documents == number].tolist()
    low = (shown >= SHOWN) & (true < UNRELATED)
    return [
        f"{low.sum() / len(asked):.2f}",
        f"{((shown >= HIGH) & (true < UNRELATED)).sum()}",
        f"{shown[low].max(initial=0):.2f}",
        f"{found} of {wanted}",
        f"{len(copies)} of {min(EDITED, len(own))}",
        f"{np.mean(copies):.3f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+", metavar="FILE:PROFILE")
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    rows = []
    for path, _, shipped in (each.rpartition(":") for each in arguments.collections):
        whole = load(path)
        order = np.random.default_rng(5).permutation(len(whole.ids))
        asked, rest = order[:ASKED], order[ASKED:]
        for size in SIZES:
            for way in ("learn", shipped):
                with tempfile.TemporaryDirectory() as folder:
                    engine = built(
                        [whole.texts[i] for i in rest[:size]],
                        Path(folder) / "small.pocket",
                        settings(profile=way),
                    )
                    name = "shipped" if way == shipped else "learned"
                    rows.append(
                        [
                            Path(path).name.split(".")[0],
                            f"{size:,}",
                            name,
                            *row(engine, whole, rest[:size], asked),
                        ]
                    )
                    engine.close()
            print(*rows[-2:], sep="\n", flush=True)
    head = [
        "collection",
        "documents",
        "weights",
        f"hits of unrelated texts at {SHOWN} or more, a query",
        f"at {HIGH} or more, all {ASKED} queries",
    ]
    head += [
        "the highest",
        f"found of those at cosine {NEAR}",
        "edited copies found",
        "their similarity",
    ]
    lines = [
        "# Weights of small collections: learned, or shipped",
        "",
        f"`python bench/recall/small.py`, {time.strftime('%Y-%m-%d')}. {ASKED} other documents of the collection ask each file, and {EDITED} copies of its own with "
        f"{REPLACED:.0%} of the words replaced. Unrelated: a cosine below {UNRELATED}, by weights of the whole collection.",
        "",
        *table(head, rows),
    ]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
