"""Exact truth: tf-idf cosine over terms cut by Python's re, independent of the product's term
stream and arithmetic (DIR 2007, 4).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from pocketindex.builder.spill.threads import Each, one_by_one

WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Lower-cased runs of word characters with at least one letter."""
    return [w for w in WORD.findall(text.lower()) if any(c.isalpha() for c in w)]


@dataclass(frozen=True)
class Neighbours:
    """The neighbours of a query: documents, and their cosines."""

    documents: npt.NDArray[np.int64]
    cosines: npt.NDArray[np.float32]


class Truth:
    """The tf-idf space of a collection: raw term counts, idf = ln(N / df), rows of length 1."""

    def __init__(self, texts: list[str]) -> None:
        self._vocabulary: dict[str, int] = {}
        self._words: list[str] = []
        counts = self._count(texts, grow=True)
        frequency = np.bincount(counts.indices, minlength=len(self._vocabulary))
        self._idf = np.log(len(texts) / np.maximum(frequency, 1)).astype(np.float32)
        self.rows = self._unit(counts)
        self._columns = self.rows.T.tocsr()

    def heaviest(self, document: int, count: int) -> list[tuple[str, float]]:
        """Return the words of a document that weigh most, with their weights; of equal ones those
        that came first in the collection.
        """
        if len(self._words) < len(self._vocabulary):
            self._words = list(self._vocabulary)
        row = self.rows[document]
        order = np.lexsort((row.indices, -row.data))[:count]
        return [(self._words[row.indices[i]], float(row.data[i])) for i in order]

    def vectors(self, texts: list[str]) -> Any:
        """Return unit rows of other texts; terms that the collection does not have are left out."""
        return self._unit(self._count(texts, grow=False))

    def neighbours(
        self, queries: Any, least: float, block: int = 200, each: Each = one_by_one
    ) -> list[Neighbours]:
        """Return every document at cosine >= least to each row of queries: nothing is pruned.

        each: for the work of threads.
        """

        def of_block(start: int) -> list[Neighbours]:
            product, out = (queries[start : start + block] @ self._columns).tocsr(), []
            for i in range(product.shape[0]):
                row = slice(product.indptr[i], product.indptr[i + 1])
                near = product.data[row] >= least
                out.append(
                    Neighbours(product.indices[row][near].astype(np.int64), product.data[row][near])
                )
            return out

        return [one for some in each(of_block, range(0, queries.shape[0], block)) for one in some]

    def cosines(self, query: Any, documents: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the cosines of one row with documents."""
        return np.asarray((self.rows[documents] @ query.T).todense()).ravel()

    def _count(self, texts: list[str], grow: bool) -> Any:
        starts = [0]
        columns = []
        values = []
        for text in texts:
            for word, count in Counter(words(text)).items():
                column = (
                    self._vocabulary.setdefault(word, len(self._vocabulary))
                    if grow
                    else self._vocabulary.get(word)
                )
                if column is not None:
                    columns.append(column)
                    values.append(count)
            starts.append(len(columns))
        shape = (len(texts), len(self._vocabulary))
        return sp.csr_matrix(
            (np.array(values, np.float32), np.array(columns, np.int64), np.array(starts, np.int64)),
            shape=shape,
        )

    def _unit(self, counts: Any) -> Any:
        weighted = counts @ sp.diags(self._idf)
        norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(1))).ravel()
        norms[norms == 0] = 1
        return (sp.diags((1 / norms).astype(np.float32)) @ weighted).tocsr()


def interval(values: npt.NDArray[Any], rounds: int = 1000) -> tuple[float, float]:
    """Return the 95 % interval of the mean over queries, queries drawn anew (bootstrap)."""
    if len(values) == 0:
        return float("nan"), float("nan")
    drawn = np.random.default_rng(2007).integers(0, len(values), (rounds, len(values)))
    low, high = np.percentile(values[drawn].mean(1), [2.5, 97.5])
    return float(low), float(high)
