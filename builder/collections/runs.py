"""Which texts have a run of words in common with one of a few others, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import numpy as np
from pocketindex.builder.collections.findings import FoundPassage
from pocketindex.builder.collections.parts import word_spans
from pocketindex.builder.collections.shingles.sets import sets_of
from pocketindex.builder.spill.batches import batches

RUN = 13  # words in a row, at most 16


class Runs:
    """The runs of RUN words that texts have, as hashes. data: the texts in UTF-8; words: how many
    each has, a list.
    """

    def __init__(self, data: Sequence[bytes]) -> None:
        self.words = list[int]()
        hashes, texts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
        for some in batches(data):
            own, ends, words = sets_of(some, RUN)
            sizes = np.diff(ends, prepend=np.uint64(0)).astype(np.int64)
            numbers = np.arange(len(some)) + len(self.words)
            # The set of a shorter text has one shingle, which is no run.
            wanted = np.repeat(words >= RUN, sizes)
            hashes.append(own[wanted])
            texts.append(np.repeat(numbers, sizes)[wanted])
            self.words += words.tolist()
        self._hashes, self._texts = np.concatenate(hashes), np.concatenate(texts)
        order = np.argsort(self._hashes, kind="stable")
        self._hashes, self._texts = self._hashes[order], self._texts[order]

    def shared(self, documents: Sequence[bytes]) -> Iterator[set[int]]:
        """Yield for each document the numbers of the texts that have a run of it."""
        own, ends, words = sets_of(documents, RUN)
        starts = np.searchsorted(self._hashes, own, "left")
        known = np.flatnonzero(np.searchsorted(self._hashes, own, "right") > starts)
        bounds = np.searchsorted(known, np.concatenate([[0], ends]).astype(np.int64))
        for number, count in enumerate(words):
            found = own[known[bounds[number] : bounds[number + 1]]] if count >= RUN else own[:0]
            first = np.searchsorted(self._hashes, found, "left")
            last = np.searchsorted(self._hashes, found, "right")
            places = zip(first.tolist(), last.tolist(), strict=True)
            yield {text for place in places for text in self._texts[slice(*place)].tolist()}


def longest_run(text: str, document: str) -> FoundPassage | None:
    """Return the longest run of words that a text and a document have in common, by their letters,
    whatever their case; None if they have no word in common.
    """
    spans, others = word_spans(text), word_spans(document)
    own = [text[slice(*span)].casefold() for span in spans]
    other = [document[slice(*span)].casefold() for span in others]
    first, second, size = SequenceMatcher(None, own, other, autojunk=False).find_longest_match()
    if not size:
        return None
    last, end = first + size - 1, second + size - 1
    return FoundPassage(spans[first][0], spans[last][1], others[second][0], others[end][1], 0.0, 1)
