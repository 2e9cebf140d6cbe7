"""A zip archive of texts, Markdown, HTML, EPUB, PDF and office files: a document a file."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.archives import archive
from pocketindex.builder.inputs.opening.stream import seekable
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, shown, unmeasured

# What a damaged directory may raise, besides what the library means to.
_WRONG = (
    zipfile.BadZipFile,
    OSError,
    RuntimeError,
    ValueError,
    LookupError,
    ArithmeticError,
    struct.error,
)
# What reading a file of an archive may raise: wrong data, a wrong checksum, encryption, an unknown
# compression.
_ERRORS = (*_WRONG, zlib.error, lzma.LZMAError, EOFError)


SUFFIXES = (".zip",)


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    encoding: str | None = None,
    add: Sequence[str] = (),
) -> Iterator[Document]:
    """Yield the documents of an archive, in the order of its directory; ids are paths in it;
    encoding: of the texts; add: to those of office files. Hidden files are left out.

    Skipped: files of other kinds, "unreadable" (damaged, encrypted), "unsafe name", "bomb", "too
    long", "empty" and what the kinds of files skip. Raises SourceError where the directory, which
    stands at the end, is missing or damaged, and where it has no such file at all.
    """
    name = shown(source)
    with seekable(source) as file:
        size = file.seek(0, 2)
        read = 0
        fitting = 0
        try:
            members = zipfile.ZipFile(file)
        except _WRONG as error:
            problem = (
                f"cut short, damaged or no zip archive ({error}): its directory, which stands "
                "at the end, cannot be read"
            )
            raise SourceError(name, f"{problem}; copy or download the file again") from error
        with members:
            files = [member for member in members.infolist() if not member.filename.endswith("/")]
            single.require(name, [member.filename for member in files])
            for member in files:
                place = f"{name}:{member.filename}"
                read += member.compress_size
                try:
                    id = archive.id_of(member.filename)
                    if id is None:
                        if not archive.is_hidden(member.filename):
                            skip(archive.other_kind(member.filename, place, archive.GIVES))
                        continue
                    fitting += 1
                    document = single.document(
                        _content(members, member), id, place, skip, encoding, add=add
                    )
                except Unfit as unfit:
                    fitting += unfit.reason == "unsafe name"
                    skip(Skip(place, unfit.reason, unfit.detail))
                else:
                    yield document
                measure(min(read, size), size)
            archive.check_any(name, fitting, len(files), files[0].filename if files else "")
        measure(size, size)


def _content(members: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    archive.check_size(member.file_size)
    archive.check_expansion(member.compress_size, member.file_size)
    try:
        # No more is read than the directory says, and the checksum must be right.
        return members.read(member)
    except _ERRORS as error:
        raise Unfit(
            "unreadable", f"damaged, encrypted or of an unknown compression: {error}"
        ) from None
