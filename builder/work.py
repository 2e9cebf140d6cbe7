"""The work folder of a build, TARGET.work: a lock, temporary files, and a journal of those that are
finished.

A finished file has its name and stands in the journal with its size and CRC32C; what a build was at
when it was killed has neither. Nobody else can read the folder or put something into it; a link or
a folder of another user in its place is refused.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from pocketindex.builder.container import crc32c
from pocketindex.builder.replace import sync_folder
from pocketindex.errors import PocketError

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two builds of one target apart there
    fcntl = None  # type: ignore[assignment]

Entry = dict[str, Any]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_BLOCK = 1 << 20
# What is in the folder: finished files, files being written, merged runs, and files without a name
# where the system has none of these.
_FINISHED = re.compile(r"(documents|sketches|skipped)-\d{6,}|profile|cells")
_OWN = re.compile(
    rf"lock|journal|({_FINISHED.pattern})(\.tmp)?|(hashes|keys-\d+)-+\d+|tmp[a-z0-9_]{{8}}"
)


class Busy(PocketError):
    """Another process builds the same target."""


class NotResumed(PocketError):
    """What a stopped build has left does not fit what is asked for now."""


class NoSpace(PocketError):
    """There is no room for the temporary files, or there will be none."""


class Written:
    """A file being written, with the size and checksum of what it has."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.size, self.crc = file, 0, 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._file.write(data)
        self.size += len(data)
        self.crc = crc32c(data, self.crc)


class Work:
    """The folder, once it is ours.

    entries: of the journal, in order; size: of all finished files in bytes.
    """

    def __init__(self, folder: Path, begin: Entry) -> None:
        self.folder, self.entries, self.size = folder, list[Entry](), 0
        self._begin = begin
        self._path = folder / "journal"
        self._journal: IO[bytes] | None = None

    @property
    def entered(self) -> bool:
        """Whether there is a journal."""
        return self._journal is not None

    def start(self) -> None:
        """Begin a journal."""
        self._journal = open(self._path, "wb", opener=_private)
        self._append(self._begin)

    def resume(self) -> None:
        """Go on with a journal, up to the first entry that is damaged or whose file is not as it
        says.

        Raises NotResumed where the journal was begun with something else.
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
        self._journal = open(self._path, "r+b", opener=_private)
        self._journal.truncate(good)
        self._journal.seek(good)
        named = {entry.get("file") for entry in self.entries}
        for path in _own(self.folder):
            if path.name not in ("lock", "journal") and path.name not in named:
                path.unlink()
        return None

    def of(self, kind: str) -> list[Entry]:
        """The entries of a kind."""
        return [entry for entry in self.entries if entry["kind"] == kind]

    def path(self, entry: Entry) -> Path:
        """Its file."""
        return self.folder / str(entry["file"])

    @contextlib.contextmanager
    def file(self, name: str) -> Iterator[Written]:
        """A new file, which has its name and is on the disc when the block ends; record() then
        makes it a finished one.
        """
        path = self.folder / f"{name}.tmp"
        with open(path, "wb", opener=_private) as file:
            written = Written(file)
            yield written
            file.flush()
            os.fsync(file.fileno())
        os.replace(path, self.folder / name)
        sync_folder(self.folder)
        self.size += written.size

    def record(self, kind: str, written: tuple[str, Written] | None = None, **more: Any) -> Entry:
        """Put an entry into the journal, of a file where one was written."""
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
        with contextlib.suppress(OSError), open(self.path(entry), "rb", opener=_private) as file:
            while block := file.read(_BLOCK):
                crc, size = crc32c(block, crc), size + len(block)
        return (size, crc) == (entry["size"], entry["crc"])


def _entry(line: bytes) -> Entry | None:
    crc, _, data = line.partition(b" ")
    if not line.endswith(b"\n") or crc != b"%08x" % crc32c(data[:-1]):
        return None
    entry: Entry = json.loads(data)
    return entry


def _compare(folder: Path, before: Entry, now: Entry) -> None:
    """Raise NotResumed where a stopped build was of other versions, settings or sources."""
    for name in now:
        if before.get(name) != now[name]:
            raise NotResumed(
                f"{folder}: cannot go on: {name} was {_shown(before.get(name))}, is "
                f"{_shown(now[name])}; "
                "give what was given then, or leave --resume away to begin again"
            )
    for name in before:
        if name not in now:
            raise NotResumed(
                f"{folder}: cannot go on: {name} is no longer given; give it, or leave --resume "
                "away to begin again"
            )


def _shown(value: Any) -> str:
    return "not there" if value is None else value if isinstance(value, str) else json.dumps(value)


@contextlib.contextmanager
def working(
    target: Path, begin: Entry, resume: bool, note: Callable[[str], None]
) -> Iterator[Work]:
    """The work folder of target.

    It goes when the block ends, whatever the end; only what is killed leaves it behind.

    begin: what the build depends on, by names for people; resume: go on with a folder that a killed
    build has left, which is removed otherwise. note is told what people want to know of it. Raises
    Busy, NotResumed, NoSpace, OSError.
    """
    folder = target.with_name(f"{target.name}.work")
    lock = _lock(folder, target)
    work = Work(folder, begin)
    stale = (folder / "journal").exists()
    try:
        if stale and resume:
            work.resume()
        elif stale:
            note(
                f"{folder} is removed: a build that was stopped has left it, and --resume was not "
                "given"
            )
    except BaseException:
        # What is there may still be asked for in the right way.
        work.close()
        lock.close()
        raise
    kept = False
    try:
        with full_is_said(folder, target, work):
            if not work.entered:
                _empty(folder)
                work.start()
            yield work
    except NotResumed:
        kept = True  # as above
        raise
    finally:
        work.close()
        if not kept:
            _remove(folder, target)
        lock.close()


@contextlib.contextmanager
def full_is_said(folder: Path, target: Path | None, work: Work) -> Iterator[None]:
    """Make a full disc NoSpace."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        kept = f"; {target} is as it was" if target else ""
        raise NoSpace(
            f"{folder}: {error.strerror} after {work.size:,} bytes of temporary files; free space "
            f"there, or build on another disk{kept}"
        ) from error


