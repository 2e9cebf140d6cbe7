"""What a program gives as documents: sources, a table, or the documents themselves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from pocketindex.addresses import is_address, masked_address
from pocketindex.arguments import as_text, short
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import Fields, shortened
from pocketindex.builder.inputs.finding import find_all
from pocketindex.builder.inputs.kinds import Input
from pocketindex.builder.inputs.opening.file_objects import FileObject, is_file_object
from pocketindex.builder.inputs.options import DEFAULTS, SHARED, Options
from pocketindex.builder.inputs.rows import arrow_batches, record_batches, records, sharing
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.source import OnBytes, OnSkip, Place, needed, unmeasured
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import Each

TABLE = "<table>"  # in messages
GIVEN = ("a table", "documents of a program")  # what inputs that are no source are about
_MOST_PATH = 4_096  # characters

Found = list[tuple[str, Input]]


def find_given(documents: Any, options: Options = DEFAULTS, alone: bool = True) -> Found:
    """Return what is given, with the input that reads it, as find_all has it.

    A str is the path, address or pattern of a source, and so is a path (os.PathLike), or each of
    several paths. A binary file object is a source, too, as are several. What exports an Arrow
    stream is a table, of which each row is a document, or a column of texts. All else is an
    iterable of documents, as records.py has them; strings in it are texts. It is not read here, but
    for its first item. alone: as find_all has it.

    Raises TypeError for what is none of these, ValueError for a list of strings of which the first
    is a path or an address, and for what only sources have; SourceError.
    """
    if isinstance(documents, str | os.PathLike):
        return find_all([as_text(documents)], options, alone)
    if hasattr(documents, "__arrow_c_stream__") or hasattr(documents, "__arrow_c_array__"):
        check_no_source(options, alone)
        table = _Table(documents, options.fields)
        return [(TABLE, Input(table.documents, GIVEN[0], batches=table.batches))]
    if is_file_object(documents):
        return find_all([FileObject(documents)], options, alone)
    if isinstance(documents, bytes | bytearray | Mapping | Document) or not isinstance(
        documents, Iterable
    ):
        raise TypeError(
            f"documents are of type {type(documents).__name__}; expected an iterable of texts, "
            "pairs of id and text, mappings or objects, a table, or a source: a path, an address "
            "or a binary file object"
        )
    items = iter(documents)
    begin = list(islice(items, 1))
    first = begin[0] if begin else None
    if isinstance(first, os.PathLike) or is_file_object(first):
        paths = [first, *items]
        for number, path in enumerate(paths):
            if not isinstance(path, os.PathLike) and not is_file_object(path):
                raise TypeError(
                    f"source {number} is of type {type(path).__name__}; expected a path or a file "
                    "object, as the first one is"
                )
        return find_all([_source(path) for path in paths], options, alone)
    if isinstance(first, str) and _is_path(first):
        raise ValueError(
            f"the first text is {shortened(repr(first))}, which is the path of a file; strings in "
            "an iterable are texts: give each file as pathlib.Path, or a single one as a string"
        )
    if isinstance(first, str) and not set(first) & set(" \t\n") and is_address(first):
        raise ValueError(
            f"the first text is the address {masked_address(first)}; strings in an iterable are "
            "texts: give a single address as a string, several as a pattern or as file objects, "
            "and texts that are addresses as pairs of id and text"
        )
    check_no_source(options, alone)
    return [(records.NAME, _input(chain(begin, items), options.fields))]


def _source(given: Any) -> str:
    return FileObject(given) if is_file_object(given) else as_text(given)


def _input(items: Iterable[Any], fields: Fields) -> Input:
    def documents(
        source: str,
        skip: OnSkip,
        measure: OnBytes = unmeasured,
        place: Place | None = None,
    ) -> Iterator[Document]:
        return records.documents(items, skip, measure, fields, place)

    def batches(source: str, skip: OnSkip, measure: OnBytes, **more: Any) -> Iterator[Any]:
        return record_batches.batches(items, skip, measure, fields, **more)

    return Input(documents, GIVEN[1], batches=batches)


class _Table:
    """The rows of a table; of a single column each value is a text."""

    def __init__(self, table: Any, fields: Fields) -> None:
        self._table, self._fields = table, fields

    def documents(
        self,
        source: str,
        skip: OnSkip,
        measure: OnBytes = unmeasured,  # noqa: ARG002
        place: Place | None = None,
    ) -> Iterator[Document]:
        place = place or Place()  # what is in memory already has no bytes to measure
        for _, rows, batch in self._batches(source):
            yield from rows.documents(batch, skip, place)

    def batches(
        self,
        source: str,
        skip: OnSkip,
        measure: OnBytes,  # noqa: ARG002
        each: Each,  # noqa: ARG002
    ) -> Iterator[Document | DocumentBatch]:
        place = Place()
        for arrow, rows, batch in self._batches(source):
            yield from arrow_batches.batches(arrow, rows, batch, skip, place)

    def _batches(self, source: str) -> Iterator[tuple[Any, Rows, Any]]:
        arrow = needed("pyarrow", "parquet", source, "its rows are Arrow")
        table, text = self._table, self._fields.of("text")
        if not hasattr(table, "__arrow_c_stream__"):
            table = arrow.chunked_array([arrow.array(table)])
        try:
            reader = arrow.RecordBatchReader.from_stream(table)
        except arrow.ArrowInvalid:  # a column, no table
            reader = arrow.table({text: arrow.chunked_array(table)}).to_reader()
        rows = Rows(arrow, source, reader.schema, self._fields, numbered=True, first=0)
        for batch in reader:
            for some in sharing.slices(source, batch.select(rows.names)):
                yield arrow, rows, some


def check_no_source(options: Options, alone: bool = True) -> None:
    """Raise ValueError if an option is set that applies only to sources; alone: as find_all has
    it.
    """
    for name, value in options.only_for_sources().items():
        if name in SHARED and not alone:
            continue
        raise ValueError(
            f"{name} is {short(value)}; it is for sources, and these documents are given directly: "
            "omit it"
        )


def _is_path(text: str) -> bool:
    return 0 < len(text) < _MOST_PATH and "\n" not in text and os.path.lexists(text)
