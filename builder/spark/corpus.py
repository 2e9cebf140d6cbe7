"""The documents of a DataFrame compared by the word 5-grams of their texts, as a corpus that the
driver asks (collections/corpus.py): tasks find the texts that share a rare shingle with another
one, and the driver joins the sets of these.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from pocketindex.builder.collections.corpus import Corpus, Keepers, Numbers
from pocketindex.builder.collections.keep import preference
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import RECORDS, Comparing
from pocketindex.builder.collections.shingles.corpus import ShortTexts, distinct_texts
from pocketindex.builder.collections.shingles.join import SetJoin
from pocketindex.builder.collections.shingles.sets import SetsFile
from pocketindex.builder.document import Document, of_text
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.folder import full_is_said
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.spark.candidates import candidates, looked_at, sets_of_documents
from pocketindex.spark.reading import Read, details, numbered, texts
from pocketindex.spark.stages import streamed


class SharedShingles(Corpus):
    """Documents and their texts (Corpus). preferences: of the documents (keep.py)."""

    def __init__(
        self, found: Read, measure: str, least: float, policy: str, settings: Settings
    ) -> None:
        """Find the texts that may be near to others, and their shingles.

        measure, least: texts are near from this similarity on; of the settings max_memory counts,
        for the driver.
        """
        memory = settings.max_memory // 2
        with ExitStack() as stack:
            looked = looked_at(found, policy, memory)
            firsts, text_of = distinct_texts(looked.digests)
            self.preferences = array("d", looked.preferences.tobytes())
            self.text_of, self.texts = array("q", text_of.tobytes()), len(firsts)
            self._said = ShortTexts(looked.terms)
            self.short = self._said.short
            documents = candidates(found, looked.table, firsts, measure, least, stack)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pocketindex-")))
            with full_is_said(folder, None, WorkFolder(folder, {})):
                file = SetsFile(folder)
                stack.callback(file.close)
                for some in sets_of_documents(found, documents, stack):
                    file.add(*some)
                sets = file.sets(np.arange(len(file)), measure, least)
                self._join = SetJoin(sets, folder, memory, Progress(form="none"))
            stack.callback(self._join.close)
            self._resources = stack.pop_all()
        self._compared = text_of[documents]  # the texts of the sets, which rise

    def pairs(self) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        compared = self._compared.tolist()
        found, at = self._join.pairs(), 0
        for text in range(self.texts):
            if at < len(compared) and compared[at] == text:
                others, similarities = next(found)
                yield self._compared[others].tolist(), similarities.tolist()
                at += 1
            else:
                yield [], []

    def keepers(self, order: Numbers, given: int = 0) -> Keepers:
        keepers, similarities = np.arange(self.texts), np.ones(self.texts)
        place = np.full(self.texts, -1, np.int64)
        place[self._compared] = np.arange(len(self._compared))
        places = place[order]
        own = places[places >= 0]
        first = int((places[:given] >= 0).sum())
        found, alike = self._join.keepers(own, first, Progress(form="none"))
        keepers[self._compared[own]] = self._compared[found]
        similarities[self._compared[own]] = alike
        return Keepers(keepers, similarities)

    def hint(self) -> list[str]:
        return self._said.hint()

    def notes(self) -> list[str]:
        return self._said.notes()

    def close(self) -> None:
        self._resources.close()


@contextmanager
def compared(
    found: Read, how: Comparing, settings: Settings, policy: str = "first"
) -> Iterator[tuple[Corpus, array[float]]]:
    """Compare documents by what they have in common, and yield them with their preferences.

    how: has the measure, any but COSINE; policy: see keep.py. Records are compared by the driver
    alone, since what their words weigh depends on all of them, and they are short.
    """
    if how.measure != RECORDS:
        with SharedShingles(found, how.measure, how.least, policy, settings) as shared:
            yield shared, shared.preferences
        return
    preferences = array("d")

    def documents() -> Iterator[Document]:
        columns = ("part", "count", "texts", "details", "text_ends", "detail_ends")
        every = (row.asDict() for row in streamed(found.batches, *columns))
        for _, row in numbered(found.firsts, every):
            for data, own in zip(texts(row), details(row), strict=True):
                text = data.decode()
                preferences.append(preference(policy, text, own.language.decode() or None))
                yield of_text(own.id.decode(), text)

    with (
        tempfile.TemporaryDirectory(prefix="pocketindex-") as folder,
        corpus_of(documents(), Path(folder), how, Progress(form="none"), settings) as corpus,
    ):
        yield corpus, preferences
