"""What functions take as documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import IO, Any, Protocol, TypeAlias

from pocketindex.builder.collections.passing.folders import with_records
from pocketindex.builder.document import Document
from pocketindex.builder.inputs import given
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import Tally


class Table(Protocol):
    """A table or a column that exports an Arrow stream: of pyarrow, pandas, polars, DuckDB, ..."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class HasText(Protocol):
    """An object with attributes, as a dataclass or a named tuple; text may have another name."""

    @property
    def text(self) -> str: ...


Documents: TypeAlias = (
    str
    | os.PathLike[str]
    | IO[bytes]
    | Table
    | Iterable[str]
    | Iterable[os.PathLike[str] | IO[bytes]]
    | Iterable[tuple[str | int, str]]
    | Iterable[Mapping[str, Any]]
    | Iterable[Document]
    | Iterable[HasText]
    | Iterable[Any]
)
"""What build, pairs, dedup and check take as documents.

| given | what it is |
|---|---|
| a str, or a path | a source, as the command has it: a file, a folder, a pattern, an address |
| a binary file object | a source; it is read once, from where it stands, and stays open |
| several paths (pathlib.Path) or file objects | sources |
| what has `__arrow_c_stream__` | a table: each row is a document; or a column of texts |
| another iterable | documents, read once |

In an iterable a document is a text, a tuple of id and text, a mapping, an object with attributes
(dataclass, named tuple), a Document, or one of LangChain, LlamaIndex or Haystack, of which the
title, the url and other fields are read from its metadata. So a list of strings is a list of texts;
if the first of them is the path of a file or an address, that is a ValueError. A missing id is the
number of the document, from 0.
"""


def found_of(
    documents: Documents, settings: Settings, needs_id: bool = False, alone: bool = True
) -> given.Found:
    """Return the documents with the input that reads them.

    needs_id: whether a document without an id is an error; alone: whether nothing else is read with
    these settings. Raises as given.find_given does.
    """
    fields = replace(settings.fields, needs_id=needs_id)
    return given.find_given(documents, replace(settings.reading, fields=fields), alone)


def records_of(documents: Documents, settings: Settings, report: Tally) -> given.Found:
    """Return what found_of does, with each file of many records in a folder; the report gets notes
    of files that are left out.
    """
    found, report.notes = with_records(found_of(documents, settings), settings.reading)
    return found
