"""How a term's coordinates on hashed directions are drawn: signs, or closer to a Gaussian? What it
does to recall and to the score of hits.

    pip install scipy zstandard
    python bench/schemes/directions.py reuters.jsonl.zst … --cache DIR --markdown bench/results/directions.md

The score s expects Gaussian projections. With signs alone, texts of few heavy terms have none: two
that share their heaviest term agree too often.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import scipy.sparse as sp
from bags import BLOCK, Array, idf_of, load, put, recall, scores, signs, similar, weigh
from estimate import cells
from keys import table
from scipy.stats import norm
from truth import bootstrap

BITS = 128
QUERIES = 300
NATURAL = 400
SEEDS = (5, 6)
STEPS = np.round(norm.ppf((np.arange(16) + 0.5) / 16) * 16)
LEVELS = {
    "signs": np.array([-1, 1]),
    "three values": np.array([-1, 0, 0, 1]),
    "four bits set, less two": np.array([-2, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2]),
    "16 steps of a Gaussian": STEPS,
}


def project(rows: sp.csr_matrix, levels: Array, seed: int) -> Array:
    """Projections on BITS directions whose coordinates are drawn from levels; (rows, BITS)."""
    chance = np.random.default_rng(seed)
    blocks = (chance.integers(0, len(levels), (rows.shape[1], BLOCK)) for _ in range(BITS // BLOCK))
    return np.hstack([np.asarray(rows @ levels[block].astype(np.float32)) for block in blocks])


def measure(path: str, cache: Path) -> list[dict[str, Any]]:
    bags = load(path, cache)
    kept = cache / f"{bags.name}.directions.json"
    if kept.exists():
        return list(json.loads(kept.read_text(encoding="utf-8")))
    rows = weigh(bags.counts, idf_of(bags))
    queries, others = similar(rows, bags.copies, QUERIES, cache / f"{bags.name}.similar.npz")
    natural = np.random.default_rng(3).choice(rows.shape[0], NATURAL, replace=False)
    out = []
    for name, levels in LEVELS.items():
        margins, hamming = np.zeros(len(queries)), np.zeros(len(queries))
        shown, true = [], []
        for seed in SEEDS:
            p = project(rows, levels, seed)
            stored = signs(p)
            margins += recall(scores(stored, p[queries]), queries, others, bags.copies, 10) / len(
                SEEDS
            )
            hamming += recall(
                scores(stored, signs(p[queries])), queries, others, bags.copies, 10
            ) / len(SEEDS)
            s = scores(stored, p[natural])
            for k, query in enumerate(natural):
                s[k][bags.copies == bags.copies[query]] = -2
                best = np.argpartition(-s[k], 10)[:10]
                shown.append(s[k][best])
                true.append(np.asarray((rows[best] @ rows[query].T).todense()).ravel())
        row: dict[str, Any] = {
            "collection": bags.name,
            "coordinates": name,
            "recall@10, margins": (float(margins.mean()), *bootstrap(margins)),
        }
        row["Hamming"] = float(hamming.mean())
        out.append(row | cells(np.concatenate(shown), np.concatenate(true), np.concatenate(true)))
        print(json.dumps(out[-1]), flush=True)
    kept.write_text(json.dumps(out), encoding="utf-8")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--markdown", type=Path)
    a = parser.parse_args()
    with Pool(a.jobs) as pool:
        results = list(pool.imap(partial(measure, cache=a.cache), a.collections, chunksize=1))
    tables = [table([row for rows in results for row in rows]), ""]
    print("\n".join(tables))
    if a.markdown:
        put(a.markdown, tables)


if __name__ == "__main__":
    main()
