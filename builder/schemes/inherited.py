"""What a pocket file brings that is named as profile: all that depends on a whole collection.

A build with it and an update of it make the same bytes of the same documents.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

from pocketindex.arguments import is_file
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.sections.shingles import shingle_settings
from pocketindex.constants import MAGIC, SectionKind


@dataclass(frozen=True)
class Inherited:
    """What a pocket file that is a profile brings along. cells, centroids: how many, and theirs, 0
    and none where the file has none; probes: its default; average: length of a document in its
    words section, 1/256 terms, None without one; shingles: of its passages section the terms of a
    shingle, the shingles of a window, the most documents of a shingle, and the range of keys, None
    without one; heaviest: the most words of a document and the title weight, by which its counts of
    words are of use to another file, None where all count.
    """

    cells: int
    centroids: bytes
    probes: int
    average: int | None
    shingles: tuple[int, ...] | None
    heaviest: tuple[int, int] | None = field(default=None, compare=False)

    def shingle_key_range(self, shape: tuple[int, int, int]) -> int | None:
        """Return the range of the keys of shingles of this shape (Settings.shingle_shape); None
        where the file has none of the same.
        """
        return self.shingles[3] if self.shingles and self.shingles[:3] == shape else None


def inherited(file: PocketFile) -> Inherited:
    """Return what an open file has fixed. Raises Damaged."""
    cells, centroids = 0, b""
    if SectionKind.CELLS in file:
        part = file[SectionKind.CELLS]
        cells, *_ = part.numbers(0, 1)
        centroids = bytes(part.blocks(0, 1))[: -4 * cells]
    (probes,) = file[SectionKind.TABLES].numbers(20, 1)
    average = heaviest = None
    if SectionKind.WORDS in file:
        own, average, weight = struct.unpack_from("<III", file[SectionKind.WORDS].parameters, 24)
        heaviest = (own, weight) if own else None
    shingles = None
    if SectionKind.PASSAGES in file:
        shingles = shingle_settings(file)
    return Inherited(cells, centroids, probes, average, shingles, heaviest)


def inherited_of(choice: str) -> Inherited | None:
    """Return what the profile that settings name has fixed; None where it is no pocket file."""
    path = Path(choice)
    if path.suffix == ".profile" or not is_file(choice):
        return None
    with path.open("rb") as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            return None
    with PocketFile(path) as file:
        return inherited(file)
