"""Replace the content of a folder by renames, so that a failure or a kill loses nothing.

The new content is written to a folder beside the old one. When all of it is on the disk, the two
folders are exchanged in one step (exchange.py), so the name stands for the whole old content or the
whole new content at every moment. If the process is killed, the next run removes the other folder.

The folder itself has to stay if it is a mount point, such as a USB stick, if the process runs in
it, if it has folders that are not to be replaced, or if the system cannot exchange folders. Then
the new content is renamed to NEW, in the folder. If the process is killed during one of these
steps, a later run finishes them:

1. The old entries are moved to OLD, one by one.
2. NEW is renamed to NEXT, which records that the old entries are out of the way.
3. The entries of NEXT are moved to the folder, and OLD is removed.

index.html is moved to OLD first, and from NEXT last, so there is no page while only a part of the
disc is there.

After an error the steps are undone. If the new content cannot be moved out of the folder any more,
GIVEN_UP records that NEW is to be removed. After a kill, settle() finds NEW or NEXT and finishes
the steps, or finds GIVEN_UP and removes NEW.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from pocketindex.builder.spill.exchange import exchange
from pocketindex.builder.spill.replace import remove_folder, sweep, sync_folder

NEW, NEXT, OLD = ".new-content", ".next-content", ".old-content"
GIVEN_UP = ".given-up"
KEPT_BACK = (NEW, NEXT, OLD, GIVEN_UP)  # names that a folder has only while it is replaced
PAGE = "index.html"

IsOwn = Callable[[str], bool]


@contextlib.contextmanager
def folder_replaced(target: Path, is_own: IsOwn) -> Iterator[Path]:
    """Yield an empty folder, whose content replaces that of target when the block ends.

    is_own: takes the name of an entry of target and returns whether it is replaced; all others
    stay. A target that does not exist is created once it is complete. Raises OSError; then the old
    content is back in place, or the message says where it is.
    """
    place = Path(os.path.realpath(target))
    if there := place.exists():
        settle(place, is_own)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
    sweep(place)
    inside = place / place.name
    if there:
        sweep(inside)
    fresh = (inside if there else place).with_name(f".{place.name}.{os.getpid()}.tmp")
    beside = place.with_name(fresh.name)
    try:
        fresh.mkdir()
        yield fresh
        _sync(fresh)
        if not there:
            fresh.rename(place)
            sync_folder(place.parent)
        elif not _exchanged(fresh, beside, place, is_own):
            _put_in_place(fresh, place, is_own)
    finally:
        remove_folder(fresh)
        remove_folder(beside)


def settle(folder: Path, is_own: IsOwn) -> None:
    """Finish the replacement of a folder that a killed run has begun, if there is one."""
    if (folder / GIVEN_UP).is_dir():
        shutil.rmtree(folder / NEW, ignore_errors=True)
        (folder / GIVEN_UP).rmdir()
    if any((folder / name).is_dir() for name in (NEW, NEXT, OLD)):
        _forward(folder, is_own)


def _exchanged(fresh: Path, beside: Path, folder: Path, is_own: IsOwn) -> bool:
    """Rename the new folder to `beside`, and exchange it with the old one. Returns False if that is
    impossible; then nothing has changed.
    """
    try:
        if Path.cwd().is_relative_to(folder):
            return False
        fresh.rename(beside)
    except OSError:
        return False
    linked = list[Path]()
    try:
        for entry in folder.iterdir():
            if not is_own(entry.name):
                # A folder cannot be linked, and what is written into a copy would be lost.
                os.link(entry, beside / entry.name, follow_symlinks=False)
                linked.append(beside / entry.name)
        if hasattr(os, "chown"):
            os.chown(beside, folder.stat().st_uid, folder.stat().st_gid)
        shutil.copystat(folder, beside)
        os.utime(beside)
        sync_folder(beside)
        exchange(beside, folder)
    except OSError:
        for link in linked:
            link.unlink()
        beside.rename(fresh)
        return False
    with contextlib.suppress(OSError):  # a folder that may be written to, but not read
        sync_folder(folder.parent)
    return True


def _put_in_place(fresh: Path, folder: Path, is_own: IsOwn) -> None:
    fresh.rename(folder / NEW)
    try:
        _forward(folder, is_own)
    except BaseException as error:
        try:
            _back(folder, fresh, is_own)
        except OSError as other:
            raise OSError(
                other.errno,
                f"{other.strerror}; the old content is in {OLD} and here, the new content in {NEW} "
                f"or {NEXT}; run the same command again to finish the replacement",
                str(folder),
            ) from error
        raise


def _forward(folder: Path, is_own: IsOwn) -> None:
    """Move the new content to its place, from the point at which a run stopped."""
    new, coming, old = folder / NEW, folder / NEXT, folder / OLD
    if new.is_dir():
        old.mkdir(exist_ok=True)
        _move(folder, old, is_own)
        new.rename(coming)
    if coming.is_dir():
        _move(coming, folder)
        sync_folder(folder)
    # The replacement is complete. What cannot be removed now is removed by the next run.
    with contextlib.suppress(OSError):
        if coming.is_dir():
            coming.rmdir()
        remove_folder(old)


def _back(folder: Path, fresh: Path, is_own: IsOwn) -> None:
    """Move the old content back, and the new content to the folder that the caller removes."""
    new, coming, old = folder / NEW, folder / NEXT, folder / OLD
    if coming.is_dir():
        _move(folder, coming, is_own)
        coming.rename(new)
    if old.is_dir():
        _move(old, folder)
    try:
        new.rename(fresh)
    except OSError:
        _give_up(folder)
    with contextlib.suppress(OSError):
        old.rmdir()


def _move(start: Path, end: Path, chosen: IsOwn = lambda name: True) -> None:
    """Move entries. The page leaves the folder first, and enters it last."""
    entries = sorted(start.iterdir(), key=lambda entry: (entry.name != PAGE, entry.name))
    for entry in reversed(entries) if start.name in KEPT_BACK else entries:
        if entry.name not in KEPT_BACK and chosen(entry.name):
            entry.rename(end / entry.name)


def _give_up(folder: Path) -> None:
    """Remove the new content, so that a part of it is not mistaken for the whole."""
    given_up = folder / GIVEN_UP
    given_up.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):  # the next run removes what cannot be removed now
        shutil.rmtree(folder / NEW)
        given_up.rmdir()


def _sync(folder: Path) -> None:
    """Flush all files of a folder to the disk, before an old one is removed."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("r+b") as file:
                os.fsync(file.fileno())
        else:
            sync_folder(path)
    sync_folder(folder)
