"""What a scan of hashed sketches finds, and how true the similarity is that it shows.

    pip install scipy zstandard
    python bench/schemes/estimate.py wiki_simple.jsonl.zst reuters.jsonl.zst … --cache DIR --markdown bench/results/estimate.md

s = sum |z| a / sum |z| with the query's projections z and a = 1 or -1 for signs that agree or not.
Truth as in keys.py.
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
from bags import Array, edited, idf_of, load, project, put, recall, scores, signs, similar, weigh
from keys import table
from truth import bootstrap

QUERIES = 300
NATURAL = 400  # random documents, ten hits each
EDITS = 800
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
BITS = (96, 128, 256)
BEST = (250, 500, 1000, 2000)  # by Hamming distance, ranked by margins
WAYS = [
    ("Hamming", "none", None),
    ("margins", "margins", None),
    *((f"margins, best {m:,} by Hamming", "margins", m) for m in BEST),
]
LEAST_PAIRS = 30
LUCK = 0.25
SEEDS = (5, 6, 7)


def hamming_ranks(stored: Array, asked: Array) -> Array:
    """The place of each document by Hamming distance, ties to the lower number."""
    order = np.argsort(
        ((stored.shape[1] - signs(asked) @ stored.T) / 2).astype(np.int16), axis=1, kind="stable"
    )
    out = np.empty(order.shape, np.int32)
    np.put_along_axis(out, order, np.arange(order.shape[1], dtype=np.int32)[None, :], 1)
    return out


def scans(
    p: Array, n: int, queries: Array, others: list[Array], copies: Array
) -> list[dict[str, Any]]:
    out = []
    for bits in BITS:
        stored, asked = signs(p[:n, :bits]), p[queries, :bits]
        by_hamming, by_margins = hamming_ranks(stored, asked), scores(stored, asked)
        for name, weights, most in WAYS:
            allowed = None if most is None else by_hamming < most
            scored = -by_hamming.astype(np.float32) if weights == "none" else by_margins
            ten, hundred = (
                recall(scored.copy(), queries, others, copies, top, allowed) for top in (10, 100)
            )
            out.append(
                {
                    "bits": str(bits),
                    "way": name,
                    "recall@10": (float(ten.mean()), *bootstrap(ten)),
                    "recall@100": float(hundred.mean()),
                }
            )
    return out


def pairs(
    p: Array,
    n: int,
    widths: tuple[int, ...],
    rows: sp.csr_matrix,
    natural: Array,
    documents: Array,
    copies: Array,
) -> dict[str, Array]:
    """(shown, true) of the ten best of natural, and of the edited copies, which come after the n
    documents, with the documents.
    """
    edited_p = p[n:]
    out: dict[str, Array] = {}
    for bits in widths:
        stored = signs(p[:n, :bits])
        asked = edited_p[:, :bits]
        shown = (asked * stored[documents]).sum(1) / np.abs(asked).sum(1)
        true = np.asarray(rows[n:].multiply(rows[documents]).sum(1)).ravel()
        out[f"edited {bits}"] = np.stack([shown, true])
        found = []
        s = scores(stored, p[natural, :bits])
        for k, query in enumerate(natural):
            s[k][copies == copies[query]] = -2
            best = np.argpartition(-s[k], 10)[:10]
            found.append(
                np.stack([s[k][best], np.asarray((rows[best] @ rows[query].T).todense()).ravel()])
            )
        out[f"hits {bits}"] = np.concatenate(found, 1)
    return out


def variance(s: Array, bits: int) -> Array:
    """Of s about a cosine that it equals, for Gaussian projections."""
    c = np.clip(s, 0, 0.999)
    return np.asarray(
        (1 + c * c - 2 * c * (2 / np.pi) * (np.arcsin(c) + c * np.sqrt(1 - c * c)))
        * np.pi
        / 2
        / bits
    )


def less_luck(s: Array, bits: int, n: int) -> Array:
    """s without a part of what the best of n documents owe to chance: as if documents thinned out
    by exp(-ln(n) / 4 cosine).
    """
    return np.asarray(s - LUCK * np.log(n) * variance(s, bits))


def cells(shown: Array, true: Array, by: Array) -> dict[str, Any]:
    """Bias, mean error and number of pairs, by tenths of by."""
    out: dict[str, Any] = {}
    for tenth in range(5, 10):
        at = (by >= tenth / 10) & (by < (tenth + 1) / 10 + (tenth == 9))
        if at.sum() >= LEAST_PAIRS:
            difference = shown[at] - true[at]
            out[f".{tenth}"] = (
                f"{difference.mean():+.3f} {np.abs(difference).mean():.3f} ({at.sum():,})"
            )
        else:
            out[f".{tenth}"] = "-"
    return out


def measure(path: str, cache: Path) -> dict[str, Any]:
    kept_at = cache / f"{Path(path).name.split('.')[0]}.estimate.json"
    if kept_at.exists():
        return dict(json.loads(kept_at.read_text(encoding="utf-8")))
    bags = load(path, cache)
    n = bags.counts.shape[0]
    idf = idf_of(bags)
    rows = weigh(bags.counts, idf)
    queries, others = similar(rows, bags.copies, QUERIES, cache / f"{bags.name}.similar.npz")
    chance = np.random.default_rng(13)
    natural, documents = (
        chance.choice(n, min(count, n), replace=False) for count in (NATURAL, EDITS)
    )
    changed = weigh(edited(bags.counts, documents, chance.choice(SHARES, len(documents))), idf)
    all_rows = sp.vstack([rows, changed]).tocsr()
    out: dict[str, Any] = {
        "name": bags.name,
        "n": n,
        "queries": len(queries),
        "seeds": [],
        "similarity": [],
    }
    for seed in SEEDS[1:]:
        p = project(rows, 128, seed)
        values = recall(scores(signs(p), p[queries]), queries, others, bags.copies, 10)
        out["seeds"].append({"seed": str(seed), "margins": float(values.mean())})
    p = project(all_rows, max(BITS), SEEDS[0])
    out["scans"] = scans(p, n, queries, others, bags.copies)
    kept = {}
    mean = p[:n].mean(0)
    for name, q, widths in (("", p, BITS), ("centred ", p - mean, (128,))):
        for key, (shown, true) in pairs(
            q, n, widths, all_rows, natural, documents, bags.copies
        ).items():
            kept[name + key] = np.stack([shown, true])
            lucky = less_luck(shown, int(key.split()[-1]), n)
            for what, figure in ((key, shown), (f"{key}, less luck", lucky)):
                for axis, by in (("true", true), ("shown", figure)):
                    out["similarity"].append(
                        {"pairs": name + what, "by": axis, **cells(figure, true, by)}
                    )
    q = (p - mean)[:n, :128]
    values = recall(scores(signs(q), q[queries]), queries, others, bags.copies, 10)
    out["centred"] = (float(values.mean()), *bootstrap(values))
    np.savez(cache / f"{bags.name}.similarity.npz", n=n, **kept)
    kept_at.write_text(json.dumps(out), encoding="utf-8")
    print(bags.name, flush=True)
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
    parts = []
    for r in results:
        seeds = ", ".join(f"{s['margins']:.3f}" for s in r["seeds"])
        centred = "{:.3f} ({:.3f}-{:.3f})".format(*r["centred"])
        parts += [
            f"### {r['name']}: {r['n']:,} documents, {r['queries']} queries",
            "",
            table(r["scans"]),
            "",
        ]
        parts += [
            f"Recall@10 of 128 bits by margins with other directions: {seeds}; centred: {centred}.",
            "",
            table(r["similarity"]),
            "",
        ]
    print("\n".join(parts))
    if a.markdown:
        put(a.markdown, parts)


if __name__ == "__main__":
    main()
