"""Calls of the core in threads: Python goes on while the core works."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from threading import Event
from typing import TypeVar

from pocketindex.ffi.interrupt import stop_at

TOGETHER = 64  # of a thread's items: handing one over takes as long as a short call
MOST_THREADS = 4

_In = TypeVar("_In")
_Out = TypeVar("_Out")


def processors() -> int:
    """Return how many processors this process may use, at most MOST_THREADS."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        count = os.cpu_count() or 1
    return min(count, MOST_THREADS)


def in_threads(
    work: Callable[[_In], _Out],
    items: Sequence[_In],
    threads: int | None = None,
    together: int = TOGETHER,
) -> list[_Out]:
    """Return work of each item, in order; without threads where they are no more than together.
    threads: None for one a processor.
    """
    threads = threads or processors()
    batches = [items[start : start + together] for start in range(0, len(items), together)]
    if min(threads, len(batches)) < 2:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor  # a single query does without

    stop = Event()

    def all_of(batch: Sequence[_In]) -> list[_Out]:
        return [work(item) for item in batch if not stop.is_set()]

    with ThreadPoolExecutor(threads, initializer=stop_at, initargs=(stop,)) as pool:
        try:
            return [done for batch in pool.map(all_of, batches) for done in batch]
        except BaseException:  # of a thread, or Ctrl-C: nobody waits for the rest
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
