"""A collection compared by the tf-idf cosine of its texts: a temporary index proposes what to
compare.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import numpy as np
from pocketindex.builder.collections.corpus import Corpus, Floats, Keepers, Numbers, digest_of
from pocketindex.builder.collections.cosine.near import BITS, Found, Near
from pocketindex.builder.collections.cosine.texts import Texts
from pocketindex.builder.collections.cosine.vectors import Vectors, together
from pocketindex.builder.document import Document, records_within
from pocketindex.builder.passes.context import Context
from pocketindex.builder.pipeline import Settings, build_spooled
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.settings import DEFAULTS
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.folder import full_is_said
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import Tally
from pocketindex.ffi.threads import in_threads
from pocketindex.index import Index
from pocketindex.wording.counted import have

BATCH = 1_024  # texts
AHEAD = 256  # texts that are asked for at once, by all threads; first fewer: many may go for one
PAIRS = 1 << 20  # that are compared at once, if not of a single text


class CosineCorpus(Corpus):
    """Documents and their texts, compared by cosine (Corpus).

    too_short: texts with too few terms for a sketch; capped: texts whose query left candidates out.
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
        self.text_of = array("q")
        self._progress = progress
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
                context = Context(settings, work, Tally(), progress, threads)
                self.too_short = set(
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
        self.texts = len(self._texts)
        self.short = sum(text in self.too_short for text in self.text_of)
        self._indexed = np.array(
            [text for text in range(self.texts) if text not in self.too_short], np.int64
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

    def pairs(self) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        """Yield what Corpus says. Two texts are near when either finds the other."""
        near: defaultdict[int, dict[int, float]] = defaultdict(dict)
        for text, others, cosines in self.neighbours(range(self.texts)):
            for other, cosine in zip(others.tolist(), cosines.tolist(), strict=True):
                near[max(text, other)][min(text, other)] = cosine
            found = near.pop(text, {})
            earlier = sorted(found)
            yield earlier, [found[other] for other in earlier]

    def keepers(self, order: Numbers, given: int = 0) -> Keepers:
        keeper = np.full(self.texts, -1, np.int64)
        similarity = np.ones(self.texts)
        place = np.empty(self.texts, np.int64)
        place[order] = np.arange(self.texts)
        keeper[order[:given]] = order[:given]
        texts = order.tolist()
        answers = self.neighbours(
            text for number, text in enumerate(texts) if number < given or keeper[text] < 0
        )
        for number, text in enumerate(texts):
            self._progress.add()
            if number >= given and keeper[text] >= 0:
                continue
            # Some have gone since they were asked for.
            others, cosines = next(found for own, *found in answers if own == text)
            # It was found by nothing that stays: one more look, from its own side.
            stays = keeper[others] == others
            if number >= given and stays.any():
                best = min(
                    (-cosine, place[other], other)
                    for cosine, other in zip(cosines[stays], others[stays], strict=True)
                )
                keeper[text], similarity[text] = best[2], -best[0]
                continue
            keeper[text] = text
            free = keeper[others] < 0
            keeper[others[free]], similarity[others[free]] = text, cosines[free]
        return Keepers(keeper, similarity)

    def notes(self) -> list[str]:
        notes = []
        if self.short:
            notes.append(
                f"{have(self.short, 'document')} too few terms for a sketch: only equal ones are "
                "found"
            )
        if self.capped:
            notes.append(
                f"{have(self.capped, 'text')} more than 65,536 candidates: some near-duplicates "
                "of theirs may be missing"
            )
        return notes

    def neighbours(self, texts: Iterable[int]) -> Iterator[tuple[int, Numbers, Floats]]:
        """Yield each text with others at exact similarity (vectors.py) least or more that the index
        finds, rising, and their similarities. Texts are taken some at a time, before these are
        yielded.
        """
        wanted = iter(texts)
        ahead = 1
        while some := list(islice(wanted, ahead)):
            ahead = min(2 * ahead, AHEAD)
            own = [(text, b"" if text in self.too_short else self._texts[text]) for text in some]
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
        """Return the other texts to which a text may be near."""
        numbers, capped = self._near.of_text(own[1])
        others = np.sort(self._indexed[numbers])
        return others[others != own[0]], capped

    def close(self) -> None:
        self._resources.close()
