"""Look for texts in documents that are given one after the other."""

from __future__ import annotations

import json
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

from pocketindex.builder.collections.cosine.texts import Texts
from pocketindex.builder.document import Document
from pocketindex.cbits import ffi, lib
from pocketindex.constants import MOST_SOURCES
from pocketindex.ffi.status import check
from pocketindex.index import Index, encode
from pocketindex.queries.sources import Source, Sources, sources_of, traced

_NONE = 0xFFFFFFFF  # what pocket_given_next returns after the last text


class LookedFor(ABC):
    """Texts that are looked for in documents, which are given one after the other.

    A text is named by its number, from 0 in the order in which they were given. The texts are in
    memory. index: the open file that tells how rare a word is; it must stay open until close()
    is called. Raises TextTooLong, Damaged.
    """

    def __init__(self, index: Index, texts: Sequence[str]) -> None:
        self._path, self._error = index.path, ffi.new("pocket_error *")
        self._data = [encode(text) for text in texts]
        given = ffi.new("pocket_given **")
        buffers = [ffi.from_buffer("uint8_t[]", text) for text in self._data]
        status = lib.pocket_given_new(
            index._core,
            ffi.new("uint8_t *[]", buffers),
            [len(text) for text in self._data],
            len(texts),
            given,
            self._error,
        )
        check(status, self._error, self._path)
        self._given = ffi.gc(given[0], lib.pocket_given_free)

    def found(self, text: int, top: int) -> Sources:
        """Return at most top documents, of those given so far, that have passages of a text.
        Documents that have only phrases come last. text: the number of the text.
        """
        options = ffi.new(
            "pocket_sources_options *", [ffi.sizeof("pocket_sources_options"), MOST_SOURCES, 0]
        )
        out = ffi.new("pocket_sources_found **")
        status = lib.pocket_given_found(self._given, text, options, out, self._error)
        check(status, self._error, self._path)
        return sources_of(self._data[text], [traced(out[0], self)], top, phrases_last=True)

    def _look(self, number: int, text: bytes) -> bool:
        """Look for all texts in a document, and return whether it may be named."""
        before = lib.pocket_given_noted(self._given)
        status = lib.pocket_given_look(self._given, number, text, len(text), self._error)
        check(status, self._error, self._path)
        return bool(lib.pocket_given_noted(self._given) > before)

    @abstractmethod
    def fields(self, number: int) -> tuple[str, str, str, str]:
        """Return the id, title, url and source of a document."""

    def close(self) -> None:
        """Free the memory."""
        ffi.release(self._given)


class GivenTexts(LookedFor):
    """Texts that are looked for in a collection, of which the best documents are named.

    Documents that may be named are written to a temporary file, and nothing is stored of the
    others.
    """

    def __init__(self, index: Index, texts: Sequence[str]) -> None:
        super().__init__(index, texts)
        self._documents = Texts(Path(tempfile.gettempdir()))
        self._places = dict[int, int]()  # in _documents, by number
        self._count = 0

    def look(self, source: str, document: Document) -> None:
        """Look for all texts in a document. source: the name of its source. Raises TextTooLong,
        Damaged.
        """
        text, number = encode(document.text), self._count
        if self._look(number, text):
            self._places[number] = len(self._documents)
            fields = json.dumps([document.id, document.title, document.url, source])
            self._documents.add([fields.encode(), text])
        self._count += 1

    def fields(self, number: int) -> tuple[str, str, str, str]:
        id, title, url, source = json.loads(self._documents[self._places[number]])
        return id, title, url, source

    def text(self, number: int) -> bytes:
        """Return the text of a document in UTF-8."""
        return self._documents[self._places[number] + 1]

    def close(self) -> None:
        """Free the memory and remove the temporary file."""
        super().close()
        self._documents.close()


class GivenOneByOne(LookedFor):
    """Texts that are looked for in each document alone: what other documents have of a text does
    not count, and every document that has passages is named.
    """

    def look(self, document: Document) -> Iterator[tuple[int, Source]]:
        """Yield the numbers of the texts of which a document has passages, rising, with these."""
        self._document = document
        if not self._look(0, encode(document.text)):
            return
        text = lib.pocket_given_next(self._given, 0)
        while text != _NONE:
            yield from ((text, source) for source in self.found(text, 1))
            text = lib.pocket_given_next(self._given, text + 1)
        lib.pocket_given_forget(self._given)

    def fields(self, number: int) -> tuple[str, str, str, str]:  # noqa: ARG002 - there is one
        return self._document.id, self._document.title, self._document.url, ""
