"""Read what a build inherits from a pocket file that is named as its profile: everything that
depends on a whole collection.

So a build with the file as profile and an update of the file give the same bytes for the same
documents.
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
    """What a build inherits from a pocket file.

    cells: the number of cells, 0 for none; centroids: their packed centroids. probes: the default
    number of probes. average: the average length of a document in 1/256 terms, None without a words
    section. shingles: the terms of a shingle, the shingles of a window, the most documents of a
    shingle that is not frequent, and the key range, None without a passages section. heaviest: the
    most words of a document and the title weight, None if all words count; the file's counts of
    words can be used only with the same two.
    """

    cells: int
    centroids: bytes
    probes: int
    average: int | None
    shingles: tuple[int, ...] | None
    heaviest: tuple[int, int] | None = field(default=None, compare=False)

    def shingle_key_range(self, shape: tuple[int, int, int]) -> int | None:
        """Return the key range of shingles, None if the file has no shingles of this shape
        (Settings.shingle_shape).
        """
        return self.shingles[3] if self.shingles and self.shingles[:3] == shape else None


def inherited(file: PocketFile) -> Inherited:
    """Return what a build inherits from an open file. Raises Damaged."""
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
    """Return what a build inherits from its profile, None if that is no pocket file.

    choice: the name of a profile or file. Raises Damaged.
    """
    path = Path(choice)
    if path.suffix == ".profile" or not is_file(choice):
        return None
    with path.open("rb") as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            return None
    with PocketFile(path) as file:
        return inherited(file)
