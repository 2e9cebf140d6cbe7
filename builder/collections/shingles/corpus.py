"""A collection compared by the word 5-grams of its texts: Jaccard similarity or containment,
exactly, whatever else is in the collection.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.corpus import Corpus, Keepers, Numbers, digest_of
from pocketindex.builder.collections.options import JACCARD, RECORDS
from pocketindex.builder.collections.passing.against import Against, Part
from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.collections.shingles.join import SetJoin
from pocketindex.builder.collections.shingles.overlap import Found, Overlap, key_of
from pocketindex.builder.collections.shingles.saved import Block, save
from pocketindex.builder.collections.shingles.sets import (
    SHINGLE_TERMS,
    Counts,
    Hashes,
    SetsFile,
    sets_of,
)
from pocketindex.builder.conventions import crc32c
from pocketindex.builder.document import Document, records_within
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.folder import full_is_said
from pocketindex.builder.spill.journal import NotResumed, WorkFolder
from pocketindex.builder.spill.threads import Threads
from pocketindex.errors import spelled
from pocketindex.wording.counted import have

Sets = tuple[Hashes, Hashes, Counts]  # as sets_of has them
RECORD_WORDS = 30  # of a text: in shorter ones a changed word changes too much
KEPT_BYTES = 1 << 27  # of hashes, after which they are kept for a run that goes on
_KEEPERS = "keepers-000000"  # in a work folder
HELD_BYTES = 64  # of each text, while texts are compared
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
        against: Against | None = None,
        work: WorkFolder | None = None,
    ) -> None:
        """Read documents and find their shingles.

        measure, least: texts are near from this similarity on, above 0, at most 1; of the settings
        max_memory and threads count; against: documents behind these, of which those are taken that
        may be near to one of them; work: where what is done is kept for a run that goes on when
        this one is stopped, or was kept by one.
        """
        self._progress = progress
        digests, keys = bytearray(), array("I")

        def texts() -> Iterator[bytes]:
            for number, document in enumerate(documents):
                digests.extend(digest_of(document.text, number))
                text = document.text.encode("utf-8", "surrogatepass")
                if against is not None:
                    keys.append(key_of(text))
                yield text

        with (
            ExitStack() as stack,
            full_is_said(folder, None, WorkFolder(folder, {})),
            records_within(settings.max_memory),
        ):
            file = SetsFile(folder, work)
            stack.callback(file.close)
            with Threads(settings.thread_count) as threads:
                self._find(batches(texts(), most_bytes=BYTES), file, threads, work)
                terms = np.array(file.terms, np.uint32)
                self._said = ShortTexts(terms)
                if against is not None:
                    memory = settings.max_memory // 4
                    overlap = Overlap(
                        file.blocks(), file.sizes, keys, digests, measure, least, memory
                    )

                    def compared(part: Part) -> tuple[Part, Found]:
                        given = part.given
                        if isinstance(given, Block):
                            return part, overlap.of_saved(given)
                        return part, overlap.of_texts(given)

                    for part, (places, hashes, ends, terms) in threads.map(
                        compared, against.parts()
                    ):
                        file.add(hashes, ends, terms)
                        progress.add(len(part))
                        for place in places.tolist():
                            against.take(part, place)
                            digests.extend(part.digest(place, len(digests)))
            firsts, text_of = distinct_texts(digests)
            # Few runs need them again, and all need the memory.
            self._file, self._digests = file, tempfile.TemporaryFile(dir=folder)
            stack.callback(self._digests.close)
            self._digests.write(digests)
            self.text_of, self.texts = array("q"), len(firsts)
            self.text_of.frombytes(text_of.tobytes())
            self.short = self._said.short
            self._work = work
            if work is not None:
                _check_same(work, "compared", crc32c(digests))
            if work is None or not work.of("keepers"):
                sets = file.sets(firsts, measure, least)
                memory = joining_memory(settings.max_memory, self.texts)
                self._join = SetJoin(sets, folder, memory, progress, work)
                stack.callback(self._join.close)
            self._resources = stack.pop_all()

    def _find(
        self,
        parts: Iterator[list[bytes]],
        file: SetsFile,
        threads: Threads,
        work: WorkFolder | None,
    ) -> None:
        """Find the sets of texts that the file does not have yet. Raises NotResumed where the texts
        are not those of which it has sets.
        """
        known, crc, number = file.reached, 0, -1
        done = known.get("batches", 0)

        def found(numbered: tuple[int, list[bytes]]) -> tuple[int, int, Sets | None]:
            number, texts = numbered
            # Only a run that may be stopped and go on has to know what it has read.
            own = crc32c(b"".join(texts)) if work else 0
            return len(texts), own, sets_of(texts) if number >= done else None

        for number, (count, own, sets) in enumerate(threads.map(found, enumerate(parts))):
            crc = crc32c(own.to_bytes(4, "little"), crc)
            self._progress.add(count)
            if sets is not None:
                file.add(*sets)
            elif number + 1 == done and crc != known["texts"]:
                break
            if file.pending >= KEPT_BYTES:
                file.enter(batches=number + 1, texts=crc)
        else:
            if number + 1 >= done:
                file.enter(batches=number + 1, texts=crc)
                return
        assert work
        raise _not_resumed(work)

    def pairs(self) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        for others, similarities in self._join.pairs():
            yield others.tolist(), similarities.tolist()

    def keepers(self, order: Numbers, given: int = 0) -> Keepers:
        count, work = len(order), self._work
        if work is not None and work.of("keepers"):
            _check_same(work, "keepers", crc32c(order.tobytes()))
            data = work.path(work.of("keepers")[0]).read_bytes()
            kept, alike = np.frombuffer(data, np.int64, count), np.frombuffer(data[8 * count :])
            return Keepers(kept.copy(), alike.copy())
        keepers, similarities = self._join.keepers(order, given, self._progress)
        back = np.argsort(order)
        found = Keepers(keepers[back], similarities[back])
        if work is not None:
            with work.file(_KEEPERS) as written:
                written.write(found.texts.tobytes())
                written.write(found.similarities.tobytes())
            of = crc32c(order.tobytes())
            work.enter("keepers", (_KEEPERS, written), of=of)
        return found

    def save(self, out: IO[bytes], documents: Numbers, named: Callable[[int], Named]) -> None:
        """Write the shingles of documents, which rise, to a file (saved.py)."""
        sets = self._file.sets(documents, JACCARD, 1.0)
        self._digests.seek(0)
        digests = np.frombuffer(self._digests.read(), np.uint64).reshape(-1, 2)[documents]
        save(out, sets, digests, lambda place: named(int(documents[place])))

    def hint(self) -> list[str]:
        return self._said.hint()

    def notes(self) -> list[str]:
        return self._said.notes()

    def close(self) -> None:
        self._resources.close()


def joining_memory(most: int, texts: int) -> int:
    """Return the bytes that finding near texts may take of most: half of them without what is held
    of each text, and an eighth in any case.
    """
    return max(most // 2 - HELD_BYTES * texts, most // 8)


class ShortTexts:
    """Says what people should know of the texts of documents that are short for the measure.

    terms: how many each has; short: the documents with too few terms for a shingle.
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
            f"text changes most of its 5-grams: {spelled('measure', RECORDS)} "
            "compares such texts by their words"
        ]

    def notes(self) -> list[str]:
        """Return how texts without a shingle were compared."""
        if not self.short:
            return []
        return [
            f"{have(self.short, 'document')} fewer than {SHINGLE_TERMS} words: near-duplicates of "
            "such a text are those with the same words in the same order"
        ]


def _check_same(work: WorkFolder, kind: str, of: int) -> None:
    """Raise NotResumed if what a stopped run has kept is of other texts. of: their checksum, which
    is entered where no run has done so.
    """
    if not work.of(kind):
        work.enter(kind, of=of)
    elif work.of(kind)[0]["of"] != of:
        raise _not_resumed(work)


def _not_resumed(work: WorkFolder) -> NotResumed:
    return NotResumed(
        f"{work.folder}: cannot go on: what is read is no longer what the stopped run has read; "
        f"give what was given then, or omit {spelled('resume')} to begin again"
    )


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
