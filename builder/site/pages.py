"""The files of a site that may be pages, read or taken from the cache."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pocketindex.builder.site import html_page
from pocketindex.builder.site.cache import Cache
from pocketindex.builder.site.linking import has_related, without_related

TARGET = "_pocketindex"
SEARCHES = frozenset([TARGET, "pagefind", "_pagefind"])  # folders that searches have written
PAGES = re.compile(r"\.html?$", re.IGNORECASE)
_PLAIN = re.compile(r"[\w./-]*", re.ASCII)


@dataclass(slots=True)
class Page:
    """A file. path: below the site, with slashes; address: of it as a page; key: the checksum of
    its bytes; id: of its texts and words in the cache; said: as Record has it, no longer as
    JSON.
    """

    path: str
    address: str
    key: bytes
    id: int
    said: dict[str, Any]


def address_of(path: str) -> str:
    """Return the address of a file below the site, percent-encoded, without a last index.html."""
    folder, _, name = path.rpartition("/")
    shown = f"{folder}/" * bool(folder) if name == "index.html" else path
    return shown if _PLAIN.fullmatch(shown) else quote(os.fsencode(shown), safe="/&=+$,;:@!*'()~")


def files_of(site: Path, pattern: str = "") -> Iterator[tuple[str, str]]:
    """Yield the files that may be pages, in order, each with the reason why it is not read, or "".

    pattern: files with matching paths are read, instead of *.html and *.htm in any folder.
    """
    closed = list[OSError]()
    for folder, folders, names in os.walk(site, onerror=closed.append):
        folders[:] = sorted(name for name in folders if name not in SEARCHES)
        below = Path(folder).relative_to(site).as_posix()
        before = "" if below == "." else f"{below}/"
        for name in [name for name in folders if os.path.islink(os.path.join(folder, name))]:
            yield f"{before}{name}/", "link"
        for name in sorted(names):
            chosen = Path(before, name).match(pattern) if pattern else PAGES.search(name)
            if chosen:
                yield before + name, ""
    for error in closed:
        yield f"{Path(error.filename).relative_to(site).as_posix()}/", "unread"


@dataclass
class Reading:
    """How pages are read: selectors of the element that is read and of what is left out."""

    root: str = ""
    exclude: str = ""


def read_page(site: Path, path: str, reading: Reading, cache: Cache) -> tuple[Page, bool]:
    """Return a page, and whether it was parsed: one whose bytes are known is not, and one that
    cannot be read is none.
    """
    address, place = address_of(path), os.path.join(site, path)
    if not os.path.isfile(place):  # which opening might wait for
        return Page(path, address, b"", 0, {"why": "no file"}), False
    try:
        with open(place, "rb") as file:
            content = file.read()
    except OSError as error:
        return Page(path, address, b"", 0, {"why": "unread", "detail": error.strerror}), False
    key = hashlib.sha256(content).digest()
    row = cache.get(address, key)
    related = row is None and has_related(content)
    if related:
        content = without_related(content)
        key = hashlib.sha256(content).digest()
        row = cache.get(address, key)
    parsed = row is None
    if row is None:
        record = html_page.read(
            content, path, address, Path(path).stem, reading.root, reading.exclude, related
        )
        row = cache.put(address, key, record)
    # Each page has the same keys, of which one copy is enough.
    said = {sys.intern(name): value for name, value in json.loads(row.said).items()}
    return Page(path, address, key, row.id, said), parsed
