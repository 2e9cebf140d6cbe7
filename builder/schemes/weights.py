"""What terms weigh, by how many documents have them: the idf of schemes `rff`, `plsh`, `wminhash`, in hashed slots (docs/format.md 2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from pocketindex.builder.batches import batches
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.workers import Each, one_by_one

Weights = np.ndarray[Any, np.dtype[np.uint8]]

LEAST_SLOTS, MOST_SLOTS = 1 << 10, 1 << 16
SLOTS_PER_TERM = 8  # of a small collection: so few share one
FRACTION = 16  # a weight of 1 is this many units
# Texts without any term, as if there were so many more: where all texts of a small collection have a term, it still counts a little.
EMPTY = 2


def term_weights(texts: Iterable[bytes], documents: int | None = None, each: Each = one_by_one) -> tuple[Weights, int]:
    """Weigh the terms of texts; return a weight for each slot that terms are hashed into, and how many texts there were.

    A weight is floor(16 log2((texts + EMPTY) / texts with such a term)), at most 255. documents: of the collection that the texts are from,
    None where they are all of it. A term that no text has counts as if half a text had it; or nothing where the texts are the whole
    collection, as no document has it.
    """
    frequency, count = np.zeros(MOST_SLOTS, np.int64), 0
    for found, some in each(_frequencies, batches(texts)):
        frequency += found
        count += some
    slots = min(max(1 << (SLOTS_PER_TERM * int(np.count_nonzero(frequency))).bit_length(), LEAST_SLOTS), MOST_SLOTS)
    frequency = frequency.reshape(-1, slots).sum(0)
    weight = {f: _units_of_log2(2 * (count + EMPTY), 2 * f or 1) for f in np.unique(frequency).tolist()}
    if documents is None or count >= documents:
        weight[0] = 0
    return np.array([weight[f] for f in frequency.tolist()], np.uint8), count


def _frequencies(texts: Sequence[bytes]) -> tuple[np.ndarray[Any, np.dtype[np.int64]], int]:
    """How many of the texts have a term of each slot, and how many they are."""
    slots = TermRows.of(texts).whole >> np.uint64(32) & np.uint64(MOST_SLOTS - 1)
    return np.bincount(slots.astype(np.int64), minlength=MOST_SLOTS), len(texts)


def _units_of_log2(a: int, b: int) -> int:
    """floor(16 log2(a / b)) in 0 .. 255, exactly."""
    return int(min(max((a**FRACTION // b**FRACTION).bit_length() - 1, 0), 255))
