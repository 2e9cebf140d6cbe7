"""WorkFolder in threads gives what it gives one by one, and errors where they come then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pocketindex.builder.work.threads import Threads


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
