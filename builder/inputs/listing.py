"""List the files below an address, as walking.py does those below a folder on a disk."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from pocketindex.builder.inputs.opening.addresses import Address
from pocketindex.builder.inputs.walking import MESSAGES, ON_ITS_WAY


class Listing:
    """The files below a folder at an address.

    fitting, others, messages: as of a Walk; files: all of them by their paths. Hidden files
    and folders are passed over, except for Maildirs. A store that knows no empty folders has a
    Maildir where one of its two folders has messages and the other one is there.
    """

    def __init__(self, root: Address, fitting: Callable[[str], bool]) -> None:
        self.files = root.files()
        self._fitting = fitting
        self.others = list[str]()
        self.messages = set[str]()
        folders = {posixpath.dirname(name)[:end] for name in self.files for end in _ends(name)}
        self._maildirs = {
            folder
            for folder in {posixpath.dirname(folder) for folder in folders}
            if all(posixpath.join(folder, name) in folders for name in MESSAGES)
        }

    def names(self) -> Iterator[str]:
        """Yield the path of each file that fits, below the folder."""
        for name in self.files:
            parts = name.split("/")
            if any(self._is_hidden(parts[:end]) for end in range(1, len(parts) + 1)):
                continue
            *folder, kind, _ = ["", *parts] if len(parts) > 1 else ["", "", *parts]
            around = "/".join(folder[1:])
            if kind in MESSAGES and around in self._maildirs:
                self.messages.add(name)
            elif not self._fitting(name):
                self.others.append(name)
                continue
            yield name

    def paths(self, names: Iterable[str]) -> dict[str, str]:
        """Return what opens these files, by their names."""
        return {name: self.files[name] for name in names}

    def _is_hidden(self, parts: list[str]) -> bool:
        """Return whether a file or folder is no source by its own name."""
        path = "/".join(parts)
        if parts[-1].startswith("."):
            return path not in self._maildirs
        return parts[-1] == ON_ITS_WAY and "/".join(parts[:-1]) in self._maildirs


def _ends(name: str) -> list[int]:
    """Return where the paths of the folders around a file end."""
    folder = posixpath.dirname(name)
    return [place for place, letter in enumerate(folder) if letter == "/"] + [len(folder)]
