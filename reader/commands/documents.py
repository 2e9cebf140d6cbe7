"""Read the documents that commands ask about. Plain text is read here. All other formats are read
by the inputs of the builder, which take longer to load than a query takes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from pocketindex.arguments import check_whole
from pocketindex.given import is_sentence, plain_text
from pocketindex.index import encode

_ARGUMENTS = "pocketindex.builder.commands.arguments"
MOST_THREADS = 256


def add_document_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --format and --encoding."""
    import_module(f"{_ARGUMENTS}.sources").add_format_arguments(parser)


def add_batch_arguments(parser: argparse.ArgumentParser, fields: Sequence[str]) -> None:
    """Add what says how a batch is read and how much work it may be; fields: those of its records
    that can be named.
    """
    import_module(f"{_ARGUMENTS}.sources").add_batch_arguments(parser, fields)
    import_module(f"{_ARGUMENTS}.work").add_work_arguments(parser)


def check_batch_arguments(arguments: argparse.Namespace) -> None:
    """Raise ValueError where a number of threads is out of range, and where options for a batch are
    given without one.
    """
    if arguments.threads is not None:
        check_whole("threads", arguments.threads, 1, MOST_THREADS)
    if hasattr(arguments, "follow_links"):  # they were added, because one of them may be given
        sources = import_module(f"{_ARGUMENTS}.sources")
        sources.check_batch(arguments, arguments.batch is not None)


def text_of(document: str, arguments: argparse.Namespace) -> bytes:
    """Return the text of the document that an argument names, in UTF-8. An argument that is a
    sentence is the text itself; standard error then says so. Raises the errors of the inputs.
    """
    if not document:
        raise ValueError("the name of the document is empty; give a file, or - for standard input")
    if is_sentence(document):
        print("pocketindex: there is no such file; the argument is the text", file=sys.stderr)
        return encode(document)
    if arguments.format is None and arguments.encoding is None:
        if (text := plain_text(document)) is not None:
            return text
    inputs: Any = import_module("pocketindex.builder.inputs.one_text")
    batch = hasattr(arguments, "batch")
    text = inputs.text_of(document, arguments.format, arguments.encoding, batch)
    assert isinstance(text, bytes)
    return text


def batch(
    arguments: argparse.Namespace,
) -> Iterable[Sequence[tuple[str, str | None, str]]]:
    """Yield id, text and problem of each record of --batch, as many as are asked together. A record
    that is not a document has a problem and no text. Raises SourceError.
    """
    progress = import_module("pocketindex.builder.progress").Progress(form=arguments.progress)
    with progress:
        yield from import_module(f"{_ARGUMENTS}.items").batch(arguments.batch, arguments, progress)
