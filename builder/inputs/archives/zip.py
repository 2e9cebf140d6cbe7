"""Read a zip archive: each file that a folder gives as a document is one."""

from __future__ import annotations

from collections.abc import Iterator

from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.archives import archive
from pocketindex.builder.inputs.opening.stream import seekable
from pocketindex.builder.inputs.opening.zip_file import BadZip, Member, SplitZip, ZipFile
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, shown, unmeasured


def documents(
    source: str, skip: OnSkip, measure: OnBytes = unmeasured, options: Options = DEFAULTS
) -> Iterator[Document]:
    """Yield the documents of an archive in the order of its directory. Their ids are their paths in
    it. The encoding of the options is that of texts, and of names that are not UTF-8 and declare no
    encoding (CP437 if it is None). Hidden files are left out.

    Skipped: files of other kinds, "replaced", "link", "unreadable" (damaged, encrypted, compressed
    in a way that is not read), "unsafe name", "bomb", "too long", "empty" and what the kinds of
    files skip. Noticed: "odd directory". Raises SourceError where the directory, which stands at
    the end, is missing or damaged, and where it has no such file at all.
    """
    source_name = shown(source)
    encodings = (options.encoding,) if options.encoding else ()
    with seekable(source) as file:
        size = file.seek(0, 2)
        try:
            members = ZipFile(file)
        except SplitZip as error:
            raise SourceError(source_name, str(error)) from error
        except (BadZip, OSError) as error:
            raise SourceError(
                source_name,
                f"cut short, damaged or not a zip archive ({error}): its directory, which is at "
                "the end, cannot be read; copy or download the file again",
            ) from error
        places, names, first = archive.Places(), 0, ""
        for member in _files(members):
            name = member.name(*encodings)
            places.add(name)
            single.require(source_name, [name])
            names, first = names + 1, first or name
        read = fitting = 0
        number = -1
        for member in _files(members):
            name = member.name(*encodings)
            place = f"{source_name}:{name}"
            read += member.packed
            try:
                id = archive.id_of(name)
                if id is None:
                    if not archive.is_hidden(name):
                        skip(archive.other_kind(name, place, archive.GIVES))
                    continue
                fitting, number = fitting + 1, number + 1
                if places.is_replaced(number):
                    skip(archive.replaced(place))
                    continue
                if read > size:
                    raise Unfit("bomb", "its files overlap: together they are longer")
                yield from single.documents(_content(members, member), id, place, skip, options)
            except Unfit as unfit:
                fitting += unfit.reason == "unsafe name"
                skip(Skip(place, unfit.reason, unfit.detail))
            measure(min(read, size), size)
        if members.problem:
            skip(Notice(source_name, "odd directory", members.problem))
        archive.check_any(source_name, fitting, names, first)
        if not names:
            skip(archive.nothing(source_name))
        measure(size, size)


def _files(members: ZipFile) -> Iterator[Member]:
    """Yield the members that are no folders."""
    return (member for member in members.members() if not member.raw.endswith((b"/", b"\\")))


def _content(members: ZipFile, member: Member) -> bytes:
    if member.is_link:
        raise Unfit("link", "a symbolic link, which is not followed")
    archive.check_size(member.size)
    archive.check_expansion(member.packed, member.size)
    try:
        return members.content(member)
    except BadZip as error:
        raise Unfit("unreadable", str(error)) from None
