"""Query a finished file with some of its documents, and compare the hits with all of their exact
neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.measured import NEAR, SHOWN, TOP, MeanError, Measured
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.chunks.arranged import Arranged
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.cbits import ffi, lib
from pocketindex.index import open as open_index

SAMPLE = 1_000  # documents that are asked
BYTES = 32 << 20  # of their texts
SLOTS = (
    1 << 22
)  # terms whose hashes fall together count as one: among a text's few hundred it hardly happens
# terms that most queries have are multiplied as matrices, the others one by one: each is the faster
# way for its own
COMMON = 1_024
PRODUCTS = 1 << 20  # of the others at once
# The hashes of the ids are multiplied by it, so that who is asked is not who terms are weighed in:
# it is odd, 2^64 by the golden ratio.
OTHERS = np.uint64(0x9E3779B97F4A7C15)

Numbers = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]
Batch = tuple[int, list[bytes]]  # the number in the file of its first document, and texts


def measure(target: Path, spool: Spool, arranged: Arranged, context: Context) -> Measured:
    """Measure the file that was built from these documents, with SAMPLE of them as queries in the
    file's default way.
    """
    context.progress.phase("measuring", documents=2 * arranged.count)
    texts = _sample(spool, arranged.sketched)
    truth = Truth(texts, lambda: _batches(arranged), context)
    query_of = np.zeros(0, np.int64)
    documents = np.zeros(0, np.int64)
    similarities = np.zeros(0)
    with open_index(target) as index:
        estimates_cosines = index.info().scheme == "rff"
        # Copies come first, and say nothing: as many more hits are asked for, the query itself
        # among them.
        copies = truth.copies.tolist()
        # Hits that chance may have found count, too: their error is measured.
        hits = [
            index.query_many([text], TOP + own, min_similarity=0, numbers=True)
            for text, own in zip(texts, copies, strict=True)
        ]
    if hits:
        query_of = np.repeat(
            np.arange(len(hits)), [np.count_nonzero(own.numbers >= 0) for own in hits]
        )
        documents = np.concatenate([own.numbers[own.numbers >= 0] for own in hits])
        similarities = np.concatenate([own.similarities[own.numbers >= 0] for own in hits])
    neighbours, cosines = truth.compare(query_of, documents)
    others = np.flatnonzero(cosines >= 0)
    places = np.arange(len(others)) - np.searchsorted(query_of[others], query_of[others])
    first = others[places < TOP]
    query_of = query_of[first]
    similarities = similarities[first]
    cosines = cosines[first]
    shown = similarities >= SHOWN
    return Measured(
        asked=len(texts),
        queries=int(np.count_nonzero(neighbours)),
        wanted=int(np.minimum(neighbours, TOP).sum()),
        found=int(np.count_nonzero(cosines >= NEAR)),
        error=_error(query_of[shown], similarities[shown], cosines[shown])
        if estimates_cosines
        else None,
        error_of_all=_error(query_of, similarities, cosines) if estimates_cosines else None,
    )


def _error(query_of: Numbers, similarities: Reals, cosines: Floats) -> MeanError:
    mean = float(np.abs(similarities - cosines).mean()) if len(cosines) else 0.0
    return MeanError(len(np.unique(query_of)), len(cosines), mean)


class Truth:
    """The cosine of count * ln(N / df) over terms with a letter, in hashed slots, of texts with all
    N documents.

    Two passes over the documents: one for the frequencies, one that multiplies a few documents at a
    time with all texts. copies: of each text, documents that are byte for byte the same.
    """

    def __init__(
        self, texts: list[bytes], documents: Callable[[], Iterator[Batch]], context: Context
    ) -> None:
        """texts: all different; documents: begins a new pass over the collection at each call."""
        self._documents = documents
        self._context = context
        self._count = len(texts)
        hashes = _hashes(texts)
        self._by_hash = np.argsort(hashes)
        self._hashes = hashes[self._by_hash]
        self.copies = np.zeros(len(texts), np.int64)
        frequency, seen = np.zeros(SLOTS, np.uint32), 0
        for slots, same, size in context.threads.map(self._counted, documents()):
            # With ones of its own type this takes a tenth of the time that it takes with a number.
            np.add.at(frequency, slots, np.ones(len(slots), np.uint32))
            self.copies += np.bincount(same[same >= 0], minlength=len(texts))
            seen += size
            context.progress.add(size)
        self._weights = np.log(max(seen, 1) / np.maximum(frequency, 1)).astype(np.float32)
        self._arrange(TermRows.of(texts))

    def _counted(self, batch: Batch) -> tuple[Numbers, Numbers, int]:
        return _slots(TermRows.of(batch[1])), self._same(batch[1]), len(batch[1])

    def _arrange(self, rows: TermRows) -> None:
        """Number the terms of the texts, those that most of them have first, and lay out what
        multiplies documents' terms.
        """
        slots, values, lengths = self._vectors(rows)
        own, number, counts = np.unique(slots, return_inverse=True, return_counts=True)
        rank = np.empty(len(own), np.int64)
        rank[np.argsort(-counts, kind="stable")] = np.arange(len(own))
        self._rank_of = np.full(SLOTS, -1, np.int64)
        self._rank_of[own] = rank
        ranks = rank[number.reshape(-1)]
        order = np.argsort(ranks, kind="stable")
        self._texts, self._values = rows.text_of[order], (values / lengths[rows.text_of])[order]
        self._sizes = np.bincount(ranks, minlength=len(own))
        self._starts = np.cumsum(self._sizes) - self._sizes
        common = ranks[order] < COMMON
        self._matrix = np.zeros((min(COMMON, len(own)), self._count), np.float32)
        np.add.at(self._matrix, (ranks[order][common], self._texts[common]), self._values[common])

    def compare(self, texts: Numbers, documents: Numbers) -> tuple[Numbers, Floats]:
        """Return for each text the documents at NEAR or more, and the cosine of each pair of texts
        and documents, -1 of a copy. No copy counts.
        """
        order = np.argsort(documents, kind="stable")
        rising = documents[order]
        neighbours = np.zeros(self._count, np.int64)
        cosines = np.full(len(documents), -1, np.float32)

        def one(batch: Batch) -> tuple[Numbers, Numbers, Floats, int]:
            first, some = batch
            products = self._products(some)
            pairs = order[slice(*np.searchsorted(rising, (first, first + len(some))).tolist())]
            return (
                np.count_nonzero(products >= NEAR, axis=0),
                pairs,
                products[documents[pairs] - first, texts[pairs]],
                len(some),
            )

        for near, pairs, own, size in self._context.threads.map(one, self._documents()):
            neighbours += near
            cosines[pairs] = own
            self._context.progress.add(size)
        return neighbours, cosines

    def _products(self, documents: list[bytes]) -> Floats:
        """Return cosines, -1 of copies: (documents, texts)."""
        rows = TermRows.of(documents)
        slots, values, lengths = self._vectors(rows)
        ranks, of = self._rank_of[slots], rows.text_of
        values /= lengths[of]
        common, rare = (ranks >= 0) & (ranks < COMMON), ranks >= COMMON
        matrix = np.zeros((len(documents), len(self._matrix)), np.float32)
        np.add.at(matrix, (of[common], ranks[common]), values[common])
        products: Floats = matrix @ self._matrix
        of = of[rare]
        ranks = ranks[rare]
        values = values[rare]
        ends = np.cumsum(self._sizes[ranks])
        start = 0
        while start < len(ranks):
            before = int(ends[start - 1]) if start else 0
            end = max(int(np.searchsorted(ends, before + PRODUCTS, "right")), start + 1)
            self._add_rare(products, of[start:end], ranks[start:end], values[start:end])
            start = end
        same = self._same(documents)
        copies = np.flatnonzero(same >= 0)
        products[copies, same[copies]] = -1
        return products

    def _add_rare(self, products: Floats, of: Numbers, ranks: Numbers, values: Floats) -> None:
        """Multiply some terms of documents with those of all texts."""
        sizes = self._sizes[ranks]
        ends = np.cumsum(sizes)
        places = np.repeat(self._starts[ranks] - ends + sizes, sizes) + np.arange(ends[-1])
        cells = np.repeat(of * self._count, sizes) + self._texts[places]
        products += np.bincount(
            cells, np.repeat(values, sizes) * self._values[places], products.size
        ).reshape(products.shape)

    def _vectors(self, rows: TermRows) -> tuple[Numbers, Floats, Floats]:
        """Return slot and value of each term, and the length of each text."""
        slots = _slots(rows)
        values = rows.counts.astype(np.float32) * self._weights[slots]
        lengths = np.sqrt(np.bincount(rows.text_of, values.astype(np.float64) ** 2, rows.texts))
        return slots, values, np.where(lengths > 0, lengths, 1).astype(np.float32)

    def _same(self, documents: list[bytes]) -> Numbers:
        """Return for each document the text that is the same, -1 where there is none."""
        if not self._count:
            return np.full(len(documents), -1, np.int64)
        hashes = _hashes(documents)
        place = np.minimum(np.searchsorted(self._hashes, hashes), self._count - 1)
        return np.where(self._hashes[place] == hashes, self._by_hash[place], -1)


def _sample(spool: Spool, sketched: Sequence[Sketched]) -> list[bytes]:
    """Return different texts of the file's documents that have a sketch: those with the smallest
    hash, the same whatever order they came in.
    """
    hashes, numbers = np.zeros(0, np.uint64), np.zeros(0, np.int64)
    for part in sketched:
        more, places = part.chunk.hashes.read(0, part.chunk.count)
        asked = part.kept() & ~part.short()
        own = asked[places - np.uint32(part.chunk.first)]
        hashes, numbers = np.append(hashes, more[own] * OTHERS), np.append(numbers, places[own])
        least = np.argsort(hashes, kind="stable")[:SAMPLE]
        hashes, numbers = hashes[least], numbers[least]
    lengths = spool.lengths(numbers.tolist())
    fitting = (
        numbers[np.cumsum([lengths[number] for number in numbers.tolist()]) <= BYTES].tolist()
        if len(numbers)
        else []
    )
    texts = spool.texts(fitting)
    return list(dict.fromkeys(texts[number] for number in fitting))


def _batches(arranged: Arranged) -> Iterator[Batch]:
    """Yield the texts of the documents, in the order of the file."""
    number = 0
    for some in batches(arranged.texts()):
        yield number, some
        number += len(some)


def _slots(rows: TermRows) -> Numbers:
    return (rows.whole & np.uint64(SLOTS - 1)).astype(np.int64)


def _hashes(texts: Sequence[bytes]) -> Hashes:
    ends = np.cumsum([len(text) for text in texts], dtype=np.uint64)
    out = np.empty(len(texts), np.uint64)
    lib.pocket_murmur_many(
        b"".join(texts),
        ffi.from_buffer("uint64_t[]", ends),
        len(texts),
        ffi.from_buffer("uint64_t[]", out),
    )
    return out
