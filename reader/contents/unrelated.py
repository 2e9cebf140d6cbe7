"""How similar the documents of a file look that have nothing to do with each other, by their
sketches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import cos, pi
from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

FEWEST = 1_000  # documents; of fewer the figure is chance
GROUPS, GROUP = 256, 256  # groups of documents that are looked at, and documents of a group
# Files with weights of their own have .007 to .040, with those of another language .11.
FAR = 0.06
_RFF = 2
_LANE = 255  # sketches of which the ones of a component fit into a byte


def unrelated(handle: Any, path: str) -> float | None:
    """Return the similarity of two documents drawn at random, -1..1.

    Weights that do not fit leave common words heavy, which all documents have; every similarity is
    then too high by about as much. None for a scheme other than `rff`, and for few documents. A bit
    that a share p of the sketches has is equal in two of them with probability p^2 + (1 - p)^2.

    Raises Damaged.
    """
    summary = ffi.new("pocket_summary *")
    lib.pocket_summarize(handle, summary)
    if summary.scheme != _RFF or summary.sketched < FEWEST:
        return None
    drawn = _drawn(summary.sketched)
    digits, error = ffi.new("uint8_t[]", summary.components), ffi.new("pocket_error *")
    ones, count = [0] * summary.components, 0
    while some := list(islice(drawn, _LANE)):
        lanes = 0
        for document in some:
            check(lib.pocket_digits(handle, document, digits, error), error, path)
            lanes += int.from_bytes(ffi.buffer(digits), "little")
        own = lanes.to_bytes(summary.components, "little")
        ones = [before + more for before, more in zip(ones, own, strict=True)]
        count += len(some)
    equal = sum((one / count) ** 2 + (1 - one / count) ** 2 for one in ones) / len(ones)
    # Of two different ones: each is equal to itself.
    return cos(pi * (1 - (equal * count - 1) / (count - 1)))


def _drawn(sketched: int) -> Iterator[int]:
    """Yield the documents that are looked at: all, or GROUPS groups spread over the file, of
    documents that lie side by side and so in few blocks.
    """
    if sketched <= GROUPS * GROUP:
        yield from range(sketched)
        return
    for group in range(GROUPS):
        first = group * (sketched - GROUP) // (GROUPS - 1)
        yield from range(first, first + GROUP)
