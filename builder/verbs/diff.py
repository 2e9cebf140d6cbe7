"""List the documents that are different in two pocket files."""

from __future__ import annotations

import argparse
from collections import Counter

from pocketindex.builder.changing.diff import diff
from pocketindex.verbs.rows import add_row_arguments, row_printer

EXAMPLES = """\
examples:
  pocketindex diff old.pocket new.pocket
  pocketindex diff old.pocket new.pocket --summary

A line a document, as JSON or with --csv: {"change": "added" or "gone" or "changed", "id", "title"},
and of a changed one "what": "text", "title", "url", "labels". A text is known by its sketch and its
identity bits: with those of a build's default one change in 256 of those that leave the sketch is
not seen.

exit codes: 0 no document is different, 1 some are
"""
ROW, COUNTED = ("change", "id", "title", "what"), ("added", "gone", "changed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD.pocket")
    parser.add_argument("new", metavar="NEW.pocket")
    parser.add_argument(
        "--summary", action="store_true", help="how many there are alone, in one line"
    )
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
