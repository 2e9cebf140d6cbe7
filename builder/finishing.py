"""The last passes, when all documents are sketched: cells, runs and words, then the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.context import Context
from pocketindex.builder.placing import NOTHING, place
from pocketindex.builder.run_keys import run_keys
from pocketindex.builder.schemes.frozen import Frozen, frozen_of
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.settings import KEYS_ASKED, Settings
from pocketindex.builder.words import collect_words
from pocketindex.builder.work.arranged import Arranged
from pocketindex.builder.work.chunk_words import ChunkWords
from pocketindex.builder.work.pocket_file import PocketFile
from pocketindex.builder.work.sketched import Sketched
from pocketindex.builder.write.words import TakenWords
from pocketindex.builder.writing import Content, write_file
from pocketindex.cbits import lib

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Old:
    """What comes from a file that is updated: the documents of it that stay, in its order.

    stay: their numbers in it; cells: those that they lie in, none without cells.
    """

    file: PocketFile
    sketched: Sequence[Sketched]
    stay: Numbers
    cells: Numbers


@dataclass(frozen=True)
class Kept:
    """The documents of a file: those of an old one, if there is one, then new ones, whose texts are
    there.
    """

    new: Sequence[Sketched]
    old: Old | None = None


@dataclass(frozen=True)
class Plan:
    """frozen: what the file brings that is the profile, None where that is no pocket file."""

    profile: Profile
    frozen: Frozen | None
    cells: int
    probes: int


def plan(documents: int, profile: Profile, settings: Settings) -> Plan:
    """Plan a file of so many documents; a file that is the profile brings its cells and default
    probes, unless the settings say how many. Raises ValueError, Damaged.
    """
    frozen, asked = frozen_of(settings.profile), getattr(settings.choices, "cells", None)
    if asked and not profile.takes_cells:
        raise ValueError(
            "--cells needs a profile of scheme rff with intervals of two and fewer than 64 "
            "tables; leave it away, or give another --profile"
        )
    brought = frozen.cells if frozen and asked is None else settings.cells_of(documents)
    if settings.probes is None and frozen:
        probes = frozen.probes
    elif (probes := settings.probes_of(documents)) * profile.tables > KEYS_ASKED:
        raise ValueError(
            f"--probes is {probes}; with {profile.tables} tables it may be "
            f"{KEYS_ASKED // profile.tables}: a query can still ask for more"
        )
    return Plan(profile, frozen, brought if profile.takes_cells else 0, probes)


def finish(target: Path, kept: Kept, made: Plan, context: Context) -> Arranged:
    """Write target of documents that are sketched."""
    settings, old, frozen, cells = context.settings, kept.old, made.frozen, made.cells
    sketched = [*old.sketched, *kept.new] if old else kept.new
    placed = None
    if cells:
        own = frozen.centres if frozen and cells == frozen.cells else b""
        taken = old.cells if old else NOTHING
        placed = place(kept.new, cells, made.profile.components, context, own, taken)
    documents = Arranged(sketched, placed.own if placed else None)
    runs = run_keys(sketched, context) if "passages" in settings.index else []
    words, taken_words = list[ChunkWords](), None
    if settings.words is not None:
        merging = old is not None and settings.words == 0
        words = collect_words(kept.new if merging else sketched, context)
        if old and merging:
            taken_words = TakenWords(old.file.index, _numbers(old, documents))
    average = frozen.average if frozen else None
    content = Content(
        made.profile, documents, made.probes, placed, runs, words, average, taken_words
    )
    write_file(target, content, context)
    return documents


def _numbers(old: Old, documents: Arranged) -> Numbers:
    """Which number each document of the old file has in the new one."""
    numbers = np.full(len(old.file), lib.POCKET_GONE, np.uint32)
    numbers[old.stay] = (
        np.arange(len(old.stay), dtype=np.uint32)
        if documents.numbers is None
        else documents.numbers[: len(old.stay)]
    )
    return numbers
