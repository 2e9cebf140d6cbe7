"""Rows of Arrow tables, many at a time where all are plain: their texts are taken as they lie in
memory. arrow.py reads the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.document import Document, most_of_record
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.rows.sharing import ROWS
from pocketindex.builder.inputs.source import OnSkip, Place
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch, packed_columns
from pocketindex.errors import TEXT_BYTES

_SPACE, _DELETE = 0x20, 0x7F  # what lies between them is no white space


def batches(
    arrow: Any, rows: Rows, batch: Any, skip: OnSkip, place: Place
) -> Iterator[Document | DocumentBatch]:
    """Yield what rows.documents gives of a batch, in the same order, and the same skipped."""
    for first in range(0, batch.num_rows, ROWS):
        some = batch.slice(first, ROWS)
        found = _plain(arrow, rows, some, place.lines + rows.first, skip)
        if found is None:
            yield from rows.documents(some, skip, place)
        else:
            place.lines += some.num_rows
            yield found


def _plain(arrow: Any, rows: Rows, some: Any, first: int, skip: OnSkip) -> DocumentBatch | None:
    """Return these rows, unless one of them has to be looked at by itself: nothing is missing, too
    long or blank, nothing has labels, and all is UTF-8. first: the number of the first one.
    """
    if "label" in rows.parts:
        return None
    try:
        values = {
            part: _strings(arrow, rows.column(some, part))
            for part in rows.parts
            if part != "date"  # which no file has
        }
    except arrow.ArrowException:  # it is told of the row that it is in
        return None
    texts = values.pop("text")
    if texts.null_count:
        return None
    content, bounds = _content(texts)
    sizes = np.diff(bounds)
    if not len(sizes) or sizes.min() == 0 or sizes.max() > most_of_record(TEXT_BYTES):
        return None
    begins = content[bounds[:-1]]
    for row in np.flatnonzero((begins <= _SPACE) | (begins >= _DELETE)).tolist():
        if str(content[bounds[row] : bounds[row + 1]].data, "utf-8").isspace():
            return None
    binary = {part: array.cast(_binary(arrow, array)).to_pylist() for part, array in values.items()}
    nothing = [None] * len(sizes)
    ids = binary.get("id", nothing)
    if is_numbered := None in ids:
        if not rows.numbered:
            return None
        numbers = range(first, first + len(ids))
        ids = [
            rows.number(number).encode() if id is None else id
            for number, id in zip(numbers, ids, strict=True)
        ]
    parts = {part: binary[part] for part in ("title", "url", "lang") if part in binary}
    details = packed_columns(ids, **parts)
    if details is None:
        return None
    if is_numbered:
        rows.tell_numbered(skip)
    ends = (bounds[1:] - bounds[0]).astype(np.uint64)
    return DocumentBatch.packed(content[bounds[0] : bounds[-1]].data, ends, details)


def _strings(arrow: Any, values: Any) -> Any:
    """Return a column as valid strings. Raises ArrowException."""
    if not (arrow.types.is_string(values.type) or arrow.types.is_large_string(values.type)):
        values.validate(full=True)
        type = values.type
        number = type.value_type if arrow.types.is_dictionary(type) else type
        values = values.cast(arrow.large_string())
        if arrow.types.is_floating(number) and "nan" in values.to_pylist():
            raise arrow.ArrowInvalid("NaN stands for a missing value")
    values.validate(full=True)
    return values


def _binary(arrow: Any, values: Any) -> Any:
    """Return the type of its bytes, to which a cast takes no time."""
    return arrow.binary() if arrow.types.is_string(values.type) else arrow.large_binary()


def _content(values: Any) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the bytes of valid strings, and where each of them begins, and the last one ends."""
    _, bounds, content = values.buffers()
    width = np.int32 if str(values.type) == "string" else np.int64
    own = np.frombuffer(bounds, width)[values.offset : values.offset + len(values) + 1]
    bytes_of_all = np.frombuffer(content, np.uint8) if content else np.zeros(0, np.uint8)
    return bytes_of_all, own.astype(np.int64)
