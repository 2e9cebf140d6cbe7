"""Precision stress and recall stress of embeddings (Stein, SIGIR 2007, Definition 1, Fig.

3, Table 2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.evaluate.collection import Collection
from pocketindex.builder.schemes import ff
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.schemes.weights import Weights, term_weights

Matrix = npt.NDArray[np.float64]
THRESHOLDS = tuple(round(0.1 * i, 1) for i in range(1, 10))
DIMENSIONS = 50  # no more than 64: a hash has a bit for each
MOST = 1_000  # documents: all of their pairs are compared
STEPS = (0.1, 0.8)  # of the threshold-optimum embedding


def stress(collection: Collection, seed: int) -> dict[str, Any]:
    """Return for each embedding and threshold precision and recall stress, the variant over
    embedded similarities, and its precision.
    """
    chosen = np.sort(np.random.default_rng(seed).permutation(len(collection.texts))[:MOST])
    vectors = collection.truth.rows[chosen]
    similarity = np.asarray((vectors @ vectors.T).todense(), np.float64)
    texts = [collection.texts[i] for i in chosen]
    upper = np.triu_indices(len(chosen), 1)
    original = similarity[upper]
    out: dict[str, Any] = {"documents": len(chosen), "dimensions": DIMENSIONS, "embeddings": {}}
    for name, embed in embeddings(collection, seed).items():
        embedded = embed(similarity, vectors, texts)[upper]
        out["embeddings"][name] = {str(t): _at(original, embedded, t) for t in THRESHOLDS}
    return out


def _at(original: Matrix, embedded: Matrix, threshold: float) -> dict[str, Any]:
    wanted, found = original > threshold, embedded > threshold
    error = (original - embedded) ** 2

    def over(chosen: npt.NDArray[np.bool_], whole: Matrix) -> float | None:
        total = float((whole[chosen] ** 2).sum())
        return float(error[chosen].sum()) / total if total else None

    return {
        "precision_stress": over(found, original),
        "recall_stress": over(wanted, original),
        "precision_stress_embedded": over(found, embedded),
        "precision": float(wanted[found].mean()) if found.any() else None,
        "recall": float(found[wanted].mean()) if wanted.any() else None,
        "pairs": int(wanted.sum()),
    }


def embeddings(
    collection: Collection, seed: int
) -> dict[str, Callable[[Matrix, Any, list[str]], Matrix]]:
    """Return functions, each of which gives the similarities of all pairs under an embedding."""
    sampled = [
        collection.texts[i].encode()
        for i in range(0, len(collection.texts), max(1, len(collection.texts) // 5_000))
    ]

    def svd(similarity: Matrix, vectors: Any, texts: list[str]) -> Matrix:
        values, basis = np.linalg.eigh(similarity)
        y = basis[:, -DIMENSIONS:] * np.sqrt(np.maximum(values[-DIMENSIONS:], 0))
        return _products(y)

    def threshold_optimum(similarity: Matrix, vectors: Any, texts: list[str]) -> Matrix:
        low, high = STEPS
        s = (np.tanh(20 * (similarity - low)) + np.tanh(20 * (similarity - high)) + 2) / 4
        values, basis = np.linalg.eigh(
            (s + s.T) / 2
        )  # Higham's nearest: negative eigenvalues become 0
        y = basis[:, -DIMENSIONS:] * np.sqrt(np.maximum(values[-DIMENSIONS:], 0))
        return _products(y)

    def fuzzy(similarity: Matrix, vectors: Any, texts: list[str]) -> Matrix:
        settings = ff.FfSettings(classes=DIMENSIONS, borders=((0.0,),))
        return _cosines(_shares(texts, settings, ff.frequencies(sampled, settings)))

    def random_fuzzy(similarity: Matrix, vectors: Any, texts: list[str]) -> Matrix:
        return _cosines(_deviations(texts, term_weights(sampled, len(collection.texts))[0]))

    def p_stable(similarity: Matrix, vectors: Any, texts: list[str]) -> Matrix:
        drawn = np.random.default_rng(seed).normal(size=(vectors.shape[1], DIMENSIONS)) / np.sqrt(
            DIMENSIONS
        )
        y = vectors @ drawn
        return _products(np.asarray(y))

    return {
        "Y_SVD": svd,
        "Y_FF": fuzzy,
        "Y_LSH": p_stable,
        "Y_rff": random_fuzzy,
        "Y_xi": threshold_optimum,
    }


def _shares(texts: list[str], settings: ff.FfSettings, counts: ff.Frequencies) -> Matrix:
    """Return the deviations of each text's class shares from the expectation (DIR 2007, 3.1)."""
    from pocketindex.builder.schemes.prefix_classes import pack_bins

    class_of, expected = pack_bins(counts.bins, settings.classes)
    rows = TermRows.of([text.encode() for text in texts], settings.prefix)
    shares = np.zeros((len(texts), settings.classes))
    np.add.at(
        shares,
        (rows.text_of, class_of[(rows.prefix & np.uint64(settings.bins - 1)).astype(np.int64)]),
        rows.counts,
    )
    shares /= np.maximum(shares.sum(1, keepdims=True), 1)
    expectation = np.array(expected) / 2**32
    result: Matrix = (shares - expectation) / expectation
    return result


def _deviations(texts: list[str], weights: Weights) -> Matrix:
    """Return each text's sums on hashed directions (docs/format.md 2.4, step 1), without the
    rounding: one class less the other.
    """
    rows = TermRows.of([text.encode() for text in texts])
    value = rows.counts * weights[
        (rows.whole >> np.uint64(32) & np.uint64(len(weights) - 1)).astype(np.int64)
    ].astype(np.float64)
    first, second = (_mixed(rows.whole + np.uint64(i)) for i in (1, 2))
    sums = np.zeros((len(texts), DIMENSIONS))
    for j in range(DIMENSIONS):
        both = (first >> np.uint64(j) & np.uint64(1)) + (second >> np.uint64(j) & np.uint64(1))
        np.add.at(sums[:, j], rows.text_of, value * (both.astype(np.float64) - 1))
    return sums


def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the mixed number of docs/format.md 3.1."""
    for _ in range(2):
        x = (x ^ x >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)
    return x ^ x >> np.uint64(32)


def _cosines(y: Matrix) -> Matrix:
    return _products(y / np.maximum(np.linalg.norm(y, axis=1, keepdims=True), 1e-12))


def _products(y: Matrix) -> Matrix:
    products: Matrix = y @ y.T
    return products
