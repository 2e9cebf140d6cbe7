"""Collections as bags of words, hashed directions and edited copies, with numpy and scipy alone:
nothing of the product takes part.

Used by keys.py, estimate.py and terms.py. Bags are cached, because cutting the words is most of the
time.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from truth import LEAST_WORDS, WORD, read

Array = npt.NDArray[Any]
MOST_DRAWN = 6000
BLOCK = 32  # directions drawn and multiplied at a time


@dataclass
class Bags:
    """Documents of LEAST_WORDS words or more; a row of counts each, over all runs of word
    characters.

    lettered says of each column whether it has a letter, copies numbers the different texts,
    records are the documents without their texts.
    """

    name: str
    counts: sp.csr_matrix
    lettered: Array
    copies: Array
    records: list[dict[str, Any]]


def text_of(document: dict[str, Any]) -> str | None:
    """Reuters has its title apart, and stubs without text."""
    if "text_type" not in document:
        return str(document["text"])
    return (
        f"{document.get('title') or ''}\n{document['text']}"
        if document["text_type"] == "NORM"
        else None
    )


def bag(
    texts: Iterator[tuple[dict[str, Any], str]], least: int
) -> tuple[sp.csr_matrix, Array, Array, list[dict[str, Any]]]:
    vocabulary: dict[str, int] = {}
    lettered: list[bool] = []
    starts = [0]
    columns = []
    values = []
    records = []
    seen: dict[bytes, int] = {}
    copies: list[int] = []
    for record, text in texts:
        counts = Counter(WORD.findall(text.lower()))
        for word in counts:
            if word not in vocabulary:
                vocabulary[word] = len(vocabulary)
                lettered.append(any(c.isalpha() for c in word))
        numbers = [vocabulary[word] for word in counts]
        if sum(f for c, f in zip(numbers, counts.values(), strict=True) if lettered[c]) < least:
            continue
        columns.append(np.array(numbers, np.int32))
        values.append(np.array(list(counts.values()), np.float32))
        starts.append(starts[-1] + len(numbers))
        copies.append(seen.setdefault(hashlib.sha256(text.encode()).digest(), len(seen)))
        records.append(record)
    shape = (len(records), len(vocabulary))
    matrix = sp.csr_matrix(
        (np.concatenate(values), np.concatenate(columns), np.array(starts)), shape=shape
    )
    return matrix, np.array(lettered), np.array(copies), records


def load(path: str | Path, cache: Path, least: int = LEAST_WORDS) -> Bags:
    """Read a collection, or what was read of it before."""
    name = Path(path).name.split(".")[0]
    kept = cache / f"{name}.bags{least}.npz"
    if not kept.exists():
        texts = ((d, text) for d in read(path) if (text := text_of(d)) is not None)
        counts, lettered, copies, records = bag(texts, least)
        records = [{k: v for k, v in r.items() if k != "text"} for r in records]
        cache.mkdir(parents=True, exist_ok=True)
        (cache / f"{name}.bags{least}.json").write_text(json.dumps(records), encoding="utf-8")
        np.savez(
            kept,
            data=counts.data,
            indices=counts.indices,
            indptr=counts.indptr,
            lettered=lettered,
            copies=copies,
        )
    z = np.load(kept)
    records = json.loads((cache / f"{name}.bags{least}.json").read_text(encoding="utf-8"))
    counts = sp.csr_matrix(
        (z["data"], z["indices"], z["indptr"]), shape=(len(z["indptr"]) - 1, len(z["lettered"]))
    )
    return Bags(name, counts, z["lettered"], z["copies"], records)


def idf_of(bags: Bags, numbers: bool = False, sample: Array | None = None) -> Array:
    """ln(N / df), 0 for what is no term; of a sample of the documents where one is given, where
    what it has not counts as in one document.
    """
    counts = bags.counts if sample is None else bags.counts[sample]
    frequency = np.maximum(np.bincount(counts.indices, minlength=counts.shape[1]), 1)
    idf = np.log(counts.shape[0] / frequency).astype(np.float32)
    return idf if numbers else np.where(bags.lettered, idf, 0).astype(np.float32)


def weigh(counts: sp.csr_matrix, idf: Array, damped: bool = False) -> sp.csr_matrix:
    """Rows of length 1: raw counts (or 1 + ln of them) times idf."""
    rows = sp.csr_matrix(
        (1 + np.log(counts.data) if damped else counts.data, counts.indices, counts.indptr),
        shape=counts.shape,
    )
    rows = (rows @ sp.diags(idf)).tocsr().astype(np.float32)
    rows.eliminate_zeros()
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(1))).ravel()
    norms[norms == 0] = 1
    return (sp.diags((1 / norms).astype(np.float32)) @ rows).tocsr()


def project(rows: sp.csr_matrix, bits: int, seed: int = 5, hashes: Array | None = None) -> Array:
    """Projections on hashed directions: each term has a sign for each; (rows, bits)."""
    chance = np.random.default_rng(seed)
    out = np.empty((rows.shape[0], bits), np.float32)
    for start in range(0, bits, BLOCK):
        signs = chance.integers(0, 2, (rows.shape[1], BLOCK), dtype=np.int8) * 2 - 1
        out[:, start : start + BLOCK] = (rows @ signs.astype(np.float32))[:, : bits - start]
    return out


def signs(projections: Array) -> Array:
    return np.where(projections > 0, 1, -1).astype(np.float32)


def scores(stored: Array, asked: Array) -> Array:
    """s = sum |z| a / sum |z| of each query (a row of asked: its projections) with each document (a
    row of stored: its signs).
    """
    return (asked / np.maximum(np.abs(asked).sum(1, keepdims=True), 1e-9)) @ stored.T


def edited(counts: sp.csr_matrix, documents: Array, shares: Array, seed: int = 7) -> sp.csr_matrix:
    """Copies with a share of their words replaced by words of other documents, drawn as often as
    they occur.
    """
    chance = np.random.default_rng(seed)
    others = counts[chance.choice(counts.shape[0], min(2000, counts.shape[0]), replace=False)]
    pool = np.repeat(others.indices, others.data.astype(int))
    rows, columns = [], []
    for i, (document, share) in enumerate(zip(documents, shares, strict=True)):
        row = counts[document]
        words = np.repeat(row.indices, row.data.astype(int))
        at = chance.random(len(words)) < share
        words[at] = chance.choice(pool, at.sum())
        columns.append(words)
        rows.append(np.full(len(words), i))
    flat = np.concatenate(rows), np.concatenate(columns)
    out = sp.csr_matrix(
        (np.ones(len(flat[0]), np.float32), flat), shape=(len(documents), counts.shape[1])
    )
    out.sum_duplicates()
    return out


def similar(
    rows: sp.csr_matrix,
    copies: Array,
    wanted: int,
    kept: Path,
    threshold: float = 0.7,
    among: Array | None = None,
) -> tuple[Array, list[Array]]:
    """Random documents that have another one at cosine >= threshold, copies left out, and all those
    others; kept in a file.

    They are drawn from all documents, of which no more than MOST_DRAWN are looked at, or are those
    of among that have one.
    """
    if kept.exists():
        z = np.load(kept)
        return z["queries"][:wanted], np.split(z["others"], np.cumsum(z["lengths"])[:-1])[:wanted]
    order = (
        np.random.default_rng(1).permutation(rows.shape[0])[:MOST_DRAWN] if among is None else among
    )
    found: list[int] = []
    others: list[Array] = []
    for start in range(0, len(order), 64):
        block = order[start : start + 64]
        cosines = rows @ np.ascontiguousarray(rows[block].T.toarray())
        for i, document in enumerate(block):
            near = np.flatnonzero(cosines[:, i] >= threshold)
            near = near[copies[near] != copies[document]]
            if len(near):
                found.append(int(document))
                others.append(near)
        if len(found) >= wanted:
            break
    queries, others = np.array(found[:wanted]), others[:wanted]
    np.savez(kept, queries=queries, others=np.concatenate(others), lengths=[len(o) for o in others])
    return queries, others


def recall(
    scored: Array,
    queries: Array,
    others: list[Array],
    copies: Array,
    top: int,
    allowed: Array | None = None,
) -> Array:
    """found / min(top, true) for each query; scored: (queries, documents), the higher the better,
    ties to the lower number; changed in place.
    """
    out = np.zeros(len(queries))
    for k, query in enumerate(queries):
        s = scored[k]
        s[copies == copies[query]] = -np.inf
        if allowed is not None:
            s[~allowed[k]] = -np.inf
        best = np.argpartition(-s, min(top, len(s) - 1))[:top]
        best = best[s[best] > -np.inf]
        out[k] = np.isin(others[k], best).sum() / min(top, len(others[k]))
    return out


def put(page: Path, tables: list[str]) -> None:
    """Write the tables of a page of results, and leave what is said above them as it is."""
    mark = "## Tables\n\n"
    said = page.read_text(encoding="utf-8").split(mark)[0] if page.exists() else ""
    page.write_text(said + mark + "\n".join(tables), encoding="utf-8")
