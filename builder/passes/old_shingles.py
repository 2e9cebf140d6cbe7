"""The shingles of documents that come from old files, and those that a profile leaves out, as
sorted files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.sections.shingle_numbers import least_hashes
from pocketindex.builder.sections.shingles import key_range_of, left_out_of, shingles_of
from pocketindex.builder.spill.sorted_files import Keys, SortedFile
from pocketindex.cbits import lib

Numbers = npt.NDArray[np.uint32]


def take_shingles(file: PocketFile, places: Numbers, which: int, context: Context) -> SortedFile:
    """Return the shingles of the documents of a file that stay: for each key the least hash that
    has it.

    places: of each among the documents of the new file as they came, lib.POCKET_GONE for one that
    goes; which: number of the file, where there are several. Raises Damaged.
    """
    work = context.work
    for entry in work.of("taken-shingles"):
        if entry["which"] == which:
            return SortedFile(work.path(entry), 0, entry["count"], 0)
    context.progress.phase("reusing shingles")
    key_range = key_range_of(file)
    places = np.append(places, np.uint32(lib.POCKET_GONE))  # of a shingle that is left out
    name, count = f"taken-shingles-{which:06}", 0
    with work.file(name) as out:
        for keys, documents in shingles_of(file):
            own = keys[places[documents] != lib.POCKET_GONE]
            out.write(least_hashes(own, key_range).astype("<u8").tobytes())
            count += len(own)
        for _, documents in shingles_of(file):
            found = places[documents]
            out.write(found[found != lib.POCKET_GONE].astype("<u4").tobytes())
    entry = work.enter("taken-shingles", (name, out), which=which, count=count)
    return SortedFile(work.path(entry), 0, count, 0)


def left_out_shingles(
    profile: Path | None, olds: Sequence[PocketFile], documents: int, context: Context
) -> SortedFile | None:
    """Return the shingles that a file that is the profile leaves out, and those of old files, each
    with the number of documents in place of one (docs/format.md 6.3); None where there are none.

    Raises Damaged.
    """
    work, found = context.work, [_left_out(file) for file in olds]
    if profile:
        with PocketFile(profile) as file:
            found.append(_left_out(file))
    keys: Keys = np.unique(np.concatenate([np.zeros(0, np.uint64), *found]))
    if not len(keys):
        return None
    name = "left-out-shingles-000000"
    with work.file(name) as out:
        out.write(keys.astype("<u8").tobytes())
        out.write(np.zeros(len(keys), "<u4").tobytes())
    return SortedFile(work.folder / name, 0, len(keys), documents)


def _left_out(file: PocketFile) -> Keys:
    return least_hashes(left_out_of(file), key_range_of(file))
