"""The sample that profiles are learned from."""

from __future__ import annotations

import heapq


class Sample:
    """The n documents with the smallest hash of their id: the same whatever the order they come in."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, int]] = []

    def add(self, hash: int, place: int) -> None:
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, (-hash, place))
        elif -hash > self._heap[0][0]:
            heapq.heapreplace(self._heap, (-hash, place))

    def places(self) -> list[int]:
        """Where the sampled documents lie, by the hash of their id: so the order of the input decides nothing."""
        return [place for _, place in sorted(self._heap, reverse=True)]
