"""Convert hashes of shingles to keys of the passages section, and back (docs/format.md 6.3)."""

from __future__ import annotations

import numpy as np
from pocketindex.builder.spill.sorted_files import Keys

_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def shingle_numbers(hashes: Keys, key_range: int) -> Keys:
    """Return the keys of hashes: the bits above 64 of hash * 256 * key_range. They rise as the
    hashes do.
    """
    times = np.uint64(key_range << 8)
    high, low = times >> _HALF, times & _LOW
    upper, lower = hashes >> _HALF, hashes & _LOW
    middle = upper * low
    rest = (middle & _LOW) + lower * high + (lower * low >> _HALF)
    own: Keys = upper * high + (middle >> _HALF) + (rest >> _HALF)
    return own


def least_hashes(numbers: Keys, key_range: int) -> Keys:
    """Return for each key the least hash that has it."""
    times = np.uint64(key_range << 8)  # below 2^40, so that 24 bits more are a number of 64
    found, left = np.zeros(len(numbers), np.uint64), np.array(numbers, np.uint64)
    for bits in (24, 24, 16):
        left <<= np.uint64(bits)
        found = (found << np.uint64(bits)) + left // times
        left %= times
    return found + (left > 0)
