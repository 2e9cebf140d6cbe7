"""Read a tar archive: each file that a folder gives as a document is one.

An archive on disk is read twice, the first time only its headers: a file replaces an earlier one of
the same name, as it does when the archive is unpacked, and a link is another name of a file.
Standard input and pipes are read once.
"""

from __future__ import annotations

import contextlib
import posixpath
import re
import tarfile
from collections.abc import Iterator
from typing import Any

from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.archives import archive
from pocketindex.builder.inputs.opening.compression import BUFFER
from pocketindex.builder.inputs.opening.elsewhere import is_regular
from pocketindex.builder.inputs.opening.encoding import name_of
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    Place,
    SourceError,
    unmeasured,
)

_BLOCK = 1 << 20
_NAME_BYTES = 1 << 20  # of a header that holds a long name or other properties
# Some versions of tarfile look for a number from every digit of such a header. A run of so many is
# part of a value that nobody asks for.
_DIGITS = re.compile(rb"\d{1024,}")
_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_NO_BLOCK = bytes(tarfile.BLOCKSIZE)


def documents(
    source: str, skip: OnSkip, measure: OnBytes = unmeasured, options: Options = DEFAULTS
) -> Iterator[Document]:
    """Yield the documents of an archive in its order. Their ids are their paths in it. The encoding
    of the options is that of texts, and of names that are not UTF-8.

    Hidden files are left out. Archives that were joined are read one after the other.

    Skipped: files of other kinds, "replaced", "link" (its target is no text of the archive),
    "unreadable" (devices with the name of a text), "unsafe name", "bomb", "too long", "empty" and
    what the kinds of files skip. Noticed: "no end mark" (also if something other than an archive
    follows it). Raises SourceError where the archive is cut short or damaged, and where it has no
    such file at all.
    """
    look = _Look(source, options.encoding)
    with Stream(source, text=False) as stream:
        files = _Files(stream, options.encoding)
        number = -1
        fitting = 0
        for member in files:
            place = f"{stream.name}:{files.name}"
            names = [files.name]
            try:
                id = archive.id_of(files.name)
                if id is None:
                    if not archive.is_hidden(files.name):
                        skip(archive.other_kind(files.name, place, archive.GIVES))
                    continue
                fitting, number = fitting + 1, number + 1
                if look.places.is_replaced(number):
                    skip(archive.replaced(place))
                    continue
                single.require(stream.name, [files.name])
                if number in look.found:
                    continue  # a link, which came or comes with its target
                names += look.links.pop(id, [])
                content = files.content(member)
            except Unfit as unfit:
                fitting += unfit.reason == "unsafe name"
                for name in names:
                    skip(Skip(f"{stream.name}:{name}", unfit.reason, unfit.detail))
                continue
            for name in names:
                place = f"{stream.name}:{name}"
                try:
                    if name is not names[0]:
                        look.check_links(stream.read, len(content))
                    yield from single.documents(
                        content, archive.id_of(name) or name, place, skip, options
                    )
                except Unfit as unfit:
                    skip(Skip(place, unfit.reason, unfit.detail))
            measure(stream.read, stream.total)
        if files.oddity:
            skip(Notice(stream.name, "no end mark", files.oddity))
        archive.check_any(stream.name, fitting, files.count, files.first)
        if not files.count:
            skip(archive.nothing(stream.name))
        measure(stream.read, stream.total)


class _Look:
    """What the headers of an archive on disk say: its links, and the names that occur more than
    once.

    links: the names of the links to a file by its id, if exactly one file has this id; found: the
    numbers of these links among the files that can be documents.
    """

    def __init__(self, source: str, encoding: str | None) -> None:
        self.places = archive.Places()
        self.links: dict[str, list[str]] = {}
        self.found = set[int]()
        self._given = 0
        if not is_regular(source):
            return
        links = list[tuple[int, str, str]]()
        with Stream(source, text=False) as stream, contextlib.suppress(SourceError):
            files = _Files(stream, encoding)
            for member in files:
                number = self.places.add(files.name, member.isreg())
                if number is not None and (target := files.target(member)):
                    links.append((number, files.name, target))
        there = self.places.once([target for _, _, target in links])
        for number, name, target in links:
            if target in there and not self.places.is_replaced(number):
                self.found.add(number)
                self.links.setdefault(target, []).append(name)

    def check_links(self, read: int, size: int) -> None:
        """Raise Unfit where links would make more of an archive than its text can be."""
        self._given += size
        archive.check_expansion(read, self._given)


