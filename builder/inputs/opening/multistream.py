"""bzip2 files of many streams one after the other, as the dumps of Wikipedia are: several streams
are decompressed at once.

Where a stream begins is said by the index beside the dump, else by its magic number, which is
looked for; a number that stands in a stream by chance only means that its pieces are decompressed
one after the other. A file of a single stream is read like any other.
"""

from __future__ import annotations

import bz2
import io
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

from pocketindex.builder.inputs.opening.unpacked import Unpacked

# The head of a stream and of its first block, which begins a byte only there.
_BEGINS = re.compile(rb"BZh[1-9]1AY&SY")
_MAGIC_BYTES = 10
_READ = 1 << 20
# A stream of a hundred pages has less; of a longer one the rest is decompressed as it is asked for,
# so that memory has a bound.
_PIECE = 1 << 22
_CONTENT = 1 << 23
# Bytes that are decompressed at once. What follows a stream is copied when it ends, and a stream
# may have 14 bytes.
_FIRST_CHUNK, _CHUNK = 1 << 12, 1 << 18
THREADS = min(16, os.cpu_count() or 1)


class Streams:
    """Streams one after the other, whose bytes come in pieces of any size; offset: in the file, of
    the next byte.
    """

    def __init__(self, offset: int, data: bytes) -> None:
        self.offset = self._begin = offset
        self.feed(data)
        self._stream: bz2.BZ2Decompressor | None = None

    @property
    def whole(self) -> bool:
        """Whether no stream is under way."""
        return self._stream is None

    def feed(self, data: bytes) -> None:
        """Take more bytes, once `take` has given nothing."""
        self._data, self._place = memoryview(data), 0

    def take(self, most: int) -> bytes:
        """Return the next content, at most so many bytes; nothing when more bytes are needed.

        Raises OSError for what is no stream.
        """
        content = b""
        while not content and (
            self._place < len(self._data) or not (self._stream is None or self._stream.needs_input)
        ):
            size = _CHUNK if self._stream else _FIRST_CHUNK
            if self._stream is None:
                self._stream, self._begin = bz2.BZ2Decompressor(), self.offset
            chunk = (
                b""
                if not self._stream.needs_input
                else self._data[self._place : self._place + size]
            )
            try:
                content = self._stream.decompress(chunk, most)
            except OSError as error:
                raise OSError(
                    f"the bzip2 stream that begins at byte {self._begin:,}: {error}"
                ) from error
            used = len(chunk) - len(self._stream.unused_data)
            self._place, self.offset = self._place + used, self.offset + used
            if self._stream.eof:
                self._stream = None
        return content


@dataclass
class _Piece:
    """A piece of the file; begins: a stream, so that it may be decompressed before those before it
    are.
    """

    offset: int
    data: bytes
    begins: bool


class Reader(Unpacked):
    """The content of `file`, in order, the same for any number of THREADS.

    offsets: where streams begin, rising, if that is known. Reading raises EOFError where the last
    stream has no end, OSError where one is damaged, both after all that comes before.
    """

    def __init__(self, file: io.BufferedReader, offsets: Iterable[int] | None = None) -> None:
        self._pool, self._ahead = ThreadPoolExecutor(THREADS), THREADS + 1
        self._streams = Streams(0, b"")
        self._contents = self._in_order(
            _cut_at(file, offsets) if offsets is not None else _cut(file)
        )

    @property
    def count(self) -> int:
        """The bytes of the file whose content has been asked for; more may have been read."""
        return self._streams.offset

    def _next(self) -> bytes | None:
        return next(self._contents, None)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        super().close()

    def _in_order(self, pieces: Iterator[_Piece]) -> Iterator[bytes]:
        """Yield the contents of the pieces, of which so many are under way at once."""
        under_way: deque[tuple[_Piece, Future[tuple[Streams, bytes]] | None]] = deque()
        failure: OSError | None = None
        while True:
            while failure is None and len(under_way) < self._ahead:
                try:
                    piece = next(pieces, None)
                except OSError as error:  # comes after the contents of the pieces before
                    failure = error
                    break
                if piece is None:
                    break
                under_way.append(
                    (piece, self._pool.submit(_begin, piece) if piece.begins else None)
                )
            if not under_way:
                break
            piece, begun = under_way.popleft()
            if self._streams.whole and begun is not None:
                self._streams, content = begun.result()
                yield content
            else:
                self._streams.feed(piece.data)
            while content := self._streams.take(_CONTENT):
                yield content
        if failure is not None:
            raise failure
        if not self._streams.whole:
            raise EOFError


def _begin(piece: _Piece) -> tuple[Streams, bytes]:
    streams = Streams(piece.offset, piece.data)
    return streams, streams.take(_CONTENT)


def _cut(file: io.BufferedReader) -> Iterator[_Piece]:
    """Cut where a stream seems to begin, and wherever a piece gets long."""
    data = bytearray()
    offset = 0
    begins = True
    searched = 1
    while more := file.read(_READ):
        data += more
        while True:
            found = _BEGINS.search(data, searched)
            end = found.start() if found else len(data) - _MAGIC_BYTES if len(data) > _PIECE else 0
            if not end:
                break
            yield _Piece(offset, bytes(data[:end]), begins)
            del data[:end]
            offset += end
            begins = found is not None
            searched = 1
        searched = max(1, len(data) - _MAGIC_BYTES + 1)
    if data:
        yield _Piece(offset, bytes(data), begins)


def _cut_at(file: io.BufferedReader, offsets: Iterable[int]) -> Iterator[_Piece]:
    """Cut at the offsets, and wherever a piece gets long."""
    offset, begins = 0, True
    for end in chain(offsets, [None]):
        while end is None or offset < end:
            data = file.read(_PIECE if end is None else min(_PIECE, end - offset))
            if not data:
                return
            if offset and begins and not data.startswith(b"BZh"):
                raise OSError(
                    f"its index says that a stream begins at byte {offset:,}, where none does; "
                    "remove the index of another dump"
                )
            yield _Piece(offset, data, begins)
            offset, begins = offset + len(data), False
        begins = begins or offset == end


def index_beside(path: str) -> Iterator[int] | None:
    """Return where streams begin, by the index that is published with the dump at `path`; None
    where it does not lie in the same folder.

    Reading it raises OSError for what is no index.
    """
    folder, name = os.path.split(path)
    if "multistream" not in name:
        return None
    index = name.replace("multistream", "multistream-index", 1).replace(".xml", ".txt", 1)
    for candidate in (index, index.removesuffix(".bz2")):
        if candidate != name and os.path.isfile(os.path.join(folder, candidate)):
            return _offsets(os.path.join(folder, candidate))
    return None


def _offsets(path: str) -> Iterator[int]:
    """Yield the first field of each line: offset:page id:title."""
    try:
        with (
            bz2.open(path) if path.endswith(".bz2") else open(path, "rb") as file,
            io.BufferedReader(file, _READ) as lines,
        ):
            for number, line in enumerate(lines, 1):
                offset = line.partition(b":")[0]
                if not offset.isdigit() or len(offset) > 18:
                    raise OSError(f"line {number:,}: expected offset:id:title")
                yield int(offset)
    except (OSError, EOFError) as error:
        raise OSError(
            f"its index {os.path.basename(path)}: {error}; remove or replace it"
        ) from error
