"""How many texts are looked for at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pocketindex.builder.spill.batches import batches

_Item = TypeVar("_Item")
TOGETHER = 256  # texts, where no source has to be read for them
# Bytes that looking for a text takes for each of its characters; most of them are the places of its
# words and the hashes of its shingles.
EACH = 64


def together(
    items: Iterable[_Item],
    text_of: Callable[[_Item], str],
    max_memory: int,
    most: int = TOGETHER,
) -> Iterator[list[_Item]]:
    """Yield items in lists of at most so many, and of as many characters as max_memory, in bytes,
    allows, if not a single one.
    """
    return batches(items, lambda item: len(text_of(item)), most, max(max_memory // EACH, 1))
