"""What archives share: which of their files become documents, and how far a file may expand. Nothing is unpacked to disk."""

from __future__ import annotations

import re

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.single import FILE_BYTES, SUFFIXES
from pocketindex.builder.inputs.source import EXPANSION, SourceError

LEAST_BOMB = 1 << 20  # bytes: a file that has as many, and expands more than EXPANSION, is left out

_DRIVE = re.compile(r"[A-Za-z]:")


def id_of(name: str) -> str | None:
    """The id of the file with this name in an archive, which is its path; None where it is no document (see SUFFIXES) or hidden.

    Raises Unfit "unsafe name" for one that leads out of the archive: it could not be told from the files of others.
    """
    if not name.lower().endswith(SUFFIXES):
        return None
    path = name.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or _DRIVE.match(path):
        raise Unfit("unsafe name", "its name leads out of the archive; pack it with names below one folder")
    return None if any(part.startswith(".") for part in parts) else "/".join(parts)


def check_size(size: int) -> None:
    """Raise Unfit where a file of so many bytes is too long for a document."""
    if size > FILE_BYTES:
        raise Unfit("too long", f"the file has {size:,} bytes, expected at most {FILE_BYTES:,}")


def check_expansion(packed: int, size: int) -> None:
    """Raise Unfit where so many bytes have become `size`, which no text does."""
    if size > max(LEAST_BOMB, EXPANSION * packed):
        raise Unfit("bomb", f"{packed:,} bytes become {size:,} or more, {EXPANSION} times as many at most are expected of text")


def check_any(source: str, fitting: int, files: int, example: str) -> None:
    """Raise SourceError where an archive has files, and none that becomes a document."""
    if files and not fitting:
        raise SourceError(
            source, f"none of its {files:,} files ({example!r} ...) ends in {', '.join(SUFFIXES)}; unpack it and give what is in it"
        )
