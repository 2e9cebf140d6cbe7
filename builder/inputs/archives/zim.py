"""Read ZIM files, which Kiwix uses, with libzim: each article or text is a document."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.archives import typed
from pocketindex.builder.inputs.archives.archive import OTHER_KIND, check_size
from pocketindex.builder.inputs.archives.http_response import media_type, parameter
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere, begin_of, is_regular
from pocketindex.builder.inputs.opening.stream import on_disk
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    SourceError,
    needed,
    shown,
    unmeasured,
)
from pocketindex.kinds import BEGIN, packing_of

# Before 2021 a path began with a name space: of articles, and of other files, among them PDFs.
_CONTENT = ("A/", "I/", "J/")


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    options: Options = DEFAULTS,
) -> Iterator[Document]:
    """Yield the articles and texts of a ZIM file, in the order of their paths, which are the ids;
    options: how these are read.

    Every entry counts. Skipped: "redirect", "unreadable" (damaged), "too long", "empty", "other
    kind: image/png" and the like. Raises SourceError where the file is cut short or no ZIM file,
    and in the end where its checksum is wrong.
    """
    name = shown(source)
    reader = needed("libzim.reader", "zim", name, "it is a ZIM file")
    if not is_regular(source):
        raise SourceError(
            name, "a ZIM file is read at many places, so it must be a file; save it first"
        )
    if isinstance(source, Elsewhere) and source.file_name.lower().endswith(".zimaa"):
        raise SourceError(
            name, "it is the first of several files, which are read on a disk; download all of them"
        )
    if packing := packing_of(begin_of(source, BEGIN)):
        raise SourceError(
            name,
            f"it is a ZIM file that is compressed with {packing.name}, and is read at many "
            f"places; unpack it first: {packing.unpack} {shlex.quote(name)}",
        )
    with on_disk(source) as path:
        yield from _documents(reader, path, name, skip, measure, options)


def _documents(
    reader: Any, path: str, name: str, skip: OnSkip, measure: OnBytes, options: Options
) -> Iterator[Document]:
    try:
        archive = reader.Archive(Path(path))
        count, size = archive.entry_count, os.path.getsize(path)
    except (RuntimeError, OSError, ValueError) as error:
        problem = f"cut short, damaged or no ZIM file ({error})"
        raise SourceError(
            name, f"{problem}: nothing of it can be read; copy or download the file again"
        ) from error
    for number in range(count):
        place = f"{name}:{number}"
        try:
            entry = archive._get_entry_by_id(number)  # there is no other way to all of them
            place = f"{name}:{entry.path}"
            document = _document(archive, entry, place, skip, options)
        except Unfit as unfit:
            skip(Skip(place, unfit.reason, unfit.detail))
        except (RuntimeError, ValueError, LookupError) as error:
            skip(Skip(place, "unreadable", f"damaged: {error}"))
        else:
            yield document
        measure(size * (number + 1) // count, size)
    if not _is_whole(archive):
        raise SourceError(
            name, "damaged: its checksum (MD5) does not match; copy or download the file again"
        )


def _is_whole(archive: Any) -> bool:
    try:
        return not archive.has_checksum or bool(archive.check())
    except RuntimeError:
        return False


def _document(archive: Any, entry: Any, place: str, skip: OnSkip, options: Options) -> Document:
    if entry.is_redirect:
        raise Unfit("redirect", f"it leads to {entry.get_redirect_entry().path}")
    if not archive.has_new_namespace_scheme and not entry.path.startswith(_CONTENT):
        raise Unfit(OTHER_KIND + "metadata", "it describes the file")
    item = entry.get_item()
    said = item.mimetype
    typed.check_type(media_type(said))
    check_size(item.size)
    # An entry without a title of its own has its path as one.
    title = entry.title if entry.title != entry.path else ""
    return typed.document(
        bytes(item.content),
        media_type(said),
        parameter(said, "charset"),
        entry.path,
        entry.title,
        place,
        skip,
        options,
        title,
    )
