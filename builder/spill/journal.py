"""The journal of a work folder: which of its files are finished.

A finished file has its final name, and the journal has its size and CRC32C. A file that a build was
writing when it was killed has neither.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from pocketindex.builder.conventions import crc32c
from pocketindex.builder.spill.replace import sync_folder
from pocketindex.errors import PocketError, spelled
from pocketindex.ffi.interrupt import go_on

Entry = dict[str, Any]

_BLOCK = 1 << 20
# What is in the folder: finished files, files being written, merged runs, and files without a name
# where the system has none of these.
_FINISHED = re.compile(
    r"(documents|sketches|passages|words|skipped|pages|taken|taken-sketches|taken-shingles|left-out-shingles|sets|sizes|joined|keepers)-\d{6,}|profile|cells"
)
OWN_NAME = re.compile(
    rf"lock|journal|({_FINISHED.pattern})(\.tmp)?|(hashes|shingles|keys-\d+)-+\d+|tmp[a-z0-9_]{{8}}"
)


class Busy(PocketError):
    """Raised if another process builds the same target."""


class NotResumed(PocketError):
    """Raised if the folder of a stopped build does not fit the new arguments."""


class NoSpace(PocketError):
    """Raised if there is no space for the temporary files, or there will be none."""


class Written:
    """A file that is being written, with its size and checksum so far."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.crc = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        go_on()
        self._file.write(data)
        self.size += len(data)
        self.crc = crc32c(data, self.crc)


class WorkFolder:
    """A locked work folder. entries: the entries of the journal, in order; size: the bytes of all
    finished files.
    """

    def __init__(self, folder: Path, begin: Entry) -> None:
        self.folder = folder
        self.entries = list[Entry]()
        self.size = 0
        self._begin = begin
        self._path = folder / "journal"
        self._journal: IO[bytes] | None = None

    @property
    def entered(self) -> bool:
        """Return whether there is a journal."""
        return self._journal is not None

    def start(self) -> None:
        """Begin a journal."""
        self._journal = open(self._path, "wb", opener=private)
        self._append(self._begin)

    def resume(self) -> None:
        """Continue a journal after its last valid entry: one that is not damaged, and whose file
        has the size and checksum of the entry. Raises NotResumed if the journal was begun with
        other arguments.
        """
        lines, good = self._path.read_bytes().splitlines(keepends=True), 0
        for number, line in enumerate(lines):
            entry = _entry(line)
            if entry is None:
                break
            if number == 0:
                _compare(self.folder, entry, self._begin)
            elif not self._whole(entry):
                break
            else:
                self.entries.append(entry)
                self.size += entry.get("size", 0)
            good += len(line)
        if not good:
            return self.start()
        self._journal = open(self._path, "r+b", opener=private)
        self._journal.truncate(good)
        self._journal.seek(good)
        named = {entry.get("file") for entry in self.entries}
        for path in own_files(self.folder):
            if path.name not in ("lock", "journal") and path.name not in named:
                path.unlink()
        return None

    def of(self, kind: str) -> list[Entry]:
        """Return the entries of a kind."""
        return [entry for entry in self.entries if entry["kind"] == kind]

    def path(self, entry: Entry) -> Path:
        """Return the path of the file of an entry."""
        return self.folder / str(entry["file"])

    @contextlib.contextmanager
    def file(self, name: str) -> Iterator[Written]:
        """Create a file for a block. When the block ends, the file is on the disk and has its final
        name; enter() then makes it a finished one.
        """
        path = self.folder / f"{name}.tmp"
        with open(path, "wb", opener=private) as file:
            written = Written(file)
            yield written
            file.flush()
            os.fsync(file.fileno())
        os.replace(path, self.folder / name)
        sync_folder(self.folder)
        self.size += written.size

    def enter(self, kind: str, written: tuple[str, Written] | None = None, **more: Any) -> Entry:
        """Add an entry to the journal. written: the name of a file, and the file, if the entry has
        one.
        """
        entry = {"kind": kind, **more}
        if written:
            name, file = written
            entry |= {"file": name, "size": file.size, "crc": file.crc}
        self._append(entry)
        self.entries.append(entry)
        return entry

    def close(self) -> None:
        if self._journal:
            with contextlib.suppress(
                OSError
            ):  # an entry that could not be written has failed already
                self._journal.close()

    def _append(self, entry: Entry) -> None:
        if self._journal is None:
            return
        data = json.dumps(entry).encode()
        self._journal.write(b"%08x %s\n" % (crc32c(data), data))
        self._journal.flush()
        os.fsync(self._journal.fileno())

    def _whole(self, entry: Entry) -> bool:
        if "file" not in entry:
            return True
        if not _FINISHED.fullmatch(str(entry["file"])):
            return False
        crc = size = 0
        # Of a file that grows, each entry has the bytes from its first one on.
        most = entry["size"] if "first" in entry else None
        with contextlib.suppress(OSError), open(self.path(entry), "rb", opener=private) as file:
            file.seek(entry.get("first", 0))
            while block := file.read(_BLOCK if most is None else min(_BLOCK, most - size)):
                crc, size = crc32c(block, crc), size + len(block)
        return (size, crc) == (entry["size"], entry["crc"])


def _entry(line: bytes) -> Entry | None:
    crc, _, data = line.partition(b" ")
    if not line.endswith(b"\n") or crc != b"%08x" % crc32c(data[:-1]):
        return None
    entry: Entry = json.loads(data)
    return entry


def _compare(folder: Path, before: Entry, now: Entry) -> None:
    """Raise NotResumed if a stopped build had other versions, settings or sources."""
    for name in now:
        if before.get(name) != now[name]:
            raise NotResumed(
                f"{folder}: cannot go on: {name} was {_shown(before.get(name))}, is "
                f"{_shown(now[name])}; "
                f"give what was given then, or omit {spelled('resume')} to begin again"
            )
    for name in before:
        if name not in now:
            raise NotResumed(
                f"{folder}: cannot go on: {name} is no longer given; give it, or omit "
                f"{spelled('resume')} to begin again"
            )


def _shown(value: Any) -> str:
    return "not there" if value is None else value if isinstance(value, str) else json.dumps(value)


def private(path: str, flags: int) -> int:
    """Open path, as the opener of open(). Links are not followed, and other users cannot read a new
    file.
    """
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def own_files(folder: Path) -> list[Path]:
    """Return the files of the folder whose names are those of a build."""
    return [path for path in folder.iterdir() if OWN_NAME.fullmatch(path.name)]
