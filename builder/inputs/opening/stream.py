"""How the inputs open a file, which may be compressed or in another encoding, and read it."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from pocketindex.arguments import is_file
from pocketindex.builder.document import Notice, most_of_record
from pocketindex.builder.inputs.opening import multistream
from pocketindex.builder.inputs.opening.compression import BUFFER, READERS, TooMuchMemory
from pocketindex.builder.inputs.opening.elsewhere import (
    Elsewhere,
    begin_of,
    is_regular,
    no_room,
    opened,
    size_of,
)
from pocketindex.builder.inputs.opening.encoding import (
    LONGEST_MARK,
    LOOKED_AT,
    WRONG_ENCODING,
    Recoded,
    guessed,
    marked,
    of_guess,
)
from pocketindex.builder.inputs.source import STDIN, OnSkip, Place, SourceError, shown
from pocketindex.errors import spelled
from pocketindex.kinds import packing_of
from pocketindex.opening.closing import Closing

_HEAD = 6  # bytes that tell how a file is packed
# What expands more than this is taken for a bomb, once it has given as many bytes: text shrinks to
# a fifth, seldom to a fiftieth. A collection may have many copies of a text, a line or a file that
# is held in memory has not.
BOMB_RATIO, EXPANSION = 1000, 200
_BOMB_BYTES, _BOMB_RECORD = 1 << 28, 1 << 26
_STEP = 1 << 24  # bytes decompressed between two looks
_ENDLESS = 1 << 30  # bytes of a line that a pipe or a device gives without an end


@dataclass(slots=True)
class Lines:
    """Lines with their ends, size bytes in all, numbered from first on; content: None for one line
    that is too long.
    """

    content: bytes | None
    size: int
    first: int


def line_feeds(content: bytes) -> int:
    """Return how many line feeds there are; bytes.count takes several times as long."""
    import numpy as np  # which who reads no lines does not need

    return int(np.count_nonzero(np.frombuffer(content, np.uint8) == ord("\n")))


class Stream(Closing):
    """The bytes of a file, or of standard input for "-", decompressed where they start as gzip,
    bzip2, xz or zstd do.

    name: the source for messages; text: its content is (UTF-8, or UTF-16 or UTF-32 with a byte
    order mark); encoding: of the text, which is turned into UTF-8, so that all numbers of bytes but
    read and total are of that; content: of the file, where it is in memory; total: the size of the
    file in bytes, None where nobody knows it (standard input, a pipe, content in memory).
    """

    def __init__(
        self,
        source: str,
        text: bool = True,
        encoding: str | None = None,
        content: bytes | None = None,
    ) -> None:
        self.name = shown(source)
        self._encoding = encoding
        self._is_converted = False
        self._lines = self._size = self.too_long = 0
        self.total: int | None
        self._is_on_disk = False
        self._open = contextlib.ExitStack()
        try:
            file: Any
            self.total = None
            if content is not None:
                file = io.BytesIO(content)
            elif source == STDIN:
                file = sys.stdin.buffer
            else:
                file = self._open.enter_context(opened(source))
                self.total = size_of(source)
                self._is_on_disk = is_file(source)
            counted = _Counted(file)
            self._content = self._open.enter_context(self._decompressed(counted))
            head = counted.head
            if self._compression:
                head = self._told(self._content.peek, LONGEST_MARK)
            by_mark = marked(head)[0].removesuffix("-le").removesuffix("-be")
            if text and not encoding and by_mark not in ("", "utf-8"):
                self._encoding = by_mark
            if self._encoding:
                self._recode(self._encoding)
        except BaseException as error:
            self.__exit__()
            if isinstance(error, OSError):
                raise SourceError(
                    self.name, f"cannot be read: {error.strerror or error}"
                ) from error
            raise

    def close(self) -> None:
        """Close the source. A failure to close what was only read loses nothing."""
        with contextlib.suppress(OSError):
            self._open.close()

    @property
    def read(self) -> int:
        """The bytes read so far, as they are in the file."""
        return self._counted.count

    def line(self, longest: int) -> bytes:
        """Return the next line with its end, or the next `longest` bytes of it; nothing at the end
        of the file.
        """
        line = self._get(self._content.readline, longest)
        self._lines += line.endswith(b"\n")
        return line

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes; fewer only at the end of the file."""
        return self._get(self._content.read, size)

    def piece(self, most: int) -> bytes:
        """Return at most `most` bytes, of what is at hand if there is any; nothing at the end of
        the file. Nothing is lost before an error.
        """
        return self._part(self._content.read1, min(most, _STEP))

    def begin(self, size: int) -> bytes:
        """Return the first bytes without consuming them, fewer only at the end of the file."""
        if self._is_on_disk and not self._compression and not self._is_converted:
            with open(self.name, "rb") as file:
                return file.read(size)
        begin = b""
        while len(begin) < size and (piece := self._told(self._content.read1, size - len(begin))):
            begin += piece
        self._content = io.BufferedReader(_Again(begin, self._content), BUFFER)
        return begin

    def guess(self, skip: OnSkip, place: Place) -> None:
        """Read in the encoding that the zero bytes of a text without a mark tell, which skip is
        told where the reading begins at the first byte. No byte may have been read.
        """
        encoding = "" if self._encoding else guessed(self.begin(LOOKED_AT))
        if encoding:
            self._recode(encoding)
            if not place.offset:
                skip(Notice(self.name, WRONG_ENCODING, of_guess(encoding)))

    def _recode(self, encoding: str) -> None:
        self.convert(lambda content: Recoded(content, encoding))

    def convert(self, wrap: Callable[[io.BufferedReader], io.RawIOBase]) -> None:
        """Read from what wrap() makes of the content from now on."""
        self._content = io.BufferedReader(wrap(self._content), BUFFER)
        self._is_converted = True

    def tell(self) -> int:
        """Return the number of decompressed bytes that line(), take() and piece() have given."""
        return self._size

    def go(self, place: Place) -> None:
        """Go on to a place at or beyond the one where we are, or to the end of the file: at once in
        a plain file, decompressing what lies between in a packed one.
        """
        if (
            place.offset > self._size
            and not self._compression
            and not self._is_converted
            and self._is_on_disk
            and self.total is not None
        ):
            self._size = self._content.seek(min(place.offset, self.total))
        while self._size < place.offset and self.take(min(BUFFER, place.offset - self._size)):
            pass
        self._lines = max(self._lines, place.lines)

    def lines(self, longest: int) -> Iterator[bytes | None]:
        """Yield each line with its end, or None for a line of more than `longest` bytes or more
        than a record may have. Such a line takes no memory of its own; too_long becomes its number
        of bytes.
        """
        longest = most_of_record(longest)
        while line := self.line(longest + 1):
            if len(line) <= longest:
                yield line
            else:
                self.too_long = self._pass_over(line)
                yield None

    def _pass_over(self, line: bytes) -> int:
        """Pass over the rest of a line that begins so and return its number of bytes. Raises
        SourceError if a stream of unknown size goes on without an end.
        """
        size = len(line)
        while line and not line.endswith(b"\n"):
            line = self.line(BUFFER)
            size += len(line)
            if self.total is None and size > _ENDLESS:
                problem = (
                    f"line {self._lines + 1:,} has {size:,} bytes and goes on; expected an end of "
                    f"line; name the format with {spelled('format')}, or give a file"
                )
                raise SourceError(self.name, problem)
        return size

    def blocks(self, size: int, longest: int) -> Iterator[Lines]:
        """Yield the same, many at a time: about `size` bytes, more where a line has more.

        Before an error comes all that is whole.
        """
        ended: SourceError | None = None
        longest = most_of_record(longest)
        size = min(size, longest)  # so that only the last line of some may be too long
        while not ended:
            first = self._lines + 1
            pieces = list[bytes]()
            held = 0
            try:
                while held < size and (piece := self.piece(size - held)):
                    pieces.append(piece)
                    held += len(piece)
                    self._lines += line_feeds(piece)
                if pieces and not pieces[-1].endswith(b"\n"):
                    pieces.append(self.line(longest + 1))
            except SourceError as error:
                ended = error
            content = pieces[0] if len(pieces) == 1 else b"".join(pieces)
            pieces.clear()
            if ended:
                content = content[: content.rfind(b"\n") + 1]
            if not content:
                break
            last = content.rfind(b"\n", 0, -1) + 1
            if len(content) - last <= longest:
                yield Lines(content, len(content), first)
                continue
            if last:
                yield Lines(content[:last], last, first)
            before, line, content = line_feeds(content[:last]), content[last:], b""
            yield Lines(None, self._pass_over(line), first + before)
        if ended:
            raise ended

    def _get(self, read: Callable[[int], bytes], size: int) -> bytes:
        """Read so many bytes in steps, so that a bomb is seen before it is in memory."""
        parts = list[bytes]()
        before = self.read
        got = 0
        while True:
            step = min(size - got, _STEP)
            parts.append(self._part(read, step))
            got += len(parts[-1])
            if len(parts[-1]) < step or got == size or parts[-1].endswith(b"\n"):
                return parts[0] if len(parts) == 1 else b"".join(parts)
            packed = self.read - before + BUFFER  # as much may have been read ahead
            if self._compression and got > max(_BOMB_RECORD, EXPANSION * packed):
                raise self._bomb()

    def _part(self, read: Callable[[int], bytes], size: int) -> bytes:
        content = self._told(read, size)
        self._size += len(content)
        if self._compression and self._size > max(_BOMB_BYTES, BOMB_RATIO * self.read):
            raise self._bomb()
        return content

    def _told(self, read: Callable[[int], bytes], size: int) -> bytes:
        """Read; errors say what to do."""
        try:
            return read(size)
        except EOFError as error:
            raise self._broken(
                f"cut short: its {self._compression} data has no end mark, it stops after"
            ) from error
        except TooMuchMemory as error:
            raise SourceError(
                self.name,
                f"cannot be unpacked here ({error}); unpack it yourself and give what was in it",
            ) from error
        except OSError as error:
            raise self._broken(f"damaged ({error}): it cannot be read further than") from error
        except UnicodeError as error:
            problem = (
                f"not in the encoding {self._encoding} ({error}), behind {self._done()}; name "
                f"the right one, such as {spelled('encoding', 'cp1252')}"
            )
            raise SourceError(self.name, problem) from error

    def _bomb(self) -> SourceError:
        problem = (
            f"{self.read:,} bytes have become {self._size:,}, which is taken for a "
            "decompression bomb"
        )
        return SourceError(
            self.name, f"{problem}; if it is none, unpack it yourself and give what was in it"
        )

    def _done(self) -> str:
        return (
            f"{self._lines:,} lines and {self._size:,} bytes of text"
            if self._lines
            else f"{self._size:,} bytes of content"
        )

    def _broken(self, problem: str) -> SourceError:
        return SourceError(
            self.name, f"{problem} {self._done()}; copy, download or compress the file again"
        )

    def _decompressed(self, file: _Counted) -> io.BufferedReader:
        head = file.head
        plain: io.BufferedReader = io.BufferedReader(file, BUFFER)
        self._counted: _Counted | multistream.Reader = file
        packing = packing_of(head)
        self._compression = packing.name if packing else ""
        if packing:
            content = READERS[packing.name](plain, self.name)
            if isinstance(content, multistream.Reader):
                self._counted = content  # it reads far ahead
            plain = io.BufferedReader(content, BUFFER)
        return plain


