"""What words have in common with others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import numpy as np
import numpy.typing as npt


def shared(
    words: Sequence[bytes], others: Sequence[bytes], width: int = 1
) -> npt.NDArray[np.int64]:
    """Return how many characters each word has in common with the beginning of another. width: the
    bytes of a character.
    """
    kind = {1: np.uint8, 4: np.uint32}[width]
    one, other = (np.frombuffer(b"".join(own) + bytes(width), kind) for own in (words, others))
    ends = [
        np.cumsum(np.fromiter(map(len, own), np.int64, len(own))) // width
        for own in (words, others)
    ]
    at, other_at = (np.concatenate([[0], own[:-1]]).astype(np.int64) for own in ends)
    found = np.zeros(len(words), np.int64)
    left = np.arange(len(words))
    for size in count():
        left = left[(at[left] + size < ends[0][left]) & (other_at[left] + size < ends[1][left])]
        left = left[one[at[left] + size] == other[other_at[left] + size]]
        if not len(left):
            break
        found[left] += 1
    return found
