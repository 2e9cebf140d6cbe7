"""The work folder of a build, TARGET.work: a lock, temporary files, and a journal of the finished
ones.

Other users can neither read the folder nor write to it. A link, or a folder of another user, in its
place is refused.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from pocketindex.builder.spill.journal import (
    OWN_NAME,
    Busy,
    Entry,
    NoSpace,
    NotResumed,
    WorkFolder,
    own_files,
    private,
)
from pocketindex.errors import spelled

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two builds of one target apart there
    fcntl = None  # type: ignore[assignment]


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def work_folder_of(target: Path) -> Path:
    """Return the path of the work folder of target."""
    return target.with_name(f"{target.name}.work")


@contextlib.contextmanager
def work_folder(
    target: Path, begin: Entry, resume: bool, note: Callable[[str], None]
) -> Iterator[WorkFolder]:
    """Hold the work folder of target. It is removed when the block ends, with or without an error;
    only a process that is killed leaves it behind.

    begin: what the build depends on, by names for messages; resume: whether to continue in a folder
    that a killed build has left, which is removed otherwise; note: called with messages about this.
    Raises Busy, NotResumed, NoSpace, OSError.
    """
    folder = work_folder_of(target)
    lock = _lock(folder, target)
    work = WorkFolder(folder, begin)
    stale = (folder / "journal").exists()
    try:
        if stale and resume:
            work.resume()
        elif stale:
            note(
                f"{folder} is removed: a run that was killed has left it, and "
                f"{spelled('resume')} was not given"
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
def full_is_said(folder: Path, target: Path | None, work: WorkFolder) -> Iterator[None]:
    """Raise NoSpace instead of the OSError of a full disk."""
    try:
        yield
    except OSError as error:
        elsewhere = error.filename is not None and folder not in Path(error.filename).parents
        if error.errno not in _FULL or elsewhere:
            raise
        kept = "is as it was" if target and target.exists() else "was not written"
        of_target = f"; {target} {kept}" if target else ""
        raise NoSpace(
            f"{folder}: {error.strerror} after {work.size:,} bytes of temporary files; free space "
            f"there, or build on another disk{of_target}"
        ) from error


def _lock(folder: Path, target: Path) -> IO[bytes]:
    """Return the lock of the folder, which is created if it does not exist."""
    path = folder / "lock"
    while True:
        with contextlib.suppress(FileExistsError):
            folder.mkdir(0o700)  # where nothing can be made, that is said, not tried again
        with contextlib.suppress(
            FileNotFoundError
        ):  # a build that ends takes its folder away: then again
            _check(folder)
            try:
                lock = open(path, "a+b", opener=private)
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


def _check(folder: Path) -> None:
    """Raise NotResumed if something that is not from a build of this user is in place of the
    folder.
    """
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
    strange = sorted(
        name for name, file in names.items() if not (file and OWN_NAME.fullmatch(name))
    )
    if strange or (names and "lock" not in names):
        what = f": {strange[0]!r} is none of its files" if strange and "lock" in names else ""
        raise NotResumed(f"{folder}: in the way: it is no folder of a build{what}; move it away")
    with contextlib.suppress(OSError):  # some file systems have no permissions
        folder.chmod(0o700)


def _is_ours(lock: IO[bytes], path: Path, target: Path) -> bool:
    """Return whether the lock was obtained, and is still that of the folder."""
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
    """Remove what a killed build has left. The journal goes first: without it, no file counts as
    finished.
    """
    (folder / "journal").unlink(missing_ok=True)
    for path in own_files(folder):
        if path.name != "lock":
            path.unlink()


def _remove(folder: Path, target: Path) -> None:
    """Remove the folder in one step, so that no other build finds a part of it. sweep() removes
    what a kill leaves.
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
