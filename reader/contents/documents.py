"""What a file holds of documents, read by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pocketindex.answers.results import Result, Results
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

FIELDS = 3  # of a document


@dataclass(frozen=True, slots=True, repr=False)
class Record(Result):
    """What the file holds of a document: its number in the file, id, title and url ("" where there
    is none).
    """

    number: int
    id: str
    title: str
    url: str


@dataclass(frozen=True, repr=False)
class Records(Results[Record]):
    """Documents of a file, in the order of an answer."""

    records: tuple[Record, ...]


def read_documents(handle: Any, path: str, numbers: Sequence[int]) -> list[str]:
    """Return title, id and url of each document, in one row. Raises Damaged, FileChanged."""
    if not numbers:
        return []
    out, error = ffi.new("pocket_document **"), ffi.new("pocket_error *")
    check(lib.pocket_documents_get(handle, numbers, len(numbers), out, error), error, path)
    try:
        documents = out[0]
        last = documents[len(numbers) - 1]
        strings: bytes = ffi.unpack(
            documents.title, last.url + last.url_length + 1 - documents.title
        )
        # One cut for all: a zero is behind each, and no ill-formed byte takes it along.
        fields = strings.decode("utf-8", "replace").split("\0")
        if len(fields) != FIELDS * len(numbers) + 1:
            fields = _by_length(documents, len(numbers))
    finally:
        lib.pocket_document_free(out[0])
    return fields[: FIELDS * len(numbers)]


def _by_length(documents: Any, count: int) -> list[str]:
    """Return the same where a field holds a zero itself."""
    places = [
        place
        for own in documents[0:count]
        for place in (
            (own.title, own.title_length),
            (own.id, own.id_length),
            (own.url, own.url_length),
        )
    ]
    return [ffi.unpack(at, length).decode("utf-8", "replace") for at, length in places]


def read_records(handle: Any, path: str, numbers: Sequence[int]) -> list[Record]:
    """Return the same as records."""
    fields = read_documents(handle, path, numbers)
    return [
        Record(number, id, title, url)
        for number, title, id, url in zip(
            numbers, fields[0::FIELDS], fields[1::FIELDS], fields[2::FIELDS], strict=True
        )
    ]
