"""Find the documents most similar to a document."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

from pocketindex.builder.inputs.one_text import text_of
from pocketindex.builder.progress import Progress
from pocketindex.builder.verbs.arguments.items import batch
from pocketindex.builder.verbs.arguments.sources import (
    add_batch_arguments,
    add_format_arguments,
    check_batch,
)
from pocketindex.builder.verbs.arguments.work import add_work_arguments, check_threads
from pocketindex.verbs import query
from pocketindex.verbs.query import COMMON, EXAMPLES, MORE

__all__ = ["COMMON", "EXAMPLES", "MORE", "add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    query.add_arguments(parser)
    add_format_arguments(parser)
    add_batch_arguments(parser, ("id", "text"))
    add_work_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    check_batch(arguments, arguments.batch is not None)
    check_threads(arguments)
    read = partial(text_of, format=arguments.format, encoding=arguments.encoding)
    with Progress(form=arguments.progress) as progress:

        def batches(source: str) -> Iterator[list[tuple[str, str | None, str]]]:
            return batch(source, arguments, progress)

        return query.run(arguments, read, batches)
