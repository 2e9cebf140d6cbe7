"""Rows of CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from typing import Any, Protocol


class Writes(Protocol):
    """What takes text."""

    def write(self, text: str, /) -> int: ...


def csv_rows(names: Sequence[str], out: Writes) -> Callable[[Sequence[Any]], None]:
    """Write the names as a row of CSV. Returns what writes a row; lists and mappings become
    JSON.
    """
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)

    def write(row: Sequence[Any]) -> None:
        writer.writerow(
            json.dumps(value, ensure_ascii=False)
            if isinstance(value, list | tuple | dict)
            else value
            for value in row
        )

    return write
