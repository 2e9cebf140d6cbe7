"""Replace the content of a folder by renames, so that a failure or a kill loses nothing.

The folder itself stays, because it may be a link, a stick, or somebody's current folder. The new
content is written beside the old one. When all of it is on the disk, it becomes NEW in the folder,
and from then on a later run finishes these steps:

1. What is old moves to OLD, entry by entry.
2. NEW becomes NEXT, which says that the old entries are out of the way.
3. What is in NEXT moves up, and OLD goes.

After an error the same steps are taken back. If nothing can be renamed any more, GIVEN_UP says that
NEW is to be removed. A kill leaves NEW or NEXT, which settle() finishes, or GIVEN_UP.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from pocketindex.builder.spill.replace import remove_folder, sweep, sync_folder

NEW, NEXT, OLD = ".new-content", ".next-content", ".old-content"
GIVEN_UP = ".given-up"
KEPT_BACK = (NEW, NEXT, OLD, GIVEN_UP)  # names that a folder has only while it is replaced

IsOwn = Callable[[str], bool]


@contextlib.contextmanager
def folder_replaced(target: Path, is_own: IsOwn) -> Iterator[Path]:
    """Give a folder to fill, whose content replaces that of target when the block ends.

    is_own: returns by the name of an entry of target whether it is replaced; all others stay. A
    target that does not exist appears when it is complete. Raises OSError; then the old content is
    back in place, or the message says where it is.
    """
    place = Path(os.path.realpath(target))
    if there := place.exists():
        settle(place, is_own)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
    beside = (place if there else place.parent) / place.name
    sweep(beside)
    fresh = beside.with_name(f".{beside.name}.{os.getpid()}.tmp")
    try:
        fresh.mkdir()
        yield fresh
        _sync(fresh)
        if there:
            _put_in_place(fresh, place, is_own)
        else:
            fresh.rename(place)
            sync_folder(place.parent)
    finally:
        remove_folder(fresh)


def settle(folder: Path, is_own: IsOwn) -> None:
    """Finish in a folder what a killed run has begun, if anything."""
    if (folder / GIVEN_UP).is_dir():
        shutil.rmtree(folder / NEW, ignore_errors=True)
        (folder / GIVEN_UP).rmdir()
    if any((folder / name).is_dir() for name in (NEW, NEXT, OLD)):
        _forward(folder, is_own)


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
    # All is in its place. What cannot be removed now goes with the next run.
    with contextlib.suppress(OSError):
        if coming.is_dir():
            coming.rmdir()
        remove_folder(old)


def _back(folder: Path, fresh: Path, is_own: IsOwn) -> None:
    """Move the old content back, and the new content to where the caller removes it."""
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
    for entry in sorted(start.iterdir()):
        if entry.name not in KEPT_BACK and chosen(entry.name):
            entry.rename(end / entry.name)


def _give_up(folder: Path) -> None:
    """Remove the new content, a part of which must not be taken for the whole."""
    given_up = folder / GIVEN_UP
    given_up.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):  # what cannot be removed now goes with the next run
        shutil.rmtree(folder / NEW)
        given_up.rmdir()


def _sync(folder: Path) -> None:
    """Write all files to the disk before an old one is removed."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("r+b") as file:
                os.fsync(file.fileno())
        else:
            sync_folder(path)
    sync_folder(folder)
