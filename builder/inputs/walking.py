"""List the files below a folder: which links are followed, and which files are not sources."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator

from pocketindex.builder.document import Skip
from pocketindex.builder.inputs.source import OnSkip
from pocketindex.errors import spelled

# A Maildir (https://cr.yp.to/proto/maildir.html): messages in cur and new, with flags behind their
# names; what is in tmp is still on its way.
MESSAGES, ON_ITS_WAY = ("cur", "new"), "tmp"
_FLAGS = re.compile(r"[:;!]2,[A-Za-z]*\Z")


def is_maildir(folder: str) -> bool:
    """Return whether a folder is a Maildir."""
    return all(os.path.isdir(os.path.join(folder, name)) for name in MESSAGES)


def message_id(path: str) -> str:
    """Return the id of the message of a Maildir at a path: the same wherever in the Maildir it is,
    and whatever its flags are.
    """
    *folders, _, name = path.split("/")
    return "/".join((*folders, _FLAGS.sub("", name)))


def written(paths: Iterable[str]) -> frozenset[str]:
    """Return what stands for these paths in a walk, whatever the links on the way to them."""
    found = set[str]()
    for path in paths:
        folder, name = os.path.split(os.path.abspath(path))
        found |= {os.path.join(os.path.realpath(folder), name), os.path.realpath(path)}
    return frozenset(found)


class Walk:
    """The files below a folder.

    fitting: returns whether a file can be read, by its name; others: those that cannot, after
    names() has ended; spared: the result of written() for files and folders that are not sources.

    messages: the files that are messages of a Maildir.

    Hidden files and folders are passed over, except for Maildirs. A link to a file in the folder is
    read like that file. Other links are followed if follow_links is true, each folder once.
    Otherwise they are skipped ("link"), except for links to files that do not fit.
    """

    def __init__(
        self,
        root: str,
        skip: OnSkip,
        fitting: Callable[[str], bool],
        follow_links: bool = False,
        spared: Collection[str] = (),
    ) -> None:
        self._root, self._real_root = root, os.path.realpath(root)
        self._skip = skip
        self._fitting = fitting
        self._follow = follow_links
        self._spared = spared
        self._read: dict[str, str] = {}  # the folders read so far, by where they are
        self._links = deque[str]()  # to folders
        self.others = list[str]()
        self.messages = set[str]()

    def names(self) -> Iterator[str]:
        """Yield the path of each file that fits, below the folder, with forward slashes."""
        yield from self._below("")
        while self._links:
            name = self._links.popleft()
            real = os.path.realpath(self._path(name))
            if real in self._read:
                self._leave(name, f"it leads to a folder that was read as {self._read[real]!r}")
            elif not self._follow:
                self._leads_out(name, real)
            else:
                yield from self._below(name)

    def paths(self, names: Iterable[str]) -> dict[str, str]:
        """Return what opens these files, by their names."""
        return {name: self._path(name) for name in names}

    def _below(self, begin: str) -> Iterator[str]:
        top = self._path(begin)
        real_top = os.path.realpath(top)
        for folder, folders, files in os.walk(top, onerror=self._unreadable):
            below = os.path.relpath(folder, top)
            real = os.path.normpath(os.path.join(real_top, below))
            inner = "/".join(
                part for part in (begin, below.replace(os.sep, "/")) if part not in ("", ".")
            )
            self._read[real] = inner or "."
            folders.sort()
            of_maildir = os.path.basename(folder) in MESSAGES and is_maildir(
                os.path.dirname(os.path.abspath(folder))
            )
            if is_maildir(folder):
                folders[:] = [name for name in folders if name != ON_ITS_WAY]
            folders[:] = [
                name
                for name in folders
                if self._is_source(real, name)
                and not self._is_link(folder, name, inner)
                # A link may lead to a folder around this one.
                and os.path.join(real, name) not in self._read
            ]
            for name in files:
                if not self._is_source(real, name):
                    continue
                path = f"{inner}/{name}" if inner else name
                if of_maildir:
                    self.messages.add(path)
                elif not self._fitting(name):
                    self.others.append(path)
                    continue
                if self._may_read(path):
                    yield path

    def _is_source(self, real: str, name: str) -> bool:
        path = os.path.join(real, name)
        return (not name.startswith(".") or is_maildir(path)) and path not in self._spared

    def _is_link(self, folder: str, name: str, inner: str) -> bool:
        if os.path.islink(os.path.join(folder, name)):
            self._links.append(f"{inner}/{name}" if inner else name)
            return True
        return False

    def _may_read(self, name: str) -> bool:
        path = self._path(name)
        if self._follow or not os.path.islink(path):
            return True
        real = os.path.realpath(path)
        if real.startswith(os.path.join(self._real_root, "")):
            return True
        self._leads_out(name, real)
        return False

    def _leads_out(self, name: str, real: str) -> None:
        follow = spelled("follow_links", True)
        self._leave(name, f"it leads out of the folder, to {real}; {follow} reads it")

    def _leave(self, name: str, why: str) -> None:
        self._skip(Skip(self._path(name), "link", why))

    def _unreadable(self, error: OSError) -> None:
        self._skip(Skip(str(error.filename), "unreadable", error.strerror or str(error)))

    def _path(self, name: str) -> str:
        return os.path.join(self._root, *name.split("/"))
