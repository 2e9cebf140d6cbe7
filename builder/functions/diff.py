"""The differences between two files, as an answer."""

from __future__ import annotations

from dataclasses import dataclass

from pocketindex.answers.results import Results
from pocketindex.arguments import path_of
from pocketindex.builder.changing import diff as changing
from pocketindex.builder.changing.diff import Difference
from pocketindex.builder.options import Path


@dataclass(frozen=True, repr=False)
class Differences(Results[Difference]):
    """The documents that differ between two files: those that are gone or changed, in the order of
    the old file, then those that were added, in the order of the new one.
    """

    differences: tuple[Difference, ...]


def diff(old: Path, new: Path) -> Differences:
    """Return the documents that differ between two files, from the files alone.

    A text counts as changed if its stored sketch or its identity bits differ; only the bits are
    compared if the files have different profiles. With identity bits of 8, one in 256 changed texts
    with the same sketch is missed. Documents without a sketch are compared by their copy keys
    (docs/format.md 4.3), which ignore white space at the ends and miss one in 128 texts whose words
    are the same but written in another way. Labels are compared if both files have some. Raises
    what opening an Index does, Damaged.

    >>> import pocketindex
    >>> found = pocketindex.diff("old.pocket", "new.pocket")  # doctest: +SKIP
    """
    return Differences(tuple(changing.diff(path_of("old", old), path_of("new", new))))
