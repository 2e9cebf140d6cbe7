"""The labels that documents have in their collection."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.constants import SectionKind
from pocketindex.contents.sections import sections_of
from pocketindex.ffi.status import check

MOST_LABELS, LABEL_BYTES = 255, 1024
LANGUAGE = "lang:"  # begins a label that tells a document's language
_KNOWN = 4_096  # names that are not read again


class Labels:
    """The labels of an open file."""

    def __init__(self, handle: Any, path: str) -> None:
        self._handle, self._path = handle, path
        self._names = dict[int, str]()

    def of(self, document: int) -> tuple[str, ...]:
        """Read those of a document, in the order of their bytes. Raises Damaged, FileChanged."""
        return tuple(own for own in self.all_of(document) if not _is_language(own))

    def language_of(self, document: int) -> str:
        """Return the language of a document, a tag in lower case, or "" if it has none. Raises
        Damaged, FileChanged.
        """
        found = (own for own in self.all_of(document) if _is_language(own))
        return next(found, LANGUAGE).removeprefix(LANGUAGE)

    @property
    def count(self) -> int:
        """Return how many different labels there are, without languages. Raises Damaged,
        FileChanged.
        """
        total = int(lib.pocket_label_count(self._handle))
        first, behind = (
            bisect_left(range(total), name, key=lambda number: self.name(number).encode())
            for name in (f"{LANGUAGE}\0".encode(), b"lang;")
        )
        return total - (behind - first)

    def all_of(self, document: int) -> tuple[str, ...]:
        """Return the labels of a document, and its language. Raises Damaged, FileChanged."""
        numbers, error = ffi.new("uint32_t[]", MOST_LABELS), ffi.new("pocket_error *")
        count = ffi.new("uint32_t *", MOST_LABELS)
        status = lib.pocket_labels_get(self._handle, document, numbers, count, error)
        check(status, error, self._path)
        return tuple(map(self.name, numbers[0 : count[0]]))

    def name(self, number: int) -> str:
        """Read the label with a number. Raises Damaged, FileChanged."""
        known = self._names.get(number)
        if known is not None:
            return known
        out, error = ffi.new("char[]", LABEL_BYTES + 1), ffi.new("pocket_error *")
        length = ffi.new("uint32_t *")
        status = lib.pocket_label_name(self._handle, number, out, length, error)
        check(status, error, self._path)
        if len(self._names) == _KNOWN:
            self._names.clear()
        name = bytes(ffi.buffer(out, length[0])).decode("utf-8", "replace")
        return self._names.setdefault(number, name)


def _is_language(label: str) -> bool:
    return label.startswith(LANGUAGE) and label != LANGUAGE


def labels_of(handle: Any, path: str) -> Labels | None:
    """Return the labels of an open file, None where it was built without."""
    kinds = (section.kind for section in sections_of(handle))
    return Labels(handle, path) if SectionKind.LABELS in kinds else None
