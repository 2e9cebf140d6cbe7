"""Rows that verbs print: as JSON, an object a line, or as CSV."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol


class Writes(Protocol):
    """What takes text."""

    def write(self, text: str, /) -> int: ...


def add_row_arguments(parser: argparse.ArgumentParser, row: str) -> None:
    """Add --json and --csv; row: what has a line, as "a hit"."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=f"one JSON object {row} and line")
    form.add_argument(
        "--csv", action="store_true", help="CSV with a first line of names; lists in it are JSON"
    )


def csv_rows(names: Sequence[str], out: Writes) -> Callable[[Sequence[Any]], None]:
    """Write the names as a row of CSV. Returns what writes a row; lists and mappings become
    JSON.
    """
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)

    def write(row: Sequence[Any]) -> None:
        writer.writerow(
            json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
            for value in row
        )

    return write


def row_printer(as_csv: bool, names: Sequence[str]) -> Callable[[Mapping[str, Any]], None]:
    """Return what prints a row, as JSON unless as_csv; names: all that a row may have."""
    if not as_csv:
        return lambda row: print(json.dumps(row, ensure_ascii=False))
    write = csv_rows(names, sys.stdout)

    def print_row(row: Mapping[str, Any]) -> None:
        assert set(row) <= set(names), set(row) - set(names)
        write([row.get(name) for name in names])

    return print_row
