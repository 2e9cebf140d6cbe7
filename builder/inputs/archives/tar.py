"""A tar archive of texts, Markdown, HTML, EPUB, PDF and office files, compressed or not: a document
a file, read in one pass.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.archives import archive
from pocketindex.builder.inputs.opening.compression import BUFFER
from pocketindex.builder.inputs.opening.stream import Content, Stream
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    SourceError,
    packed,
    unmeasured,
)

_BLOCK = 1 << 20
_NAME_BYTES = 1 << 20  # of a header that holds a long name or other properties
_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


SUFFIXES = (*packed(".tar"), ".tgz", ".tbz2", ".txz", ".tzst")


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    encoding: str | None = None,
    add: Sequence[str] = (),
) -> Iterator[Document]:
    """Yield the documents of an archive, in its order; ids are paths in it; encoding: of the texts;
    add: to those of office files.

    Hidden files are left out.

    Skipped: files of other kinds, "unreadable" (links and devices with the name of a text), "unsafe
    name", "bomb", "too long", "empty" and what the kinds of files skip. Raises SourceError where
    the archive is cut short (it has no end mark) or damaged, and where it has no such file at all.
    """
    with Stream(source, text=False) as stream:
        files = 0
        fitting = 0
        first = ""
        name = ""
        file: Any = Content(stream)
        try:
            with tarfile.open(
                fileobj=file, mode="r|", tarinfo=_Member, bufsize=tarfile.BLOCKSIZE
            ) as members:
                while (member := members.next()) is not None:
                    members.members = []  # type: ignore[attr-defined]  # it would keep them all
                    if member.isdir():
                        continue
                    name, files = member.name, files + 1
                    first = first or name
                    place = f"{stream.name}:{name}"
                    try:
                        id = archive.id_of(name)
                        if id is None:
                            if not archive.is_hidden(name):
                                skip(archive.other_kind(name, place, archive.GIVES))
                            continue
                        fitting += 1
                        single.require(stream.name, [name])
                        document = single.document(
                            _content(stream, members, member), id, place, skip, encoding, add=add
                        )
                    except Unfit as unfit:
                        fitting += unfit.reason == "unsafe name"
                        skip(Skip(place, unfit.reason, unfit.detail))
                    else:
                        yield document
                    measure(stream.read, stream.total)
        except (tarfile.TarError, _Broken, ValueError, OverflowError) as error:
            where = (
                f"after {files:,} files, {name!r} the last, and {stream.tell():,} bytes of content"
                if files
                else "at its begin"
            )
            raise SourceError(
                stream.name,
                f"cut short or no tar archive ({error}) {where}; copy or download the file again",
            ) from error
        archive.check_any(stream.name, fitting, files, first)
        measure(stream.read, stream.total)


class _Broken(Exception):
    """A header that is cut short or wrong, which tarfile takes for the end; this is none of its
    errors, and gets through.
    """


class _Member(tarfile.TarInfo):
    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        try:
            member = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):
                raise  # the end mark
            raise _Broken(f"no end mark, {error}" if not buf else str(error)) from error
        if member.type in _HEADERS and member.size > _NAME_BYTES:
            raise _Broken(f"a header of {member.size:,} bytes")
        if member.size < 0:
            raise _Broken(f"a file of {member.size:,} bytes")
        return member


def _content(stream: Stream, members: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    if not member.isreg():
        raise Unfit("unreadable", "a link or device, not a regular file")
    archive.check_size(member.size)
    file: IO[bytes] | None = members.extractfile(member)
    assert file is not None  # it is a regular file
    before, content = stream.read - BUFFER, bytearray()  # as much may have been read ahead
    while block := file.read(_BLOCK):
        content += block
        archive.check_expansion(stream.read - before, len(content))
    return bytes(content)
