"""Texts in pieces, for what is done with some of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MOST, BYTES = 1_024, 1 << 20  # texts, and their bytes


def batches(texts: Iterable[bytes]) -> Iterator[list[bytes]]:
    """All texts in order, at most MOST at a time, and BYTES if not a single one."""
    some, size = list[bytes](), 0
    for text in texts:
        if some and (len(some) == MOST or size + len(text) > BYTES):
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text)
    if some:
        yield some
