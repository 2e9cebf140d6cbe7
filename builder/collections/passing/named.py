"""What people know a document by."""

from __future__ import annotations

from typing import NamedTuple


class Named(NamedTuple):
    """The id of a document, its source, and the number of its line or row there, counted from 1,
    or None where that is not known.
    """

    id: str
    source: str
    line: int | None
