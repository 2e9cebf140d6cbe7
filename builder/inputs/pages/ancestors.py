"""What elements of an HTML tree are in. Each element is passed once, however many are asked about:
a walk from each one up would take the square of the nesting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Elements are looked through as far as they are this deep in others of their kind: each part of a
# page is looked through so many times at most.
DEEPEST = 100


class Ancestors:
    """How many ancestors of an element fit. The tree may lose elements meanwhile, but none that is
    asked about may move.
    """

    def __init__(self, fits: Callable[[Any], bool]) -> None:
        self._fits = fits
        self._known = dict[Any, int]()  # of a node, itself included

    def depth(self, one: Any) -> int:
        """Return how many ancestors fit."""
        way, above = list[Any](), one.parent
        while above is not None and above not in self._known:
            way.append(above)
            above = above.parent
        depth = 0 if above is None else self._known[above]
        for node in reversed(way):
            depth += self._fits(node)
            self._known[node] = depth
        return depth


def of_tags(*tags: str) -> Ancestors:
    """Return the ancestors with one of these tags."""
    return Ancestors(lambda one: one.tag in tags)
