"""A folder of text, Markdown, HTML, EPUB, PDF and office files, and of archives of them, or a
single such file: a document a file.
"""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Iterator, Sequence

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.archives import tar, zip
from pocketindex.builder.inputs.archives.archive import other_kind
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.pages.single import FILE_BYTES, SUFFIXES
from pocketindex.builder.inputs.source import NeedsPackage, OnBytes, OnSkip, SourceError, unmeasured

ARCHIVES = (*tar.SUFFIXES, *zip.SUFFIXES)
_GIVES = (
    "a folder gives texts, Markdown, HTML, EPUB, PDF and office files, and those in tar and zip "
    "archives"
)


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    encoding: str | None = None,
    add: Sequence[str] = (),
) -> Iterator[Document]:
    """Yield a document for each file with one of SUFFIXES in the folder `source`, in the folders
    and in the archives in it, or for the file `source`.

    Sorted by path. The id is the path below the folder, with forward slashes, and in an archive
    behind that of the archive. The title is the first heading of a Markdown file, that of an HTML
    or PDF file, else the file's name without suffix. Hidden files and folders are left out, as are
    links to folders. add: what is added to the texts of office files. Texts are in the encoding
    that is named, else UTF-8, or UTF-16 with a byte order mark; other bytes become U+FFFD, which
    skip is told. Skipped: files of other kinds, by suffix; "unreadable" (also what is no regular
    file, and an archive that cannot be read further), "empty", "too long". Raises SourceError where
    there are files that need a package which is not installed, and where there are files and none
    of these kinds.
    """
    if os.path.isdir(source):
        others = list[str]()
        root, names = source, sorted(_names(source, skip, others))
        if others and not names:
            raise SourceError(
                source,
                f"none of its {len(others):,} files ({min(others)!r} ...) ends in "
                f"{', '.join((*SUFFIXES, *ARCHIVES))}; "
                "if they are sources of another kind, give them by a pattern, as "
                f"'{os.path.join(source, '*')}'",
            )
        for name in sorted(others):
            skip(other_kind(name, os.path.join(root, name), _GIVES))
    elif os.path.lexists(source):
        root, names = os.path.split(source)[0], [os.path.basename(source)]
    else:
        raise SourceError(source, "there is no such file or folder; check the path")
    single.require(source, names)
    total = sum(_size(os.path.join(root, name)) for name in names)
    read = 0
    for name in names:
        path = os.path.join(root, name)
        read += _size(path)
        try:
            if name.lower().endswith(ARCHIVES):
                yield from _of_archive(path, name, skip, encoding, add)
            else:
                yield single.document(_content(path), name, path, skip, encoding, add=add)
        except Unfit as unfit:
            skip(Skip(path, unfit.reason, unfit.detail))
        except OSError as error:
            skip(Skip(path, "unreadable", error.strerror or str(error)))
        measure(read, total)


def _names(root: str, skip: OnSkip, others: list[str]) -> Iterator[str]:
    """Yield the files below root that become documents, and the archives.

    Other files go to others; hidden ones are passed over.
    """

    def unreadable(error: OSError) -> None:
        skip(Skip(str(error.filename), "unreadable", error.strerror or str(error)))

    for folder, folders, files in os.walk(root, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inner = os.path.relpath(folder, root).replace(os.sep, "/") + "/"
        for name in files:
            if not name.startswith("."):
                path = inner.removeprefix("./") + name
                if name.lower().endswith((*SUFFIXES, *ARCHIVES)):
                    yield path
                else:
                    others.append(path)


def _of_archive(
    path: str, name: str, skip: OnSkip, encoding: str | None, add: Sequence[str]
) -> Iterator[Document]:
    """Yield the documents of an archive in the folder.

    What is wrong with it does not end the folder.
    """
    _check_regular(path)
    kind = zip if name.lower().endswith(zip.SUFFIXES) else tar
    try:
        for document in kind.documents(path, skip, encoding=encoding, add=add):
            try:
                yield dataclasses.replace(document, id=f"{name}/{document.id}")
            except Unfit as unfit:
                skip(Skip(f"{path}:{document.id}", unfit.reason, unfit.detail))
    except NeedsPackage:
        raise
    except SourceError as error:
        skip(Skip(path, "unreadable", error.problem))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _check_regular(path: str) -> None:
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a regular file")  # to open a pipe would wait for its writer


def _content(path: str) -> bytes:
    _check_regular(path)
    with open(path, "rb") as file:
        content = file.read(FILE_BYTES + 1)
    if len(content) > FILE_BYTES:
        raise Unfit("too long", f"the file has more than {FILE_BYTES:,} bytes")
    return content
