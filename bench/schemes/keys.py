"""Which keys find most at equal bytes and equal candidates: hashed bits, learned ones, or both? And
which shape is cheapest?

    pip install scipy zstandard
    python bench/schemes/keys.py wiki_simple.jsonl.zst wiki_de.jsonl.zst … --cache DIR --markdown bench/results/keys.md --grid DIR/grid.md

Exact truth: tf-idf cosine (raw counts, terms with a letter, idf = ln(N / df)), documents of 50
words or more, byte-identical copies left out. What the sketch itself finds and shows, without keys,
is measured by estimate.py.
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
from bags import Array, Bags, edited, idf_of, load, project, put, scores, signs, similar, weigh
from truth import bootstrap

QUERIES = 300
EDITED = 200
SHARE = 0.3
PROBES = (
    256,
    3072,
)  # of the hashed keys, a table; the others get as many as bring as many candidates
BITS = 128
CLASSES, LEADING = 1024, 192
DEEP = 2000  # ranked documents that are looked through for the ten best candidates
LIKELY = 15  # bits of a key that a probe may flip
NOISE = 1e-4  # of sums of floats
GRID_QUERIES = 200
GRID_TABLES = (1, 2, 3)
GRID_BITS = (-1, 0, 1, 2)
GRID_PROBES = (512, 1024, 1536, 2048, 3072, 4096, 6144, 8192)
PROBE_NS = 12
CANDIDATE_NS = 25
WANTED = 0.96


def learned(rows: sp.csr_matrix, documents: int, bits: int) -> Array:
    """Projections on directions turned at random out of the leading ones of signed classes, medians
    taken off; (rows, bits).
    """
    chance = np.random.default_rng(3)
    classes = chance.integers(0, CLASSES, rows.shape[1])
    sign = chance.choice(np.array([-1, 1], np.float32), rows.shape[1])
    pack = sp.csr_matrix(
        (sign, (np.arange(rows.shape[1]), classes)), shape=(rows.shape[1], CLASSES)
    )
    sample = chance.choice(documents, min(documents, 30_000), replace=False)
    vectors = np.linalg.eigh(np.cov((rows[sample] @ pack).toarray().T))[1][:, ::-1][:, :LEADING]
    turn = np.linalg.qr(chance.normal(size=(LEADING, LEADING)))[0][:, :bits]
    out = np.asarray(rows @ (pack @ (vectors @ turn))).astype(np.float32)
    return out - np.median(out[sample], axis=0)


def ranks(projections: Array, documents: int, queries: Array, most: int) -> Array:
    """Which probe, best first, comes to the key of each document, most where none does; (queries,
    documents).

    A probe flips a set of bits, at the cost of the squares of their margins in units of the bit's
    spread.
    """
    z = projections / projections[:documents].std(0)
    stored = signs(z[:documents])
    out = np.full((len(queries), documents), most, np.int32)
    for start in range(0, len(queries), 64):
        asked = z[queries[start : start + 64]]
        costs = asked**2
        flipped = (costs.sum(1)[:, None] - (costs * signs(asked)) @ stored.T) / 2
        for k, cost in enumerate(costs):
            sums = np.zeros(1, np.float32)
            for c in np.sort(cost)[:LIKELY]:
                sums = np.concatenate([sums, sums + c])
            sums = np.sort(np.partition(sums, most - 1)[:most] if len(sums) > most else sums)
            near = np.flatnonzero(flipped[k] <= sums[-1] + NOISE)
            out[start + k, near] = np.minimum(
                np.searchsorted(sums, flipped[k, near] - NOISE), most - 1
            )
    return out


def order(scored: Array, copies: Array, queries: Array) -> Array:
    """The DEEP best documents of each query, best first, copies of it left out."""
    out = np.empty((len(queries), min(DEEP, scored.shape[1])), np.int64)
    for k, query in enumerate(queries):
        s = np.where(copies == copies[query], -np.inf, scored[k])
        best = np.argpartition(-s, out.shape[1] - 1)[: out.shape[1]]
        out[k] = best[np.argsort(-s[best], kind="stable")]
    return out


def found(ranked: Array, rank: Array, probes: int, others: list[Array]) -> tuple[Array, Array]:
    """recall@10 and key recall of each query."""
    ten, key = np.zeros(len(others)), np.zeros(len(others))
    for k, true in enumerate(others):
        allowed = ranked[k][rank[k, ranked[k]] < probes][:10]
        ten[k] = np.isin(true, allowed).sum() / min(10, len(true))
        key[k] = np.mean(rank[k, true] < probes)
    return ten, key


def copies_found(scored: Array, rank: Array, probes: int, documents: Array) -> Array:
    """Is the document that a query was edited from among its ten best candidates?"""
    out = np.zeros(len(documents))
    for k, document in enumerate(documents):
        candidate = rank[k] < probes
        out[k] = (
            candidate[document] and (scored[k][candidate] > scored[k, document] + 1e-6).sum() < 10
        )
    return out


class Case:
    """A collection, its queries, the edited copies, and the projections of all."""

    def __init__(self, path: str, cache: Path) -> None:
        self.bags: Bags = load(path, cache)
        n = self.n = self.bags.counts.shape[0]
        idf = idf_of(self.bags)
        rows = weigh(self.bags.counts, idf)
        self.queries, self.others = similar(
            rows, self.bags.copies, QUERIES, cache / f"{self.bags.name}.similar.npz"
        )
        self.documents = np.random.default_rng(11).choice(n, min(EDITED, n), replace=False)
        changed = edited(self.bags.counts, self.documents, np.full(len(self.documents), SHARE))
        self.rows = sp.vstack([rows, weigh(changed, idf)]).tocsr()
        self.copies_at = np.arange(n, self.rows.shape[0])
        self.hashed = project(self.rows, BITS)

    def scored(self, sketch: Array, queries: Array) -> Array:
        return scores(signs(sketch[: self.n]), sketch[queries])


def kinds(case: Case) -> list[dict[str, Any]]:
    """The first table: a row a kind of keys, over two tables."""
    bits = round(np.log2(case.n)) + 1
    most = min(2 ** min(bits, LIKELY), 4 * PROBES[-1])
    h, g = case.hashed, learned(case.rows, case.n, 2 * bits)
    cut = bits // 2
    even = [
        np.hstack([g[:, t * cut : (t + 1) * cut], h[:, t * (bits - cut) : (t + 1) * (bits - cut)]])
        for t in (0, 1)
    ]

    def mixed(used: int) -> Array:
        return np.hstack([p / p[: case.n].std(0) for p in (g[:, :used], h[:, : BITS - used])])

    keys = {
        "hashed": ([h[:, :bits], h[:, bits : 2 * bits]], h),
        "learned, in the sketch": ([g[:, :bits], g[:, bits:]], mixed(2 * bits)),
        "learned, not in the sketch": ([g[:, :bits], g[:, bits:]], h),
        "half of each key learned": (even, mixed(2 * cut)),
        "one table learned": ([g[:, :bits], h[:, :bits]], mixed(bits)),
    }
    out: list[dict[str, Any]] = []
    aims: dict[int, float] = {}
    for name, (tables, sketch) in keys.items():
        rank, near = (
            np.minimum(*(ranks(t, case.n, asked, most) for t in tables))
            for asked in (case.queries, case.copies_at)
        )
        ranked = order(case.scored(sketch, case.queries), case.bags.copies, case.queries)
        copies = case.scored(sketch, case.copies_at)
        all_ten, _ = found(ranked, np.zeros_like(rank), 1, case.others)
        counts = np.bincount(rank.ravel(), minlength=most + 1)[:most].cumsum() / len(case.queries)
        for base in PROBES:
            aim = aims.setdefault(base, counts[min(base, most // 4) - 1])
            probes = int(np.argmin(np.abs(counts - aim))) + 1
            ten, key = found(ranked, rank, probes, case.others)
            again = copies_found(copies, near, probes, case.documents)
            row: dict[str, Any] = {
                "keys": name,
                "probes": probes,
                "candidates": float(counts[probes - 1]),
                "key recall": (float(key.mean()), *bootstrap(key)),
            }
            row |= {
                "recall@10": (float(ten.mean()), *bootstrap(ten)),
                "all ranked": float(all_ten.mean()),
                "edited": (float(again.mean()), *bootstrap(again)),
            }
            out.append(row)
    return sorted(out, key=lambda row: row["candidates"] > 1.2 * aims[PROBES[0]])


def grid(case: Case) -> list[dict[str, Any]]:
    """Hashed keys: recall, candidates and cost by shape."""
    queries, others = case.queries[:GRID_QUERIES], case.others[:GRID_QUERIES]
    copies, documents = case.copies_at[:GRID_QUERIES], case.documents[:GRID_QUERIES]
    ranked = order(case.scored(case.hashed, queries), case.bags.copies, queries)
    edited_scores = case.scored(case.hashed, copies)
    out = []
    for more in GRID_BITS:
        bits = round(np.log2(case.n)) + more
        most = min(2**bits, GRID_PROBES[-1])
        rank = np.full((len(queries), case.n), most, np.int32)
        near = np.full((len(copies), case.n), most, np.int32)
        for tables in GRID_TABLES:
            of = case.hashed[:, (tables - 1) * bits : tables * bits]
            rank = np.minimum(rank, ranks(of, case.n, queries, most))
            near = np.minimum(near, ranks(of, case.n, copies, most))
            for probes in GRID_PROBES:
                if probes > most:
                    continue
                ten, key = found(ranked, rank, probes, others)
                candidates = float((rank < probes).sum(1).mean())
                out.append(
                    {
                        "tables": tables,
                        "more": more,
                        "probes": probes,
                        "candidates": candidates,
                        "key recall": float(key.mean()),
                        "recall@10": float(ten.mean()),
                        "edited": float(
                            copies_found(edited_scores, near, probes, documents).mean()
                        ),
                        "us": (tables * probes * PROBE_NS + candidates * CANDIDATE_NS) / 1000,
                    }
                )
    return out


def measure(path: str, cache: Path, with_grid: bool) -> dict[str, Any]:
    """The figures of a collection, or what was measured of it before."""
    kept = cache / f"{Path(path).name.split('.')[0]}.keys.json"
    out: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if "kinds" not in out or (with_grid and not out["grid"]):
        case = Case(path, cache)
        out |= {
            "name": case.bags.name,
            "n": case.n,
            "queries": len(case.queries),
            "true": sum(map(len, case.others)),
        }
        out["bits"] = round(np.log2(case.n)) + 1
        out["kinds"] = out.get("kinds") or kinds(case)
        out["grid"] = out.get("grid") or (grid(case) if with_grid else [])
        kept.write_text(json.dumps(out), encoding="utf-8")
        print(json.dumps(out["kinds"]), flush=True)
    return out


def figure(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"{value[0]:.3f} ({value[1]:.3f}-{value[2]:.3f})"
    return (
        value
        if isinstance(value, str)
        else f"{value:,}"
        if isinstance(value, int)
        else f"{value:.3f}"
        if value <= 1
        else f"{value:,.0f}"
    )


def table(rows: list[dict[str, Any]]) -> str:
    head = list(rows[0])
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        + ["| " + " | ".join(figure(r[h]) for h in head) + " |" for r in rows]
    )


def shapes(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Shapes that every collection has, by their mean cost; recall@10 of each."""
    by: dict[tuple[int, int, int], list[dict[str, Any]]] = {}
    for r in results:
        for g in r["grid"]:
            by.setdefault((g["tables"], g["more"], g["probes"]), []).append(
                {**g, "name": r["name"]}
            )
    out = []
    for (tables, more, probes), cells in by.items():
        if len(cells) == len(results):
            row: dict[str, Any] = {"tables": tables, "bits": f"log2 n {more:+d}", "probes": probes}
            row["us, mean"] = float(np.mean([c["us"] for c in cells]))
            row["us, largest"] = next(
                c["us"] for c in cells if c["name"] == max(results, key=lambda r: r["n"])["name"]
            )
            row["least recall@10"] = min(c["recall@10"] for c in cells)
            row["least edited"] = min(c["edited"] for c in cells)
            row |= {c["name"]: c["recall@10"] for c in cells}
            out.append(row)
    return sorted(out, key=lambda r: r["us, mean"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--grid", type=Path)
    a = parser.parse_args()
    with Pool(a.jobs) as pool:
        results = list(
            pool.imap(
                partial(measure, cache=a.cache, with_grid=a.grid is not None),
                a.collections,
                chunksize=1,
            )
        )
    (a.cache / "keys.json").write_text(json.dumps(results), encoding="utf-8")
    parts = []
    for r in results:
        parts += [
            f"### {r['name']}: {r['n']:,} documents, {r['queries']} queries with {r['true']:,} neighbours, keys of {r['bits']} bits",
            "",
            table(r["kinds"]),
            "",
        ]
    print("\n".join(parts))
    if a.markdown:
        put(a.markdown, parts)
    if a.grid:
        parts = ["# All collections", "", table(shapes(results)), ""]
        for r in results:
            parts += [
                f"# {r['name']}, {r['n']:,}",
                "",
                table(sorted(r["grid"], key=lambda g: g["us"])),
                "",
            ]
        a.grid.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
