"""Read a folder: each file of a kind that is one document is one, and so is each such file in the
archives in it.
"""

from __future__ import annotations

import dataclasses
import glob
import os
import shlex
import stat
from collections.abc import Collection, Iterator
from typing import Any

from pocketindex.builder.document import Document, Skip, Unfit, most_of_record
from pocketindex.builder.inputs.archives.archive import other_kind, shown_suffix
from pocketindex.builder.inputs.kinds import INPUTS, by_name, one_by_name
from pocketindex.builder.inputs.listing import Listing
from pocketindex.builder.inputs.opening.addresses import Address
from pocketindex.builder.inputs.opening.elsewhere import (
    Elsewhere,
    Unreachable,
    is_folder,
    opened,
    size_of,
)
from pocketindex.builder.inputs.opening.encoding import name_of
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.pages.single import FILE_BYTES, too_long
from pocketindex.builder.inputs.source import NeedsPackage, OnBytes, OnSkip, SourceError, unmeasured
from pocketindex.builder.inputs.unread import instead
from pocketindex.builder.inputs.walking import Walk, message_id
from pocketindex.errors import spelled
from pocketindex.wording.counted import no_file


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    options: Options = DEFAULTS,
    spared: Collection[str] = (),
) -> Iterator[Document]:
    """Yield the documents of the files in the folder `source`, in the folders and in the archives
    in it, of the kinds that a folder gives.

    They are sorted by path. The id is the path below the folder, with forward slashes; in an
    archive it comes after that of the archive. A message of a Maildir has the path of the Maildir
    and its name without flags as its id. The title is that of the front matter or the first heading
    of a Markdown file, that of an HTML, EPUB, PDF or office file, the subject of a message, or else
    the file's name without its suffix. Hidden files and folders are left out. Texts are in the
    encoding of the options, or else in UTF-8, or in UTF-16 with a byte order mark; other bytes
    become U+FFFD, which is reported to skip. Where the options name a format, each file is read as
    one of it, whatever its name. spared: as in Walk.

    Skipped: files of other kinds, by suffix; "link"; "unreadable" (also what is no regular file,
    and an archive that cannot be read further), "empty", "too long". Raises SourceError where there
    are files that need a package which is not installed, where there are files and none of
    these kinds, where it is no folder, and where a file at an address does not come to its end.
    """
    if not is_folder(source):
        raise SourceError(source, "expected a folder, found none; check the path")
    format = INPUTS.get(options.format or "")
    alike = format if format and format.one else None  # what every file is
    fits = _gives if alike is None else bool  # a name is never empty
    walk: Walk | Listing = (
        Listing(source, fits)
        if isinstance(source, Address)
        else Walk(source, skip, fits, options.follow_links, spared)
    )
    names = sorted(walk.names())
    others = sorted(walk.others)
    if others and not names:
        raise SourceError(
            source,
            f"{no_file(len(others), others[0], 'that a folder gives')}; {_remedy(source, others)}",
        )
    for name, path in walk.paths(others).items():
        skip(_other(source, name, path))
    if alike:
        alike.need(source, f"its files are read as {alike.name}")
    else:
        single.require(source, names)
    paths = walk.paths(names)
    total = sum(map(_size, paths.values()))
    read = 0
    for name, path in paths.items():
        id = name_of(os.fsencode(name))
        read += _size(path)
        try:
            if name in walk.messages:
                own, kind = message_id(id), INPUTS["mail"]
                yield from single.documents(_content(path), own, path, skip, options, kind)
            elif alike or one_by_name(name):
                yield from single.documents(_content(path), id, path, skip, options, alike)
            else:
                yield from _of_archive(path, id, skip, options)
        except Unfit as unfit:
            skip(Skip(path, unfit.reason, unfit.detail))
        except OSError as error:
            skip(Skip(path, "unreadable", error.strerror or str(error)))
        except (NeedsPackage, Unreachable):
            raise
        except SourceError as error:
            if not isinstance(path, Elsewhere):
                raise
            skip(Skip(path, "unreadable", error.problem))
        measure(read, total)


def _gives(name: str) -> bool:
    """Return whether a folder gives a file of this name."""
    return bool((kind := by_name(name)) and kind.in_folder)


def _is_alone(name: str) -> bool:
    """Return whether a file is a source by itself, of many documents."""
    return bool((kind := by_name(name)) and not kind.in_folder)


def _other(root: str, name: str, path: str) -> Skip:
    """Skip a file; the reason says what to do with one of a kind that is known."""
    if _is_alone(name):
        detail = f"its name says that it holds many documents; {_remedy(root, [name])}"
    else:
        detail = instead(path, b"") or (
            f"files of this kind are not read from a folder; {spelled('format', 'text')} reads all "
            "of its files as texts"
        )
    return other_kind(name, path, detail)


def _remedy(root: str, names: list[str]) -> str:
    """Return how to give files that are not read from a folder."""
    own = next(filter(_is_alone, names), None)
    if own is None:
        return f"{spelled('format', 'text')} reads all of them as texts"
    parts = [glob.escape(root), *(["**"] if "/" in own else []), f"*{shown_suffix(own)}"]
    return f"read such files with: pocketindex build {shlex.quote(os.path.join(*parts))}"


def _of_archive(path: str, name: str, skip: OnSkip, options: Options) -> Iterator[Document]:
    """Yield the documents of an archive in the folder.

    What is wrong with it does not end the folder.
    """
    _check_regular(path)
    kind = by_name(name)
    assert kind
    # The ids of an mbox file's messages begin with its name already.
    around = name if kind.name != "mbox" else name.rpartition("/")[0]
    read: Any = kind.documents
    try:
        for document in read(path, skip, options=options):
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
        return size_of(path) or 0
    except (OSError, SourceError):
        return 0


def _check_regular(path: str) -> None:
    if not isinstance(path, Elsewhere) and not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a regular file")  # to open a pipe would wait for its writer


def _content(path: str) -> bytes:
    _check_regular(path)
    most = most_of_record(FILE_BYTES)
    with opened(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise too_long(_size(path), most)
    return content
