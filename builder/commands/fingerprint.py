"""Print the fingerprint of texts, to compare them elsewhere: equal or nearly equal ones are of
equal or nearly equal texts.
"""

from __future__ import annotations

import argparse

from pocketindex.builder.commands.arguments.sources import add_format_arguments
from pocketindex.builder.inputs.one_text import text_of
from pocketindex.builder.inputs.source import STDIN
from pocketindex.builder.schemes.simhash import fingerprint
from pocketindex.commands.rows import add_row_arguments, row_printer
from pocketindex.streams import printable

EXAMPLES = """\
examples:
  pocketindex fingerprint --scheme simhash draft.txt final.txt
  pocketindex fingerprint paper.pdf page.html

Each line is the scheme's identifier, then 64 bits in base32. Of texts that are nearly identical few
bits differ: up to 3 is close. Texts that are only similar differ in many: build an index for these.
exit code 1 when no text had a token.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "text",
        metavar="DOCUMENT",
        nargs="*",
        default=[STDIN],
        help="a text, HTML, PDF or other file; - or nothing is standard input",
    )
    parser.add_argument(
        "--scheme",
        choices=["simhash"],
        default="simhash",
        help="the one scheme that needs no collection (default)",
    )
    add_format_arguments(parser)
    add_row_arguments(parser, "a text")


def run(arguments: argparse.Namespace) -> int:
    rows = arguments.json or arguments.csv
    show = row_printer(arguments.csv, ("file", "fingerprint")) if rows else None
    found = False
    for name in arguments.text or [STDIN]:
        written = fingerprint(text_of(name, arguments.format, arguments.encoding))
        found = found or written is not None
        if show:
            show({"file": name, "fingerprint": written})
        else:
            print(f"{written or 'no token'}  {printable(name)}")
    return 0 if found else 1
