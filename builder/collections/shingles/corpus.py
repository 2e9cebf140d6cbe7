"""A collection compared by the word 5-grams of its texts: Jaccard similarity or containment,
exactly, whatever else is in the collection.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.corpus import Corpus, Keepers, Numbers, digest_of
from pocketindex.builder.collections.options import RECORDS
from pocketindex.builder.collections.shingles.join import SetJoin
from pocketindex.builder.collections.shingles.sets import SHINGLE_TERMS, Counts, SetsFile, sets_of
from pocketindex.builder.document import Document, records_within
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.folder import full_is_said
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.threads import Threads
from pocketindex.wording.counted import have

RECORD_WORDS = 30  # of a text: in shorter ones a changed word changes too much
BYTES = 1 << 21  # of the texts whose shingles are found at once


class ShingleCorpus(Corpus):
    """Documents and their texts, compared by shared word 5-grams (Corpus)."""

    def __init__(
        self,
        documents: Iterable[Document],
        folder: Path,
        measure: str,
        least: float,
        progress: Progress,
        settings: Settings = DEFAULTS,
    ) -> None:
        """Read documents and find their shingles.

        measure, least: texts are near from this similarity on, above 0, at most 1; of the settings
        max_memory and threads count.
        """
        self._progress = progress
        digests = bytearray()

        def texts() -> Iterator[bytes]:
            for number, document in enumerate(documents):
                digests.extend(digest_of(document.text, number))
                yield document.text.encode("utf-8", "surrogatepass")

        with (
            ExitStack() as stack,
            full_is_said(folder, None, WorkFolder(folder, {})),
            records_within(settings.max_memory),
        ):
            file = SetsFile(folder)
            stack.callback(file.close)
            with Threads(settings.thread_count) as threads:
                for found in threads.map(sets_of, batches(texts(), most_bytes=BYTES)):
                    file.add(*found)
                    progress.add(len(found[1]))
            firsts, text_of = distinct_texts(digests)
            self.text_of, self.texts = array("q"), len(firsts)
            self.text_of.frombytes(text_of.tobytes())
            terms = np.frombuffer(file.terms, np.uint32) if len(file) else np.zeros(0, np.uint32)
            self._said = ShortTexts(terms)
            self.short = self._said.short
            sets = file.sets(firsts, measure, least)
            self._join = SetJoin(sets, folder, settings.max_memory // 2, progress)
            stack.callback(self._join.close)
            self._resources = stack.pop_all()

    def pairs(self) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        for others, similarities in self._join.pairs():
            yield others.tolist(), similarities.tolist()

    def keepers(self, order: Sequence[int], given: int = 0) -> Keepers:
        keepers, similarities = self._join.keepers(order, given, self._progress)
        back = np.argsort(np.asarray(order, np.int64))
        return Keepers(keepers[back], similarities[back])

    def hint(self) -> list[str]:
        return self._said.hint()

    def notes(self) -> list[str]:
        return self._said.notes()

    def close(self) -> None:
        self._resources.close()


class ShortTexts:
    """Says what people should know of the texts of documents that are short for the measure. terms:
    how many each has; short: the documents with too few for a shingle.
    """

    def __init__(self, terms: Counts) -> None:
        self.short = int((terms < SHINGLE_TERMS).sum())
        self._mostly_records = 2 * int((terms < RECORD_WORDS).sum()) > len(terms)

    def hint(self) -> list[str]:
        """Return a line that names another measure where most texts are as short as records."""
        if not self._mostly_records:
            return []
        return [
            f"most documents have fewer than {RECORD_WORDS} words, and a changed word of a short "
            f"text changes most of its 5-grams: --measure {RECORDS} compares such texts by their "
            "words"
        ]

    def notes(self) -> list[str]:
        """Return how texts without a shingle were compared."""
        if not self.short:
            return []
        return [
            f"{have(self.short, 'document')} fewer than {SHINGLE_TERMS} words: near-duplicates of "
            "such a text are those with the same words in the same order"
        ]


def distinct_texts(digests: bytes | bytearray) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """Return the first document of each text, rising, and the text of each document. digests: of
    the documents (digest_of), one after the other.
    """
    parts = np.frombuffer(digests, np.uint64).reshape(-1, 2)
    order = np.lexsort((parts[:, 1], parts[:, 0]))  # equal ones stay in their order
    own = parts[order]
    begins = np.concatenate([[True], (own[1:] != own[:-1]).any(1)])[: len(order)]
    firsts = order[begins]
    numbers = np.empty(len(firsts), np.int64)
    numbers[np.argsort(firsts)] = np.arange(len(firsts))
    text_of = np.empty(len(order), np.int64)
    text_of[order] = numbers[np.cumsum(begins) - 1]
    return np.sort(firsts), text_of
