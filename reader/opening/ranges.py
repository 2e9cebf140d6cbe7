"""Read ranges of bytes of a pocket file that is not on a disc of this machine: from an address or a
file object.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from pocketindex.addresses import masked_address
from pocketindex.errors import FileChanged, NotReachable
from pocketindex.opening.failures import WEB, failure, system_options

Range = tuple[int, int]  # offset and length

_WHOLE = 16_000_000  # bytes of a file that is read whole where a server sends no ranges
_FIRST = 16_384  # bytes that are read together with the header
_TOGETHER = 6  # ranges that are asked for at once, as browsers do


class Ranges(Protocol):
    """The bytes of a file. name: the name in messages; size: in bytes; first: the first bytes."""

    name: str
    size: int
    first: bytes

    def read(self, ranges: Sequence[Range]) -> list[bytes]:
        """Return the bytes of each range, which lies within the file. Raises NotReachable,
        FileChanged, OSError.
        """


class FileRanges:
    """The bytes of a seekable binary file object, which stays open."""

    def __init__(self, file: Any) -> None:
        self._file, self._lock = file, threading.Lock()
        name = getattr(file, "name", "")
        self.name = name if isinstance(name, str) and name else "<file object>"
        try:
            self.size = int(file.seek(0, io.SEEK_END))
            self.first = self.read([(0, min(self.size, _FIRST))])[0]
        except (AttributeError, io.UnsupportedOperation) as error:
            raise ValueError(
                f"{self.name}: it cannot be read at any place, as an index is; give its bytes, or "
                "the path of a file"
            ) from error
        if not isinstance(self.first, bytes):
            raise TypeError(
                f"{self.name}: reading it gives {type(self.first).__name__}; open it in binary mode"
            )

    def read(self, ranges: Sequence[Range]) -> list[bytes]:
        with self._lock:  # a place and a read belong together
            return [self._at(offset, length) for offset, length in ranges]

    def _at(self, offset: int, length: int) -> bytes:
        self._file.seek(offset)
        content: bytes = self._file.read(length)
        while len(content) < length:  # of a stream that gives what it has
            more = self._file.read(length - len(content))
            if not more:
                raise FileChanged(self.name)
            content += more
        return content


class AddressRanges:
    """The bytes of a file at an address: https://, s3:// or any other that fsspec reads.

    whole: all bytes, if they are few and the server sends no ranges; else None.
    """

    def __init__(self, url: str) -> None:
        self.name, self._url = masked_address(url), url
        self.whole: bytes | None = None
        self._scheme = url.partition("://")[0].lower()
        with self._told():
            from fsspec.core import url_to_fs

            self._system, self._path = url_to_fs(url, **system_options(self._scheme))
        if self._scheme in WEB:
            self._begin_of_web()
        else:
            with self._told():
                self.size = int(self._system.info(self._path)["size"])
            self.first = self.read([(0, min(self.size, _FIRST))])[0] if self.size else b""

    def _begin_of_web(self) -> None:
        """Request the first bytes; the answer of the server has the size."""
        from fsspec.asyn import sync

        with self._told():
            said, self.first = sync(self._system.loop, self._first_answer)
        if said is None:
            raise NotReachable(
                self.name,
                "its server sends no byte ranges, and the file is too large to be read whole (more "
                f"than {_WHOLE:,} bytes, or the server does not say how many); have it send "
                "ranges, or download the file and give its path",
            )
        self.size = said
        self.whole = self.first if len(self.first) == said else None

    async def _first_answer(self) -> tuple[int | None, bytes]:
        """Return the size and the first bytes, or all where they come without a range; without a
        size nothing more of the answer is read.
        """
        session = await self._system.set_session()
        options = dict(self._system.kwargs)
        options["headers"] = {**options.get("headers", {}), "Range": f"bytes=0-{_FIRST - 1}"}
        async with session.get(self._system.encode_url(self._path), **options) as answer:
            if answer.status == 416:  # there is no first byte
                return 0, b""
            answer.raise_for_status()
            if answer.status == 206:
                total = answer.headers.get("Content-Range", "").rpartition("/")[2]
                return int(total) if total.isdecimal() else None, await answer.read()
            if (answer.content_length or _WHOLE + 1) > _WHOLE:
                return None, b""
            content = await answer.read()
            return len(content), content

    def read(self, ranges: Sequence[Range]) -> list[bytes]:
        starts, ends = [start for start, _ in ranges], [start + length for start, length in ranges]
        together = {"batch_size": _TOGETHER} if self._system.async_impl else {}
        with self._told():
            found: list[bytes] = self._system.cat_ranges(
                [self._path] * len(starts), starts, ends, on_error="raise", **together
            )
        for content, (_, length) in zip(found, ranges, strict=True):
            if len(content) != length:
                raise NotReachable(
                    self.name,
                    f"a range of {length:,} bytes was asked for, and {len(content):,} came; open "
                    "it again, or download it and give its path",
                )
        return found

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn an error of a file system into a NotReachable. Its cause is left out, because it may
        have the address with a secret in it.
        """
        try:
            yield
        except Exception as error:
            raise NotReachable(self.name, failure(error, self._scheme, self._url).problem) from None
