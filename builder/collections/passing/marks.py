"""A field that records get when they are written again."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from pocketindex.builder.inputs.source import SourceError, shown
from pocketindex.errors import spelled

# The values that a document gets, by its number.
Marks: TypeAlias = Callable[[int], list[str]]


def unmarked(document: int) -> list[str]:
    """Return no value."""
    return []


def after(marks: Marks, others: int) -> Marks:
    """Return the marks of the documents after so many others, which are numbered from 0 again."""
    return lambda document: marks(others + document)


def check_mark(mark: str | None, names: Collection[str], source: str) -> None:
    """Raise SourceError if records have the field that they are to get."""
    if mark is not None and mark in names:
        raise SourceError(
            shown(source),
            f"its records have a field {mark!r} already; give {spelled('mark')} another name",
        )
