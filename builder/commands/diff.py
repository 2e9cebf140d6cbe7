"""List the documents that are different in two pocket files."""

from __future__ import annotations

import argparse
from collections import Counter

from pocketindex.builder.changing.diff import diff
from pocketindex.commands.rows import add_row_arguments, row_printer

EXAMPLES = """\
examples:
  pocketindex diff old.pocket new.pocket
  pocketindex diff old.pocket new.pocket --summary

A line a document, as JSON or with --csv: {"change": "added" or "gone" or "changed", "id", "title"},
and of a changed one "what": "text", "title", "url", "labels". Texts are compared by sketch and an
8-bit checksum. If an edit does not alter the sketch, it is missed in 1 of 256 cases.

exit codes: 0 no document is different, 1 some are
"""
ROW, COUNTED = ("change", "id", "title", "what"), ("added", "gone", "changed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD.pocket")
    parser.add_argument("new", metavar="NEW.pocket")
    parser.add_argument("--summary", action="store_true", help="only count them, in one line")
    add_row_arguments(parser, "a document")


def run(arguments: argparse.Namespace) -> int:
    counts = Counter[str]()
    show = row_printer(arguments.csv, COUNTED if arguments.summary else ROW)
    for one in diff(arguments.old, arguments.new):
        counts[one.change] += 1
        if not arguments.summary:
            show(one.as_dict())
    if arguments.summary:
        show({name: counts[name] for name in COUNTED})
    return 1 if counts else 0
