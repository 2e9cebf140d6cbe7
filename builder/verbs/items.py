"""Test sets and batches, read as build reads a source, but for ids that they can do without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from pocketindex.builder import inputs
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.rows import jsonl
from pocketindex.builder.inputs.source import OnBytes, OnSkip, unmeasured


def items(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    format: str | None = None,
    encoding: str | None = None,
) -> Iterator[tuple[int, Document]]:
    """The items of a source with the numbers of their lines, or of documents, from 1.

    An item of JSON Lines, Parquet or Arrow without an id has the number of its line or row. Raises
    SourceError.
    """
    count = 0
    for path, told in inputs.find_all([source], format, fields, encoding=encoding):
        kind = inputs.find(path, format)
        if kind is inputs.INPUTS["jsonl"]:
            for line in jsonl.lines(path, skip, measure, fields, needs_id=False, encoding=encoding):
                yield line.number, line.document
            continue
        documents: Callable[..., Any] = told.documents
        if kind is inputs.INPUTS["parquet"]:
            documents = partial(documents, needs_id=False)
        for document in documents(path, skip, measure):
            count += 1
            yield count, document
