"""Run calls of the C core in threads, since these release Python's lock. Results keep the order of
the items.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Protocol, TypeVar

from pocketindex.ffi.interrupt import stop_at
from pocketindex.opening.closing import Closing

_In = TypeVar("_In")
_Out = TypeVar("_Out")


class Each(Protocol):
    """The type of Threads.map and one_by_one: yields work(item) for each item, in order."""

    def __call__(self, work: Callable[[_In], _Out], items: Iterable[_In], /) -> Iterator[_Out]: ...


def one_by_one(work: Callable[[_In], _Out], items: Iterable[_In], /) -> Iterator[_Out]:
    """Yield work of each item, without threads."""
    return map(work, items)


class Threads(Closing):
    """A pool of threads; with a count of one, no thread is started. At the end of the block, work
    that has not begun is dropped, and running work ends as soon as the core asks
    (ffi/interrupt.py). The block waits for this, because the threads use memory and files of
    others.

    One more thread writes files; it waits for the disk most of the time.
    """

    def __init__(self, threads: int) -> None:
        self._stop = Event()
        self._pool, self._ahead = self._threads(threads) if threads > 1 else None, threads
        self._writer = self._threads(1) if threads > 1 else None

    def _threads(self, count: int) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(count, initializer=stop_at, initargs=(self._stop,))

    def close(self) -> None:
        self._stop.set()
        for pool in (self._pool, self._writer):
            if pool:
                pool.shutdown(cancel_futures=True)

    def start(self, write: Callable[[], _Out]) -> Callable[[], _Out]:
        """Start writing in a thread. Returns a function that waits for the end and returns the
        result.
        """
        if self._writer:
            return self._writer.submit(write).result
        done = write()
        return lambda: done

    def map(self, work: Callable[[_In], _Out], items: Iterable[_In], /) -> Iterator[_Out]:
        """Yield work of each item, in order. At most one item more than there are threads is held.
        An error of the iterable is raised after the results of the items before it.
        """
        if not self._pool:
            yield from map(work, items)
            return
        waiting, ended = deque[Future[_Out]](), list[Exception]()

        def all_there_are() -> Iterator[_In]:
            try:
                yield from items
            except Exception as error:
                ended.append(error)

        for item in all_there_are():
            waiting.append(self._pool.submit(work, item))
            if len(waiting) > self._ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if ended:
            raise ended[0]
