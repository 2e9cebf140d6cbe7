"""How many texts are looked for at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pocketindex.builder.spill.batches import batches

_Item = TypeVar("_Item")
TOGETHER = 256  # texts, where no source has to be read for them
# Bytes that looking for a text takes for each of its characters: the text itself, twice, and its
# rarest words. 16 million characters of Reuters took 10 each beside themselves.
EACH = 32


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
