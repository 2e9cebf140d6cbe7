"""Decide where a command writes, or refuse it, before any work is done.

A regular file is written beside the old one and renamed, so that it is replaced whole or not at
all; a symbolic link is followed and stays. Anything else (a FIFO, a device, standard output) is
written to, and never renamed over. An existing file is replaced only by one of the same kind.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pocketindex.addresses import check_no_address
from pocketindex.arguments import is_stdio, path_of
from pocketindex.builder.spill.replace import replacing
from pocketindex.constants import MAGIC
from pocketindex.errors import spelled
from pocketindex.opening.closing import Closing
from pocketindex.streams import bytes_of_stdout

READER_SECONDS = 5.0  # that a FIFO waits for somebody who reads it
_LINKS = 40  # that Linux follows, one behind the other
_HANDLES = re.compile(r"/proc/(?:self|\d+)/(?:task/\d+/)?fd|/dev/fd")  # folders of open files


@dataclass(frozen=True)
class Kind:
    """A kind of file that is written.

    name: with its article, for messages; is_own: returns whether a file that is not empty is of
    this kind; is_text: whether it may go to a terminal.
    """

    name: str
    is_own: Callable[[Path], bool]
    is_text: bool = False


def begins(path: Path, mark: bytes, at: int = 0) -> bool:
    """Return whether a file has these bytes at a place."""
    with path.open("rb") as file:
        file.seek(at)
        return file.read(len(mark)) == mark


POCKET = Kind("a pocket file", lambda path: begins(path, MAGIC))


class Output(Closing):
    """A place to write to, given as a path, or as "-" for standard output.

    name: as it was given; path: of the regular file that is replaced or created, after following
    all links, None for anything else, which is written to.

    what: the output, for messages; spares: other files of the command, which must not be replaced;
    force: whether a file of another kind may be replaced. Raises ValueError if the output is an
    address, one of spares or of another kind, or if a file that is not text would go to a terminal;
    OSError if nothing can be written there, or if nobody reads a FIFO.
    """

    def __init__(
        self,
        given: str | os.PathLike[str],
        kind: Kind,
        *,
        what: str = "the output",
        spares: Iterable[str | os.PathLike[str]] = (),
        force: bool = False,
    ) -> None:
        self.name = path_of("output", given)
        self.path: Path | None = None
        self._handle: int | None = None
        self._is_stdout = is_stdio(self.name)
        self._kind = kind
        if is_stdio(self.name):
            self._check_stdout()
            return
        if not os.path.isdir(os.path.dirname(self.name)):
            check_no_address(self.name, what, "give the path of a file, and upload that")
        if not self.name:
            raise ValueError(f"the name of {what} is empty; give the name of a file")
        place, handle = _behind_links(self.name)
        status = _status(self.name) if handle is None else None
        if handle is not None:
            self._handle, self._is_stdout = os.dup(handle), handle == 1
        elif status is None or stat.S_ISREG(status.st_mode):
            check_spares(self.name, what, spares)
            self._check_regular(Path(place), status, what, force)
            self.path = Path(place)
        elif stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(
                errno.EISDIR, f"{what} is a folder; give the name of a file in it", self.name
            )
        else:
            self._handle = _opened(self.name, status.st_mode)
        if self._handle is not None and not kind.is_text and os.isatty(self._handle):
            self.close()
            raise ValueError(f"{self.name} is a terminal; give the name of a file")

    def close(self) -> None:
        """Close a FIFO or a device."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the output for a block. It is in place when the block ends without an exception."""
        if self.path:
            with replacing(self.path) as out:
                yield out
            return
        with tempfile.TemporaryFile() as out:
            yield out
            out.seek(0)
            self._write(out)

    @contextlib.contextmanager
    def made(self) -> Iterator[Path]:
        """Give the path of a file to a caller who replaces it only with a whole one.

        Output for a FIFO, a device or standard output is first made in a temporary folder.
        """
        if self.path:
            yield self.path
            return
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "output"
            yield made
            with made.open("rb") as file:
                self._write(file)

    def _write(self, content: IO[bytes]) -> None:
        if self._handle is None:
            with bytes_of_stdout():
                shutil.copyfileobj(content, sys.stdout.buffer)
                sys.stdout.buffer.flush()
            return
        try:
            with (
                bytes_of_stdout() if self._is_stdout else contextlib.nullcontext(),
                os.fdopen(os.dup(self._handle), "wb") as out,
            ):
                shutil.copyfileobj(content, out)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from error

    def _check_stdout(self) -> None:
        if sys.stdout is None or sys.stdout.closed:
            raise ValueError("standard output is closed; give -o FILE")
        if not self._kind.is_text and sys.stdout.isatty():
            raise ValueError("standard output is a terminal; redirect it or give -o FILE")

    def _check_regular(
        self, path: Path, status: os.stat_result | None, what: str, force: bool
    ) -> None:
        """Raise if a regular file is of another kind, or if none can be created there."""
        folder = path.parent
        if not folder.is_dir():
            raise FileNotFoundError(
                errno.ENOENT, f"the folder of {what} does not exist", str(folder)
            )
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(
                errno.EACCES, "you have no permission to write in this folder", str(folder)
            )
        if status is None or not status.st_size or force:
            return
        try:
            own = self._kind.is_own(path)
        except PermissionError:
            own = False  # nobody knows what it is
        if not own:
            raise ValueError(
                f"{self.name} exists and is not {self._kind.name}; choose another name or use "
                f"{spelled('force', True)}"
            )


