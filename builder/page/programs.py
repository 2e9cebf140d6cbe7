"""The stand-alone query programs on a disc: for who wants answers without a browser."""

from __future__ import annotations

import re
from pathlib import Path

# As `make programs` names them: system, processor.
NAME = re.compile(r"pocketquery-(linux|macos|windows)-(x64|arm64)(\.exe)?")


def find(folder: Path) -> dict[str, Path]:
    """Return the programs in folder by their names on a disc, which FAT and ISO 9660 (level 3) can
    hold.

    Raises ValueError where there is none.
    """
    found = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if name := NAME.fullmatch(path.name):
            found[f"programs/{name[1]}_{name[2]}/pocketquery{name[3] or ''}"] = path
    if not found:
        raise ValueError(
            f"{folder}: --with-programs: expected a folder with pocketquery-linux-x64 and the "
            "like, found none; "
            "`make programs` builds them from the sources of pocketindex, in build/programs"
        )
    return found
