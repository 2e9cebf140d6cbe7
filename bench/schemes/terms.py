"""Do damped counts (1 + ln tf), and numbers as terms, make the sketch better? And what do coarse
weights of terms cost?

    pip install scipy zstandard
    python bench/schemes/terms.py FOLDER --cache DIR --markdown bench/results/terms.md        FOLDER has the collections as NAME.jsonl or NAME.jsonl.zst

Sketches of 128 hashed bits by margins, exact scan. Four weightings of the sketch against two
cosines, and against what does not depend on a cosine: revisions of one text, degrees of copying as
people labelled them, the words that two licences share in order, edited copies.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import scipy.sparse as sp
from bags import (
    Array,
    Bags,
    edited,
    idf_of,
    load,
    project,
    put,
    recall,
    scores,
    signs,
    similar,
    weigh,
)
from keys import table
from scipy.stats import kendalltau, rankdata, spearmanr
from truth import bootstrap, read, words

BITS = 128
SEEDS = (5, 6)
QUERIES = 300
COLLECTIONS = ("reuters", "newsgroups20", "wiki_en_tasks", "wiki_simple", "wiki_de")
SLOTS_OF = ("wiki_simple", "wiki_de")
REVISIONS = ("rev_peps", "rev_eips", "wiki_versions")
EDITED, SHARES = 300, (0.3, 0.5)
PAIRS, LONGEST = 1500, 500  # of licences; words
DEGREES = {"non": 0, "heavy": 1, "light": 2, "cut": 3}
SAMPLE = 20_000
WEIGHTINGS = {
    "tf, letters": (False, False),
    "1 + ln tf, letters": (True, False),
    "tf, numbers": (False, True),
    "1 + ln tf, numbers": (True, True),
}
Row = dict[str, Any]


def rows_of(bags: Bags, name: str, counts: sp.csr_matrix | None = None) -> sp.csr_matrix:
    damped, numbers = WEIGHTINGS[name]
    return weigh(bags.counts if counts is None else counts, idf_of(bags, numbers), damped)


def mean(values: Array) -> tuple[float, float, float]:
    return (float(values.mean()), *bootstrap(values))


def scanned(rows: sp.csr_matrix, queries: Array, others: list[Array], copies: Array) -> Array:
    """recall@10 of each query, the mean over several sets of directions: what they differ by is
    luck.
    """
    total = np.zeros(len(queries))
    for seed in SEEDS:
        p = project(rows, BITS, seed)
        total += recall(scores(signs(p), p[queries]), queries, others, copies, 10)
    return total / len(SEEDS)


def by_cosine(bags: Bags, cache: Path) -> list[Row]:
    """Recall of the four sketches, of edited copies and by the two truths."""
    binding, beside = "tf, letters", "1 + ln tf, numbers"
    truths = {
        binding: similar(
            rows_of(bags, binding), bags.copies, QUERIES, cache / f"{bags.name}.similar.npz"
        )
    }
    queries = truths[binding][0]
    truths[beside] = similar(
        rows_of(bags, beside),
        bags.copies,
        QUERIES,
        cache / f"{bags.name}.damped.npz",
        among=queries,
    )
    n = bags.counts.shape[0]
    documents = np.random.default_rng(11).choice(n, EDITED, replace=False)
    changed = [edited(bags.counts, documents, np.full(EDITED, share)) for share in SHARES]
    out = []
    for name in WEIGHTINGS:
        rows = rows_of(bags, name)
        row: Row = {"collection": bags.name, "sketch": name}
        for truth, (queries, others) in truths.items():
            row[f"recall@10, truth {truth}"] = mean(scanned(rows, queries, others, bags.copies))
        p = project(sp.vstack([rows, *(rows_of(bags, name, c) for c in changed)]).tocsr(), BITS)
        for i, share in enumerate(SHARES):
            s = scores(signs(p[:n]), p[n + i * EDITED : n + (i + 1) * EDITED])
            own = s[np.arange(EDITED), documents][:, None]
            row[f"{share:.0%} replaced"] = float(((s > own + 1e-6).sum(1) < 10).mean())
        out.append(row)
        print(json.dumps(row), flush=True)
    return out


def revisions(bags: Bags) -> list[Row]:
    """Does the oldest revision find the newest among ten? By the sketch, and by the exact cosine of
    the same weights.
    """
    groups: dict[str, list[int]] = {}
    for number, record in enumerate(bags.records):
        groups.setdefault(str(record["group"]), []).append(number)
    ordered = [
        sorted(g, key=lambda i: int(bags.records[i].get("rev") or 0)) for g in groups.values()
    ]
    pairs = [(g[0], g[-1]) for g in ordered if bags.copies[g[0]] != bags.copies[g[-1]]]
    old, new = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    others = [np.array([b]) for b in new]
    out = []
    for name in WEIGHTINGS:
        rows = rows_of(bags, name)
        values = scanned(rows, old, others, bags.copies)
        exact = recall((rows[old] @ rows.T).toarray(), old, others, bags.copies, 10)
        out.append(
            {
                "collection": bags.name,
                "pairs": len(pairs),
                "weights": name,
                "sketch": mean(values),
                "exact cosine": mean(exact),
            }
        )
        print(json.dumps(out[-1]), flush=True)
    return out


def shown(rows: sp.csr_matrix, a: Array, b: Array, seed: int) -> Array:
    p = project(rows, BITS, seed)
    return (p[a] * signs(p[b])).sum(1) / np.maximum(np.abs(p[a]).sum(1), 1e-9)


def auc(values: Array, positive: Array) -> float:
    ranks = rankdata(values)
    return float((ranks[positive].mean() - (positive.sum() + 1) / 2) / (~positive).sum())


def copying(bags: Bags) -> list[Row]:
    """Answers of students beside the article that they were given: degrees of copying, and copied
    or not.
    """
    original = {r["group"]: i for i, r in enumerate(bags.records) if r["label"] == "orig"}
    answers = np.array([i for i, r in enumerate(bags.records) if r["label"] in DEGREES])
    sources = np.array([original[bags.records[i]["group"]] for i in answers])
    degree = np.array([DEGREES[bags.records[i]["label"]] for i in answers])
    out = []
    for name in WEIGHTINGS:
        rows = rows_of(bags, name)
        figures: list[Array] = [shown(rows, answers, sources, seed) for seed in SEEDS]
        cosines = np.asarray(rows[answers].multiply(rows[sources]).sum(1)).ravel()
        row: Row = {"weights": name, "answers": len(answers)}
        for what, values in (("sketch", figures), ("exact cosine", [cosines])):
            row[f"tau-b, {what}"] = (
                f"{np.mean([kendalltau(v, degree).statistic for v in values]):.3f}"
            )
            row[f"copied or not, AUC, {what}"] = (
                f"{np.mean([auc(v, degree > 0) for v in values]):.3f}"
            )
        out.append(row)
    return out


def licences(bags: Bags, path: Path) -> list[Row]:
    """Pairs at cosine .5 or more beside the words that they share in order (difflib)."""
    texts = {str(d["id"]): words(d["text"]) for d in read(path)}
    tokens = [texts[str(r["id"])] for r in bags.records]
    short = np.array([i for i, t in enumerate(tokens) if len(t) <= LONGEST])
    rows = rows_of(bags, "tf, letters")[short]
    product = sp.triu(rows @ rows.T, 1).tocoo()
    at = np.flatnonzero(product.data >= 0.5)
    at = np.random.default_rng(3).choice(at, min(PAIRS, len(at)), replace=False)
    a, b = short[product.row[at]], short[product.col[at]]
    ratio = np.array(
        [
            difflib.SequenceMatcher(None, tokens[i], tokens[j], autojunk=False).ratio()
            for i, j in zip(a, b, strict=True)
        ]
    )
    out = []
    for name in WEIGHTINGS:
        rows = rows_of(bags, name)
        cosines = np.asarray(rows[a].multiply(rows[b]).sum(1)).ravel()
        row: Row = {"weights": name, "pairs": len(a)}
        row["Spearman, sketch"] = (
            f"{np.mean([spearmanr(shown(rows, a, b, seed), ratio).statistic for seed in SEEDS]):.3f}"
        )
        row["Spearman, exact cosine"] = f"{spearmanr(cosines, ratio).statistic:.3f}"
        out.append(row)
    return out


def coarse(frequency: Array, n: float) -> Array:
    """floor(16 log2(N / df)) in a byte."""
    return np.clip(np.floor(16 * np.log2(n / np.maximum(frequency, 1))), 0, 255).astype(np.float32)


def slots(bags: Bags, cache: Path) -> list[Row]:
    """Recall of sketches whose weights of terms are coarse, share slots, or come from a sample."""
    n, terms = bags.counts.shape
    queries, others = similar(
        rows_of(bags, "tf, letters"), bags.copies, QUERIES, cache / f"{bags.name}.similar.npz"
    )
    frequency = np.where(bags.lettered, np.bincount(bags.counts.indices, minlength=terms), 0)
    chance = np.random.default_rng(17)
    sample = chance.choice(n, min(SAMPLE, n), replace=False)
    sampled = np.bincount(bags.counts[sample].indices, minlength=terms)
    where = chance.integers(0, 2**18, (2, terms))

    def shared(size: int, hashes: int, seen: Array) -> Array:
        slot = where[:hashes] % size
        load_of = sum(np.bincount(s, seen, size) for s in slot)
        return np.min([np.asarray(load_of)[s] for s in slot], axis=0)

    ways: dict[str, Callable[[], Array]] = {
        "ln(N / df)": lambda: idf_of(bags),
        "floor(16 log2(N / df)) in a byte": lambda: coarse(frequency, n),
        "the same in 2^16 slots": lambda: coarse(shared(2**16, 1, frequency), n),
        "in 2^16 slots, the larger of two": lambda: coarse(shared(2**16, 2, frequency), n),
        "in 2^18 slots": lambda: coarse(shared(2**18, 1, frequency), n),
        "in 2^18 slots, the larger of two": lambda: coarse(shared(2**18, 2, frequency), n),
        f"a byte a term, of a sample of {SAMPLE:,}": lambda: coarse(sampled, len(sample)),
        "of the sample, in 2^16 slots": lambda: coarse(
            shared(2**16, 1, np.where(bags.lettered, sampled, 0)), len(sample)
        ),
        "of the sample, in 2^16 slots, the larger of two": lambda: coarse(
            shared(2**16, 2, np.where(bags.lettered, sampled, 0)), len(sample)
        ),
    }
    out = []
    for name, weights in ways.items():
        idf = np.where(bags.lettered, weights(), 0).astype(np.float32)
        values = scanned(weigh(bags.counts, idf), queries, others, bags.copies)
        out.append(
            {
                "collection": bags.name,
                "terms": int(bags.lettered.sum()),
                "weights": name,
                "recall@10": mean(values),
            }
        )
        print(json.dumps(out[-1]), flush=True)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], help="names of parts and collections")
    parser.add_argument("--markdown", type=Path)
    a = parser.parse_args()

    def path(name: str) -> Path:
        return next(
            p for p in (a.folder / f"{name}.jsonl", a.folder / f"{name}.jsonl.zst") if p.exists()
        )

    def bags(name: str) -> Bags:
        return load(path(name), a.cache)

    parts: dict[str, list[Callable[[], list[Row]]]] = {
        "independent: revisions": [lambda name=name: revisions(bags(name)) for name in REVISIONS],
        "independent: degrees of copying (clough_stevenson)": [
            lambda: copying(bags("clough_stevenson"))
        ],
        "independent: words in order (licences)": [
            lambda: licences(bags("licences"), path("licences"))
        ],
        "cosines": [lambda name=name: by_cosine(bags(name), a.cache) for name in COLLECTIONS],
        "weights": [lambda name=name: slots(bags(name), a.cache) for name in SLOTS_OF],
    }
    lines = []
    for name, makers in parts.items():
        if not a.only or name.split(":")[0] in a.only:
            kept: list[Row] = []
            for i, make in enumerate(makers):
                at = a.cache / f"terms.{''.join(c for c in name if c.isalnum())}.{i}.json"
                if not at.exists():
                    at.write_text(json.dumps(make()), encoding="utf-8")
                kept += json.loads(at.read_text(encoding="utf-8"))
            lines += [f"### {name}", "", table(kept), ""]
    print("\n".join(lines))
    if a.markdown:
        put(a.markdown, lines)


if __name__ == "__main__":
    main()
