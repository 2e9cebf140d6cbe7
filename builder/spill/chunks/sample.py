"""Choose the sample of documents in which the weights of terms are counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.chunks.spool import Spool

BYTES = (
    256 << 20
)  # of all texts of a sample: counting takes no longer, whatever the collection is like
LONGEST = 8 << 20  # bytes of a text; longer ones would leave no room for others
LOADED = 16 << 20  # bytes of text in memory at once, if not a single text


class Sample:
    """The n documents with the smallest hashes of their ids, which do not depend on the order of
    the documents. places: where these are, in the order of the hashes.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self.places: list[int] = []

    @property
    def lacks(self) -> int:
        """The number of documents that the sample still needs."""
        return self._size - len(self.places)

    def add(self, places: Sequence[int]) -> None:
        """Add documents, whose hashes must come after those before."""
        self.places += places[: self.lacks]

    def texts(self, spool: Spool) -> Iterator[bytes]:
        """Yield the texts in the order of the documents, without the longest ones, and at most
        BYTES in all.
        """
        lengths = spool.lengths(self.places)
        taken = without_longest(self.places, lengths)
        for some in batches(taken, lengths.__getitem__, len(taken), LOADED):
            yield from _load(spool, some)


def without_longest(places: Sequence[int], lengths: Mapping[int, int]) -> list[int]:
    """Return the places of the documents whose texts are counted, in the order of the documents."""
    left, taken = BYTES, list[int]()
    for number in places:
        if lengths[number] <= LONGEST:
            left -= lengths[number]
            if left < 0:
                break
            taken.append(number)
    return sorted(taken)


def _load(spool: Spool, numbers: list[int]) -> Iterator[bytes]:
    texts = spool.texts(numbers)
    return (texts.pop(number) for number in numbers)
