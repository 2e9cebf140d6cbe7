"""Look documents up by the beginnings of their titles, and by words of them."""

from __future__ import annotations

import argparse
import sys

from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.commands.shards import add_shard_arguments, opened
from pocketindex.contents.documents import Record
from pocketindex.contents.titles import title_key
from pocketindex.index import encode
from pocketindex.streams import printable

EXAMPLES = """\
examples:
  pocketindex build wiki.jsonl -o wiki.pocket --titles
  pocketindex titles wiki.pocket light
  pocketindex titles wiki.pocket emile --top 50 --json

Titles that begin so come first, then those that have all the words, the last one as a beginning.
Case, accents and points do not matter. A manifest of shards, or its folder, stands for them.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pocket")
    parser.add_argument(
        "beginning",
        metavar="BEGINNING",
        nargs="+",
        help="of a title; several words are joined, and '' stands for all titles",
    )
    parser.add_argument(
        "--top", type=int, default=10, metavar="N", help="maximum number of titles (default 10)"
    )
    add_row_arguments(parser, "a document")
    add_shard_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    beginning = " ".join(arguments.beginning)
    with opened([arguments.file], arguments) as indexes:
        found = [index.titles(beginning, arguments.top) for index in indexes.indexes]

    begun = title_key(encode(beginning))

    def key(ranked: tuple[int, Record]) -> tuple[bool, int, bytes, bool]:
        """First those that begin so, by title; then the others as each file has them."""
        rank, record = ranked
        own = title_key(encode(record.title))
        begins = own.startswith(begun)
        return not begins, 0 if begins else rank, own, record.title != beginning

    ranked = [own for records in found for own in enumerate(records)]
    records = [record for _, record in sorted(ranked, key=key)[: arguments.top]]
    rows = arguments.json or arguments.csv
    show = row_printer(arguments.csv, ("id", "title", "url")) if rows else None
    for record in records:
        fields = {"id": record.id, "title": record.title, "url": record.url}
        if show:
            show(fields)
        else:
            print("\t".join(map(printable, fields.values())))
    if not records:
        print(
            f"pocketindex: no title begins with {beginning!r} or has these words", file=sys.stderr
        )
    return 0 if records else 1
