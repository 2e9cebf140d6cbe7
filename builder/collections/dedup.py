"""A collection without its near-duplicates: JSON Lines in, the lines that stay out."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
from pocketindex.arguments import is_file
from pocketindex.builder.collections.corpus import Corpus, Floats, Numbers
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

    verdicts: npt.NDArray[np.uint8]
    keepers: Numbers
    similarities: Floats

    def count(self, verdict: int) -> int:
        return int((self.verdicts == verdict).sum())


def decide(corpus: Corpus, preferences: array[float]) -> Decision:
    """Go through the documents as they are preferred.

    One that is near to none that is kept stays; another one goes for one that it is near to.

    So what goes is similar to what is kept for it, directly, and no two that stay are near:
    similarity is not passed on from one to the next, as it is within a cluster.
    """
    text_of = np.array(corpus.text_of, np.int64)
    order = np.lexsort((np.arange(len(text_of)), np.array(preferences)))
    # The document that is preferred of each text, and the texts as these are preferred.
    texts, places = np.unique(text_of[order], return_index=True)
    best = order[places]
    found = corpus.keepers(texts[np.argsort(places)].tolist())
    keepers = best[found.texts][text_of]
    verdicts = np.where(text_of[keepers] == text_of, EXACT, NEAR).astype(np.uint8)
    verdicts[keepers == np.arange(len(text_of))] = KEPT
    return Decision(verdicts, keepers, found.similarities[text_of])


def write(lines: Lines, decision: Decision, out: IO[bytes]) -> None:
    """The lines that stay, byte for byte."""
    for document, line in enumerate(lines.again()):
        if decision.verdicts[document] == KEPT:
            out.write(line)
