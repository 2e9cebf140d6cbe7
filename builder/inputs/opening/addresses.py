"""Addresses as sources: https://, s3:// and whatever else fsspec reads.

fsspec and what it needs are imported when a source is an address, and not before.
"""

from __future__ import annotations

import contextlib
import functools
import io
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from pocketindex.addresses import is_address, masked_address
from pocketindex.builder.inputs.opening.elsewhere import BUFFER, Elsewhere, Unreachable
from pocketindex.builder.inputs.source import NeedsPackage, SourceError, needed
from pocketindex.opening.failures import WEB, failure, system_options

_KINDS = {"package": NeedsPackage, "passes": Unreachable, "stays": SourceError}
# What stands behind the path of a file: a version of it.
_VERSIONS = {"s3": r"\?versionId=.*\Z", "s3a": r"\?versionId=.*\Z", "gs": r"#\d+\Z"}
# What file systems tell of a file that changes with its content, the surest first.
_TAGS = (
    *("ETag", "etag", "md5Hash", "Content-MD5", "Digest", "blob_id", "checksum", "crc32c"),
    *("content_md5", "Last-Modified", "LastModified", "last_modified", "mtime", "updated"),
    "created",
)
_HEAD = 1 << 16  # bytes that are kept of the beginning
_PATTERN = re.compile(r"[*\[]")


def located(source: str) -> str:
    """Return a source, as an Address where it is one, and the path that a file:// address names."""
    if isinstance(source, Elsewhere) or not is_address(source):
        return source
    scheme, _, rest = source.partition("://")
    if scheme.lower() in ("file", "local") and (path := _local(rest)):
        return path
    return Address(source)


def _local(rest: str) -> str:
    from urllib.request import url2pathname  # which loads the reading of mail

    host, slash, path = rest.partition("/")
    return url2pathname(slash + path) if host in ("", "localhost") else ""


