"""Calls of the core in threads: Python goes on while the core works."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

TOGETHER = 64  # of a thread's items: handing one over takes as long as a short call
MOST_THREADS = 4

_In = TypeVar("_In")
_Out = TypeVar("_Out")


def processors() -> int:
    """Those that this process may use, at most MOST_THREADS."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        count = os.cpu_count() or 1
    return min(count, MOST_THREADS)


def in_threads(work: Callable[[_In], _Out], items: Sequence[_In]) -> list[_Out]:
    """work of each item, in order; without threads where they are few."""
    batches = [items[start : start + TOGETHER] for start in range(0, len(items), TOGETHER)]
    if min(processors(), len(batches)) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(processors()) as pool:
        return [done for batch in pool.map(lambda batch: [work(item) for item in batch], batches) for done in batch]
