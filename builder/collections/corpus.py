"""A collection to be compared with itself: documents, the distinct texts that they have, and which
of these are near to each other by a measure.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.opening.closing import Closing

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def digest_of(text: str, number: int) -> bytes:
    """Return sixteen bytes that are the same for texts that differ only in white space. A document
    without a text equals no other one: number is that of the document.
    """
    if not text:
        own = number.to_bytes(8, "little")
        return hashlib.blake2b(own, digest_size=16, person=b"without a text").digest()
    return hashlib.blake2b(" ".join(text.split()).encode(), digest_size=16).digest()


class Keepers(NamedTuple):
    """For each text, the one that stands for it (itself if it stays), and their similarity."""

    texts: Numbers
    similarities: Floats


class Corpus(Closing, ABC):
    """Documents 0, 1, ... in the order they come, and texts 0, 1, ... that they have: equal but for
    white space is one text. Temporary files are gone with close().

    text_of[document]: its text; texts: how many; short: texts that have too few terms to be near to
    one that is not equal.
    """

    text_of: array[int]
    texts: int
    short: int

    @abstractmethod
    def pairs(self) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        """Yield for each text, in order, those before it that are near, rising, and how similar
        they are: 0..1.
        """

    @abstractmethod
    def keepers(self, order: Numbers, given: int = 0) -> Keepers:
        """Decide in this order which texts stay. A text that is near to none of those that stay
        stays itself; any other goes, and one that stays and is near stands for it. given: so many
        of the first texts stay in any case.
        """

    def hint(self) -> list[str]:
        """Return a line that names another measure where that fits the texts better, if one
        does.
        """
        return []

    @abstractmethod
    def notes(self) -> list[str]:
        """Return what people should know of how it was compared."""

    @abstractmethod
    def close(self) -> None:
        """Close and remove the temporary files."""
