"""The arguments that say what the work may take, and what is said of it while it goes on; none
decides a byte of what is written.
"""

from __future__ import annotations

import argparse
import re

from pocketindex.builder.settings import MEMORY

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def add_work_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --max-memory, --threads and --progress."""
    parser.add_argument(
        "--max-memory",
        type=memory,
        default=MEMORY,
        metavar="SIZE",
        help="bytes, or as 512M or 2G (default 1G); decides no byte of what is written",
    )
    parser.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="default: of the machine, at most 4; decides no byte of what is written",
    )
    parser.add_argument(
        "--progress",
        choices=["auto", "json", "none"],
        default="auto",
        help="a bar on a terminal (auto), or a JSON object a line, on stderr",
    )


def memory(text: str) -> int:
    """Parse a size in bytes: '512M' is 536870912."""
    found = re.fullmatch(r"(\d+)([KMG]?)", text.upper().removesuffix("B").removesuffix("I"))
    if not found:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected bytes, or a number with K, M or G, such as 512M"
        )
    return int(found[1]) * _UNITS.get(found[2], 1)
