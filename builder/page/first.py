"""Which shards a page loads while there is no question yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pocketindex.builder.page.cut import KB, LOOK_UP, SHOWN
from pocketindex.builder.page.loads import Loads

ROOM = 64 * KB  # bytes of files, of all collections together


def name_first(
    collections: list[dict[str, Any]], loads: list[Loads], sizes: Mapping[str, int]
) -> None:
    """Name the shards of each collection that any first question needs.

    These are the heads, what a look-up needs, and what is shown of hits. Each kind is named as a
    whole or not at all, in this order, as long as there is room. A page that may read ranges of
    the file itself needs the heads alone.

    collections: as the page has them; loads: of the same; sizes: bytes of files, by their names.
    """
    room = ROOM
    for kind in ("heads", LOOK_UP.letter, SHOWN.letter):
        for described, of_it in zip(collections, loads, strict=True):
            first = described.setdefault("first", [])
            if kind != "heads" and (not first or "file" in described):
                continue
            found = {
                number: sizes[f"{described['folder']}/{name}"]
                for number, (name, _) in enumerate(described["shards"])
                if name.startswith(kind if kind == "heads" else f"{kind}0")
            }
            if sum(found.values()) <= room:
                first += found
                room -= sum(found.values())
                if kind == LOOK_UP.letter:
                    of_it.first = of_it.look_up
