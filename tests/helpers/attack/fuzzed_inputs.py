"""Reads a made-up file as a build does, and says what no reader may do with it.

A reader may refuse a file or a record of it. It may not raise anything but a SourceError, say
nothing of a record that gives no document, give something else when it reads again, or take long.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import record_counts
from input_mutations import PACKERS
from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.inputs import INPUTS, OWN_NAMES, Fields, Input, find_all
from pocketindex.builder.inputs.options import Options
from pocketindex.builder.inputs.source import SourceError, unmeasured
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import one_by_one
from pocketindex.kinds import packing_of
from reading import as_bytes, opened

KINDS = INPUTS
# What is said of a reader in a separate process that failed in a way that nobody has foreseen. One
# that needed too much time has only refused.
_FAILED = re.compile(r"its reader (?:failed|crashed)")
_NUMBER = re.compile(r"\d[\d,]*")
SECONDS = 5  # of this process, to read a file once or twice
clock = time.process_time
_MOST_FILES, _MOST_BYTES = 40, 1 << 20  # of a folder, and of a file in it
_BLANK = b" \t\r\n\f\v\0"


class Finding(AssertionError):
    """What a reader did that it may not do."""


@dataclass
class Read:
    """What a reading gave: documents as bytes, what was skipped or noticed, and the error that
    ended it, if one did.
    """

    documents: list[tuple[bytes, ...]] = field(default_factory=list)
    skips: list[Skip | Notice] = field(default_factory=list)
    error: str = ""

    @property
    def records(self) -> int:
        """The number of records that became documents or were left out."""
        return len(self.documents) + sum(isinstance(one, Skip) for one in self.skips)


def ways(name: str) -> list[tuple[str, Options]]:
    """The ways in which a file of a kind is read: its name, and the options. The format is named or
    left to be detected, and every option that a kind has is used or not.
    """
    kind = KINDS[name]
    every = Options(
        fields=Fields(title="title", label="title", date="id") if kind.named else OWN_NAMES,
        encoding="cp1252" if kind.encoded else None,
        select="p, td, main" if kind.pages else "",
        exclude="nav, .x > b" if kind.pages else "",
        drop=kind.drops,
        add=kind.adds,
    )
    found = []
    for format in (name, None):
        for options in dict.fromkeys((Options(), every)):
            path = "x" if format or kind.walked else f"x.{name}"
            found.append((path, replace(options, format=format)))
    return found


def check(name: str, content: bytes, folder: Path, thorough: bool = True) -> None:
    """Read a file of this kind, and raise Finding where its reader did what it may not do.

    folder: where the file is written; thorough: in all ways and again, and not in one way, and
    seldom again, as the content decides.
    """
    every, chance = ways(name), zlib.crc32(content)
    twice = thorough or not chance >> 8 & 3
    for path, options in every if thorough else [every[chance % len(every)]]:
        with put(KINDS[name], content, folder / path) as source:
            began = clock()
            try:
                first = read(source, options)
                if KINDS[name].walked:
                    _check_count(first, _files(Path(source)))
                else:
                    expected = expected_records(name, content)
                    # In another encoding the lines are others.
                    _check_count(first, min(expected or 0, 1) if options.encoding else expected)
                again = read(source, options, in_batches=True) if twice else first
            except Finding:
                raise
            except Exception as error:
                raise Finding(f"it raised {type(error).__name__}: {error}") from error
            if (took := clock() - began) > SECONDS:
                raise Finding(f"it took {took:.1f} s, expected at most {SECONDS} s")
            if again != first:
                raise Finding(f"read again it gave {_difference(first, again)}")


@contextlib.contextmanager
def put(kind: Input, content: bytes, path: Path) -> Iterator[str]:
    """Write a file and remove it in the end. A folder has the files of a zip archive."""
    try:
        if kind.walked:
            path.mkdir()
            _unpack(content, path)
        else:
            path.write_bytes(content)
        yield str(path)
    finally:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _unpack(content: bytes, folder: Path) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = [
                (_name(one), archive.open(one).read(_MOST_BYTES))
                for one in archive.infolist()[:_MOST_FILES]
            ]
    except Exception:  # the zip archive is no part of what is read here
        files = [(b"x.txt", content)]
    root = os.fsencode(folder)
    for name, one in files:
        path = os.path.normpath(os.path.join(root, name.replace(b"\0", b"")))
        if path.startswith(root + b"/"):
            with contextlib.suppress(OSError):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                Path(os.fsdecode(path)).write_bytes(one)


def _files(folder: Path) -> int | None:
    """Return how many files of a folder each give something; None with a Maildir in it."""
    names = [path.relative_to(folder).parts for path in folder.rglob("*") if path.is_file()]
    if any(part in ("cur", "new", "tmp") for parts in names for part in parts):
        return None
    return sum(not any(part.startswith(".") for part in parts) for parts in names)


def _name(one: zipfile.ZipInfo) -> bytes:
    """Return the name as the archive has it: it may be none in UTF-8."""
    return one.filename.encode("utf-8" if one.flag_bits & 1 << 11 else "cp437", "replace")


def read(source: str, options: Options, in_batches: bool = False) -> Read:
    """Read a source; in_batches: as a build does, where its input can."""
    found = Read()
    try:
        for path, kind in find_all([source], options):
            for one in _given(kind, path, found, in_batches):
                found.documents += (
                    list(opened(one)) if isinstance(one, DocumentBatch) else [as_bytes(one)]
                )
    except SourceError as error:
        # How far it came may differ: one way of reading sees more at once than another.
        found.error = _NUMBER.sub("0", str(error))
    for skip in found.skips:
        if _FAILED.search(skip.detail):
            raise Finding(f"{skip.place}: {skip.detail}")
    return found


def _given(kind: Input, path: str, found: Read, in_batches: bool) -> Iterator[Any]:
    if in_batches and kind.batches:
        return kind.batches(path, found.skips.append, unmeasured, each=one_by_one)
    return kind.documents(path, found.skips.append)


def _check_count(found: Read, expected: int | None) -> None:
    """Raise Finding where less was said than there are records, or a text is no UTF-8."""
    for id, *others in found.documents:
        for part in (id, *others):
            part.decode()
        if not id:
            raise Finding("a document has no id")
    if found.error or expected is None:
        return
    if found.records < expected:
        raise Finding(
            f"of {expected} records, {len(found.documents)} became documents, "
            f"{found.records - len(found.documents)} were skipped, and nothing is said of the rest"
        )


def expected_records(name: str, content: bytes) -> int | None:
    """The least number of records that a file has, told by other means than its reader; None
    where these do not tell.
    """
    count = record_counts.COUNTS.get(name)
    for _, unpack in PACKERS.values() if packing_of(content) else ():
        with contextlib.suppress(Exception):  # packed in another way, or damaged
            content = unpack(content)
            break  # what is packed twice is unpacked once
    if count and not packing_of(content):
        with contextlib.suppress(Exception):  # what is damaged has no number of records
            return count(content)
    return 1 if content.strip(_BLANK) and not count else None


def _difference(first: Read, again: Read) -> str:
    for part in ("documents", "skips", "error"):
        one, other = getattr(first, part), getattr(again, part)
        if one != other:
            return f"other {part}: {other!r:.500}, not {one!r:.500}"
    raise AssertionError
