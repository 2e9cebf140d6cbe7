"""Texts in pieces, for what is done with some of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST, BYTES = 1_024, 1 << 20  # texts, and their bytes


def batches(texts: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """All texts in order, at most MOST at a time, and BYTES if not a single one."""
    first = size = 0
    for place, text in enumerate(texts):
        if place > first and (place - first == MOST or size + len(text) > BYTES):
            yield texts[first:place]
            first, size = place, 0
        size += len(text)
    if first < len(texts):
        yield texts[first:]
