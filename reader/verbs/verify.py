"""Read and check every byte of a pocket file."""

from __future__ import annotations

import argparse

import pocketindex
from pocketindex.cli import OK, complain, message_of
from pocketindex.errors import PocketError
from pocketindex.verbs.rows import add_row_arguments, row_printer
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex verify wiki.pocket && echo whole

exit codes: 0 every file is whole, 3 one is damaged or no pocket file (the message says where). All
are checked, also after one that is damaged.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket", nargs="+")
    add_row_arguments(parser, "a file")


def run(arguments: argparse.Namespace) -> int:
    rows = arguments.json or arguments.csv
    show = row_printer(arguments.csv, ("path", "ok", "documents", "error")) if rows else None
    worst = OK
    for path in arguments.file:
        try:
            with pocketindex.open(path) as index:
                index.verify()
        except (PocketError, OSError) as error:
            worst = max(worst, complain(error))
            if show:
                show({"path": path, "ok": False, "error": message_of(error)})
            continue
        if show:
            show({"path": path, "ok": True, "documents": len(index)})
        else:
            print(f"{path}: whole, {counted(len(index), 'document')}")
    return worst
