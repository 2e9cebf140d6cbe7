"""Warn before a file is replaced by one with far fewer documents, which is rarely intended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pocketindex.errors import PocketError, spelled
from pocketindex.index import Index
from pocketindex.wording.counted import counted


class Shrunk(PocketError):
    """Raised if the new file would have less than half of the documents of the old one, which is
    kept. old, new: their numbers of documents.
    """

    def __init__(self, path: str, old: int, new: int) -> None:
        super().__init__(path, old, new)
        self.path = path
        self.old = old
        self.new = new

    def __str__(self) -> str:
        return (
            f"{_said(self.path, self.old, self.new)}; nothing is written: check the sources, "
            f"or omit {spelled('refuse_shrink')}"
        )


def look_at_old(target: Path, new: int, refuse: bool, note: Callable[[str], None]) -> None:
    """Note if target is a pocket file with more than twice as many documents. refuse: whether to
    raise Shrunk instead.
    """
    try:
        with Index(target) as index:
            old = len(index)
    except (PocketError, OSError):
        return  # there is none, or none that can be read
    if 2 * new < old:
        if refuse:
            raise Shrunk(str(target), old, new)
        note(
            f"{_said(str(target), old, new)}; {spelled('refuse_shrink', True)} makes this an error"
        )


def _said(path: str, old: int, new: int) -> str:
    return (
        f"{path}: the new file has {counted(new, 'document')}, less than half of the {old:,} of "
        "the old one"
    )
