"""What people know a document by."""

from __future__ import annotations

from typing import NamedTuple


class Named(NamedTuple):
    """A document for people: its id, its source, and its line or row there, from 1, where that is
    known.
    """

    id: str
    source: str
    line: int | None
