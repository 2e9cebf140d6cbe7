"""Write the shingles of documents that come from old files to sorted files."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.sections.shingle_numbers import least_hashes
from pocketindex.builder.sections.shingles import key_range_of, shingles_of
from pocketindex.builder.spill.journal import Written
from pocketindex.builder.spill.sorted_files import SortedFile
from pocketindex.cbits import lib

Numbers = npt.NDArray[np.uint32]


def take_shingles(
    file: PocketFile, places: Numbers, which: int, context: Context
) -> list[SortedFile]:
    """Return the shingles of the documents of a file that stay, as two sorted files: those that are
    not frequent, and those that are. A shingle is the least hash that has its key.

    places: the place of each document in the order in which the new file got them, or
    lib.POCKET_GONE for one that is not kept; which: the number of the old file. Raises Damaged.
    """
    work = context.work
    done = {(entry["which"], entry["frequent"]): entry for entry in work.of("taken-shingles")}
    found = list[SortedFile]()
    for frequent in (False, True):
        if not (entry := done.get((which, frequent))):
            context.progress.phase("reusing shingles")
            name, count = f"taken-shingles-{2 * which + frequent:06}", 0
            with work.file(name) as out:
                count = _write(out, file, frequent, places)
            entry = work.enter(
                "taken-shingles", (name, out), which=which, frequent=frequent, count=count
            )
        found.append(SortedFile(work.path(entry), 0, entry["count"], 0))
    return found


def _write(out: Written, file: PocketFile, frequent: bool, places: Numbers) -> int:
    """Write the hashes, then the documents, and return their number."""
    key_range, count = key_range_of(file), 0
    for keys, documents in shingles_of(file, frequent):
        own = keys[places[documents] != lib.POCKET_GONE]
        out.write(least_hashes(own, key_range).astype("<u8").tobytes())
        count += len(own)
    for _, documents in shingles_of(file, frequent):
        found = places[documents]
        out.write(found[found != lib.POCKET_GONE].astype("<u4").tobytes())
    return count
