"""docs/format.md, section 8: an open file, its documents, and all that can be checked of it."""

from __future__ import annotations

import mmap
import os
from functools import partial
from typing import TypeVar

from plain.cells import Cells
from plain.conventions import Bytes, murmur
from plain.copies import Copies, copy_key
from plain.documents import Documents, PlainRecord
from plain.labels import Labels
from plain.layout import KINDS, read_sections
from plain.passages import Passages
from plain.profile import Profile
from plain.sketches import Sketches
from plain.tables import Tables
from plain.texts import Texts
from plain.titles import Titles
from plain.words import Words

Own = TypeVar("Own", bound="Opened")


class Opened:
    """An open pocket file without its queries. Files are mapped, not read; close() or `with` gives
    them back.
    """

    def __init__(self, path: str, data: Bytes) -> None:
        self.data = data
        self.sections = read_sections(path, data)
        kinds = {section.kind: section for section in self.sections}
        for kind in sorted(KINDS):
            if kind in kinds:
                kinds[kind].read_head()
        self.profile = Profile(kinds[1])
        self.sketches = Sketches(kinds[3], self.profile)
        self.sketched = self.sketches.documents
        self.tables = Tables(kinds[2], self.sketched, len(self.profile.tables))
        self.documents = Documents(kinds[4], self.sketched, 12 in kinds)
        self.count = self.documents.documents
        self.ids = Tables(kinds[5], self.count, 1)
        place = kinds[5].place()
        place.equal("minimal perfect hash", 1, self.ids.mph)
        place.equal("checksum bits", 8, self.ids.checksum_bits)
        place.equal("default probes", 1, self.ids.default_probes)
        self.texts = Texts(kinds[6], self.count) if 6 in kinds else None
        self.titles = Titles(kinds[7], self.count) if 7 in kinds else None
        self.cells = Cells(kinds[8], self.profile, self.sketched) if 8 in kinds else None
        self.copies = Copies(kinds[12], self.count, self.sketched) if 12 in kinds else None
        self.passages = Passages(kinds[9], self.count) if 9 in kinds else None
        self.words = Words(kinds[10], self.count) if 10 in kinds else None
        self.labelled = Labels(kinds[11], self.count) if 11 in kinds else None

    @classmethod
    def open(cls: type[Own], source: str | os.PathLike[str] | bytes) -> Own:
        """Open a path, or the bytes of a file. Raises NotAPocketFile, TooNew, Damaged, OSError."""
        if isinstance(source, bytes):
            return cls("<bytes>", source)
        with open(source, "rb") as file:
            empty = os.fstat(file.fileno()).st_size == 0
            data: Bytes = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            return cls(os.fspath(source), data)
        except BaseException:
            if isinstance(data, mmap.mmap):
                data.close()
            raise

    def close(self) -> None:
        if isinstance(self.data, mmap.mmap):
            self.data.close()

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sub_key(self, table: int, document: int) -> int:
        """Return a sub-key of the stored sketch."""
        own = self.profile.tables[table]
        return own.key(own.digits(self.sketches.record(document)[0]))

    def record(self, number: int) -> PlainRecord:
        """Return the document with this number. Raises IndexError, Damaged."""
        if not 0 <= number < self.count:
            raise IndexError(f"document: expected 0 .. {self.count - 1}, found {number}")
        return self.documents.record(number)

    def text(self, number: int) -> str | None:
        """Return what is kept of a document's text, None where nothing is. Raises IndexError,
        Damaged.
        """
        if not 0 <= number < self.count:
            raise IndexError(f"document: expected 0 .. {self.count - 1}, found {number}")
        return self.texts.text(number) if self.texts else None

    def labels(self, number: int) -> list[str] | None:
        """Return the labels of a document, None where the file has none. Raises IndexError,
        Damaged.
        """
        if not 0 <= number < self.count:
            raise IndexError(f"document: expected 0 .. {self.count - 1}, found {number}")
        return self.labelled.of(number) if self.labelled else None

    def document(self, id: str) -> PlainRecord | None:
        """Return the document with this id."""
        key = murmur(as_bytes(id))
        block = self.ids.part_of(0, key)
        if block is not None:
            part = self.ids.part(block)
            slot = self.ids.slot(part, key, lambda _: key)
            for posting in range(0) if slot is None else part.postlist(slot):
                record = self.documents.record(self.ids.document(part, posting))
                if record.id == id:
                    return record
        return None

    def verify(self) -> None:
        """Check everything that the page demands; the time is that of reading the whole file.

        Raises Damaged.
        """
        for section in self.sections:
            if section.kind not in KINDS:
                section.read_head()
            for number in range(section.count):
                section.block(number)
        self.profile.verify(self.sections[0].place())
        self.sketches.verify()
        if self.cells:
            self.cells.verify()
        if self.copies:
            self.copies.verify()
        for number in range(len(self.profile.tables)):
            self.tables.verify(number, partial(self.sub_key, number))
        records = [
            record
            for number in range(self.documents.section.count)
            for record in self.documents.records(number)
        ]
        keys = [murmur(record.id.encode()) for record in records]
        self.ids.verify(0, keys.__getitem__)
        for document, text in enumerate(self.texts.every() if self.texts else ()):
            self.check_text(document, text)
        if self.titles:
            self.titles.verify(record.title for record in records)
        if self.passages:
            self.passages.verify()
        if self.words:
            self.words.verify()
        if self.labelled:
            self.labelled.verify()

    def check_text(self, document: int, text: str) -> None:
        """Check that a whole text is the one of the sketch's identity, or of the copy key."""
        assert self.texts
        place = self.texts.section.place(self.texts.block_of(document))
        if self.texts.characters:
            place.within(f"characters of snippet {document}", 0, self.texts.characters, len(text))
            return
        if document >= self.sketched:
            assert self.copies
            stored, own = self.copies.key(document), copy_key(text.encode())
            place.require(
                stored == own,
                f"identity of text {document}",
                "none" if stored is None else stored,
                "none" if own is None else own,
            )
            return
        identity = murmur(text.encode()) % (1 << self.sketches.identity_bits)
        place.equal(f"identity of text {document}", self.sketches.record(document)[1], identity)


def as_bytes(text: bytes | str) -> bytes:
    """Return text in UTF-8, lone surrogates as U+FFFD."""
    if isinstance(text, bytes):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
