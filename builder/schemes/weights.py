"""What terms weigh, by how many documents have them: the idf of schemes `rff`, `plsh`, `wminhash`,
in hashed slots (docs/format.md 2.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.threads import Each, one_by_one

Weights = npt.NDArray[np.uint8]

LEAST_SLOTS, MOST_SLOTS = 1 << 10, 1 << 17
SLOTS_PER_TERM = 8  # of a small collection: so few share one
FEW_DOCUMENTS, FEW_SLOTS = 1 << 14, 1 << 16  # a file of so few documents would mostly be slots
APART = 1 << 22  # what terms are told apart by, to count them
FRACTION = 16  # a weight of 1 is this many units
# Texts without any term, as if there were so many more: where all texts of a small collection have
# a term, it still counts a little.
EMPTY = 2


def term_weights(
    texts: Iterable[bytes],
    documents: int | None = None,
    each: Each = one_by_one,
    most: int = MOST_SLOTS,
) -> tuple[Weights, int]:
    """Weigh the terms of texts; return a weight for each slot that terms are hashed into, and how
    many texts there were.

    A weight is floor(16 log2((texts + EMPTY) / texts with such a term)), at most 255; for a term
    that none has the logarithm is taken as if half a text had it. documents: of the collection that
    the texts are from, None where they are all of it. Of a sample, a term that one text has counts
    like one that none has: so do not half of the slots say of a rare term what another one is like.
    Of the whole collection, a term that no document has counts half of that: a text of such words
    is similar to none, and typing errors are forgiven. most: slots, of a large collection.
    """
    frequency, count = np.zeros(APART, np.int64), 0
    for found, some in each(_hashes, batches(texts)):
        np.add.at(frequency, found, 1)
        count += some
    whole = documents is None or count >= documents
    if not whole:
        frequency[frequency == 1] = 0
    most = most if max(count, documents or 0) >= FEW_DOCUMENTS else FEW_SLOTS
    slots = min(
        max(1 << (SLOTS_PER_TERM * int(np.count_nonzero(frequency))).bit_length(), LEAST_SLOTS),
        most,
    )
    frequency = frequency.reshape(-1, slots).sum(0)
    weight = {
        f: _units_of_log2(2 * (count + EMPTY), 2 * f or 1) for f in np.unique(frequency).tolist()
    }
    if whole and 0 in weight:
        weight[0] //= 2
    return np.array([weight[f] for f in frequency.tolist()], np.uint8), count


def _hashes(texts: Sequence[bytes]) -> tuple[npt.NDArray[np.int64], int]:
    """Return what the terms of each text are told apart by, and how many texts they are."""
    return (TermRows.of(texts).whole >> np.uint64(32) & np.uint64(APART - 1)).astype(np.int64), len(
        texts
    )


def _units_of_log2(a: int, b: int) -> int:
    """Return floor(16 log2(a / b)) in 0 .. 255, exactly."""
    return int(min(max((a**FRACTION // b**FRACTION).bit_length() - 1, 0), 255))
