"""Find the documents most similar to a document."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.inputs.one_text import text_of
from pocketindex.builder.inputs.source import shown
from pocketindex.builder.verbs.items import items
from pocketindex.builder.verbs.source_arguments import add_format_arguments
from pocketindex.verbs import query
from pocketindex.verbs.query import EXAMPLES

__all__ = ["EXAMPLES", "add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    query.add_arguments(parser)
    add_format_arguments(parser, "the document, or of the batch")


def run(arguments: argparse.Namespace) -> int:
    how = {"format": arguments.format, "encoding": arguments.encoding}
    return query.run(arguments, partial(text_of, **how), partial(batch, **how))


def batch(
    source: str, format: str | None, encoding: str | None
) -> Iterator[tuple[str, str, str | None]]:
    """Place, id and text of each record; None for one that is no document."""
    left_out = list[Skip | Notice]()

    def without_text() -> Iterator[tuple[str, str, None]]:
        for one in left_out:
            if isinstance(one, Skip):
                yield one.place, one.place.rpartition(":")[2], None
        left_out.clear()

    for number, document in items(source, left_out.append, format=format, encoding=encoding):
        yield from without_text()
        yield f"{shown(source)}:{number}", document.id, document.text
    yield from without_text()
