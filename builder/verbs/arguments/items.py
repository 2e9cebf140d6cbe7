"""Test sets and batches, read as build reads a source, but for ids that they can do without."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from pocketindex.builder import inputs
from pocketindex.builder.collections.together import together
from pocketindex.builder.document import Document, Notice, Shortened, Skip
from pocketindex.builder.inputs.rows import jsonl
from pocketindex.builder.inputs.source import OnBytes, OnSkip, unmeasured
from pocketindex.builder.progress import Progress
from pocketindex.builder.verbs.arguments.sources import fields, sources


def items(
    source: str, arguments: argparse.Namespace, skip: OnSkip, measure: OnBytes = unmeasured
) -> Iterator[tuple[int, Document]]:
    """Yield the items of a source with the numbers of their lines, or of documents, from 1.

    arguments: what they say of sources counts. An item of JSON Lines, Parquet or Arrow without an
    id has the number of its line or row, unless the id has a name. Raises SourceError.
    """
    count = 0
    named = fields(arguments)
    encoding = arguments.encoding
    for path, told in sources(arguments, [source]):
        kind = inputs.find(path, arguments.format)
        if kind is inputs.INPUTS["jsonl"]:
            for line in jsonl.lines(path, skip, measure, named, needs_id=False, encoding=encoding):
                yield line.number, line.document
            continue
        documents: Callable[..., Any] = told.documents
        if kind is inputs.INPUTS["parquet"]:
            documents = partial(documents, needs_id=False)
        for document in documents(path, skip, measure):
            count += 1
            yield count, document


def batch(
    source: str, arguments: argparse.Namespace, progress: Progress
) -> Iterator[list[tuple[str, str | None, str]]]:
    """Id and text of each record, as many as are asked together; of what is no document no text,
    and what is wrong with it.
    """
    progress.phase(f"reading {source}")
    records = _records(source, arguments, progress)
    for some in together(records, lambda one: one[1] or "", arguments.max_memory):
        progress.add(len(some))
        progress.clear()  # what is asked now prints
        yield some


def _records(
    source: str, arguments: argparse.Namespace, progress: Progress
) -> Iterator[tuple[str, str | None, str]]:
    left_out = list[Skip]()

    def skip(one: Skip | Notice) -> None:
        if isinstance(one, Skip):
            left_out.append(one)
        elif not isinstance(one, Shortened) or one.is_much:
            progress.clear()
            print(f"pocketindex: {one.place}: {one.detail}", file=sys.stderr)

    def without_text() -> Iterator[tuple[str, None, str]]:
        for one in left_out:
            problem = f"{one.place}: {one.reason}: {one.detail}"
            yield one.place.rpartition(":")[2], None, problem
        left_out.clear()

    for _, document in items(source, arguments, skip, progress.measure):
        yield from without_text()
        yield document.id, document.text, ""
    yield from without_text()
