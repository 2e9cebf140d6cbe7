"""Name an index after its source if no name is given."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pocketindex.kinds import unpacked_name


def implied_name(sources: Sequence[str], force: bool = False) -> str:
    """Return the name of the index of a single file or folder, in the current folder: docs.pocket
    for docs.jsonl.gz and for docs/.

    Raises ValueError for several sources, for a source that is neither a file nor a folder, and,
    without force, if such an index exists, because it may be that of another source.
    """
    source = sources[0] if len(sources) == 1 else ""
    if not (os.path.isfile(source) or os.path.isdir(source)) or source == "-":
        raise ValueError(
            "the name of the index is implied by a single file or folder alone; give -o FILE.pocket"
        )
    name = os.path.basename(os.path.abspath(source))
    if os.path.isfile(source):
        name = os.path.splitext(unpacked_name(name))[0]
    name += ".pocket"
    if os.path.lexists(name) and not force:
        raise ValueError(
            f"{name} exists, and may be the index of another source; give -o {name} to replace it"
        )
    return name
