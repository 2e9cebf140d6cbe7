"""What archives share: which of their files become documents, and how far a file may expand.

Nothing is unpacked to disk.
"""

from __future__ import annotations

import os
import re

from pocketindex.builder.document import Skip, Unfit
from pocketindex.builder.inputs.opening.stream import EXPANSION
from pocketindex.builder.inputs.pages.single import FILE_BYTES, SUFFIXES
from pocketindex.builder.inputs.source import SourceError

OTHER_KIND = "other kind: "  # how the reason begins why a file is left out, before its suffix
_SUFFIX = 8  # characters of a suffix, or it is none
GIVES = "an archive gives texts, Markdown, HTML, EPUB, PDF and office files"
LEAST_BOMB = 1 << 20  # bytes: a file that has as many, and expands more than EXPANSION, is left out

_DRIVE = re.compile(r"[A-Za-z]:")


def id_of(name: str) -> str | None:
    """Return the id of the file with this name in an archive, which is its path; None where it is
    no document (see SUFFIXES) or hidden.

    Raises Unfit "unsafe name" for one that leads out of the archive: it could not be told from the
    files of others.
    """
    if not name.lower().endswith(SUFFIXES):
        return None
    path = name.replace("\\", "/")
    parts = _parts(path)
    if path.startswith("/") or ".." in parts or _DRIVE.match(path):
        raise Unfit(
            "unsafe name", "its name leads out of the archive; pack it with names below one folder"
        )
    return None if is_hidden(name) else "/".join(parts)


def is_hidden(name: str) -> bool:
    """Return whether the name of a file, or of a folder that it is in, begins with a dot."""
    return any(part.startswith(".") for part in _parts(name.replace("\\", "/")))


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def other_kind(name: str, place: str, gives: str) -> Skip:
    """Skip a file of a folder or archive, because it is nothing that such a one gives."""
    suffix = os.path.splitext(name)[1].lower()
    reason = OTHER_KIND + (suffix if 1 < len(suffix) <= _SUFFIX else "no suffix")
    return Skip(place, reason, f"{gives}; where it is a source of another kind, give it by itself")


def check_size(size: int) -> None:
    """Raise Unfit where a file of so many bytes is too long for a document."""
    if size > FILE_BYTES:
        raise Unfit("too long", f"the file has {size:,} bytes, expected at most {FILE_BYTES:,}")


def check_expansion(packed: int, size: int) -> None:
    """Raise Unfit where so many bytes have become `size`, which no text does."""
    if size > max(LEAST_BOMB, EXPANSION * packed):
        raise Unfit(
            "bomb",
            (
                f"{packed:,} bytes become {size:,} or more, {EXPANSION} times as many at most are "
                "expected of text"
            ),
        )


def check_any(source: str, fitting: int, files: int, example: str) -> None:
    """Raise SourceError where an archive has files, and none that becomes a document."""
    if files and not fitting:
        raise SourceError(
            source,
            (
                f"none of its {files:,} files ({example!r} ...) ends in {', '.join(SUFFIXES)}; "
                "unpack "
                "it and give what is in it"
            ),
        )
