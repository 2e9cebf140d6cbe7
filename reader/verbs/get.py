"""Show documents by id."""

from __future__ import annotations

import argparse
import json
import sys

import pocketindex
from pocketindex.verbs.query import printable

EXAMPLES = """\
examples:
  pocketindex get wiki.pocket 12
  pocketindex get wiki.pocket 12 15 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket")
    parser.add_argument("id", metavar="ID", nargs="+")
    parser.add_argument("--json", action="store_true", help="one JSON object a document and line")


def run(arguments: argparse.Namespace) -> int:
    missing = 0
    with pocketindex.open(arguments.file) as index:
        for id in arguments.id:
            try:
                record = index.document(id)
            except KeyError:
                missing += 1
                print(f"pocketindex: {arguments.file}: no document has the id {id!r}", file=sys.stderr)
                continue
            if arguments.json:
                print(json.dumps({"id": record.id, "title": record.title, "url": record.url}, ensure_ascii=False))
            else:
                print("\t".join(printable(field) for field in (record.id, record.title, record.url)))
    return 1 if missing else 0
