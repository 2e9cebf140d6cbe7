"""Find the documents most similar to a document."""

from __future__ import annotations

import argparse
from functools import partial

from pocketindex.builder.inputs.one_text import text_of
from pocketindex.builder.verbs.source_arguments import add_format_arguments
from pocketindex.verbs import query
from pocketindex.verbs.query import EXAMPLES

__all__ = ["EXAMPLES", "add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    query.add_arguments(parser)
    add_format_arguments(parser, "the document")


def run(arguments: argparse.Namespace) -> int:
    return query.run(
        arguments, partial(text_of, format=arguments.format, encoding=arguments.encoding)
    )
