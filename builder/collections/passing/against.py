"""Documents of other collections, which are compared with and not written."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.document import Document
from pocketindex.builder.inputs import Input, Options, find_all
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.chunks.chunk import unpacked_details
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import one_by_one
from pocketindex.builder.tally import Tally
from pocketindex.given import is_pocket
from pocketindex.index import Index


class Part(NamedTuple):
    """Some documents: the number of the first one, their texts in UTF-8, and their ids by place."""

    first: int
    texts: list[bytes]
    id: Callable[[int], str]


class Against:
    """Documents that a collection is compared with: of any sources, and of pocket files that keep
    their texts. A corpus takes those that may be near to one of the collection; the others are
    counted and forgotten.

    report: of what was left out; found: the sources, with what reads them. len() is the number of
    documents that were taken, count that of all.
    """

    def __init__(
        self, sources: Sequence[str], options: Options, report: Tally, progress: Progress
    ) -> None:
        self._report, self._progress = report, progress
        self.found: list[tuple[str, Index | Input]] = []
        for source in sources:
            if is_pocket(source):
                index = Index(source)
                if index.kept != "text":
                    index.close()
                    raise ValueError(
                        f"{source} keeps no texts, by which documents are compared; give its "
                        "sources, or a file built with --keep text"
                    )
                self.found.append((source, index))
            else:
                self.found += find_all([source], options)
        self._ends, self.count = list[int](), 0
        self._taken, self._ids = array("q"), list[str]()

    def parts(self) -> Iterator[Part]:
        """Yield all documents, some at a time."""
        for source, kind in self.found:
            self._progress.phase(f"reading {source}")
            for part in self._read(source, kind):
                self._report.arrive(len(part.texts))
                self.count += len(part.texts)
                yield part
            self._ends.append(self.count)

    def documents(self) -> Iterator[Document]:
        """Yield all documents, each of which is taken."""
        for part in self.parts():
            for place, text in enumerate(part.texts):
                self.take(part, place)
                yield Document(part.id(place), "", text.decode(), name=part.id(place))

    def take(self, part: Part, place: int) -> None:
        """Add the document at a place of a part to those that are compared."""
        self._taken.append(part.first + place)
        self._ids.append(part.id(place))

    def __len__(self) -> int:
        return len(self._ids)

    def named(self, taken: int) -> Named:
        """Return what people know a document by, which was taken."""
        source, _ = self.found[bisect_right(self._ends, self._taken[taken])]
        return Named(self._ids[taken], source, None)

    def _read(self, source: str, kind: Index | Input) -> Iterator[Part]:
        if isinstance(kind, Index):
            items: Iterable[Document | DocumentBatch] = _kept(kind)
        elif kind.batches:
            items = kind.batches(
                source, self._report.reject, self._progress.measure, each=one_by_one
            )
        else:
            items = kind.documents(source, self._report.reject, self._progress.measure)
        for some in batches(items, lambda one: _size(one)):
            waiting = list[Document]()
            for one in some:
                if isinstance(one, DocumentBatch):
                    yield from self._of_documents(waiting)
                    waiting = []
                    yield self._of_batch(one)
                else:
                    waiting.append(one)
            yield from self._of_documents(waiting)

    def _of_documents(self, documents: list[Document]) -> Iterator[Part]:
        if documents:
            texts = [one.text.encode("utf-8", "surrogatepass") for one in documents]
            yield Part(self.count, texts, lambda place: documents[place].id)

    def _of_batch(self, batch: DocumentBatch) -> Part:
        texts, start = list[bytes](), 0
        for end in batch.text_ends.tolist():
            texts.append(bytes(batch.texts[start:end]))
            start = end
        ends = batch.detail_ends

        def id_of(place: int) -> str:
            start = int(ends[place - 1]) if place else 0
            return unpacked_details(bytes(batch.details[start : int(ends[place])])).id.decode()

        return Part(self.count, texts, id_of)

    def close(self) -> None:
        """Close the pocket files."""
        for _, kind in self.found:
            if isinstance(kind, Index):
                kind.close()


def _size(one: Document | DocumentBatch) -> int:
    return len(one.text) if isinstance(one, Document) else len(one.texts)


def _kept(index: Index) -> Iterator[Document]:
    for number in range(len(index)):
        record = index.record(number)
        yield Document(record.id, record.title, index.text(number) or "")
