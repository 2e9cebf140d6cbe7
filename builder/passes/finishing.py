"""The last passes, after all documents are sketched: cells, shingles and words, then the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.key_sections import MergedKeys
from pocketindex.builder.passes.old_shingles import take_shingles
from pocketindex.builder.passes.placing import NOTHING, place
from pocketindex.builder.passes.shingle_keys import shingle_keys
from pocketindex.builder.passes.words import collect_words
from pocketindex.builder.passes.writing import Content, write_file
from pocketindex.builder.schemes.inherited import Inherited, inherited_of
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.settings import KEYS_ASKED, Settings
from pocketindex.builder.spill.chunks.arranged import Arranged
from pocketindex.builder.spill.chunks.chunk_words import ChunkWords
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.spill.sorted_files import SortedFile
from pocketindex.builder.write.passages import range_for
from pocketindex.builder.write.texts import kept
from pocketindex.builder.write.words import TakenWords
from pocketindex.cbits import lib
from pocketindex.errors import spelled

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Old:
    """The documents of an old file that stay, in its order.

    stay: their numbers in the old file; cells: the cell of each that has a sketch, empty without
    cells.
    """

    file: PocketFile
    sketched: Sequence[Sketched]
    stay: Numbers
    cells: Numbers


@dataclass(frozen=True)
class Plan:
    """The decisions of a build. inherited: what it inherits from its profile, None if that is no
    pocket file; counted: the file by whose counts the heaviest words are chosen, or None.
    """

    profile: Profile
    inherited: Inherited | None
    cells: int
    probes: int
    counted: str | None


def plan(documents: int, profile: Profile, settings: Settings) -> Plan:
    """Plan a file. documents: their number. If the profile is a pocket file, cells and default
    probes are those of that file unless the settings set them. Raises ValueError, Damaged.
    """
    inherited, asked = inherited_of(settings.profile_name), getattr(settings.choices, "cells", None)
    if asked and not profile.takes_cells:
        raise ValueError(
            f"{spelled('cells')} needs a profile of scheme rff with intervals of two and fewer "
            f"than 64 tables; omit it, or give another {spelled('profile')}"
        )
    brought = inherited.cells if inherited and asked is None else settings.cells_of(documents)
    if settings.probes is None and inherited:
        probes = inherited.probes
    elif (probes := settings.probes_of(documents)) * profile.tables > KEYS_ASKED:
        raise ValueError(
            f"{spelled('probes')} is {probes}; with {profile.tables} tables it may be "
            f"{KEYS_ASKED // profile.tables}: a query can still ask for more"
        )
    same_words = inherited and inherited.heaviest == (settings.words, settings.title_weight)
    counted = settings.profile_name if same_words else None
    return Plan(profile, inherited, brought if profile.takes_cells else 0, probes, counted)


def finish(
    target: Path, new: Sequence[Sketched], made: Plan, context: Context, olds: Sequence[Old] = ()
) -> Arranged:
    """Write the file at target from sketched documents: first those of old files, then the new
    ones, whose texts are in the work folder.
    """
    settings = context.settings
    inherited = made.inherited
    cells = made.cells
    sketched = _numbered([*(part for old in olds for part in old.sketched), *new])
    new, placed = sketched[len(sketched) - len(new) :], None
    # Only documents with a sketch lie in cells.
    if cells and any(part.with_sketch for part in sketched):
        own = inherited.centroids if inherited and cells == inherited.cells else b""
        taken = np.concatenate([NOTHING, *(old.cells for old in olds)])
        placed = place(new, cells, made.profile.coarse, context, own, taken)
    documents = Arranged(sketched, placed.own if placed else None, settings.max_memory)
    shingles, shingle_key_range = _shingles(new, olds, inherited, made.profile.stream, context)
    words, taken_words = list[ChunkWords](), list[TakenWords]()
    if settings.words is not None:
        words = collect_words(new, made.profile.stream, context)
        taken_words = list(_taken(olds, documents))
    average = inherited.average if inherited else None
    keys = MergedKeys(documents, made.profile.tables, shingles, shingle_key_range, context)

    def texts() -> Iterator[bytes]:
        return (kept(text, settings.keep, settings.snippet) for text in documents.texts())

    content = Content(
        made.profile,
        documents,
        texts,
        made.probes,
        placed,
        keys,
        words,
        average,
        made.counted,
        taken_words,
    )
    write_file(target, content, context)
    return documents


def _shingles(
    new: Sequence[Sketched],
    olds: Sequence[Old],
    inherited: Inherited | None,
    stream: int,
    context: Context,
) -> tuple[list[SortedFile], int]:
    """Return the shingles of all documents, and their key range. stream: of the profile."""
    settings = context.settings
    if "passages" not in settings.index:
        return [], 0
    found, first = list[SortedFile](), 0
    for which, old in enumerate(olds):
        places = np.full(len(old.file), lib.POCKET_GONE, np.uint32)
        places[old.stay] = np.arange(first, first + len(old.stay))
        found += take_shingles(old.file, places, which, context)
        first += len(old.stay)
    found += shingle_keys(new, stream, context)
    brought = inherited.shingle_key_range(settings.shingle_shape) if inherited else None
    return found, brought or range_for(sum(file.count for file in found))


def _numbered(parts: Sequence[Sketched]) -> list[Sketched]:
    """Return the parts with consecutive numbers of their documents."""
    first, found = 0, list[Sketched]()
    for part in parts:
        found.append(replace(part, first=first))
        first += part.count
    return found


def _taken(olds: Sequence[Old], documents: Arranged) -> Iterator[TakenWords]:
    """Yield for each old file the numbers that its documents have in the new one."""
    first = 0
    for old in olds:
        numbers, end = np.full(len(old.file), lib.POCKET_GONE, np.uint32), first + len(old.stay)
        numbers[old.stay] = (
            np.arange(first, end, dtype=np.uint32)
            if documents.numbers is None
            else documents.numbers[first:end]
        )
        yield TakenWords(old.file.index, numbers)
        first = end
