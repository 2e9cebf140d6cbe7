"""Pack many documents at once, as the spool stores them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pocketindex.builder.document import ID_BYTES, TITLE_BYTES, URL_BYTES, Document
from pocketindex.cbits import ffi, lib

SIZES = struct.Struct(
    "<HHHHH"
)  # bytes of id, title, url, language, labels: the bounds of builder/document.py fit
LANGUAGE = 35  # characters: enough for any tag

Numbers = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Documents in columns: joined texts, joined details (SIZES, then the fields of these sizes),
    the ends of both, and the hashes of the ids.
    """

    texts: memoryview
    details: memoryview
    text_ends: Numbers
    detail_ends: Numbers
    hashes: Numbers

    @classmethod
    def of(cls, documents: Sequence[Document]) -> DocumentBatch:
        """Make a batch of documents."""
        texts = [document.text.encode() for document in documents]
        details = [packed_details(document) for document in documents]
        return cls.packed(memoryview(b"".join(texts)), _ends(texts), details)

    @classmethod
    def packed(
        cls, texts: memoryview, text_ends: Numbers, details: Sequence[bytes]
    ) -> DocumentBatch:
        """Make a batch of documents with joined texts and packed details (SIZES)."""
        ids = [own[SIZES.size : SIZES.size + SIZES.unpack_from(own)[0]] for own in details]
        hashes = np.empty(len(ids), np.uint64)
        arguments = [
            ffi.from_buffer("uint64_t[]", _ends(ids)),
            len(ids),
            ffi.from_buffer("uint64_t[]", hashes),
        ]
        lib.pocket_murmur_many(b"".join(ids), *arguments)
        return cls(texts, memoryview(b"".join(details)), text_ends, _ends(details), hashes)

    def __len__(self) -> int:
        return len(self.hashes)


def packed_details(document: Document) -> bytes:
    """Pack the details of a document: all fields other than its text."""
    id = document.id.encode()
    title = document.title.encode()
    url = document.url.encode()
    language = document.lang[:LANGUAGE].encode()
    labels = b"".join(map(packed_label, document.labels))
    sizes = SIZES.pack(len(id), len(title), len(url), len(language), len(labels))
    return sizes + id + title + url + language + labels


def packed_columns(
    ids: Sequence[bytes],
    title: Sequence[bytes | None] | None = None,
    url: Sequence[bytes | None] | None = None,
    lang: Sequence[bytes | None] | None = None,
) -> list[bytes] | None:
    """Pack the details of documents without labels, whose fields are columns. Returns None if a
    document has no id, or a field that is too long.
    """
    details, nothing = list[bytes](), [None] * len(ids)
    for own, name, link, tag in zip(
        ids, title or nothing, url or nothing, lang or nothing, strict=True
    ):
        name = name or own
        link = link or b""
        tag = tag or b""
        if (
            not own
            or len(own) > ID_BYTES
            or len(name) > TITLE_BYTES
            or len(link) > URL_BYTES
            or len(tag) > LANGUAGE
        ):
            return None
        sizes = SIZES.pack(len(own), len(name), len(link), len(tag), 0)
        details.append(sizes + own + name + link + tag)
    return details


def packed_label(label: str) -> bytes:
    """Return a label with its bytes before it."""
    own = label.encode()
    return len(own).to_bytes(2, "little") + own


def _ends(parts: Sequence[bytes]) -> Numbers:
    return np.cumsum([len(part) for part in parts], dtype=np.uint64)
