"""Count the ancestors of HTML elements. Each element is visited once, however many are asked about.
Walking up from each of them would take time quadratic in the depth of the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# An element is searched only if it has fewer ancestors of its kind, so that no part of a page is
# searched more often.
DEEPEST = 100


class Ancestors:
    """Counts the ancestors of elements that fit a condition. Elements may be removed from the tree
    between two calls, but one that is asked about must not have moved.

    fits: takes a node and returns whether it counts.
    """

    def __init__(self, fits: Callable[[Any], bool]) -> None:
        self._fits = fits
        self._known = dict[Any, int]()  # of a node, itself included

    def depth(self, one: Any) -> int:
        """Return how many ancestors of an element fit."""
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
    """Return a counter of ancestors that have one of these tags."""
    return Ancestors(lambda one: one.tag in tags)