class Address(Elsewhere):
    """The address of a file, a folder or a pattern, as `url`; as a string it is masked."""

    url: str
    scheme: str
    _known: dict[str, Any] | None
    _head: bytes | None

    def __new__(cls, url: str, info: dict[str, Any] | None = None) -> Address:
        """info: what the file system says of it, where that is known."""
        self = str.__new__(cls, masked_address(url))
        self.url, self._known, self._head = url, info, None
        self.scheme = url.partition("://")[0].lower()
        path = self._path()
        self.file_name = posixpath.basename(path.rstrip("/"))
        return self

    def _path(self) -> str:
        if self.scheme in WEB:
            return unquote(urlsplit(self.url).path)
        path = self.url.partition("://")[2]
        return re.sub(_VERSIONS.get(self.scheme, r"\Z"), "", path)

    @functools.cached_property
    def _system(self) -> tuple[Any, str]:
        """The file system of fsspec, and the path in it."""
        core = needed("fsspec.core", "url", self, f"it is an address ({self.scheme}://)")
        with self._told():
            system, path = core.url_to_fs(self.url, **system_options(self.scheme))
        return system, path

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Make what file systems raise a SourceError. Its cause is left out: it may have the
        address with what is secret in it.
        """
        try:
            yield
        except SourceError:
            raise
        except Exception as error:
            kind, problem = failure(error, self.scheme, self.url)
            raise _KINDS[kind](self, problem) from None

    @property
    def info(self) -> Mapping[str, Any]:
        """What the file system says of the file."""
        if self._known is None:
            system, path = self._system
            with self._told():
                self._known = dict(system.info(path))
        return self._known

    @property
    def size(self) -> int | None:
        """The size in bytes, None where the server does not tell, and of a folder."""
        size = None if self.is_folder else self.info.get("size")
        return None if size is None else int(size)

    def refresh(self) -> None:
        """Forget what is known of the file, which may have changed."""
        self._known = self._head = None
        self._system[0].invalidate_cache()

    @property
    def tag(self) -> str | None:
        """What changes with the content of the file, where the file system tells that."""
        found = (str(value) for name in _TAGS if (value := self.info.get(name)) is not None)
        return next(found, None)

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder; of a web server, whether its path ends in a slash."""
        if self.scheme in WEB:
            return urlsplit(self.url).path.endswith("/") or not urlsplit(self.url).path
        return self.info.get("type") == "directory"

    def open(self) -> io.BufferedReader:
        """Return its bytes, to be read once: over HTTP in one request, which any server answers."""
        system, path = self._system
        more = {"block_size": 0} if self.scheme in WEB else {}
        size = self.size
        with self._told():
            file = system.open(path, "rb", **more, **({"size": size} if size and more else {}))
        return io.BufferedReader(_Reading(self, file, size), BUFFER)

    def seekable(self) -> IO[bytes] | None:
        """Return its bytes for reading at any place, by ranges; None where the server has none."""
        system, path = self._system
        size = self.size
        if size is None or self.info.get("partial") is False:
            return None
        with self._told():
            file = system.open(path, "rb")
            if self.scheme in WEB and size:
                try:
                    file.seek(size - 1)
                    file.read(1)
                except ValueError:  # no ranges, which it did not say before
                    file.close()
                    return None
                file.seek(0)
        return io.BufferedReader(_Reading(self, file, size), BUFFER)

    def begin(self, size: int) -> bytes:
        """Return the first bytes, at most 64 KiB; they are fetched once."""
        if self._head is None:
            with self.open() as file:
                self._head = file.read(_HEAD)
        return self._head[:size]

    def files(self) -> dict[str, Address]:
        """Return the files below a folder by their paths there."""
        system, path = self._system
        root = path.rstrip("/") + "/"
        with self._told():
            found = system.find(path, detail=True)
            if not found:
                system.ls(path, detail=False)  # which says what is wrong
        below = dict[str, Address]()
        for place, info in found.items():
            name = place[len(root) :]
            if not place.startswith(root) or place.endswith("/") or not name:
                continue
            if self.scheme in WEB:
                if "?" in name or "#" in name:
                    continue  # a page of the server's that sorts the folder
                name = unquote(name)
            below[name] = self._at(place, None if self.scheme in WEB else info)
        return below

    def is_pattern(self) -> bool:
        """Return whether it stands for many, and not for a file of this very name."""
        if not _PATTERN.search(self._path()):
            return False
        if self.scheme in WEB:
            return True
        system, path = self._system
        with self._told():
            return not system.exists(path)

    def matching(self) -> list[Address]:
        """Return the files and folders that match a pattern, sorted, without hidden ones."""
        system, path = self._system
        with self._told():
            found = system.glob(path, detail=True)
        begin = len(path[: _PATTERN.search(path).start()].rpartition("/")[0])  # type: ignore[union-attr]
        shows = "/." in path[begin:]
        known = self.scheme not in WEB
        return [
            self._at(place, found[place] if known else None)
            for place in sorted(found)
            if shows or "/." not in place[begin:]
        ]

    def _at(self, place: str, info: dict[str, Any] | None) -> Address:
        """Return the address of what the file system calls so."""
        system, _ = self._system
        other = Address(place if "://" in place else f"{self.scheme}://{place.lstrip('/')}", info)
        other.__dict__["_system"] = (system, place)
        return other


class _Reading(io.RawIOBase):
    """The bytes of a file at an address. An end before the last of `size` bytes is an error."""

    def __init__(self, address: Address, file: Any, size: int | None) -> None:
        self._address, self._file, self._size = address, file, size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._size is not None and bool(self._file.seekable())

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        with self._address._told():
            self._at = self._file.seek(offset, whence)
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        with self._address._told():
            content = self._file.read(len(buffer)) or b""
        buffer[: len(content)] = content
        self._at += len(content)
        if not content and self._size is not None and self._at < self._size:
            raise Unreachable(
                self._address,
                f"ends early: expected {self._size:,} bytes, found {self._at:,}; run again, or "
                "download it and give the file",
            )
        return len(content)

    def close(self) -> None:
        if not self.closed:
            with contextlib.suppress(Exception):
                self._file.close()
        super().close()
