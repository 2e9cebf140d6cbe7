"""How each packing of pocketindex.kinds is unpacked."""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any

from pocketindex.builder.inputs.opening import multistream
from pocketindex.builder.inputs.opening.unpacked import Unpacked
from pocketindex.builder.inputs.source import needed

_ZSTD, _ZSTD_SKIPPED, _ZSTD_DICTIONARY = (
    b"\x28\xb5\x2f\xfd",
    b"\x5d\x2a\x4d\x18",
    b"\x37\xa4\x30\xec",
)
_MOST_DICTIONARY = 1 << 24  # bytes
# A block of 4 bytes can stand for 128 KiB, and a call of zstd's decompressor gives all that its
# input stands for.
_PACKED_CHUNK = 4096
_ZSTD_WINDOW = (
    1 << 31
    # there are dumps with the largest one; it takes what has been decompressed, which has a bound
    # for bombs
)
_XZ_MEMORY = 1 << 28  # of its strongest setting four times
_WITH_HEADER = 31  # zlib's number for gzip with the largest window
BUFFER = 1 << 18  # bytes read ahead of what is asked for


class TooMuchMemory(OSError):
    """Raised where packed data asks for more memory than it may have."""


class _Frames(Unpacked):
    """The content of compressed frames, one after another.

    Unlike the readers of the libraries it tells the end of the data (EOFError) from the end of a
    frame, and what follows a frame and is none from nothing. frame: makes a decompressor of one
    frame; bound: what its decompress takes after the data, to give less at once.
    """

    def __init__(
        self,
        file: io.BufferedReader,
        frame: Callable[[], Any],
        errors: type[Exception],
        bound: tuple[int, ...] = (),
    ) -> None:
        self._file = file
        self._new = frame
        self._errors = errors
        self._bound = bound
        self._frame: Any = None
        self._rest = b""

    def _next(self) -> bytes | None:
        waiting = self._bound and self._frame is not None and not self._frame.needs_input
        chunk = b"" if waiting else self._rest or self._file.read(_PACKED_CHUNK)
        if not chunk and not waiting:
            if self._frame is not None:
                raise EOFError
            return None
        self._rest = b""
        return self._decompress(chunk)

    def _decompress(self, chunk: bytes) -> bytes:
        if self._frame is None:
            self._frame = self._new()
        try:
            content: bytes = self._frame.decompress(chunk, *self._bound)
        except self._errors as error:
            raise (TooMuchMemory if "memory" in str(error).lower() else OSError)(
                str(error)
            ) from error
        if self._frame.eof:
            self._rest, self._frame = self._frame.unused_data, None
        return content


class _PaddedFrames(_Frames):
    """A file of gzip or xz, which may have zeros after a frame."""

    def _decompress(self, chunk: bytes) -> bytes:
        if self._frame is None:
            chunk = chunk.lstrip(b"\0")
        return super()._decompress(chunk) if chunk or self._frame is not None else b""


def _zstd(file: io.BufferedReader, name: str) -> _Frames:
    zstandard = needed("zstandard", "zst", name, "it is compressed with zstd")
    words = _dictionary(file, zstandard)
    try:
        frames = zstandard.ZstdDecompressor(words, max_window_size=_ZSTD_WINDOW)
    except zstandard.ZstdError as error:
        raise OSError(f"its dictionary: {error}") from error
    return _Frames(file, frames.decompressobj, zstandard.ZstdError)


def _dictionary(file: io.BufferedReader, zstandard: Any) -> Any:
    """Return the dictionary that a WARC file of zstd frames begins with, None if it has none.

    It is in a skippable frame, compressed or not
    (https://iipc.github.io/warc-specifications/specifications/warc-zstd/). Such a frame that holds
    something else is passed over.
    """
    if not file.peek(4).startswith(_ZSTD_SKIPPED):
        return None
    size = int.from_bytes(file.read(8)[4:], "little")
    content = file.read(min(size, _MOST_DICTIONARY))
    while size > _MOST_DICTIONARY and file.read(min(size - _MOST_DICTIONARY, BUFFER)):
        size -= BUFFER
    try:
        if content.startswith(_ZSTD):
            with zstandard.ZstdDecompressor().stream_reader(content) as reader:
                content = reader.read(_MOST_DICTIONARY)
    except zstandard.ZstdError as error:
        raise OSError(f"its dictionary: {error}") from error
    if not content.startswith(_ZSTD_DICTIONARY):
        return None
    return zstandard.ZstdCompressionDict(content)


# What reads the content of each packing, given the file and its name for messages.
READERS: dict[str, Callable[[io.BufferedReader, str], Any]] = {
    "gzip": lambda file, name: _PaddedFrames(
        file, lambda: zlib.decompressobj(_WITH_HEADER), zlib.error
    ),
    "bzip2": lambda file, name: multistream.Reader(file, multistream.index_beside(name)),
    "xz": lambda file, name: _PaddedFrames(
        file, lambda: lzma.LZMADecompressor(memlimit=_XZ_MEMORY), lzma.LZMAError, (BUFFER,)
    ),
    "zstd": _zstd,
}
