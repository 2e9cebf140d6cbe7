"""Binary file objects of a program as sources."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from typing import IO, Any

from pocketindex.builder.inputs.opening.elsewhere import BUFFER, Elsewhere, no_room
from pocketindex.builder.inputs.source import SourceError


def is_file_object(given: object) -> bool:
    """Return whether something is a file to read from."""
    return callable(getattr(given, "read", None)) and not isinstance(given, type)


class FileObject(Elsewhere):
    """A binary file object, read from where it stands.

    One that cannot seek is copied to a temporary file first, because a source is read more than
    once: its first bytes tell its format. The object itself is read once, and stays open.
    """

    _file: Any
    _start: int | None
    _size: int

    def __new__(cls, file: Any) -> FileObject:
        """Raise TypeError for a file of text."""
        if isinstance(file, io.TextIOBase) or hasattr(file, "encoding"):
            raise TypeError(
                f"the file object is of type {type(file).__name__}, which gives text; open it in "
                'binary mode ("rb")'
            )
        name = getattr(file, "name", None)
        file_name = os.path.basename(name) if isinstance(name, str) else ""
        self = str.__new__(cls, f"<{file_name or 'file object'}>")
        self.file_name = file_name or "file"
        self._file, self._start = file, None
        return self

    @property
    def size(self) -> int | None:
        """The size in bytes from where the object stood."""
        self._settle()
        return self._size

    def open(self) -> io.BufferedReader:
        """Return its bytes from where it stood."""
        self._settle()
        return io.BufferedReader(_Reading(self, self._file, self._start or 0, self._size), BUFFER)

    def seekable(self) -> IO[bytes]:
        """Return its bytes for reading at any place."""
        return self.open()

    def _settle(self) -> None:
        """Find out where the object stands; copy one that cannot seek."""
        if self._start is not None:
            return
        try:
            if not _can_seek(self._file):
                copy = tempfile.TemporaryFile()
                try:
                    shutil.copyfileobj(_Told(self, self._file), copy, BUFFER)
                except OSError as error:
                    raise no_room(self, error) from None
                self._file = copy
                copy.seek(0)
            start = self._file.tell()
            self._size = max(self._file.seek(0, io.SEEK_END) - start, 0)
            self._file.seek(start)
        except (OSError, ValueError) as error:
            raise SourceError(self, f"cannot be read: {_said(error)}") from error
        self._start = start


class _Told(io.RawIOBase):
    """A file whose errors are those of a source, so that those of the copy are told from them."""

    def __init__(self, source: FileObject, file: Any) -> None:
        self._source, self._file = source, file

    def read(self, size: int = -1, /) -> bytes:
        try:
            content: bytes = self._file.read(size)
        except Exception as error:
            raise SourceError(self._source, f"cannot be read further: {_said(error)}") from error
        return content or b""


class _Reading(io.RawIOBase):
    """The bytes of a file object that can seek, from where it stood."""

    def __init__(self, source: FileObject, file: Any, start: int, size: int) -> None:
        self._source, self._file, self._start, self._size = source, file, start, size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = offset + (0, self._at, self._size)[whence]
        if self._at < 0:
            raise ValueError(f"negative seek position {self._at}")
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        try:
            self._file.seek(self._start + self._at)  # others may have moved it
            content = self._file.read(len(buffer))
        except Exception as error:
            raise SourceError(self._source, f"cannot be read further: {_said(error)}") from error
        buffer[: len(content)] = content
        self._at += len(content)
        return len(content)


def _can_seek(file: Any) -> bool:
    seekable = getattr(file, "seekable", None)
    return bool(seekable and seekable()) and hasattr(file, "seek") and hasattr(file, "tell")


def _said(error: BaseException) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error or type(error).__name__)
