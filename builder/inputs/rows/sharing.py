"""Limit how many rows of an Arrow table are read at once. Rows may share a text, and each row that
is read gets a copy of it, so a table of some kilobytes may expand to gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pocketindex.builder.inputs.source import needed

ROWS = 256  # the most rows that are read at once, because a text may be large
_BYTES = 1 << 25  # the most bytes of shared texts that are read at once, if not a single row


def rows_of(size: int) -> int:
    """Return how many rows to read at once. size: the bytes of shared texts in a row, at most."""
    return max(1, min(ROWS, _BYTES // max(size, 1)))


def slices(source: str, batch: Any) -> Iterator[Any]:
    """Yield slices of a batch, each of as many rows as may be read at once. source: the name that
    errors give to the table. Raises ArrowException if the batch is damaged.
    """
    rows = at_once(source, batch)
    for first in range(0, batch.num_rows, rows):
        yield batch.slice(first, rows)


def at_once(source: str, batch: Any) -> int:
    """Return how many rows of a batch to read at once. Raises ArrowException if it is damaged."""
    return rows_of(max((_longest(source, column) for column in batch.columns), default=0))


def _longest(source: str, values: Any) -> int:
    """Return the size in bytes of the longest value that rows of a column may share."""
    if hasattr(values, "keys"):  # a map, whose entries pyarrow does not flatten
        values.validate(full=True)
        return max(_longest(source, values.keys), _longest(source, values.items))
    if hasattr(values, "field"):  # a struct, or a union, whose parts may be longer than it
        values.validate(full=True)
        parts = map(values.field, range(values.type.num_fields))
        return max((_longest(source, one) for one in parts), default=0)
    if hasattr(values, "value_lengths") and hasattr(values, "flatten"):  # lists
        values.validate(full=True)
        return _longest(source, values.flatten())
    if is_shared := hasattr(values, "dictionary"):
        values = values.dictionary
    if str(values.type).endswith("_view"):
        # A view is four numbers, of which the first is the size of the value.
        sizes = np.frombuffer(values.buffers()[1] or b"", np.int32)[::4]
        return int(sizes[values.offset :][: len(values)].max(initial=0))
    if not is_shared or not str(values.type).startswith(("string", "binary", "large")):
        return 0
    values.validate(full=True)
    compute = needed("pyarrow.compute", "parquet", source, "its rows share texts")
    return compute.max(compute.binary_length(values)).as_py() or 0