def _private(path: str, flags: int) -> int:
    """For open(): links are not followed, and nobody else may read what is made."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _own(folder: Path) -> list[Path]:
    """The files in the folder with names that a build gives."""
    return [path for path in folder.iterdir() if _OWN.fullmatch(path.name)]


def _lock(folder: Path, target: Path) -> IO[bytes]:
    """The lock of the folder, which is made where it is not there."""
    path = folder / "lock"
    while True:
        with contextlib.suppress(
            FileNotFoundError
        ):  # a build that ends takes its folder away: then again
            _make(folder)
            try:
                lock = open(path, "a+b", opener=_private)
            except OSError:
                with contextlib.suppress(OSError):  # what has just been made is empty
                    folder.rmdir()
                raise
            if _is_ours(lock, path, target):
                try:
                    lock.truncate(0)
                    lock.write(b"%d" % os.getpid())
                    lock.flush()
                except OSError:
                    if not (folder / "journal").exists():
                        _remove(folder, target)
                    raise
                return lock
            lock.close()


def _make(folder: Path) -> None:
    """Make the folder.

    Raises NotResumed where something is there that no build of this user has left.
    """
    with contextlib.suppress(FileExistsError):
        folder.mkdir(0o700)
        return
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotResumed(
            f"{folder}: in the way: it is a link or a file, no folder of a build; move it away"
        )
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise NotResumed(
            f"{folder}: in the way: it belongs to user {found.st_uid}, expected user "
            f"{os.geteuid()}, who builds; "
            "move it away, or build in a folder where nobody else may write"
        )
    with os.scandir(folder) as inside:
        names = {entry.name: entry.is_file(follow_symlinks=False) for entry in inside}
    strange = sorted(name for name, file in names.items() if not (file and _OWN.fullmatch(name)))
    if strange or (names and "lock" not in names):
        what = f": {strange[0]!r} is none of its files" if strange and "lock" in names else ""
        raise NotResumed(f"{folder}: in the way: it is no folder of a build{what}; move it away")
    with contextlib.suppress(OSError):  # some file systems have no permissions
        folder.chmod(0o700)


def _is_ours(lock: IO[bytes], path: Path, target: Path) -> bool:
    """Whether the lock could be had, and is still that of the folder."""
    try:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.stat(path), os.fstat(lock.fileno()))
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read(20).decode(errors="replace")
        lock.close()
        raise Busy(
            f"{target}: process {holder or '?'} is building it; wait for its end, or end it"
        ) from None
    except FileNotFoundError:
        return False


def _empty(folder: Path) -> None:
    """Remove what a killed build has left, the journal first: without it nothing is taken for
    finished.
    """
    (folder / "journal").unlink(missing_ok=True)
    for path in _own(folder):
        if path.name != "lock":
            path.unlink()


def _remove(folder: Path, target: Path) -> None:
    """Take the folder away at once, so that no other build finds half of it; sweep() removes what a
    kill leaves here.
    """
    gone = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        os.replace(folder, gone)
    except OSError:  # then file by file, the journal first
        gone = folder
    with contextlib.suppress(OSError):
        _empty(gone)
        (gone / "lock").unlink(missing_ok=True)
        try:
            gone.rmdir()
        except OSError:  # somebody has put something into it
            os.replace(gone, folder)
