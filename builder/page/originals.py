"""The files that a collection was made of, beside the disc, so that a hit leads to the page itself
with its images and links.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pocketindex.builder import inputs

FLAG = "--originals"


def check_originals(sources: Sequence[str]) -> None:
    """Raise ValueError for a source that is no folder and no file that is one document: its
    documents are no files, which a link could lead to.
    """
    if not sources:
        raise ValueError(
            f"{FLAG} puts the files of SOURCEs beside the disc, and a .pocket file has none; give "
            "the folder that it was made of"
        )
    for source in sources:
        if os.path.isdir(source):
            continue
        if not os.path.isfile(source) or inputs.find(source, None).one is None:
            raise ValueError(
                f"{source}: {FLAG} needs a folder, or a file that is a document: what is in an "
                "archive or a table has no page of its own; unpack it, or leave out the option"
            )


def originals(sources: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield the name of each file of the sources and where it lies. Names are those below a source,
    as documents have them for ids; of two that are the same, the first is taken, as a build does.
    Hidden files, and links that lead out of a source, are left out.
    """
    taken = set[str]()
    for source in sources:
        for name, path in _files(Path(source)):
            if name not in taken:
                taken.add(name)
                yield name, path


def _files(source: Path) -> Iterator[tuple[str, Path]]:
    if source.is_file():
        yield source.name, source
        return
    root = source.resolve()
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            if name.startswith(".") or not path.is_file() or root not in path.resolve().parents:
                continue
            yield path.relative_to(source).as_posix(), path
