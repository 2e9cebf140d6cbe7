"""WorkFolder in threads gives what it gives one by one, and errors where they come then."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from threading import Event

import numpy as np
import pytest
from pocketindex.builder.passes.shingle_keys import keys_of_texts
from pocketindex.builder.passes.words import words_of
from pocketindex.builder.schemes.profile import MARKED
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.builder.spill.journal import Written
from pocketindex.builder.spill.sorted_files import order_of, sorted_bytes
from pocketindex.builder.spill.threads import Threads
from pocketindex.ffi.interrupt import go_on


def failing(count: int) -> Iterator[int]:
    yield from range(count)
    raise ValueError("no more")


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_came_before_an_error_of_the_items_comes_first(threads: int) -> None:
    seen = list[int]()
    with Threads(threads) as pool, pytest.raises(ValueError, match="no more"):
        for value in pool.map(lambda item: item * item, failing(20)):
            seen.append(value)

    assert seen == [item * item for item in range(20)]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_an_error_of_the_work_comes_in_its_place(threads: int) -> None:
    seen, taken = list[float](), list[int]()

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    with Threads(threads) as pool, pytest.raises(ZeroDivisionError):
        for value in pool.map(lambda item: 1 / (7 - item), items()):
            seen.append(value)

    assert seen == [1 / (7 - item) for item in range(7)]
    assert len(taken) <= 8 + threads + 1


def test_leaving_ends_what_threads_are_at_where_they_ask() -> None:
    begun, ended = Event(), list[str]()

    def work(item: int) -> None:
        begun.set()
        try:
            while True:
                time.sleep(0.001)
                go_on()
        except CancelledError:
            ended.append("work")
            raise

    with pytest.raises(KeyboardInterrupt), Threads(2) as pool:
        pool.start(lambda: work(0))
        begun.wait()
        raise KeyboardInterrupt

    assert ended == ["work"]
    go_on()  # this thread goes on


LONG = b" ".join(b"word%d other" % i for i in range(400_000))
ENDS = np.array([len(LONG)], np.uint64)
KEPT = np.ones(1, bool)
CALLS: dict[str, Callable[[], object]] = {
    "shingles": lambda: keys_of_texts(LONG, ENDS, MARKED, 13, 16),
    "terms": lambda: TermRows.of([LONG]),
    "words": lambda: list(words_of([(LONG, ENDS)], KEPT, None, 0, MARKED)),
    "a file": lambda: Written(io.BytesIO()).write(b"x"),
    "an order": lambda: sorted_bytes(np.arange(1 << 18, dtype=np.uint64)),
}


@pytest.mark.parametrize("name", CALLS)
def test_long_work_asks(name: str) -> None:
    """A call ends without a result in a thread that is to stop, and with one in any other."""
    CALLS[name]()
    leaving, ended = Event(), list[str]()

    def work() -> None:
        leaving.wait()
        try:
            CALLS[name]()
        except CancelledError:
            ended.append(name)

    with Threads(2) as pool:
        pool.start(work)
        pool._stop.set()
        leaving.set()

    assert ended == [name]


def test_keys_are_ordered_as_at_once() -> None:
    chance = np.random.default_rng(2007)
    for keys in (
        chance.integers(0, 1 << 64, 500_000, np.uint64),
        chance.integers(0, 1000, 300_000, np.uint64) << np.uint64(54),
        np.zeros(200_000, np.uint64),
        np.zeros(0, np.uint64),
    ):
        assert np.array_equal(order_of(keys), np.argsort(keys, kind="stable"))
