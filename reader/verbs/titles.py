"""Look documents up by the beginnings of their titles."""

from __future__ import annotations

import argparse

import pocketindex
from pocketindex.verbs.query import printable
from pocketindex.verbs.rows import add_row_arguments, row_printer

EXAMPLES = """\
examples:
  pocketindex titles wiki.pocket "light"
  pocketindex titles wiki.pocket emile --top 50 --json

Case, accents and points do not matter. The file has to be built with --titles.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket")
    parser.add_argument("beginning", metavar="BEGINNING")
    parser.add_argument(
        "--top", type=int, default=10, metavar="N", help="at most so many (default 10)"
    )
    add_row_arguments(parser, "a document")


def run(arguments: argparse.Namespace) -> int:
    with pocketindex.open(arguments.file) as index:
        records = index.titles(arguments.beginning, arguments.top)
    rows = arguments.json or arguments.csv
    show = row_printer(arguments.csv, ("id", "title", "url")) if rows else None
    for record in records:
        fields = {"id": record.id, "title": record.title, "url": record.url}
        if show:
            show(fields)
        else:
            print("\t".join(map(printable, fields.values())))
    return 0 if records else 1
