"""Rows that commands print: as JSON, an object a line, or as CSV."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pocketindex.rows import csv_rows


def add_row_arguments(parser: argparse.ArgumentParser, row: str) -> None:
    """Add --json and --csv; row: what has a line, as "a hit"."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=f"one JSON object {row} and line")
    form.add_argument(
        "--csv", action="store_true", help="CSV with a first line of names; lists in it are JSON"
    )


def row_printer(as_csv: bool, names: Sequence[str]) -> Callable[[Mapping[str, Any]], None]:
    """Return what prints a row, as JSON unless as_csv; names: all that a row may have."""
    if not as_csv:
        return lambda row: print(json.dumps(row, ensure_ascii=False))
    write = csv_rows(names, sys.stdout)

    def print_row(row: Mapping[str, Any]) -> None:
        assert set(row) <= set(names), set(row) - set(names)
        write([row.get(name) for name in names])

    return print_row