class _Again(io.RawIOBase):
    """What was read of a file already, and then the rest of it."""

    def __init__(self, begin: bytes, file: io.BufferedReader) -> None:
        self._begin, self._file = io.BytesIO(begin), file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if count := self._begin.readinto(buffer):
            return count
        # Not readinto1, which reads on behind what is at hand, and loses that where it fails.
        content = self._file.read1(len(buffer))
        buffer[: len(content)] = content
        return len(content)


class Content:
    """The content of a stream, for libraries that want a file to read on in."""

    def __init__(self, stream: Stream) -> None:
        self.read, self.tell = stream.take, stream.tell


class _Counted(io.RawIOBase):
    """A file that counts what was read of it, and knows its first bytes before anyone has read
    them.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self.head = b""
        while len(self.head) < _HEAD and (more := self._file.read1(_HEAD - len(self.head))):
            self.head += more
        self._ahead = self.head
        self.count = 0

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Seek as in any file; what is passed over is counted."""
        self._ahead, self.count = b"", self._file.seek(offset, whence)
        return self.count

    def tell(self) -> int:
        return self.count

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


def seekable(source: str) -> IO[bytes]:
    """Return the content of the file `source` for reading at any place; that of a packed file, of
    standard input, of pipes and of what has no ranges is kept in a temporary file. Raises
    SourceError.
    """
    if is_regular(source):
        try:
            if not packing_of(begin_of(source, _HEAD)):
                file = source.seekable() if isinstance(source, Elsewhere) else open(source, "rb")
                if file:
                    return file
        except OSError as error:
            raise SourceError(source, f"cannot be read: {error.strerror or error}") from error
    return _copied(source, tempfile.TemporaryFile)


@contextlib.contextmanager
def on_disk(source: str) -> Iterator[str]:
    """Give the path of a file with the content of a source, for libraries that open paths alone."""
    if not isinstance(source, Elsewhere):
        yield source
        return
    with _copied(source, tempfile.NamedTemporaryFile) as copy:
        yield copy.name


def _copied(source: str, new: Callable[[], IO[bytes]]) -> IO[bytes]:
    """Return a temporary file, which new() makes, with the content of a source."""
    with Stream(source, text=False) as stream, contextlib.ExitStack() as failed:
        try:
            copy = failed.enter_context(new())
            while block := stream.take(_STEP):
                copy.write(block)
            copy.seek(0)
        except OSError as error:
            raise no_room(source, error) from error
        failed.pop_all()
    return copy
