"""The files of a site that may be pages, read or taken from the cache."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pocketindex.builder.document import Unfit
from pocketindex.builder.site import html_page
from pocketindex.builder.site.cache import Cache, Row
from pocketindex.builder.site.linking import has_related, without_related
from pocketindex.builder.site.texts import cut, having, stored
from pocketindex.builder.site.words import PageWords, page_words

TARGET = "_pocketindex"
SEARCHES = frozenset([TARGET, "pagefind", "_pagefind"])  # folders that searches have written
PAGES = re.compile(r"\.html?$", re.IGNORECASE)
MENU_WORDS = 50
FIRST_BLOCKS, LAST_BLOCKS = 10, 30  # of a page, that a menu may begin with


@dataclass
class Page:
    """A file. path: below the site, with slashes; said: what its head and attributes say, and why
    it is no page; stored: what pieces of texts have of it, a line of JSON for each text; menus:
    checksums of runs of words.
    """

    path: str
    said: dict[str, Any]
    stored: bytes
    words: PageWords
    menus: list[int]

    @property
    def address(self) -> str:
        return address_of(self.path)


def address_of(path: str) -> str:
    """Return the address of a file below the site: percent-encoded, without a last index.html."""
    folder, _, name = path.rpartition("/")
    shown = f"{folder}/" * bool(folder) if name == "index.html" else path
    return quote(shown, safe="/&=+$,;:@!*'()~")


def files_of(site: Path, pattern: str = "") -> Iterator[tuple[str, str]]:
    """Yield the files that may be pages, in order, each with why it is not read, or nothing.

    pattern: of the paths that are read, in place of *.html and *.htm in any folder.
    """
    for folder, folders, names in os.walk(site):
        folders[:] = sorted(name for name in folders if name not in SEARCHES)
        below = Path(folder).relative_to(site)
        for name in [name for name in folders if os.path.islink(os.path.join(folder, name))]:
            yield (below / name).as_posix() + "/", "link"
        for name in sorted(names):
            path = below / name
            chosen = path.match(pattern) if pattern else PAGES.search(name)
            if chosen:
                yield path.as_posix(), ""


@dataclass
class Reading:
    """How pages are read: selectors of the element that is read and of what is left out."""

    root: str = ""
    exclude: str = ""


def read_page(site: Path, path: str, reading: Reading, cache: Cache) -> tuple[Page, bool]:
    """Return a page, and whether it was parsed: one whose bytes are known is not."""
    content = without_related((site / path).read_bytes())
    key = hashlib.sha256(content).digest()
    row = cache.get(path, key)
    parsed = row is None
    if row is None:
        row = _row(content, path, reading)
        cache.put(path, key, row)
    return Page(path, json.loads(row.said), row.stored, row.words, row.menus), parsed


def _row(content: bytes, path: str, reading: Reading) -> Row:
    name = Path(path).stem
    try:
        record = html_page.read(content, path, name, reading.root, reading.exclude)
    except Unfit as unfit:
        record = {"why": unfit.reason, "detail": unfit.detail}
    said = {key: value for key, value in record.items() if key not in _READ}
    said["related"] = has_related(content)
    if "meta" not in record:
        return Row(json.dumps(said), b"", PageWords.none(), [])
    said["title"] = record["meta"]["title"]
    said["empty"] = not any(part[3] for part in record["parts"])
    texts, words = cut(record["parts"]), page_words(record)
    words.texts = having(texts, record["headings"], words)
    blocks = [block for part in record["parts"] for block in part[3].split("\n")]
    return Row(
        json.dumps(said),
        stored(address_of(path), record["meta"], texts),
        words,
        sorted({zlib.crc32(text.encode()) for text in menu_texts(blocks)}),
    )


_READ = frozenset(["meta", "parts", "headings", "weighted"])


def menu_texts(blocks: list[str]) -> Iterator[str]:
    """Yield runs of words that may be those of a menu, from the first and the last blocks on."""
    words = [block.split() for block in blocks]
    last = max(FIRST_BLOCKS, len(blocks) - LAST_BLOCKS)
    for start in (*range(min(FIRST_BLOCKS, len(blocks))), *range(last, len(blocks))):
        run: list[str] = []
        for own in words[start : start + MENU_WORDS]:
            run += own
            if len(run) >= MENU_WORDS:
                yield " ".join(run[:MENU_WORDS])
                break
