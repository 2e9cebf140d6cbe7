"""A folder whose content is replaced by renames, so that a failure or a kill loses nothing.

The folder itself stays: it may be a link, a stick, or where somebody works. What is new is written
beside, and when all of it is on the disc it becomes NEW in the folder. From then on the new content
is what a later run brings to its place:

1. What is old moves to OLD, entry by entry.
2. NEW becomes NEXT, which says that the old entries are out of the way.
3. What is in NEXT moves up, and OLD goes.

An error takes the same steps back. Where nothing can be renamed any more, GIVEN_UP says that NEW
goes. A kill leaves NEW or NEXT, which settle() finishes, or GIVEN_UP.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from pocketindex.builder.work.replace import sweep, sync_folder

NEW, NEXT, OLD = ".new-content", ".next-content", ".old-content"
GIVEN_UP = ".given-up"
KEPT_BACK = (NEW, NEXT, OLD, GIVEN_UP)  # names that a folder has only while it is replaced

IsOwn = Callable[[str], bool]


@contextlib.contextmanager
def folder_replaced(target: Path, is_own: IsOwn) -> Iterator[Path]:
    """Give a folder to fill, whose content takes the place of target's when the block ends.

    is_own: says by its name whether an entry of target goes; all others stay. A folder that is not
    there comes into being when all is in it. Raises OSError; then the old content is back, or the
    message says where it is.
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
        shutil.rmtree(fresh, ignore_errors=True)


def settle(folder: Path, is_own: IsOwn) -> None:
    """Finish what a killed run has begun in a folder, if one has."""
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
                f"{other.strerror}; the old content is in {OLD} and here, the new one in {NEW} or "
                f"{NEXT}: the same command brings the new one to its place",
                str(folder),
            ) from error
        raise


def _forward(folder: Path, is_own: IsOwn) -> None:
    """Bring what is new to its place, from wherever a run has stopped."""
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
        shutil.rmtree(old)


def _back(folder: Path, fresh: Path, is_own: IsOwn) -> None:
    """Bring what is old back to its place, and what is new to where the caller removes it."""
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
    """Remove what is new, of which a part must not be taken for the whole."""
    given_up = folder / GIVEN_UP
    given_up.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):  # what cannot be removed now goes with the next run
        shutil.rmtree(folder / NEW)
        given_up.rmdir()


def _sync(folder: Path) -> None:
    """Bring all files to the disc, before an old one goes."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("r+b") as file:
                os.fsync(file.fileno())
        else:
            sync_folder(path)
    sync_folder(folder)
