"""Show documents by id."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from pocketindex.commands.query import snippet_line
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.contents.documents import Record
from pocketindex.errors import NeedsTexts
from pocketindex.index import Index
from pocketindex.joint_index import JointIndex
from pocketindex.streams import bytes_of_stdout, printable

EXAMPLES = """\
examples:
  pocketindex build wiki.jsonl -o wiki.pocket --keep text
  pocketindex get wiki.pocket 12
  pocketindex get wiki.pocket 12 15 --json
  pocketindex get wiki.pocket 12 --full-text > 12.txt

A manifest of shards, or its folder, stands for them.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket")
    parser.add_argument("id", metavar="ID", nargs="+")
    parser.add_argument(
        "--full-text",
        action="store_true",
        help=(
            "print only the full texts (needs an index built with --keep text); with --json or "
            "--csv, add them as a field"
        ),
    )
    add_row_arguments(parser, "a document")
    add_shard_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    missing = 0
    with opened([arguments.file], arguments) as indexes:
        for index in indexes.indexes:
            if arguments.full_text and index.kept != "text":
                raise NeedsTexts(index.path, index.kept)
        names = ["id", "title", "url"]
        names += ["snippet"] * any(index.kept != "none" for index in indexes.indexes)
        names += ["labels"] * any(index.has_labels for index in indexes.indexes)
        names += ["text"] * arguments.full_text
        show = row_printer(arguments.csv, names) if arguments.json or arguments.csv else None
        for id in arguments.id:
            found = _found(indexes, id)
            if found is None:
                missing += 1
                print(
                    f"pocketindex: {arguments.file}: no document has the id {id!r}", file=sys.stderr
                )
                continue
            index, record = found
            fields: dict[str, Any] = {"id": record.id, "title": record.title, "url": record.url}
            if show:
                if index.kept != "none":
                    fields["snippet"] = index.snippet(record) or ""
                if index.has_labels:
                    fields["labels"] = list(index.labels(record))
                if arguments.full_text:
                    fields["text"] = index.text(record) or ""
                show(fields)
            elif arguments.full_text and sys.stdout.isatty():
                sys.stdout.write(index.text(record) or "")
            elif arguments.full_text:
                with bytes_of_stdout():
                    sys.stdout.buffer.write((index.text(record) or "").encode())
            else:
                print("\t".join(map(printable, fields.values())))
                if index.kept != "none":
                    print(snippet_line(index, record))
    return 1 if missing else 0


def _found(indexes: JointIndex, id: str) -> tuple[Index, Record] | None:
    """Return the document with an id, and the first file that has it."""
    for index in indexes.indexes:
        if (number := index.find(id)) is not None:
            return index, index.record(number)
    return None
