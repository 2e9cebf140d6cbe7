"""Exact neighbours of every document of a collection, and recall of them.

The truth leaves out of a query's row the terms that most documents have, while their part of it has
a length of CUT at most. What is at cosine .7 has then .7 - CUT or more left; of these documents the
whole cosine is taken, so nothing is lost.
"""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from collection import AT, Collection

CUT, BLOCK, TOP = 0.5, 200, 10
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


def all_near(collection: Collection, cache: Path) -> Near:
    """Of each document that has any, the others at cosine AT or more, without its copies; from the
    cache if they were looked for before.
    """
    path = cache / f"every-{collection.name.replace(':', '-')}.pickle"
    if not path.exists():
        path.write_bytes(pickle.dumps(neighbours(collection), 5))
    found: Near = pickle.loads(path.read_bytes())
    return found


def share(query: int, hits: list[int], collection: Collection, near: Near) -> float:
    same = collection.same(query)
    shown = [document for document in hits if document not in same][:TOP]
    return float(np.isin(near[query], shown).sum() / min(TOP, len(near[query])))
