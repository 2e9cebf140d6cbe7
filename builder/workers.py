"""Threads for what the C core does without holding Python up: results come in the order of what was asked for."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_In = TypeVar("_In")
_Out = TypeVar("_Out")

MOST_BY_DEFAULT = 4


def processors() -> int:
    """Those that this process may use, at most MOST_BY_DEFAULT."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        count = os.cpu_count() or 1
    return min(count, MOST_BY_DEFAULT)


class Workers:
    """So many threads; leaving the block waits for what they are at, and drops the rest."""

    def __init__(self, threads: int) -> None:
        self._pool, self._ahead = ThreadPoolExecutor(threads), threads

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def map(self, work: Callable[[_In], _Out], items: Iterable[_In]) -> Iterator[_Out]:
        """work of each item, in their order; no more items are held than there are threads, and one."""
        waiting: deque[Future[_Out]] = deque()
        for item in items:
            waiting.append(self._pool.submit(work, item))
            if len(waiting) > self._ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
