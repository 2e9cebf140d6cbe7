"""Show documents by id."""

from __future__ import annotations

import argparse
import sys

import pocketindex
from pocketindex.errors import NeedsTexts
from pocketindex.verbs.query import printable, snippet_line
from pocketindex.verbs.rows import add_row_arguments, row_printer

EXAMPLES = """\
examples:
  pocketindex get wiki.pocket 12
  pocketindex get wiki.pocket 12 15 --json
  pocketindex get wiki.pocket 12 --full-text > 12.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket")
    parser.add_argument("id", metavar="ID", nargs="+")
    parser.add_argument(
        "--full-text",
        action="store_true",
        help=(
            "the whole texts and nothing else, from a file built with --keep text; in JSON and "
            "CSV a field"
        ),
    )
    add_row_arguments(parser, "a document")


def run(arguments: argparse.Namespace) -> int:
    missing = 0
    with pocketindex.open(arguments.file) as index:
        if arguments.full_text and index.kept != "text":
            raise NeedsTexts(arguments.file, index.kept)
        names = ["id", "title", "url"]
        names += ["snippet"] * (index.kept != "none") + ["text"] * arguments.full_text
        show = row_printer(arguments.csv, names) if arguments.json or arguments.csv else None
        for id in arguments.id:
            try:
                record = index.document(id)
            except KeyError:
                missing += 1
                print(
                    f"pocketindex: {arguments.file}: no document has the id {id!r}", file=sys.stderr
                )
                continue
            fields = {"id": record.id, "title": record.title, "url": record.url}
            if show:
                if index.kept != "none":
                    fields["snippet"] = index.snippet(record) or ""
                if arguments.full_text:
                    fields["text"] = index.text(record) or ""
                show(fields)
            elif arguments.full_text:
                sys.stdout.buffer.write((index.text(record) or "").encode())
            else:
                print("\t".join(map(printable, fields.values())))
                if index.kept != "none":
                    print(snippet_line(index, record))
    return 1 if missing else 0
