"""Open a pocket file in the core, wherever its bytes are."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from typing import IO, Any, NamedTuple, TypeAlias

from pocketindex.addresses import is_address
from pocketindex.arguments import check_type, file_of, short
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

# What an index is opened from.
File: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]"

MANIFEST = "manifest.json"  # in a folder of shards
_BYTES = "<bytes>"  # in messages


class Opened(NamedTuple):
    """An open file. handle: the core's, which is closed with the last reference to it; name: the
    name in messages; again: opens the file once more, or None if nothing can; is_far: whether each
    read takes long; content: what has to stay in memory as long as the handle.
    """

    handle: Any
    name: str
    again: Any
    is_far: bool = False
    content: Any = None


def listed(files: File | Iterable[File]) -> list[File]:
    """Return one file or several as a list. Raises TypeError for anything else."""
    if isinstance(files, str | os.PathLike | bytes | bytearray | memoryview | IO):
        return [files]
    if hasattr(files, "read"):
        return [files]  # type: ignore[list-item]  # IO is a protocol by its methods alone
    check_type("files", files, Iterable, "a file, or a list of them")
    return list(files)


def open_file(file: File) -> Opened:
    """Open a file in the core. Raises the errors of Index."""
    if isinstance(file, bytes | bytearray | memoryview):
        return _of_bytes(bytes(file), _BYTES, is_far=False)
    if not isinstance(file, str | os.PathLike):
        if not hasattr(file, "read"):
            expected = "a path, bytes, a binary file object or an address"
            check_type("file", file, str | os.PathLike, expected)
        from pocketindex.opening.pieces import open_in_pieces  # what opens a path waits for neither
        from pocketindex.opening.ranges import FileRanges

        of_file = FileRanges(file)
        return Opened(open_in_pieces(of_file), of_file.name, None)
    if isinstance(file, str) and is_address(file):
        scheme, _, rest = file.partition("://")
        if scheme.lower() not in ("file", "local"):
            return _of_address(file)
        from urllib.request import url2pathname

        return _of_path(url2pathname(rest.removeprefix("localhost")))
    return _of_path(file)


def _of_address(url: str) -> Opened:
    from pocketindex.opening.pieces import open_in_pieces
    from pocketindex.opening.ranges import AddressRanges

    ranges = AddressRanges(url)
    if ranges.whole is not None:
        return _of_bytes(ranges.whole, ranges.name, is_far=False)._replace(again=url)
    return Opened(open_in_pieces(ranges), ranges.name, url, is_far=True)


def _of_bytes(content: bytes, name: str, *, is_far: bool) -> Opened:
    out, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    kept = ffi.from_buffer("uint8_t[]", content)
    check(lib.pocket_open(kept, len(content), out, error), error, name)
    return Opened(ffi.gc(out[0], lib.pocket_close), name, content, is_far, kept)


def _of_path(path: Any) -> Opened:
    name = file_of("path", path, "an index", "a pocket file")
    if os.path.isdir(name):
        raise IsADirectoryError(errno.EISDIR, found_in(name), name)
    try:  # Python's own error for a missing file says it best
        with open(name, "rb"):
            pass
    except OSError as missing:
        if missing.errno != errno.ENAMETOOLONG:
            raise
        raise OSError(missing.errno, missing.strerror, short(name)) from None  # no name, a text
    out, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    check(lib.pocket_open_path(os.fsencode(name), out, error), error, name)
    return Opened(ffi.gc(out[0], lib.pocket_close), name, os.path.abspath(name))


def found_in(folder: str) -> str:
    """Return the problem with a folder that is given as a pocket file."""
    if os.path.isfile(os.path.join(folder, MANIFEST)):
        return (
            "expected one pocket file, found a folder of shards; give one of its files, make one "
            "of them with `pocketindex merge`, or in Python ask them with open_many"
        )
    return "expected a pocket file, found a folder; give the name of a file in it"
