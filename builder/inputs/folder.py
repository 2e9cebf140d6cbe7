"""Read a folder of text, Markdown, HTML, EPUB, PDF and office files and of archives of them, or a
single such file: each file is a document.
"""

from __future__ import annotations

import dataclasses
import glob
import os
import shlex
import stat
from collections.abc import Collection, Iterator

from pocketindex.builder.document import Document, Skip, Unfit, most_of_record
from pocketindex.builder.inputs.archives import mbox, tar, zip
from pocketindex.builder.inputs.archives.archive import OTHER_KIND, other_kind, shown_suffix
from pocketindex.builder.inputs.listing import Listing
from pocketindex.builder.inputs.opening.addresses import Address
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere, Unreachable, name_of_file
from pocketindex.builder.inputs.opening.encoding import name_of
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.pages.single import FILE_BYTES, SUFFIXES, too_long
from pocketindex.builder.inputs.source import NeedsPackage, OnBytes, OnSkip, SourceError, unmeasured
from pocketindex.builder.inputs.walking import Walk, message_id
from pocketindex.wording.counted import counted

ARCHIVES = (*tar.SUFFIXES, *zip.SUFFIXES, *mbox.SUFFIXES)
_GIVES = (
    "texts, Markdown, HTML, EPUB, PDF and office files and mail of a folder are read, also in tar "
    "and zip archives; if this is a source of another kind, give its path to build"
)


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    options: Options = DEFAULTS,
    spared: Collection[str] = (),
    alone: tuple[str, ...] = (),
) -> Iterator[Document]:
    """Yield a document for each file with one of SUFFIXES in the folder `source`, in the folders
    and in the archives in it, or for the file `source`.

    They are sorted by path. The id is the path below the folder, with forward slashes; in an
    archive it comes after that of the archive. A message of a Maildir has the path of the Maildir
    and its name without flags as its id. The title is that of the front matter or the first heading
    of a Markdown file, that of an HTML, EPUB, PDF or office file, the subject of a message, or else
    the file's name without its suffix. Hidden files and folders are left out. Texts are in the
    encoding of the options, or else in UTF-8, or in UTF-16 with a byte order mark; other bytes
    become U+FFFD, which is reported to skip. spared: as in Walk; alone: suffixes of files that
    other inputs read, each file as a source.

    Skipped: files of other kinds, by suffix; "link"; "unreadable" (also what is no regular file,
    and an archive that cannot be read further), "empty", "too long". Raises SourceError where there
    are files that need a package which is not installed, where there are files and none of these
    kinds, and where a file at an address does not come to its end.
    """
    if walk := _walk(source, skip, options, spared):
        names = sorted(walk.names())
        others, messages = sorted(walk.others), walk.messages
        if others and not names:
            raise SourceError(
                source,
                f"none of its {counted(len(others), 'file')} ({others[0]!r} ...) is of a kind that "
                f"a folder gives; {_remedy(source, others, alone)}",
            )
        for name in others:
            skip(_other(source, name, alone))
        paths = walk.paths(names)
    elif isinstance(source, Elsewhere) or os.path.lexists(source):
        names, messages = [name_of_file(source)], set[str]()
        paths = {names[0]: source}
    else:
        raise SourceError(source, "there is no such file or folder; check the path")
    single.require(source, names)
    total = sum(map(_size, paths.values()))
    read = 0
    for name in names:
        path = paths[name]
        id = name_of(os.fsencode(name))
        read += _size(path)
        try:
            if name.lower().endswith(ARCHIVES):
                yield from _of_archive(path, id, skip, options)
            else:
                suffix = ".eml" if name in messages else ""
                own = message_id(id) if name in messages else id
                yield from single.documents(_content(path), own, path, skip, options, suffix)
        except Unfit as unfit:
            skip(Skip(path, unfit.reason, unfit.detail))
        except OSError as error:
            skip(Skip(path, "unreadable", error.strerror or str(error)))
        except (NeedsPackage, Unreachable):
            raise
        except SourceError as error:
            if path is source or not isinstance(path, Elsewhere):
                raise
            skip(Skip(path, "unreadable", error.problem))
        measure(read, total)


def _walk(
    source: str, skip: OnSkip, options: Options, spared: Collection[str]
) -> Walk | Listing | None:
    """Return what lists the files of a folder; None for what is none."""
    fitting = (*SUFFIXES, *ARCHIVES)
    if isinstance(source, Address) and source.is_folder:
        return Listing(source, fitting)
    if isinstance(source, Elsewhere) or not os.path.isdir(source):
        return None
    return Walk(source, skip, fitting, options.follow_links, spared)


def _other(root: str, name: str, alone: tuple[str, ...]) -> Skip:
    """Skip a file; the reason says what to do with one that is a source of its own."""
    path = os.path.join(root, name)
    if not name.lower().endswith(alone):
        return other_kind(name, path, _GIVES)
    detail = f"its name says that it holds many documents; {_remedy(root, [name], alone)}"
    return Skip(path, OTHER_KIND + shown_suffix(name), detail)


def _remedy(root: str, names: list[str], alone: tuple[str, ...]) -> str:
    """Return how to give files that are not read from a folder."""
    own = next((name for name in names if name.lower().endswith(alone)), None)
    if own is None:
        pattern = os.path.join(glob.escape(root), "*")
        return f"if they are sources of another kind, give them as a pattern such as {pattern!r}"
    parts = [glob.escape(root), *(["**"] if "/" in own else []), f"*{shown_suffix(own)}"]
    return f"read such files with: pocketindex build {shlex.quote(os.path.join(*parts))}"


def _of_archive(path: str, name: str, skip: OnSkip, options: Options) -> Iterator[Document]:
    """Yield the documents of an archive in the folder.

    What is wrong with it does not end the folder.
    """
    _check_regular(path)
    kind = next(kind for kind in (zip, mbox, tar) if name.lower().endswith(kind.SUFFIXES))
    # The ids of an mbox file's messages begin with its name already.
    around = name if kind is not mbox else name.rpartition("/")[0]
    try:
        for document in kind.documents(path, skip, options=options):
            try:
                yield dataclasses.replace(document, id=f"{around}/{document.id}".lstrip("/"))
            except Unfit as unfit:
                skip(Skip(f"{path}:{document.id}", unfit.reason, unfit.detail))
    except (NeedsPackage, Unreachable):
        raise
    except SourceError as error:
        skip(Skip(path, "unreadable", error.problem))


def _size(path: str) -> int:
    try:
        return (path.size or 0) if isinstance(path, Elsewhere) else os.stat(path).st_size
    except (OSError, SourceError):
        return 0


def _check_regular(path: str) -> None:
    if not isinstance(path, Elsewhere) and not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a regular file")  # to open a pipe would wait for its writer


def _content(path: str) -> bytes:
    _check_regular(path)
    most = most_of_record(FILE_BYTES)
    with path.open() if isinstance(path, Elsewhere) else open(path, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise too_long(_size(path), most)
    return content
