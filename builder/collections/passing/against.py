"""Documents of other collections, which are compared with and not written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pocketindex.arguments import is_file
from pocketindex.builder.collections.corpus import digest_of
from pocketindex.builder.collections.passing.folders import with_records
from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.collections.shingles.saved import Block, Saved, is_saved
from pocketindex.builder.document import Document, Skip, Unfit, of_text
from pocketindex.builder.inputs import Input, Options, find_all
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.sections.texts import texts_of
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.chunks.chunk import unpacked_details
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import one_by_one
from pocketindex.builder.tally import Tally
from pocketindex.constants import SectionKind
from pocketindex.errors import spelled
from pocketindex.given import is_pocket
from pocketindex.index import Index


class Part(NamedTuple):
    """Some documents: their texts in UTF-8, or their saved shingles, and what people know each by,
    by its place.
    """

    given: list[bytes] | Block
    named: Callable[[int], Named]

    def __len__(self) -> int:
        return len(self.given.ends if isinstance(self.given, Block) else self.given)

    def digest(self, place: int, number: int) -> bytes:
        """Return the digest of the document at a place of this part. number: the one that digest_of
        takes for a document without a text.
        """
        if isinstance(self.given, Block):
            return self.given.digest(place)
        return digest_of(self.given[place].decode("utf-8", "surrogatepass"), number)


class Against:
    """Documents that a collection is compared with: of any sources, of pocket files that keep
    their texts, and of files with their saved shingles. A folder gives the files of JSON Lines,
    Parquet and Arrow in it, too, as it does where it is to be deduplicated. A corpus takes those
    documents that may be near to one of the collection; the others are counted and forgotten.

    strict: whether the first bad record is an error; found: the sources, with what reads them.
    len() is the number of documents that were taken, count that of all.
    """

    def __init__(
        self, sources: Sequence[str], options: Options, strict: bool, progress: Progress
    ) -> None:
        self._report, self._progress = Tally(strict), progress
        self._left_aside = list[str]()
        self.found: list[tuple[str, Index | Input | Saved]] = []
        for source in sources:
            if is_saved(source):
                self.found.append((source, Saved(source)))
            elif is_pocket(source):
                index = Index(source)
                if index.kept != "text":
                    index.close()
                    raise ValueError(
                        f"{source} keeps no texts, by which documents are compared; give its "
                        f"sources, or a file built with {spelled('keep', 'text')}"
                    )
                self.found.append((source, index))
            else:
                found, left_aside = with_records(find_all([source], options), options)
                self.found += found
                self._left_aside += left_aside
        self.count, self._taken = 0, list[Named]()

    def report(self) -> Report:
        """Return the report on what was read and left out."""
        return self._report.report()

    @property
    def notes(self) -> list[str]:
        """Return lines that say what was left out."""
        return [*self._left_aside, *self._report.reasons_text()]

    @property
    def saved(self) -> list[str]:
        """Return the sources that have saved shingles and no texts."""
        return [source for source, kind in self.found if isinstance(kind, Saved)]

    def parts(self) -> Iterator[Part]:
        """Yield all documents, some at a time."""
        for source, kind in self.found:
            self._progress.phase(f"reading {source}")
            for part in self._read(source, kind):
                self._report.arrive(len(part))
                self.count += len(part)
                yield part

    def documents(self) -> Iterator[Document]:
        """Yield all documents, each of which is taken; no source has saved shingles. A text that
        --max-memory has no room for is left out, and reported.
        """
        for part in self.parts():
            assert isinstance(part.given, list)
            for place, text in enumerate(part.given):
                id, source, _ = part.named(place)
                try:
                    document = of_text(id, text.decode())
                except Unfit as unfit:
                    self._report.reject(Skip(f"{source}: {id}", unfit.reason, unfit.detail))
                    continue
                self.take(part, place)
                yield document

    def take(self, part: Part, place: int) -> None:
        """Add the document at a place of a part to those that are compared."""
        self._taken.append(part.named(place))

    def __len__(self) -> int:
        return len(self._taken)

    def named(self, taken: int) -> Named:
        """Return what people know a document by, which was taken."""
        return self._taken[taken]

    def _read(self, source: str, kind: Index | Input | Saved) -> Iterator[Part]:
        if isinstance(kind, Saved):
            yield from (Part(block, block.named) for block in kind.blocks())
            return
        if isinstance(kind, Index):
            yield from _of_pocket(source, kind)
            return
        items: Iterable[Document | DocumentBatch]
        if kind.batches:
            items = kind.batches(
                source, self._report.reject, self._progress.measure, each=one_by_one
            )
        else:
            items = kind.documents(source, self._report.reject, self._progress.measure)
        for some in batches(items, lambda one: _size(one)):
            waiting = list[Document]()
            for one in some:
                if isinstance(one, DocumentBatch):
                    yield from _of_documents(waiting, source)
                    waiting = []
                    yield _of_batch(one, source)
                else:
                    waiting.append(one)
            yield from _of_documents(waiting, source)

    def close(self) -> None:
        """Close the files."""
        for _, kind in self.found:
            if isinstance(kind, Index | Saved):
                kind.close()


def _of_pocket(source: str, index: Index) -> Iterator[Part]:
    if is_file(source):
        # One text after the other, so that no block is unpacked for each of its texts.
        texts = texts_of(PocketFile(source)[SectionKind.TEXTS], 0, len(index))
    else:
        texts = ((index.text(number) or "").encode() for number in range(len(index)))

    def named_from(first: int) -> Callable[[int], Named]:
        return lambda place: Named(index.record(first + place).id, source, None)

    first = 0
    for some in batches(texts):
        yield Part([text.decode("utf-8", "replace").encode() for text in some], named_from(first))
        first += len(some)


def _of_documents(documents: list[Document], source: str) -> Iterator[Part]:
    if documents:
        texts = [one.text.encode("utf-8", "surrogatepass") for one in documents]
        yield Part(texts, lambda place: Named(documents[place].id, source, None))


def _of_batch(batch: DocumentBatch, source: str) -> Part:
    texts, start = list[bytes](), 0
    for end in batch.text_ends.tolist():
        texts.append(bytes(batch.texts[start:end]))
        start = end
    ends = batch.detail_ends

    def named(place: int) -> Named:
        start = int(ends[place - 1]) if place else 0
        details = unpacked_details(bytes(batch.details[start : int(ends[place])]))
        return Named(details.id.decode(), source, None)

    return Part(texts, named)


def _size(one: Document | DocumentBatch) -> int:
    return len(one.text) if isinstance(one, Document) else len(one.texts)
