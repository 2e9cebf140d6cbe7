"""Recognise existing files of rows, to tell whether another list may replace them."""

from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Collection, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from pocketindex.builder.inputs.fields import value_at
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.spill.output import Kind

_FIRST = 1 << 20  # bytes of the first lines that are looked at
_LONGEST = 1 << 26  # bytes of one of them: a document may be a book
_NAMES = {"json": "JSON Lines", "csv": "CSV", "parquet": "Parquet", "arrow": "Arrow"}


def rows_of(form: str, names: Collection[str], alike: Iterable[Collection[str]] = ()) -> Kind:
    """Return the kind of a file of rows.

    form: one of rows.py; names: its columns; alike: the columns of other files that it may replace.
    """
    known = [names, *alike]
    named = _NAMES.get(form, "an Arrow stream")
    is_own = partial(_has_columns, form, known)
    return Kind(f"{named} with {_listed(list(names))}", is_own, is_text=form in ("json", "csv"))


def documents_of(field: str) -> Kind:
    """Return the kind of a collection as JSON Lines, compressed or not, whose texts are in a field,
    which may be a nested one. Not every document has a text, and all of them may have been dropped.
    """

    def is_own(path: Path) -> bool:
        seen = 0
        try:
            with Stream(str(path)) as stream:
                while seen < _FIRST and (line := stream.line(_LONGEST)):
                    seen += len(line)
                    found = _object(line)
                    if found and (field in found or value_at(found, field) is not None):
                        return True
        except SourceError:
            return False
        return seen == 0

    return Kind(f'JSON Lines with the field "{field}"', is_own, is_text=True)


def table_of(form: str, field: str) -> Kind:
    """Return the kind of a collection as a table whose texts are in a column."""

    def is_own(path: Path) -> bool:
        return any(f"{field}.".startswith(f"{name}.") for name in _columns(path) or ())

    return Kind(f'{_NAMES.get(form, "an Arrow stream")} with the column "{field}"', is_own)


def _listed(names: list[str]) -> str:
    some = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"]
    return f"the fields {', '.join(some[:-1])} and {some[-1]}"


def _has_columns(form: str, known: list[Collection[str]], path: Path) -> bool:
    if form == "json":
        with path.open("rb") as file:
            first = _object(file.readline(_FIRST))
        return bool(first) and any(set(first or ()) <= set(names) for names in known)
    if form == "csv":
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            found: list[str] | None = next(csv.reader([file.readline(_FIRST)]), [])
    else:
        found = _columns(path)
    return any(found == list(names) for names in known)


def _object(line: bytes) -> dict[str, Any] | None:
    """Return a line as an object, None if it is not one."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _columns(path: Path) -> list[str] | None:
    """Return the columns of a Parquet or Arrow file, None if it is not one or without pyarrow."""
    try:
        if path.open("rb").read(4) == b"PAR1":
            parquet = importlib.import_module("pyarrow.parquet")
            return list(parquet.read_schema(path).names)
        ipc = importlib.import_module("pyarrow.ipc")
        with path.open("rb") as file:
            if file.read(6) == b"ARROW1":
                return list(ipc.open_file(path).schema.names)
            file.seek(0)
            return list(ipc.open_stream(file).schema.names)
    except (ImportError, OSError, ValueError):  # pyarrow's errors are these
        return None
