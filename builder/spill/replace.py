"""Replace a file completely or not at all: temporary file, fsync, rename."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces target when the block ends without an exception, once it is on the
    disk.

    On a system with unnamed files (Linux), a killed process leaves nothing behind. Elsewhere it
    leaves a temporary file, which the next build of the same target removes.
    """
    sweep(target)
    name = target.parent / f".{target.name}.{os.getpid()}.tmp"
    handle, named = _open(name)
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            with contextlib.suppress(FileNotFoundError):
                os.chmod(
                    out.fileno() if os.chmod in os.supports_fd else name,
                    target.stat().st_mode & 0o777,
                )
            os.fsync(out.fileno())
            if not named:
                _name(out.fileno(), name)
                named = True
        _check_regular(target)
        os.replace(name, target)
        named = False
    finally:
        if named:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
    sync_folder(target.parent)


@contextlib.contextmanager
def working_folder(target: Path | None) -> Iterator[Path]:
    """Create a folder beside target for files that are needed until target is complete. It is
    removed at the end of the block, or by the next block with the same target. Without a target, it
    is in the system's folder for temporary files.
    """
    if target is None:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)
        return
    sweep(target)
    folder = target.parent / f".{target.name}.{os.getpid()}.tmp.d"
    folder.mkdir(0o700)
    try:
        yield folder
    finally:
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Remove a folder. A call that fails is tried once more; the next run removes what is left."""
    for _ in range(2):
        if not folder.exists():
            return
        shutil.rmtree(folder, ignore_errors=True)


def _check_regular(target: Path) -> None:
    """Raise OSError if target has become something that a file must not replace."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(target.lstat().st_mode):
            raise OSError(
                errno.EEXIST, "it is no longer a regular file, and is not replaced", str(target)
            )


def _open(name: Path) -> tuple[int, bool]:
    """Return a new file beside the target, and whether it has a name yet."""
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            return os.open(name.parent, os.O_TMPFILE | os.O_WRONLY, 0o666), False
    return os.open(
        name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666
    ), True


def _name(handle: int, name: Path) -> None:
    """Give an unnamed file its name. os.link follows the link in /proc only if it gets the handle
    of a folder.
    """
    folder = os.open(name.parent, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{handle}", name.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def sweep(target: Path) -> None:
    """Remove the temporary files and folders of this user's processes that have ended."""
    for end in (".tmp", ".tmp.d"):
        for stale in target.parent.glob(f".{glob_escape(target.name)}.*{end}"):
            number = stale.name[len(target.name) + 2 : -len(end)]
            with contextlib.suppress(OSError):
                if number.isdigit() and not _alive(int(number)) and _mine(found := stale.lstat()):
                    shutil.rmtree(stale) if stat.S_ISDIR(found.st_mode) else stale.unlink()


def _mine(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def glob_escape(name: str) -> str:
    """Return name, matched literally by glob."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _alive(process: int) -> bool:
    if process == os.getpid():
        return False
    if os.name == "nt":
        # os.kill(process, 0) would end the process there: leave the file alone.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def sync_folder(folder: Path) -> None:
    """Flush a folder to the disk, so that a new name in it is durable."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
