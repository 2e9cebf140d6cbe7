"""A folder of text, Markdown, HTML and PDF files, or a single one: a document a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs import single
from pocketindex.builder.inputs.single import FILE_BYTES, SUFFIXES
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, unmeasured


def documents(source: str, skip: OnSkip, measure: OnBytes = unmeasured) -> Iterator[Document]:
    """A document for each file with one of SUFFIXES in the folder `source` and the folders in it, or for the file `source`.

    Sorted by id, which is the path below the folder, with forward slashes. The title is the first heading of a Markdown file, that of an
    HTML or PDF file, else the file's name without suffix. Hidden files and folders are left out, as are links to folders. Texts are UTF-8,
    or UTF-16 with a byte order mark; other bytes become U+FFFD. Skipped: "unreadable" (also what is no regular file), "empty", "too long".
    Raises SourceError where there are files that need a package which is not installed, and where there are files and none of these kinds.
    """
    if os.path.isdir(source):
        others = list[str]()
        root, names = source, sorted(_names(source, skip, others))
        if others and not names:
            raise SourceError(
                source,
                f"none of its {len(others):,} files ({min(others)!r} ...) ends in {', '.join(SUFFIXES)}; "
                f"if they are sources of another kind, give them by a pattern, as '{os.path.join(source, '*')}'",
            )
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
            document = single.document(_content(path), name, path)
        except Unfit as unfit:
            skip(Skip(path, unfit.reason, unfit.detail))
        except OSError as error:
            skip(Skip(path, "unreadable", error.strerror or str(error)))
        else:
            yield document
        measure(read, total)


def _names(root: str, skip: OnSkip, others: list[str]) -> Iterator[str]:
    """Of all files that become documents, below root; the rest goes to others, but for hidden ones."""

    def unreadable(error: OSError) -> None:
        skip(Skip(str(error.filename), "unreadable", error.strerror or str(error)))

    for folder, folders, files in os.walk(root, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inner = os.path.relpath(folder, root).replace(os.sep, "/") + "/"
        for name in files:
            if not name.startswith("."):
                path = inner.removeprefix("./") + name
                if name.lower().endswith(SUFFIXES):
                    yield path
                else:
                    others.append(path)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _content(path: str) -> bytes:
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a regular file")  # to open a pipe would wait for its writer
    with open(path, "rb") as file:
        content = file.read(FILE_BYTES + 1)
    if len(content) > FILE_BYTES:
        raise Unfit("too long", f"the file has more than {FILE_BYTES:,} bytes")
    return content
