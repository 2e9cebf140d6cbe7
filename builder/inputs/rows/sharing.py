"""How many rows of an Arrow table are read at once. Rows may share a text, and each gets a copy of
it when it is read: a table of some kilobytes may have gigabytes of text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pocketindex.builder.inputs.source import needed

ROWS = 256  # at once: a text may be large
_BYTES = 1 << 25  # of texts that are shared, as far as these are more than one row


def rows_of(size: int) -> int:
    """Return how many rows are read at once where each may have a copy of so many bytes."""
    return max(1, min(ROWS, _BYTES // max(size, 1)))


def slices(source: str, batch: Any) -> Iterator[Any]:
    """Yield the rows of a batch, as many at a time as are read at once. Raises ArrowException for a
    damaged batch.
    """
    rows = at_once(source, batch)
    for first in range(0, batch.num_rows, rows):
        yield batch.slice(first, rows)


def at_once(source: str, batch: Any) -> int:
    """Return how many rows of a batch are read at once. Raises ArrowException for a damaged one."""
    return rows_of(max((_longest(source, column) for column in batch.columns), default=0))


def _longest(source: str, values: Any) -> int:
    """Return the bytes of the longest value that rows of a column may share."""
    if hasattr(values, "field"):  # a struct
        values.validate(full=True)
        return max((_longest(source, one) for one in values.flatten()), default=0)
    if hasattr(values, "value_lengths") and hasattr(values, "flatten"):  # lists
        values.validate(full=True)
        return _longest(source, values.flatten())
    if is_shared := hasattr(values, "dictionary"):
        values = values.dictionary
    if str(values.type).endswith("_view"):
        # Each has its size, then what it begins with, and where it lies: four numbers.
        sizes = np.frombuffer(values.buffers()[1] or b"", np.int32)[::4]
        return int(sizes[values.offset :][: len(values)].max(initial=0))
    if not is_shared or not str(values.type).startswith(("string", "binary", "large")):
        return 0
    values.validate(full=True)
    compute = needed("pyarrow.compute", "parquet", source, "its rows share texts")
    return compute.max(compute.binary_length(values)).as_py() or 0
