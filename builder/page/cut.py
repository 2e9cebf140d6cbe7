"""Cut a pocket file into shards of whole blocks in a row: so few that a folder of them can be
copied, so small that a query loads little.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from pocketindex.builder.sections.pocket_file import PocketFile, Section
from pocketindex.constants import SectionKind
from pocketindex.contents.info import Info
from pocketindex.contents.sections import LOOK_UP as OF_LOOK_UP
from pocketindex.errors import spelled

KB = 1 << 10
MB = 1 << 20
GB = 1 << 30
# At most so many shards of a kind, whatever the size of the file; they grow instead, up to the
# largest. A browser has one as a string.
MOST_SHARDS = 1_024
LARGEST = 32 * MB


@dataclass(frozen=True, slots=True)
class Kind:
    """Shards of one purpose: the letter of their names, the sections they carry, the bytes below
    which no shard ends, and the field of Loads that counts them, of which a hit needs one.
    """

    letter: str
    sections: tuple[int, ...]
    smallest: int
    loaded_as: str = ""


# What a look-up needs, then what is shown of a hit: its title and labels, and what is kept of its
# text. A section that is in none stays out of the disc: the page has no use for it.
LOOK_UP = Kind("l", OF_LOOK_UP, 256 * KB)
FEW = 64 * KB  # the same where there are cells: a query reads a few of many
SHOWN = Kind("d", (SectionKind.DOCUMENTS, SectionKind.LABELS), 32 * KB, "titles")
KEPT = Kind("t", (SectionKind.TEXTS,), 32 * KB, "texts")
NAMES = Kind("n", (SectionKind.TITLES,), 32 * KB, "names")  # to look up as a visitor types
# Each shingle of a text needs one; a search needs a block a word, or some.
SHINGLES = Kind("p", (SectionKind.PASSAGES,), 8 * KB, "shingles")
WORD_LISTS = Kind("w", (SectionKind.WORDS,), 8 * KB, "words")
IDS = Kind("i", (SectionKind.IDS,), 4 * KB)  # where an address leads that names a document
KINDS = (LOOK_UP, SHOWN, KEPT, NAMES, SHINGLES, WORD_LISTS, IDS)
# What is shown, where there are words: their hits lie anywhere in the file. Two blocks of documents
# are a little less than twice as much.
SCATTERED = 2 * KB


@dataclass(frozen=True, slots=True)
class Shard:
    """A file of the disc: its name in the collection's folder, and the ranges (offset, length) of
    the pocket file in it.
    """

    name: str
    ranges: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        return sum(length for _, length in self.ranges)


@dataclass(frozen=True, slots=True)
class Cut:
    """A file in shards.

    identity: of its content, 16 hexadecimal digits; kept: what is kept of texts; asked: as asked()
    tells; look_up: bytes of what a look-up needs; heads is what opening needs.
    """

    size: int
    documents: int
    identity: str
    kept: str
    asked: dict[str, bool]
    look_up: int
    heads: Shard
    shards: dict[str, list[Shard]]


def cut(path: str, scripts: bool = True) -> Cut:
    """Cut the file at path, which is read and checked whole.

    Without scripts there are no shards, and no file is too large.

    Raises what opening and verifying do, and ValueError for a file that no page can read or that is
    too large for shards.
    """
    with PocketFile(path) as opened:
        info, kept, sections = opened.index.info(), opened.index.kept, opened.sections
        if info.mph != "pilot":
            raise ValueError(
                f"{path}: a page has no libcmph, and this file's perfect hash is {info.mph}; "
                f"build it with {spelled('mph', 'pilot', rare=True)}"
            )
        opened.index.verify()
    with open(path, "rb") as file:
        heads = Shard(
            "heads.js", ((0, sections[0].offset), *((s.offset, s.head) for s in sections))
        )
        identity = hashlib.sha256(b"".join(read(file, heads))).hexdigest()[:16]
    shards = {kind.letter: list(_shards(path, kind, sections)) if scripts else [] for kind in KINDS}
    if scripts and heads.size > LARGEST:
        raise ValueError(f"{path}: {too_large(heads.size, LARGEST)}")
    look_up = sum(_size(section) for section in sections if section.kind in LOOK_UP.sections)
    return Cut(
        info.file_size,
        info.documents,
        identity,
        kept,
        asked(info),
        look_up,
        heads,
        shards,
    )


def asked(info: Info) -> dict[str, bool]:
    """Return which of the sections a file has that a visitor asks: titles by their beginnings,
    passages for the sources of a text, words.
    """
    return {name: name in info.sections for name in ("titles", "passages", "words")}


def too_large(found: int, limit: int) -> str:
    return (
        f"too large for a folder of scripts: expected at most {limit:,} bytes, found "
        f"{found:,}; give away the file itself"
    )


def _shards(path: str, kind: Kind, sections: list[Section]) -> Iterator[Shard]:
    chosen = [section for section in sections if section.kind in kind.sections]
    total = sum(_size(section) for section in chosen)
    # Every shard but the last one of a section reaches the target.
    target = max(_smallest(kind, sections), -(-total // max(1, MOST_SHARDS - len(chosen))))
    number = 0
    for section in chosen:
        first = start = section.offset + section.head
        for i, end in enumerate(first + end for end in section.ends):
            if end - start >= target or i + 1 == len(section.ends):
                if end - start > LARGEST:
                    raise ValueError(f"{path}: {too_large(total, MOST_SHARDS * LARGEST)}")
                yield Shard(
                    f"{kind.letter}{number >> 8:02d}/{kind.letter}{number:04d}.js",
                    ((start, end - start),),
                )
                number += 1
                start = end


def _size(section: Section) -> int:
    """Return the bytes of a section's blocks."""
    return section.ends[-1] if section.ends else 0


def _smallest(kind: Kind, sections: list[Section]) -> int:
    """Return the bytes below which no shard of a kind ends in a file of these sections."""
    there = {section.kind for section in sections}
    if kind is LOOK_UP and SectionKind.CELLS in there:
        return FEW
    if kind in (SHOWN, KEPT, NAMES) and SectionKind.WORDS in there:
        return SCATTERED
    return kind.smallest


def read(file: IO[bytes], shard: Shard) -> Iterator[bytes]:
    """Yield the bytes of a shard's ranges."""
    for offset, length in shard.ranges:
        file.seek(offset, os.SEEK_SET)
        yield file.read(length)
