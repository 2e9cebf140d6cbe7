"""Read and check every byte of a pocket file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial

from pocketindex.cli import OK, complain, message_of
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.errors import PocketError
from pocketindex.index import Index
from pocketindex.manifest import manifest_at, read_manifest
from pocketindex.streams import printable
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex verify wiki.pocket && echo whole
  pocketindex verify shards/

A manifest of shards, or its folder, stands for them. `verify` also checks that each shard is the
one listed in the manifest.

exit codes: 0 every file is whole, 2 one cannot be read or is not the shard described, 3 one is
damaged or no pocket file (the message says where). All are checked, also after one that is damaged.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket", nargs="+")
    add_row_arguments(parser, "a file")


def run(arguments: argparse.Namespace) -> int:
    rows = arguments.json or arguments.csv
    show = row_printer(arguments.csv, ("path", "ok", "documents", "error")) if rows else None
    worst = OK
    for path in arguments.file:
        for name, found in _verified(path):
            if isinstance(found, Exception):
                worst = max(worst, complain(found))
                if show:
                    show({"path": name, "ok": False, "error": message_of(found)})
            elif show:
                show({"path": name, "ok": True, "documents": found})
            else:
                print(f"{printable(name)}: whole, {counted(found, 'document')}")
    return worst


def _verified(path: str) -> Iterator[tuple[str, int | Exception]]:
    """Yield the files of a path, which may be a manifest's: each with the number of its documents,
    or with the error that it has.
    """
    place = manifest_at(path)
    if place is None:
        yield path, _documents(partial(Index, path))
        return
    try:
        manifest = read_manifest(place)
    except (PocketError, OSError) as error:
        yield path, error
        return
    for shard in manifest.shards:
        yield manifest.place(shard), _documents(partial(manifest.open, shard))


def _documents(opened: Callable[[], Index]) -> int | Exception:
    try:
        with opened() as index:
            index.verify()
            return len(index)
    except (PocketError, OSError) as error:
        return error
