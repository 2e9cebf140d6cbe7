"""What archives share: which of their files become documents, which of them are replaced, and how
far a file may expand.

Nothing is unpacked to disk.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter
from collections.abc import Iterable

import numpy as np
from pocketindex.builder.conventions import murmur
from pocketindex.builder.document import Skip, Unfit, beyond_memory, most_of_record
from pocketindex.builder.inputs.kinds import one_by_name
from pocketindex.builder.inputs.opening.stream import EXPANSION
from pocketindex.builder.inputs.pages.single import FILE_BYTES
from pocketindex.builder.inputs.source import SourceError
from pocketindex.kinds import PACKED
from pocketindex.wording.counted import no_file

OTHER_KIND = "other kind: "  # how the reason begins why a file is left out, before its suffix
_SUFFIX = 8  # characters of a suffix, or it is none
GIVES = (
    "files of this kind are not read from an archive; if it is a source of its own, unpack it and "
    "give it to build"
)
LEAST_BOMB = 1 << 20  # bytes: a file that has as many, and expands more than EXPANSION, is left out

_DRIVE = re.compile(r"[A-Za-z]:")


def id_of(name: str) -> str | None:
    """Return the id of the file with this name in an archive, which is its path, or None if it is
    hidden or its suffix is not that of a document.

    Raises Unfit "unsafe name" for a name that leads out of the archive, because it could equal that
    of another file.
    """
    if not one_by_name(name):
        return None
    path = name.replace("\\", "/")
    parts = _parts(path)
    if path.startswith("/") or ".." in parts or _DRIVE.match(path):
        raise Unfit(
            "unsafe name", "its name leads out of the archive; pack it with names below one folder"
        )
    return None if is_hidden(name) else "/".join(parts)


def is_hidden(name: str) -> bool:
    """Return whether the name of a file, or of a folder that it is in, begins with a dot. Two dots
    alone name the folder around.
    """
    parts = _parts(name.replace("\\", "/"))
    return any(part.startswith(".") and part != ".." for part in parts)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


class Places:
    """The ids of the files of an archive, collected in a first pass over all names, in order.

    A file that a later one of the same id replaces when the archive is unpacked is not read.
    """

    def __init__(self) -> None:
        self._hashes = array("Q")  # of the ids
        self._regular = bytearray()
        self._replaced: set[int] | None = None

    def add(self, name: str, regular: bool = True) -> int | None:
        """Note the next file of the archive; regular: whether it has content, and is no link.

        Returns its number among those that can be documents, None if it cannot.
        """
        try:
            id = id_of(name)
        except Unfit:
            return None
        if id is None:
            return None
        self._hashes.append(_hash(id))
        self._regular.append(regular)
        return len(self._hashes) - 1

    def is_replaced(self, number: int) -> bool:
        """Return whether a later file takes the place of the one that add() numbered so."""
        if self._replaced is None:
            hashes = np.frombuffer(self._hashes, np.uint64)
            order = np.argsort(hashes, kind="stable")
            again = hashes[order[:-1]] == hashes[order[1:]]
            self._replaced = set(order[:-1][again].tolist())
        return number in self._replaced

    def once(self, ids: Iterable[str]) -> set[str]:
        """Return those of the ids that exactly one file has, if it has content of its own."""
        wanted = {_hash(id): id for id in ids}
        hashes = np.frombuffer(self._hashes, np.uint64)
        among = np.isin(hashes, np.fromiter(wanted, np.uint64, len(wanted)))
        counts = Counter(hashes[among].tolist())
        regular = hashes[among & np.frombuffer(self._regular, np.bool_)]
        return {wanted[hash] for hash in regular.tolist() if counts[hash] == 1}


def _hash(id: str) -> int:
    return murmur(id.encode(errors="surrogatepass"))


def replaced(place: str) -> Skip:
    """Skip a file of an archive in which a later one has the same name."""
    return Skip(
        place, "replaced", "a later file of the archive has the same name and takes its place"
    )


def nothing(place: str, files: str = "file") -> Skip:
    """Skip an archive without files, so that nothing of a folder is passed over in silence."""
    return Skip(place, "empty", f"there is no {files} in it")


def other_kind(name: str, place: str, gives: str) -> Skip:
    """Skip a file of a folder or archive, because it is nothing that such a one gives."""
    return Skip(place, OTHER_KIND + shown_suffix(name), gives)


def shown_suffix(name: str) -> str:
    """Return the suffix of a file by which it is counted, as ".png" or ".csv.gz"."""
    stem, last = os.path.splitext(name.rsplit("/", 1)[-1].lower())
    if PACKED.get(last) == "":  # the suffix before it tells the kind
        inner = os.path.splitext(stem)[1]
        return inner + last if len(inner) <= _SUFFIX else last
    return last if 1 < len(last) <= _SUFFIX else "no suffix"


def check_size(size: int) -> None:
    """Raise Unfit where a file of so many bytes is too long for a document."""
    if size > (most := most_of_record(FILE_BYTES)):
        if most < FILE_BYTES:
            raise Unfit("too long", f"the file has {beyond_memory(size, most)}")
        raise Unfit("too long", f"the file has {size:,} bytes, expected at most {FILE_BYTES:,}")


def check_expansion(packed: int, size: int) -> None:
    """Raise Unfit where so many bytes have become `size`, which no text does."""
    if size > max(LEAST_BOMB, EXPANSION * packed):
        raise Unfit(
            "bomb",
            (
                f"{packed:,} bytes become {size:,} or more, {EXPANSION} times as many at most are "
                "expected of text"
            ),
        )


def check_any(source: str, fitting: int, files: int, example: str) -> None:
    """Raise SourceError where an archive has files, and none that becomes a document."""
    if files and not fitting:
        raise SourceError(
            source,
            f"{no_file(files, example, 'that an archive gives')}; unpack it and give what is in it",
        )
