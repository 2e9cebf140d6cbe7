"""Bin packing of prefixes into classes (DIR 2007, 3.1), of scheme `ff`."""

from __future__ import annotations

import heapq

import numpy as np
import numpy.typing as npt

Classes = npt.NDArray[np.uint16]


def pack_bins(counts: npt.NDArray[np.uint64], classes: int) -> tuple[Classes, list[int]]:
    """Pack prefix bins into classes of equal expected frequency (DIR 2007, 3.1): the most frequent
    bin first, each into the lightest class.

    Returns the class of each bin and each class's expectation in units of 2^-32. Ties go to the
    lower number, so equal counts give equal bytes.
    """
    order = sorted(range(len(counts)), key=lambda i: (-int(counts[i]), i))
    lightest = [(0, 0, i) for i in range(classes)]
    class_of = np.zeros(len(counts), np.uint16)
    sums = [0] * classes
    for i in order:
        weight, size, number = heapq.heappop(lightest)
        class_of[i] = number
        sums[number] = weight + int(counts[i])
        # Bins without terms go to the class with the fewest bins.
        heapq.heappush(lightest, (sums[number], size + 1, number))
    total = max(sum(sums), 1)
    return class_of, [min(max((s << 32) // total, 1), 2**32 - 1) for s in sums]
