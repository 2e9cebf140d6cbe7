"""Count how much of the pages became text: the sums, and every page that lost words."""

from __future__ import annotations

import heapq
import json
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import IO, Any

from pocketindex.answers.results import Part
from pocketindex.builder.document import Shortened
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.kept_lines import KeptLines

SHOWN = 10  # pages that people see
FIRST = 1_000  # pages of a report in memory
_MOST = 1 << 14  # pages in memory
_AT_ONCE = 64  # that are read of a file

Entry = tuple[float, int, str]  # share without its sign, words left out without theirs, place


@dataclass(frozen=True, repr=False, slots=True)
class PageLoss(Part):
    """A page that lost words. left_out: the number of words that are not in the text; share: their
    share of the words visible on the page.
    """

    place: str
    left_out: int
    share: float


class PageCounts:
    """The text on words that pages lost, however the list of pages is kept."""

    pages: int
    words: int
    left: int
    losing: int

    @property
    def share(self) -> float:
        """The share of the words that were left out."""
        return self.left / self.words if self.words else 0.0

    def sums(self) -> dict[str, Any]:
        """Return the sums, for JSON."""
        return {
            "pages": self.pages,
            "visible_words": self.words,
            "left_out": self.left,
            "share": round(self.share, 4),
        }

    def losses(self) -> Iterator[PageLoss]:
        """Yield the pages that lost words, those that lost most first."""
        raise NotImplementedError

    def listed(self) -> Iterator[dict[str, Any]]:
        """Yield a JSON object for each page that lost words: {"place", "left_out", "share"}."""
        for one in self.losses():
            yield {**asdict(one), "share": round(one.share, 4)}


@dataclass(frozen=True)
class Pages(PageCounts):
    """The HTML pages of a build. words: the number of words visible on them; left: how many of
    these were left out; losing: the number of pages that lost some; worst: the pages that lost
    most, at most FIRST of them.
    """

    pages: int = 0
    words: int = 0
    left: int = 0
    losing: int = 0
    worst: tuple[PageLoss, ...] = ()

    def losses(self) -> Iterator[PageLoss]:
        return iter(self.worst)


class ShortenedPages(PageCounts):
    """The pages of a build: their number, the words that are seen on them, and those of them that
    were left out.

    The pages that lost words are kept in memory up to a number, and beyond it in a temporary file.
    """

    def __init__(self) -> None:
        self.pages = self.words = self.left = self.losing = 0
        self._waiting = list[Entry]()
        self._file: IO[bytes] | None = None
        self._runs = list[tuple[int, int]]()  # where each begins in the file, and its pages
        self._work: WorkFolder | None = None
        self._kept: KeptLines | None = None

    def keep_in(self, work: WorkFolder) -> None:
        """Have a build that is resumed find the pages in its work folder."""
        self._work, self._kept = work, KeptLines(work, "pages")

    def add(self, page: Shortened) -> None:
        """Count a page."""
        self.pages += 1
        self.words += page.words
        self.left += page.left
        if page.left:
            self.losing += 1
            # The order of entries is that of the list: those that lost most first.
            entry = (-page.left / page.words, -page.left, page.place)
            if self._kept:
                self._kept.add(_line(entry))
            self._add(entry)

    def state(self) -> list[Any]:
        """Return what is counted so far, fit for JSON and restore()."""
        kept = self._kept.keep() if self._kept else []
        return [self.pages, self.words, self.left, self.losing, kept]

    def restore(self, state: list[Any]) -> None:
        """Continue from a state(), in the work folder that has the pages."""
        self.pages, self.words, self.left, self.losing, kept = state
        if self._kept:
            self._kept.restore(kept)
            for line in self._kept:
                self._add(_entry(line))

    def losses(self) -> Iterator[PageLoss]:
        runs = [self._read(*run) for run in self._runs]
        for share, left, place in heapq.merge(sorted(self._waiting), *runs):
            yield PageLoss(place, -left, -share)

    def first(self) -> Pages:
        """Return the counts with the pages that lost most."""
        worst = tuple(islice(self.losses(), FIRST))
        return Pages(self.pages, self.words, self.left, self.losing, worst)

    def _add(self, entry: Entry) -> None:
        self._waiting.append(entry)
        if len(self._waiting) < _MOST:
            return
        if self._file is None:
            # Beside the work folder, because the list outlives it.
            folder = self._work.folder.parent if self._work else None
            self._file = tempfile.TemporaryFile(dir=folder)
            weakref.finalize(self, self._file.close)
        self._runs.append((self._file.seek(0, 2), len(self._waiting)))
        self._file.writelines(map(_line, sorted(self._waiting)))
        self._waiting.clear()

    def _read(self, start: int, pages: int) -> Iterator[Entry]:
        assert self._file
        while pages:
            self._file.seek(start)
            lines = list(islice(self._file, min(pages, _AT_ONCE)))
            start, pages = self._file.tell(), pages - len(lines)
            yield from map(_entry, lines)


def _line(entry: Entry) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _entry(line: bytes) -> Entry:
    share, left, place = json.loads(line)
    return share, left, place
