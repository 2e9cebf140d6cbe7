"""Read and check every byte of a pocket file."""

from __future__ import annotations

import argparse

import pocketindex
from pocketindex.verbs.rows import add_row_arguments, row_printer
from pocketindex.wording.counted import counted

EXAMPLES = """\
examples:
  pocketindex verify wiki.pocket && echo whole

exit codes: 0 the file is whole, 3 it is damaged or no pocket file (the message says where)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket", nargs="+")
    add_row_arguments(parser, "a file")


def run(arguments: argparse.Namespace) -> int:
    rows = arguments.json or arguments.csv
    show = row_printer(arguments.csv, ("path", "ok", "documents")) if rows else None
    for path in arguments.file:
        with pocketindex.open(path) as index:
            index.verify()
            if show:
                show({"path": path, "ok": True, "documents": len(index)})
            else:
                print(f"{path}: whole, {counted(len(index), 'document')}")
    return 0
