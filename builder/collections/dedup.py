"""A collection without its near-duplicates: JSON Lines in, the lines that stay out."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pocketindex.arguments import is_file
from pocketindex.builder.collections.corpus import Corpus
from pocketindex.builder.collections.keep import preference
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.rows import jsonl
from pocketindex.builder.inputs.source import SourceError, unmeasured
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report

KEPT = 0
EXACT = 1
NEAR = 2
KINDS = ("kept", "exact", "near")


@dataclass
class Lines:
    """The lines of a source that hold documents, read twice.

    A source that can be read only once is copied to folder.

    Attributes by document: numbers (of lines, from 1), ids, preferences (keep.py).
    """

    source: str
    folder: Path
    policy: str
    date: str | None
    fields: Fields = OWN_NAMES
    numbers: array[int] = field(default_factory=lambda: array("q"))
    preferences: array[float] = field(default_factory=lambda: array("d"))
    ids: list[str] = field(default_factory=list)
    undated: int = 0
    _checksum: int = 0

    def documents(self, report: Report, progress: Progress) -> Iterator[Document]:
        """The first time: tells report of what is left out."""
        progress.phase(f"reading {self.source}")
        copy = None if self._is_file() else open(self._copy, "wb")
        try:
            for line in jsonl.lines(self.source, report.reject, progress.measure, self.fields):
                report.arrive()
                self._checksum = zlib.crc32(line.line, self._checksum)
                if copy:
                    copy.write(line.line)
                self.numbers.append(line.number)
                self.ids.append(line.document.id)
                date = line.fields.get(self.date) if self.date else None
                self.preferences.append(preference(self.policy, line.document.text, date))
                self.undated += self.preferences[-1] == float("inf")
                yield line.document
        finally:
            if copy:
                copy.close()

    def again(self) -> Iterator[bytes]:
        """The same lines. Raises SourceError where the source is no longer what it was."""
        source = self.source if self._is_file() else str(self._copy)
        checksum = count = 0
        for line in jsonl.lines(source, lambda skip: None, unmeasured, self.fields):
            checksum = zlib.crc32(line.line, checksum)
            count += 1
            if count <= len(self.numbers):
                yield line.line
        if (checksum, count) != (self._checksum, len(self.numbers)):
            raise SourceError(
                self.source,
                (
                    "it changed while it was read; nothing is written: run again when nobody "
                    "writes "
                    "to it"
                ),
            )

    @property
    def _copy(self) -> Path:
        return self.folder / "lines.jsonl"

    def _is_file(self) -> bool:
        return is_file(self.source)


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of documents 0, 1, ...: verdict (KEPT, EXACT, NEAR), the document kept for it
    (itself), and its similarity to that.
    """

    verdicts: bytearray
    keepers: array[int]
    similarities: array[float]

    def count(self, verdict: int) -> int:
        return self.verdicts.count(verdict)


def decide(corpus: Corpus, preferences: array[float], progress: Progress) -> Decision:
    """Go through the documents as they are preferred.

    One that is near to none that is kept stays, and what is near to it goes for it.

    So what goes is similar to what is kept for it, directly, and no two that stay are known to be
    near: similarity is not passed on from one to the next, as it is within a cluster.
    """
    count = len(corpus.text_of)
    out = Decision(bytearray(count), array("q", range(count)), array("d", [1.0]) * count)
    keeper, similarity = array("q", [-1]) * corpus.texts, array("d", [1.0]) * corpus.texts
    order = sorted(range(count), key=lambda d: (preferences[d], d))
    wanted = dict.fromkeys(corpus.text_of[document] for document in order)  # each text once
    answers = corpus.neighbours(text for text in wanted if keeper[text] < 0)
    for document in order:
        progress.add()
        text = corpus.text_of[document]
        if keeper[text] < 0:
            # Some have gone since they were asked for.
            others, cosines = next(found for own, *found in answers if own == text)
            near = list(zip(others.tolist(), cosines.tolist(), strict=True))
            _place(corpus, document, near, keeper, similarity)
        if keeper[text] != document:
            kept = keeper[text]
            out.verdicts[document] = EXACT if corpus.text_of[kept] == text else NEAR
            out.keepers[document], out.similarities[document] = kept, similarity[text]
    return out


def _place(
    corpus: Corpus,
    document: int,
    near: list[tuple[int, float]],
    keeper: array[int],
    similarity: array[float],
) -> None:
    """Decide a text that nothing kept has found yet: one more look, from its own side."""
    text = corpus.text_of[document]
    kept = [
        (-cosine, keeper[other])
        for other, cosine in near
        if keeper[other] >= 0 and corpus.text_of[keeper[other]] == other
    ]
    if kept:
        best = min(kept)
        keeper[text], similarity[text] = best[1], -best[0]
        return
    keeper[text] = document
    for other, cosine in near:
        if keeper[other] < 0:
            keeper[other], similarity[other] = document, cosine


def write(lines: Lines, decision: Decision, out: IO[bytes]) -> None:
    """The lines that stay, byte for byte."""
    for document, line in enumerate(lines.again()):
        if decision.verdicts[document] == KEPT:
            out.write(line)
