"""docs/format.md, section 9.3: how far a passage goes on where not all terms are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

REACH = 64  # terms of the segment
SLANT = 3  # by how many terms both sides may differ in length
DROP = 8  # how far a score may fall below the best one


class Reach(NamedTuple):
    """How far a passage goes on: its terms in the segment (terms) and in the document (own), how
    many of them are the same, and their score (value).
    """

    terms: int = 0
    own: int = 0
    same: int = 0
    value: int = 0


NO_REACH = Reach()


def reached(asked: Sequence[bytes], own: Sequence[bytes]) -> Reach:
    """Return how far a passage goes on in the terms that follow its end, in this order."""
    best = NO_REACH
    row = {b: (-b, 0) for b in range(min(SLANT, len(own)) + 1)}
    for a, word in enumerate(asked[:REACH], start=1):
        before, row = row, {}
        for b in range(max(0, a - SLANT), min(a + SLANT, len(own)) + 1):
            ways = [way for way in (before.get(b), row.get(b - 1)) if way]
            cell = max(((score - 1, same) for score, same in ways), default=None)
            if b and (way := before.get(b - 1)):
                score, same = way
                is_same = own[b - 1] == word
                paired = (score + 1, same + 1) if is_same else (score - 1, same)
                if cell is None or paired >= cell:
                    cell = paired
                    if is_same and cell > (max(best.value, 0), best.same) and cell[0] > 0:
                        best = Reach(a, b, cell[1], cell[0])
            if cell:
                row[b] = cell
        if max((score for score, _ in row.values()), default=-DROP - 1) < best.value - DROP:
            break
    return best
