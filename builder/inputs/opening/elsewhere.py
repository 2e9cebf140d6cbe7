"""Sources that are no paths: what addresses and file objects of a program have in common."""

from __future__ import annotations

import io
import os
import tempfile
from abc import abstractmethod
from typing import IO

from pocketindex.arguments import is_file
from pocketindex.builder.inputs.opening.encoding import name_of
from pocketindex.builder.inputs.source import STDIN, SourceError, shown

BUFFER = 1 << 18  # bytes


class Unreachable(SourceError):
    """A source whose bytes did not come, or not to the end, for a reason that may pass. So it is
    never left out of others.
    """


class Elsewhere(str):
    """A source that is no path. As a string it is what messages show, which opens nothing.

    file_name: that of the file, for its kind and its ids; is_folder: whether it is a folder.
    """

    file_name: str = ""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of files."""
        return False

    @property
    @abstractmethod
    def size(self) -> int | None:
        """The size in bytes, None where nobody knows."""

    @abstractmethod
    def open(self) -> io.BufferedReader:
        """Return its bytes, to be read once from the beginning. Raises SourceError, as reading
        does.
        """

    def seekable(self) -> IO[bytes] | None:
        """Return its bytes for reading at any place; None where they come in order alone."""
        return None

    def begin(self, size: int) -> bytes:
        """Return the first bytes, as they are in the file."""
        with self.open() as file:
            return file.read(size)

    def refresh(self) -> None:
        """Forget what is known of the source, which may have changed."""

    @property
    def tag(self) -> str | None:
        """What changes with its content, where something does."""
        return None


def no_room(source: str, error: OSError) -> SourceError:
    """Return the error for a copy that the folder of temporary files does not take."""
    return SourceError(
        shown(source),
        f"cannot be copied to {tempfile.gettempdir()} ({error.strerror or error}), which is needed "
        "to read it; free space there, or name another folder with TMPDIR",
    )


def name_of_file(source: str) -> str:
    """Return the name of the file that a source is, for ids and kinds: "stdin" for standard
    input.
    """
    if source == STDIN:
        return "stdin"
    name = source.file_name if isinstance(source, Elsewhere) else os.path.basename(source)
    return name_of(os.fsencode(name))


def opened(source: str) -> io.BufferedReader:
    """Return the bytes of a source other than standard input. Raises OSError and SourceError."""
    return source.open() if isinstance(source, Elsewhere) else open(source, "rb")


def begin_of(source: str, size: int) -> bytes:
    """Return the first bytes of a file, as they are in it. Raises as opened() does."""
    if isinstance(source, Elsewhere):
        return source.begin(size)
    with open(source, "rb") as file:
        return file.read(size)


def is_folder(source: str) -> bool:
    """Return whether a source is a folder of files."""
    if isinstance(source, Elsewhere):
        return source.is_folder
    return source != STDIN and os.path.isdir(source)


def is_regular(source: str) -> bool:
    """Return whether a source is a file, which can be read more than once."""
    return not source.is_folder if isinstance(source, Elsewhere) else is_file(source)


def size_of(source: str) -> int | None:
    """Return the size of a source in bytes, or None if it is a folder, a pipe or not known."""
    if isinstance(source, Elsewhere):
        return source.size
    return os.path.getsize(source) if is_file(source) else None