def check_spares(
    path: str | os.PathLike[str], what: str, others: Iterable[str | os.PathLike[str]]
) -> None:
    """Raise ValueError if path is one of others, which the output would replace."""
    for other in others:
        if is_stdio(other):
            continue
        if os.path.abspath(other) == os.path.abspath(path) or (
            os.path.exists(path) and os.path.exists(other) and os.path.samefile(other, path)
        ):
            raise ValueError(
                f"{path}: {what} would replace {other}, which the command also uses; give it "
                "another name"
            )


def check_stdout_once(**given: str | os.PathLike[str] | bool | None) -> None:
    """Raise ValueError if several options write to standard output.

    given: the values of these options by name: a path, or whether it prints there.
    """
    names = [
        f"--{name.replace('_', '-')}{'' if value is True else ' -'}"
        for name, value in given.items()
        if value is True or (value is not None and value is not False and is_stdio(value))
    ]
    if len(names) > 1:
        raise ValueError(
            f"{' and '.join(names)} write to standard output, which can take only one; give the "
            "others a file"
        )


def _status(name: str) -> os.stat_result | None:
    """Return the status of a file, following links, None if it does not exist yet."""
    try:
        return os.stat(name)
    except FileNotFoundError:
        return None


def _behind_links(name: str) -> tuple[str, int | None]:
    """Return the path after following all links, and the number of the open file of this process
    that a name such as /dev/stdout stands for, or None.
    """
    place = name
    for _ in range(_LINKS):
        own = os.path.join(os.path.realpath(os.path.dirname(place) or "."), "")[:-1]
        number = os.path.basename(place)
        if _HANDLES.fullmatch(own) and number.isdecimal() and _is_ours(own):
            return place, int(number)
        if not os.path.islink(place):
            return place, None
        place = os.path.join(os.path.dirname(place), os.readlink(place))
    raise OSError(errno.ELOOP, "a link that leads to itself; give the name of a file", name)


def _is_ours(folder: str) -> bool:
    return not folder.startswith("/proc/") or folder.split("/")[2] in ("self", str(os.getpid()))


def _opened(name: str, mode: int) -> int:
    """Open a FIFO or a device for writing; a FIFO waits a while for its reader."""
    if stat.S_ISSOCK(mode):
        raise OSError(errno.ENXIO, "a socket, which is not a file; give the name of a file", name)
    end = time.monotonic() + READER_SECONDS
    while True:
        try:
            handle = os.open(
                name,
                os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0),
            )
        except OSError as error:
            if error.errno != errno.ENXIO or not stat.S_ISFIFO(mode):
                raise
            if time.monotonic() > end:
                raise OSError(
                    errno.ENXIO,
                    "a FIFO that nobody reads; start its reader first, or give the name of a file",
                    name,
                ) from None
            time.sleep(0.02)
        else:
            os.set_blocking(handle, True)
            return handle
