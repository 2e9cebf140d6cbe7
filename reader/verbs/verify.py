"""Read and check every byte of a pocket file."""

from __future__ import annotations

import argparse
import json

import pocketindex

EXAMPLES = """\
examples:
  pocketindex verify wiki.pocket && echo whole

exit codes: 0 the file is whole, 3 it is damaged or no pocket file (the message says where)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket", nargs="+")
    parser.add_argument("--json", action="store_true", help="one JSON object a file and line")


def run(arguments: argparse.Namespace) -> int:
    for path in arguments.file:
        with pocketindex.open(path) as index:
            index.verify()
            print(
                json.dumps({"path": path, "ok": True, "documents": len(index)})
                if arguments.json
                else f"{path}: whole, {len(index):,} documents"
            )
    return 0
