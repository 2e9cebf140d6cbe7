"""Exact truth: tf-idf cosine over terms cut by Python's re, independent of the product's term
stream and arithmetic.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import zstandard

WORD = re.compile(r"\w+")
LEAST_WORDS = 50


def words(text: str) -> list[str]:
    """Lower-cased runs of word characters with at least one letter."""
    return [w for w in WORD.findall(text.lower()) if any(c.isalpha() for c in w)]


def read(path: str | Path) -> list[dict[str, Any]]:
    """The documents of a .jsonl or .jsonl.zst file."""
    with open(path, "rb") as stream:
        raw = (
            zstandard.ZstdDecompressor(max_window_size=2**31).stream_reader(stream)
            if str(path).endswith(".zst")
            else stream
        )
        return [json.loads(line) for line in io.TextIOWrapper(raw, encoding="utf-8")]


def vectors(texts: list[list[str]], vocabulary: dict[str, int], grow: bool) -> sp.csr_matrix:
    """Raw term counts, a row a text."""
    starts = [0]
    columns = []
    values = []
    for tokens in texts:
        for word, count in Counter(tokens).items():
            column = vocabulary.setdefault(word, len(vocabulary)) if grow else vocabulary.get(word)
            if column is not None:
                columns.append(column)
                values.append(count)
        starts.append(len(columns))
    shape = (len(texts), len(vocabulary))
    return sp.csr_matrix(
        (np.array(values, np.float32), np.array(columns), np.array(starts)), shape=shape
    )


def unit(counts: sp.csr_matrix, idf: npt.NDArray[Any]) -> sp.csr_matrix:
    """Weight by idf and bring rows to length 1."""
    weighted = counts @ sp.diags(idf)
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(1))).ravel()
    norms[norms == 0] = 1
    return (sp.diags((1 / norms).astype(np.float32)) @ weighted).tocsr()


def neighbours(
    rows: sp.csr_matrix, queries: sp.csr_matrix, threshold: float, block: int = 200
) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """For each query the rows at cosine >= threshold, and the cosines: all of them, nothing pruned."""
    transposed = rows.T.tocsr()
    out = []
    for start in range(0, queries.shape[0], block):
        product = (queries[start : start + block] @ transposed).tocsr()
        for i in range(product.shape[0]):
            cosines = product.data[product.indptr[i] : product.indptr[i + 1]]
            columns = product.indices[product.indptr[i] : product.indptr[i + 1]]
            near = cosines >= threshold
            out.append((columns[near].astype(np.int64), cosines[near]))
    return out


def bootstrap(values: npt.NDArray[Any], rounds: int = 1000) -> tuple[float, float]:
    """95 % interval of the mean over queries, which are drawn anew."""
    if len(values) == 0:
        return float("nan"), float("nan")
    drawn = np.random.default_rng(2007).integers(0, len(values), (rounds, len(values)))
    low, high = np.percentile(values[drawn].mean(1), [2.5, 97.5])
    return float(low), float(high)
