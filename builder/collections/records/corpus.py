"""A collection of records compared by their words."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.corpus import Corpus, Keepers, Numbers, digest_of
from pocketindex.builder.collections.cosine.texts import Texts
from pocketindex.builder.collections.options import JACCARD
from pocketindex.builder.collections.records.alike import likeness, record_words
from pocketindex.builder.collections.shingles.join import AT_ONCE, SetJoin
from pocketindex.builder.collections.shingles.sets import SetsFile
from pocketindex.builder.document import Document, records_within
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.folder import full_is_said
from pocketindex.builder.spill.journal import WorkFolder

HEAVIEST = 6  # the weight of a word that no other record has, beyond LIGHTEST
LIGHTEST = 2
# Records are compared if they have such a share of the weights of their words in common, each word
# of both counted once, beyond LIGHTEST; two typing errors leave seven words about as much.
CANDIDATE = 0.45
# A word of a small collection is not as common as its share of the records says.
SMALL = 1_000

Hashes = npt.NDArray[np.uint64]


class RecordCorpus(Corpus):
    """Documents and their texts, compared as records (Corpus): by weighted words, in order.

    least: texts are near from this similarity on. The words of all records are in memory, as
    hashes; of the settings max_memory counts for the search.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        folder: Path,
        least: float,
        progress: Progress,
        settings: Settings = DEFAULTS,
    ) -> None:
        self._least, self._progress, self.short = least, progress, 0
        self.text_of = array("q")
        known, words, ends = dict[bytes, int](), array("Q"), array("Q")
        with (
            ExitStack() as stack,
            full_is_said(folder, None, WorkFolder(folder, {})),
            records_within(settings.max_memory),
        ):
            self._texts = Texts(folder)
            stack.callback(self._texts.close)
            for number, document in enumerate(documents):
                digest = digest_of(document.text, number)
                self.text_of.append(known.setdefault(digest, len(known)))
                if len(known) > len(self._texts):
                    self._texts.add([document.text.encode("utf-8", "surrogatepass")])
                    words.extend(sorted(set(map(_hash, record_words(document.text)))))
                    ends.append(len(words))
                progress.add()
            self.texts = len(known)
            self._weigh(np.frombuffer(words, np.uint64) if words else np.zeros(0, np.uint64))
            file = SetsFile(folder)
            stack.callback(file.close)
            for start in range(0, self.texts, AT_ONCE):
                some = slice(start, start + AT_ONCE)
                own = words[(ends[start - 1] if start else 0) : ends[some][-1]]
                file.add(*self._repeated(np.array(own, np.uint64), ends[some]))
            sets = file.sets(np.arange(self.texts), JACCARD, CANDIDATE)
            self._join = SetJoin(sets, folder, settings.max_memory // 2, progress)
            stack.callback(self._join.close)
            self._resources = stack.pop_all()
        self._words_of = lru_cache(AT_ONCE)(
            lambda text: record_words(self._texts[text].decode("utf-8", "surrogatepass"))
        )

    def _weigh(self, words: Hashes) -> None:
        self._known, counts = np.unique(words, return_counts=True)
        whole = math.log2(self.texts + SMALL)
        shares = (whole - np.log2(np.maximum(counts, 1))) / whole
        self._weights = np.round(HEAVIEST * shares).astype(np.int64)
        self.weight = lru_cache(1 << 16)(
            lambda word: LIGHTEST + int(self._weights[np.searchsorted(self._known, _hash(word))])
        )

    def _repeated(
        self, words: Hashes, ends: Sequence[int]
    ) -> tuple[Hashes, Hashes, npt.NDArray[np.uint32]]:
        """Return the sets of some texts in which each word stands as often as it weighs."""
        bounds = np.array(ends, np.int64)
        texts = np.repeat(np.arange(len(ends)), np.diff(bounds, prepend=bounds[-1] - len(words)))
        weights = self._weights[np.searchsorted(self._known, words)]
        starts = np.cumsum(weights) - weights
        copy = np.arange(int(weights.sum())) - np.repeat(starts, weights)
        hashes = np.repeat(words, weights) + copy.astype(np.uint64) * np.uint64(_STEP)
        owners = np.repeat(texts, weights)
        order = np.lexsort((hashes, owners))
        counts = np.bincount(owners, minlength=len(ends))
        return (
            hashes[order],
            np.cumsum(counts).astype(np.uint64),
            np.zeros(len(ends), np.uint32),
        )

    def pairs(self) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        for text, (others, _) in enumerate(self._join.pairs()):
            own = self._words_of(text)
            found = [
                (other, alike)
                for other in others.tolist()
                if (alike := likeness(self._words_of(other), own, self.weight)) >= self._least
            ]
            yield [other for other, _ in found], [alike for _, alike in found]

    def keepers(self, order: Numbers, given: int = 0) -> Keepers:
        near: list[list[tuple[int, float]]] = [[] for _ in range(self.texts)]
        for text, (others, alike) in enumerate(self.pairs()):
            self._progress.add()
            for other, similarity in zip(others, alike, strict=True):
                near[text].append((other, similarity))
                near[other].append((text, similarity))
        keepers, similarities = np.arange(self.texts), np.ones(self.texts)
        ranks = dict[int, int]()  # of those that stay
        for rank, text in enumerate(order.tolist()):
            found = [(alike, -ranks[other], other) for other, alike in near[text] if other in ranks]
            if rank < given or not found:
                ranks[text] = rank
            else:
                similarities[text], _, keepers[text] = max(found)
        return Keepers(keepers, similarities)

    def notes(self) -> list[str]:
        return []

    def close(self) -> None:
        self._resources.close()


_STEP = 0x9E3779B97F4A7C15  # copies of a hash are so far apart


@lru_cache(1 << 18)
def _hash(word: str) -> int:
    data = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
