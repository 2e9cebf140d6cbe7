"""ZIM files, as Kiwix reads them: a document for each HTML article, with libzim and resiliparse."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.archives.archive import check_size
from pocketindex.builder.inputs.pages import html
from pocketindex.builder.inputs.source import (
    STDIN,
    OnBytes,
    OnSkip,
    SourceError,
    needed,
    shown,
    unmeasured,
)

_HTML = ("text/html", "application/xhtml+xml")


def documents(source: str, skip: OnSkip, measure: OnBytes = unmeasured) -> Iterator[Document]:
    """Yield the articles of a ZIM file, in the order of their paths, which are the ids.

    Only HTML entries and redirects count as records. Skipped: "redirect", "unreadable" (damaged),
    "too long", "empty". Raises SourceError where the file is cut short or no ZIM file.
    """
    name = shown(source)
    reader = needed("libzim.reader", "zim", name, "it is a ZIM file")
    needed("resiliparse.parse.html", "zim", name, "it is a ZIM file")
    if source == STDIN or not os.path.isfile(source):
        raise SourceError(
            name, "a ZIM file is read at many places, so it must be a file; save it first"
        )
    try:
        archive = reader.Archive(Path(source))
        count, size = archive.entry_count, os.path.getsize(source)
    except (RuntimeError, OSError, ValueError) as error:
        problem = f"cut short, damaged or no ZIM file ({error})"
        raise SourceError(
            name, f"{problem}: nothing of it can be read; copy or download the file again"
        ) from error
    for number in range(count):
        place = f"{name}:{number}"
        try:
            entry = _entry(archive, number)
            place = f"{name}:{entry.path}"
            document = _document(entry, name)
        except Unfit as unfit:
            skip(Skip(place, unfit.reason, unfit.detail))
        except (RuntimeError, ValueError, LookupError) as error:
            skip(Skip(place, "unreadable", f"damaged: {error}"))
        else:
            if document:
                yield document
        measure(size * (number + 1) // count, size)


def _entry(archive: Any, number: int) -> Any:
    return archive._get_entry_by_id(number)  # there is no other way to all of them


def _document(entry: Any, name: str) -> Document | None:
    if entry.is_redirect:
        raise Unfit("redirect", f"it leads to {entry.get_redirect_entry().path}")
    item = entry.get_item()
    if item.mimetype.partition(";")[0].strip().lower() not in _HTML:
        return None
    check_size(item.size)
    page = html.read(bytes(item.content), name)
    # Without a title of its own an entry has its path as one.
    title = entry.title if entry.title != entry.path else ""
    return Document(entry.path, title or page.title, page.text, lang=page.lang, name=entry.title)