class _Files:
    """The files of an archive but for folders, in order.

    name: of the one that came last; count, first: how many there are so far, and the name of the
    first; oddity: what is odd about the end of the archive, once it is reached. Raises SourceError.
    """

    def __init__(self, stream: Stream, encoding: str | None) -> None:
        self._stream = stream
        self._file: Any = _File(stream)  # of a file it has what tarfile needs
        self._encodings = (encoding,) if encoding else ()
        self._members: Any = None
        self.count = 0
        self.name = self.first = self.oddity = ""

    def __iter__(self) -> Iterator[tarfile.TarInfo]:
        with self._said():
            while not self._members or self._another():
                self._members = tarfile.open(
                    fileobj=self._file, mode="r:", tarinfo=_Member, encoding="utf-8"
                )
                while (member := self._next()) is not None:
                    self._members.members = []  # it would keep all
                    if not member.isdir():
                        self.name, self.count = self._shown(member.name), self.count + 1
                        self.first = self.first or self.name
                        yield member

    def _next(self) -> tarfile.TarInfo | None:
        self._file.in_headers = True
        return self._members.next()  # type: ignore[no-any-return]

    def content(self, member: tarfile.TarInfo) -> bytes:
        """Return the content of the current file. Raises Unfit."""
        if member.islnk() or member.issym():
            raise Unfit(
                "link",
                f"a link to {self._shown(member.linkname)!r}, which is not a text of the archive "
                "or not the only one of this name; links are not resolved on standard input",
            )
        if not member.isreg():
            raise Unfit("unreadable", "expected a regular file, found a device or the like")
        archive.check_size(member.size)
        with self._said():
            file = self._members.extractfile(member)
            self._file.in_headers = False
            # As much may have been read ahead.
            before, content = self._stream.read - BUFFER, bytearray()
            while block := file.read(_BLOCK):
                content += block
                archive.check_expansion(self._stream.read - before, len(content))
            return bytes(content)

    def target(self, member: tarfile.TarInfo) -> str | None:
        """Return the id of the file that a member links to, None if it links to no text."""
        to = self._shown(member.linkname)
        if member.issym():
            to = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), to))
        elif not member.islnk():
            return None
        with contextlib.suppress(Unfit):
            return archive.id_of(to)
        return None

    def _shown(self, name: str) -> str:
        return name_of(name.encode("utf-8", "surrogateescape"), *self._encodings)

    def _another(self) -> bool:
        """Return whether an archive follows the end mark of the one before."""
        if self._file.ended:
            self.oddity = (
                "expected two blocks of zeros at the end, found none; all files are whole; if some "
                "are missing, copy or download the archive again"
            )
            return False
        while (block := self._file.read(tarfile.BLOCKSIZE)) == _NO_BLOCK:
            pass
        if not block.strip(b"\0"):
            return False
        try:
            _Member.frombuf(block, "utf-8", "surrogateescape")
        except (tarfile.HeaderError, _Broken):
            self.oddity = (
                f"what follows the end mark at byte {self._file.tell() - len(block):,} of the "
                "content is not a tar archive, and is not read"
            )
            return False
        self._file.back(block)
        return True

    @contextlib.contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except Unfit:
            raise
        except _ERRORS as error:
            where = (
                f"after {self.count:,} files, {self.name!r} the last, and "
                f"{self._stream.tell():,} bytes of content"
                if self.count
                else "at its beginning"
            )
            raise SourceError(
                self._stream.name,
                f"cut short or no tar archive ({error}) {where}; copy or download the file again",
            ) from error


class _File:
    """What tarfile reads from: a stream, in which it only goes forward, at once in a plain file.

    ended: whether nothing was there when it was read last; in_headers: whether headers are read.
    """

    def __init__(self, stream: Stream) -> None:
        self.in_headers = True
        self._stream = stream
        self._ahead = b""
        self.ended = False

    def back(self, content: bytes) -> None:
        """Go back, so that the block that was read last is read again."""
        self._ahead = content

    def read(self, size: int) -> bytes:
        content, self._ahead = self._ahead or self._stream.take(size), b""
        self.ended = not content
        if self.in_headers and size > tarfile.BLOCKSIZE:
            return _DIGITS.sub(lambda run: b"x" * len(run[0]), content)
        return content

    def tell(self) -> int:
        return self._stream.tell() - len(self._ahead)

    def seek(self, offset: int) -> None:
        if offset < self.tell():
            raise _Broken("its parts overlap")
        self._stream.go(Place(offset))


class _Broken(Exception):
    """A header that is cut short or wrong, which tarfile takes for the end; this is none of its
    errors, and gets through.
    """


# What a damaged archive raises.
_ERRORS = (
    tarfile.TarError,
    _Broken,
    ValueError,
    LookupError,
    ArithmeticError,
    RecursionError,
)


class _Member(tarfile.TarInfo):
    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        try:
            member = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if not buf or (len(buf) == tarfile.BLOCKSIZE and not any(buf)):
                raise  # the end
            raise _Broken(str(error)) from error
        if member.type in _HEADERS and member.size > _NAME_BYTES:
            raise _Broken(f"a header of {member.size:,} bytes")
        if member.size < 0:
            raise _Broken(f"a file of {member.size:,} bytes")
        return member
