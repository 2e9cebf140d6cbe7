"""Test sets and batches, read as build reads a source, but for ids that they can do without."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

from pocketindex.builder import inputs
from pocketindex.builder.collections.together import together
from pocketindex.builder.commands.arguments.sources import fields, options
from pocketindex.builder.document import Document, Notice, Shortened, Skip
from pocketindex.builder.inputs.rows import jsonl
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, shown, unmeasured
from pocketindex.builder.progress import Progress


def items(
    source: str,
    arguments: argparse.Namespace,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    alone: bool = True,
) -> Iterator[tuple[int, Document]]:
    """Yield the items of a source with the numbers of their lines, or of documents, from 1.

    arguments: those that say how sources are read; alone: as inputs.find_all has it. Raises
    SourceError.
    """
    count = 0
    named = replace(fields(arguments), marks=False)
    found = inputs.find_all([source], replace(options(arguments), fields=named), alone)
    for number, (path, told) in enumerate(found, 1):
        if inputs.find(path, arguments.format) is inputs.INPUTS["jsonl"]:
            own = named.of_source(number)
            for line in jsonl.lines(path, skip, measure, own, encoding=arguments.encoding):
                yield line.number, line.document
            continue
        for document in told.documents(path, skip, measure):
            count += 1
            yield count, document


def batch(
    source: str, arguments: argparse.Namespace, progress: Progress
) -> Iterator[list[tuple[str, str | None, str]]]:
    """Yield the ids and texts of as many records as are asked together. A record that is not a
    document has no text, but what is wrong with it. Raises SourceError, also if there is no record.
    """
    source = inputs.located(source)
    progress.phase(f"reading {source}")
    records = _records(source, arguments, progress)
    is_empty = True
    for some in together(records, lambda one: one[1] or "", arguments.max_memory):
        is_empty = False
        progress.add(len(some))
        progress.clear()  # what is asked now prints
        yield some
    if is_empty:
        raise SourceError(shown(source), "it has no documents; give a source with some")


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
