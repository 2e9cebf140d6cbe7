"""Split items into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

_Item = TypeVar("_Item")
MOST = 1_024
BYTES = 1 << 20


def batches(
    items: Iterable[_Item],
    size_of: Callable[[_Item], int] | Callable[[Any], int] = len,
    most: int = MOST,
    most_bytes: int = BYTES,
) -> Iterator[list[_Item]]:
    """Yield all items in order, in lists. most: the most items of a list; most_bytes: its most
    bytes, unless it has a single item; size_of: takes an item and returns its bytes.
    """
    some = list[_Item]()
    size = 0
    for item in items:
        own = size_of(item)
        if some and (len(some) == most or size + own > most_bytes):
            yield some
            some, size = [], 0
        some.append(item)
        size += own
    if some:
        yield some
