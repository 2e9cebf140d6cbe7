"""Read rows that rows.py has written."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from pocketindex.arguments import is_stdio
from pocketindex.builder.inputs.source import SourceError, needed
from pocketindex.builder.out.rows import TABLES, Types, form_of


def rows_of(path: str, types: Types) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of the format that its suffix tells, or of JSON Lines from standard
    input, without values that are missing. types: of the columns, for CSV. A line that is no object
    of JSON gives an empty row. Raises SourceError, OSError.
    """
    form = form_of(path)
    if form in TABLES:
        for batch in _batches(path, form):
            for row in batch.to_pylist():
                yield {name: value for name, value in row.items() if value is not None}
        return
    with nullcontext(sys.stdin.buffer) if is_stdio(path) else open(path, "rb") as content:
        yield from _csv(content, types) if form == "csv" else _lines(content)


def _lines(content: IO[bytes]) -> Iterator[dict[str, Any]]:
    for line in content:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        yield row if isinstance(row, dict) else {}


def _csv(content: IO[bytes], types: Types) -> Iterator[dict[str, Any]]:
    text = io.TextIOWrapper(content, encoding="utf-8", errors="replace", newline="")
    for row in csv.DictReader(text):
        yield {
            name: int(value) if types.get(name) == "int64" and value.isdecimal() else value
            for name, value in row.items()
            if isinstance(value, str) and value
        }


def _batches(path: str, form: str) -> Iterator[Any]:
    arrow = needed("pyarrow", "parquet", path, "it is a Parquet or Arrow file")
    try:
        if form == "parquet":
            parquet = needed("pyarrow.parquet", "parquet", path, "it is a Parquet file")
            yield from parquet.ParquetFile(path).iter_batches()
            return
        ipc = needed("pyarrow.ipc", "parquet", path, "it is an Arrow file")
        if form == "arrow":
            file = ipc.open_file(path)
            yield from map(file.get_batch, range(file.num_record_batches))
        else:
            yield from ipc.open_stream(Path(path).open("rb"))
    except (arrow.ArrowInvalid, arrow.ArrowTypeError) as error:
        raise SourceError(path, f"expected the rows of a report, found none: {error}") from None
