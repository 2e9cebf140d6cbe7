"""What the inputs share: how they report, and how they open a file that may be compressed."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Protocol

from pocketindex.builder.document import Document, Skip
from pocketindex.errors import PocketError

if TYPE_CHECKING:
    from types import ModuleType

OnSkip = Callable[[Skip], None]
OnBytes = Callable[[int, "int | None"], None]

STDIN = "-"
_GZIP = b"\x1f\x8b"
# A frame, or the skippable frames (0x184D2A50 .. 5F) that parallel compressors put first.
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes([first, 0x2A, 0x4D, 0x18]) for first in range(0x50, 0x60)))
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

_BUFFER = 1 << 18
# A block of 4 bytes can stand for 128 KiB, and a call of the decompressor gives all that its input stands for.
_ZSTD_CHUNK = 4096
_ZSTD_WINDOW = 1 << 31


class SourceError(PocketError):
    """A source that cannot be read, or not to its end. problem: what was expected, what was found and what to do."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(source, problem)
        self.source, self.problem = source, problem

    def __str__(self) -> str:
        return f"{self.source}: {self.problem}"


class Documents(Protocol):
    """The one function of an input.

    It yields the documents of `source` in an order that does not change, calls `skip` for each record that gave none and goes on, and
    raises SourceError only where the source as a whole cannot be read further. From time to time it calls `measure` with the bytes read
    so far and the bytes in all, None where nobody knows.
    """

    def __call__(self, source: str, skip: OnSkip, measure: OnBytes = ...) -> Iterator[Document]: ...


def unmeasured(read: int, total: int | None) -> None:
    """The `measure` of a caller that does not want to know."""


class Stream:
    """The bytes of a file, or of standard input for "-", decompressed where they start as gzip or zstd do.

    name: the source for messages; total: the size of the file in bytes, None where it has none (standard input, a pipe).
    """

    def __init__(self, source: str) -> None:
        self.name = "<stdin>" if source == STDIN else source
        self._lines = self._size = 0
        try:
            self._file: IO[bytes] = sys.stdin.buffer if source == STDIN else open(source, "rb")  # __exit__ closes it
        except OSError as error:
            raise SourceError(self.name, f"cannot be read: {error.strerror or error}") from error
        self._owned = source != STDIN
        self.total = os.fstat(self._file.fileno()).st_size if self._owned and os.path.isfile(source) else None
        try:
            self._raw = _Counted(self._file)
            self._content = self._decompressed(self._raw.head)
        except BaseException as error:
            self.__exit__()
            if isinstance(error, OSError):
                raise SourceError(self.name, f"cannot be read: {error.strerror or error}") from error
            raise

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        if self._owned:
            self._file.close()

    @property
    def read(self) -> int:
        """The bytes read so far, as they are in the file."""
        return self._raw.count

    def line(self, longest: int) -> bytes:
        """The next line with its end, or the next `longest` bytes of it; nothing at the end of the file."""
        try:
            line = self._content.readline(longest)
        except EOFError as error:
            raise self._broken(f"cut short: its {self._compression} data has no end mark, it stops after") from error
        except (OSError, zlib.error) as error:
            raise self._broken(f"damaged ({error}): it cannot be read further than") from error
        self._size += len(line)
        self._lines += line.endswith(b"\n")
        return line

    def lines(self, longest: int) -> Iterator[bytes | None]:
        """Each line with its end; None for one of more than `longest` bytes, which takes no more memory than another."""
        while line := self.line(longest + 1):
            if len(line) <= longest:
                yield line
                continue
            while line and not line.endswith(b"\n"):
                line = self.line(_BUFFER)
            yield None

    def _broken(self, problem: str) -> SourceError:
        done = f"{self._lines:,} lines and {self._size:,} bytes of text"
        return SourceError(self.name, f"{problem} {done}; copy, download or compress the file again")

    def _decompressed(self, head: bytes) -> io.BufferedReader:
        plain: io.BufferedReader = io.BufferedReader(self._raw, _BUFFER)
        self._compression = "gzip" if head.startswith(_GZIP) else "zstd" if head.startswith(_ZSTD) else ""
        if self._compression == "gzip":
            return io.BufferedReader(gzip.GzipFile(fileobj=plain), _BUFFER)
        if self._compression == "zstd":
            return io.BufferedReader(_Zstd(plain, _zstandard(self.name)), _BUFFER)
        if head.startswith(_UTF16):
            raise SourceError(self.name, "expected UTF-8, found UTF-16; convert it with: iconv -f UTF-16 -t UTF-8")
        return plain


class _Counted(io.RawIOBase):
    """A file that counts what was read of it, and knows its first bytes before anyone has read them."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.head = b""
        while len(self.head) < 4 and (more := self._file.read1(4 - len(self.head))):
            self.head += more
        self._ahead = self.head
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if self._ahead:
            count = min(len(buffer), len(self._ahead))
            buffer[:count], self._ahead = self._ahead[:count], self._ahead[count:]
        else:
            count = self._file.readinto1(buffer)
        self.count += count
        return count


class _Zstd(io.RawIOBase):
    """The content of zstd frames. Unlike the reader of zstandard it tells the end of the data (EOFError) from the end of a frame."""

    def __init__(self, file: io.BufferedReader, zstandard: ModuleType) -> None:
        self._file = file
        self._error = zstandard.ZstdError
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._frame: Any = None
        self._content = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._content:
            chunk = self._file.read(_ZSTD_CHUNK)
            if not chunk:
                if self._frame is not None:
                    raise EOFError
                return 0
            self._content = memoryview(self._decompress(chunk))
        count = min(len(buffer), len(self._content))
        buffer[:count], self._content = self._content[:count], self._content[count:]
        return count

    def _decompress(self, chunk: bytes) -> bytes:
        content = []
        while chunk:
            if self._frame is None:
                self._frame = self._decompressor.decompressobj()
            try:
                content.append(self._frame.decompress(chunk))
            except self._error as error:
                raise OSError(str(error)) from error
            chunk = b""
            if self._frame.eof:
                chunk, self._frame = self._frame.unused_data, None
        return b"".join(content)


def _zstandard(name: str) -> ModuleType:
    try:
        import zstandard
    except ImportError as error:
        raise SourceError(name, "it is compressed with zstd, which needs another package: pip install 'pocketindex[zst]'") from error
    return zstandard
