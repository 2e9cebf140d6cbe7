"""Compare two files, from the files alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pocketindex.answers.results import Result
from pocketindex.builder.sections.copies import copy_keys_of
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.write.sketches import records_of
from pocketindex.constants import SectionKind
from pocketindex.contents.documents import Record, read_records

_AT_ONCE = 4_096


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Result):
    """A document that differs between two files. change: "added", "gone" or "changed"; what: of a
    document that changed, what of "text", "title", "url" and "labels" is different.
    """

    change: str
    id: str
    title: str
    what: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        plain: dict[str, Any] = {"change": self.change, "id": self.id, "title": self.title}
        return plain | ({"what": list(self.what)} if self.what else {})


def diff(old: str | Path, new: str | Path) -> Iterator[Difference]:
    """Yield the differences that functions.diff.diff returns, one after another."""
    with PocketFile(old) as before, PocketFile(new) as after:
        compared = _Compared(before, after)
        for record in _records(before):
            if (number := after.index.find(record.id)) is None:
                yield Difference("gone", record.id, record.title)
            elif what := compared.different(record, after.index.record(number)):
                yield Difference("changed", record.id, record.title, what)
        for record in _records(after):
            if before.index.find(record.id) is None:
                yield Difference("added", record.id, record.title)


def _records(file: PocketFile) -> Iterator[Record]:
    for start in range(0, len(file), _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, len(file)))
        yield from read_records(file.index._core, file.path, list(numbers))


class _Compared:
    """Two files, document by document."""

    def __init__(self, before: PocketFile, after: PocketFile) -> None:
        self._before, self._after = before, after
        self._sketches = [_Sketches(before), _Sketches(after)]
        self._whole = before.profile == after.profile
        self._labels = SectionKind.LABELS in before and SectionKind.LABELS in after

    def different(self, one: Record, other: Record) -> tuple[str, ...]:
        """Return the fields in which a document differs."""
        own, others = (
            sketches.of(record.number)
            for sketches, record in zip(self._sketches, (one, other), strict=True)
        )
        if own.short or others.short:
            text = own != others
        else:
            bits = min(len(own.identity), len(others.identity))
            text = (self._whole and own.digits != others.digits) or (
                own.identity[:bits] != others.identity[:bits]
            )
        labels = self._labels and (
            self._before.index.labels(one) != self._after.index.labels(other)
        )
        found = {
            "text": text,
            "title": one.title != other.title,
            "url": one.url != other.url,
            "labels": labels,
        }
        return tuple(name for name, differs in found.items() if differs)


class _Stored(NamedTuple):
    """What a file has of a text: digits, packed, and identity; of a short one its copy key alone,
    None where it is empty.
    """

    short: bool
    digits: bytes
    identity: bytes
    copy_key: int | None = None


class _Sketches:
    """The sketches of a file, their identity bits, and the copy keys of short documents."""

    def __init__(self, file: PocketFile) -> None:
        self._part = file[SectionKind.SKETCHES]
        self._sketched = file.with_sketch
        self._copies = copy_keys_of(file)
        _, stride, identity, self._each = self._part.numbers(0, 4)
        self._bytes = stride - identity // 8
        self._block, self._records = -1, records_of(self._part.parameters, b"")

    def of(self, number: int) -> _Stored:
        """Return what the file has of the text of a document."""
        if (place := number - self._sketched) >= 0:
            key = int(self._copies[place]) if place < len(self._copies) else None
            return _Stored(True, b"", b"", key)
        block, place = divmod(number, self._each)
        if block != self._block:
            content = self._part.blocks(block, block + 1)
            self._block, self._records = block, records_of(self._part.parameters, content)
        record = self._records[place].tobytes()
        return _Stored(False, record[: self._bytes], record[self._bytes :])
