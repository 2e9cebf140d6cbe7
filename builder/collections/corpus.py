"""A collection to be compared with itself: its distinct texts, their temporary index, and the
neighbours of each.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.build import Settings, build_spooled
from pocketindex.builder.collections.near import BITS, Found, Near
from pocketindex.builder.collections.options import PairsOptions
from pocketindex.builder.collections.texts import Texts
from pocketindex.builder.collections.vectors import Vectors, together
from pocketindex.builder.document import Document, records_within
from pocketindex.builder.passes.context import Context
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.settings import DEFAULTS
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.folder import full_is_said
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.threads import Threads
from pocketindex.ffi.threads import in_threads
from pocketindex.index import Index

BATCH = 1_024  # texts
AHEAD = 256  # texts that are asked for at once, by all threads; first fewer: many may go for one
PAIRS = 1 << 20  # that are compared at once, if not of a single text

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def digest_of(text: str, number: int) -> bytes:
    """Return sixteen bytes that are the same for texts that differ only in white space. A document
    without a text equals no other one: number is that of the document.
    """
    if not text:
        own = number.to_bytes(8, "little")
        return hashlib.blake2b(own, digest_size=16, person=b"without a text").digest()
    return hashlib.blake2b(" ".join(text.split()).encode(), digest_size=16).digest()


class Corpus:
    """Documents 0, 1, ...

    in the order they come, and texts 0, 1, ... that they have: equal but for white space is one
    text.

    text_of[document]: its text; short: texts with too few terms for a sketch; capped: texts whose
    query left candidates out. Temporary files lie in folder until close().
    """

    def __init__(
        self,
        documents: Iterable[Document],
        folder: Path,
        least: float,
        progress: Progress,
        probes: int | None = None,
        settings: Settings = DEFAULTS,
    ) -> None:
        """Read documents, index their texts; least: the similarity that neighbours have at least,
        0..1; of the settings max_memory and threads count.
        """
        PairsOptions(min_similarity=least, probes=probes)
        self.text_of = array("q")
        self.capped = 0
        self._least = least
        self._threads = settings.threads
        self._known = dict[bytes, int]()
        work = WorkFolder(folder, {})
        with (
            ExitStack() as stack,
            full_is_said(folder, None, work),
            records_within(settings.max_memory),
        ):
            settings = Settings(
                scheme_settings=RffSettings(tables=2, components=BITS, cells=0),
                max_memory=settings.max_memory,
                threads=settings.threads,
            )
            path = folder / "texts.pocket"
            with Threads(settings.thread_count) as threads:
                spool = Spool(work, settings.max_memory, threads)
                context = Context(settings, work, Report(), progress, threads)
                self.short = set(
                    build_spooled(self._distinct(documents, progress), path, spool, context)
                )
            self._known.clear()
            self._texts, self._vectors = Texts(folder), Vectors(folder)
            stack.callback(self._texts.close)
            stack.callback(self._vectors.close)
            progress.phase("weighing terms")
            for chunk in spool.chunks:
                texts = chunk.all_texts()
                while batch := list(islice(texts, BATCH)):
                    self._texts.add(batch)
                    self._vectors.add(batch)
                    progress.add(len(batch))
                chunk.path.unlink()  # its texts are not needed twice
            self._vectors.finish()
            index = Index(path)
            stack.callback(index.close)
            self._near = Near(index, least, probes)
            self._resources = stack.pop_all()
        self._indexed = np.array(
            [text for text in range(self.texts) if text not in self.short], np.int64
        )

    def _distinct(self, documents: Iterable[Document], progress: Progress) -> Iterator[Document]:
        for document in documents:
            digest = digest_of(document.text, len(self.text_of))
            fresh = len(self._known)
            text = self._known.setdefault(digest, fresh)
            self.text_of.append(text)
            if text == fresh:
                # By their ids the texts are chosen whose terms are weighed: so it is no matter in
                # what order they come.
                title = "" if document.text else document.title
                yield Document(digest.hex(), title, document.text, lang=document.lang)
            else:
                progress.add()

    @property
    def texts(self) -> int:
        """Distinct texts."""
        return len(self._texts)

    def neighbours(self, texts: Iterable[int]) -> Iterator[tuple[int, Numbers, Floats]]:
        """Yield each text with others at exact similarity (vectors.py) least or more that the index
        finds, rising, and their similarities. Texts are taken some at a time, before these are
        yielded.
        """
        wanted = iter(texts)
        ahead = 1
        while some := list(islice(wanted, ahead)):
            ahead = min(2 * ahead, AHEAD)
            own = [(text, b"" if text in self.short else self._texts[text]) for text in some]
            answers = in_threads(self._proposed, own, self._threads)
            self.capped += sum(capped for _, capped in answers)
            proposed = [others for others, _ in answers]
            for start, end in together([len(others) for others in proposed], PAIRS):
                yield from self._compared(some[start:end], proposed[start:end])

    def _compared(
        self, texts: list[int], proposed: list[Numbers]
    ) -> Iterator[tuple[int, Numbers, Floats]]:
        ends = np.cumsum([len(others) for others in proposed])
        firsts = np.repeat(np.array(texts, np.int64), np.diff(ends, prepend=0))
        seconds = np.concatenate(proposed)
        similarities = self._vectors.similarities(firsts, seconds)
        columns = (np.split(column, ends[:-1]) for column in (seconds, similarities))
        for text, others, cosines in zip(texts, *columns, strict=True):
            kept = cosines >= self._least
            yield text, others[kept], cosines[kept]

    def _proposed(self, own: tuple[int, bytes]) -> Found:
        """Other texts that a text may be near to, given with its number."""
        numbers, capped = self._near.of_text(own[1])
        others = np.sort(self._indexed[numbers])
        return others[others != own[0]], capped

    def close(self) -> None:
        self._resources.close()

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
