"""Measure how much new documents differ from those in which the weights of terms were counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from pocketindex.builder.schemes import rff
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.chunks.sketched import Sketched

SAMPLE = 8_000  # new documents that are looked at
FEWEST = 1_000  # of fewer chance alone makes .2 or more


def moved(profile: Profile, new: Sequence[Sketched]) -> float | None:
    """Return the total variation distance, 0..1, between the terms of new documents and of those
    that weights were counted in: that share of the former would have to be other terms. Each term
    counts once a document. None where there are too few new documents, or the scheme is not `rff`.

    Most slots of weights have no term, so what most of them say is what such a term weighs: nothing
    where all documents of a collection were counted, the most where it was a sample.
    """
    documents = sum(part.count for part in new)
    if documents < FEWEST or int.from_bytes(profile.data[:2], "little") != rff.NUMBER:
        return None
    weights = rff.weights_of(profile.data)
    never = int(np.bincount(weights).argmax())
    before = np.where(weights == never, 0, np.exp2(-weights.astype(np.float64) / 16))
    now = np.zeros(len(weights), np.int64)
    for some in batches(_texts(new, max(1, documents // SAMPLE))):
        hashes = TermRows.of(some).whole >> np.uint64(32)
        places = (hashes & np.uint64(len(weights) - 1)).astype(np.int64)
        now += np.bincount(places, minlength=len(weights))
    if not before.any() or not now.any():
        return None
    return float(np.abs(now / now.sum() - before / before.sum()).sum() / 2)


def _texts(new: Sequence[Sketched], step: int) -> Iterator[bytes]:
    """Yield the texts of documents at equal distances."""
    for part in new:
        texts = zip(part.chunk.all_texts(), part.kept().tolist(), strict=True)
        yield from islice((text for text, kept in texts if kept), 0, None, step)
