"""Places in bytes of a text as places in code points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def code_points(data: bytes, spans: Iterable[Sequence[int]]) -> dict[int, int]:
    """Return for each place in bytes of a text in UTF-8 that in code points, in one pass."""
    places = dict[int, int]()
    before = 0
    count = 0
    for place in sorted({place for span in spans for place in span}):
        count += len(data[before:place].decode("utf-8", "replace"))
        places[place], before = count, place
    return places
