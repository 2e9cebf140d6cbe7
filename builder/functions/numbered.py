"""Documents as they are given, with their numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from pocketindex.builder.document import Document
from pocketindex.builder.inputs import given
from pocketindex.builder.inputs.source import Place
from pocketindex.builder.progress import Progress
from pocketindex.builder.tally import NoDocument, Tally


class Numbered:
    """A reader that takes documents once.

    numbers: of those that came so far, in what was given, from 0; of sources, among the documents
    of all; count: of all that was given; report: of what was left out. NoDocument is raised at the
    end where records were read and none of them is a document.

    keep_going: whether what is left counts where most records are bad, or else MostlyBad is raised,
    and NoDocument also where there was no record at all; None for neither.
    """

    def __init__(
        self,
        found: given.Found,
        report: Tally,
        progress: Progress,
        keep_going: bool | None = None,
    ) -> None:
        self._found = found
        self._progress = progress
        self._keep_going = keep_going
        self.report = report
        self.numbers, self.count = array("q"), 0

    def __iter__(self) -> Iterator[Document]:
        for source, kind in self._found:
            self._progress.phase(f"reading {source}")
            if kind.about not in given.GIVEN:
                for document in kind.documents(source, self.report.reject, self._progress.measure):
                    yield self._next(document, self.count)
                continue
            place = Place()
            documents: Iterator[Document] = kind.documents(  # type: ignore[call-arg]
                source, self.report.reject, self._progress.measure, place=place
            )
            for document in documents:
                yield self._next(document, place.lines - 1)
            self.count = place.lines
        sources = [source for source, _ in self._found]
        if not self.numbers and (self.report.left_out or self._keep_going is not None):
            raise NoDocument(self.report.report(), sources)
        if self._keep_going is not None:
            self.report.check_bad(sources, self._keep_going)

    def _next(self, document: Document, number: int) -> Document:
        self.numbers.append(number)
        self.count = number + 1
        return document
