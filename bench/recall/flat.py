r"""Recall with each document as a query: two shapes beside faiss's flat scan of 128 bits, with
several draws of its directions.

    python bench/recall/flat.py wiki_simple.jsonl.zst reuters.jsonl.zst:text … --cache DIR \
        -o bench/results/flat.md        (needs scipy, zstandard, faiss-cpu; 2 minutes a collection)

A sample of queries is off by a point, and so is one draw of directions. Recall and collections are
those of quality.py. The truth leaves out of a query's row the terms that most documents have, while
their part of it has a length of CUT at most. What is at cosine .7 has then .7 - CUT or more left;
of these documents the whole cosine is taken, so nothing is lost.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import faiss
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from collection import AT, Collection, load
from engine import built, settings
from intervals import table
from peers import Projections, bits

CUT, BLOCK, TOP = 0.5, 200, 10
DRAWS = (5, 6, 7, 8, 9)  # the first is that of quality.py
Near = dict[int, list[int]]


def light(rows: sp.csr_matrix, frequency: npt.NDArray[np.int64]) -> sp.csr_matrix:
    """The rows without their most frequent terms, which are CUT long together at most."""
    out = rows.copy()
    for first, end in zip(rows.indptr, rows.indptr[1:], strict=False):
        order = np.argsort(-frequency[rows.indices[first:end]], kind="stable")
        left_out = order[np.cumsum(rows.data[first:end][order] ** 2) <= CUT * CUT]
        out.data[first:end][left_out] = 0
    out.eliminate_zeros()
    return out


def neighbours(collection: Collection) -> Near:
    """Of each document that has any, the others at cosine AT or more, without its copies."""
    rows = collection.truths["raw"].rows.tocsr()
    frequency = np.bincount(rows.indices, minlength=rows.shape[1])
    columns, found = rows.T.tocsr(), Near()
    for first in range(0, rows.shape[0], BLOCK):
        products = (light(rows[first : first + BLOCK], frequency) @ columns).tocsr()
        for place in range(products.shape[0]):
            own = slice(products.indptr[place], products.indptr[place + 1])
            some = products.indices[own][products.data[own] >= AT - CUT - 1e-4]
            cosines = np.asarray((rows[some] @ rows[first + place].T).todense()).ravel()
            same = collection.same(first + place)
            near = [int(d) for d in some[cosines >= AT] if d not in same]
            if near:
                found[first + place] = near
    return found


def share(hits: list[int], query: int, collection: Collection, near: Near) -> float:
    same = collection.same(query)
    shown = [document for document in hits if document not in same][:TOP]
    return float(np.isin(near[query], shown).sum() / min(TOP, len(near[query])))


def interval(values: npt.NDArray[np.float64]) -> str:
    half = 1.96 * values.std() / len(values) ** 0.5
    return f"{values.mean():+.3f} ({values.mean() - half:+.3f} to {values.mean() + half:+.3f})"


def row_of(path: str, cache: Path) -> list[str]:
    collection = load(path, cache)
    near = neighbours(collection)
    for query in near.keys() & collection.near["raw"].keys():  # as those of nothing left out
        assert set(near[query]) == set(collection.near["raw"][query][0].tolist())
    truth = collection.truths["raw"]
    flat = []
    for seed in DRAWS:
        hashed = Projections(truth, 128, seed)
        index = faiss.IndexBinaryFlat(128)
        index.add(bits(hashed.of(truth.rows)))
        most = TOP + max((len(collection.same(q)) for q in near), default=1)
        _, hits = index.search(bits(hashed.of(truth.rows[list(near)])), most)
        flat.append(
            np.array(
                [share(h.tolist(), q, collection, near) for h, q in zip(hits, near, strict=True)]
            )
        )
    ours, shown = {}, [0.0] * len(near)
    for shape in ("small", "balanced"):
        engine = built(
            collection.texts, cache / f"flat-{collection.name}-{shape}.pocket", settings(shape)
        )
        asked = [(q, collection.texts[q], TOP + len(collection.same(q))) for q in near]
        ours[shape] = np.array(
            [
                share(engine.ask(text.encode(), top).documents.tolist(), q, collection, near)
                for q, text, top in asked
            ]
        )
        # As balanced, the last of the shapes, shows them. The text itself is no first hit.
        for place, (q, text, top) in enumerate(asked):
            some = [hit.number for hit in engine.index.query(text, top)]
            shown[place] = share(some, q, collection, near)
    means = [float(one.mean()) for one in flat]
    best = flat[int(np.argmax(means))]
    return [
        collection.name,
        f"{len(collection.texts):,}",
        f"{len(near):,}",
        f"{min(means):.3f} to {max(means):.3f}",
        f"{ours['small'].mean():.3f}",
        interval(ours["small"] - best),
        f"{ours['balanced'].mean():.3f}",
        interval(ours["balanced"] - best),
        f"{np.mean(shown):.3f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    rows = list[list[str]]()
    for path in arguments.collections:
        rows.append(row_of(path, arguments.cache))
        print(" | ".join(rows[-1]), flush=True)
    head = [
        "",
        "documents",
        "queries",
        f"faiss, flat, 128 bits, {len(DRAWS)} draws",
        "`small`",
        "less the best draw",
        "default",
        "less the best draw",
        "default, as shown",
    ]
    lines = [
        "# Each document a query",
        "",
        f"`python bench/recall/flat.py {' '.join(Path(path).name for path in arguments.collections)}`, "
        f"{time.strftime('%Y-%m-%d')}.",
        "",
        f"Recall@{TOP} of what lies at cosine {AT} or more by exact truth: found / min({TOP}, all "
        "there are), the mean of all documents that have such a neighbour. *As shown*: without "
        "what may be chance; the query itself, which is in the file, does not count as a first hit. Differences are of the same queries, with 95 % intervals. `small` "
        "has 96 bits and the default 168, and both are scored by the query's margins; faiss's are "
        "Hamming distances.",
        "",
        *table(head, rows),
    ]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
