"""Refuse sources of known kinds that are not read, with what to do instead."""

from __future__ import annotations

import os
import shlex

from pocketindex.builder.inputs.opening.elsewhere import Elsewhere
from pocketindex.builder.inputs.source import STDIN, SourceError
from pocketindex.constants import MAGIC
from pocketindex.kinds import BEGIN, kind_of


def check_kind(source: str) -> None:
    """Raise SourceError for a file of a kind that is known and not read."""
    if isinstance(source, Elsewhere):
        if not source.is_folder:
            check_begin(source, source.begin(BEGIN))
        return
    if source == STDIN or not os.path.isfile(source):
        return
    with open(source, "rb") as file:
        check_begin(source, file.read(BEGIN))


def check_begin(source: str, begin: bytes) -> None:
    """Raise SourceError for a file that begins so, where that is known and not read."""
    if begin.startswith(MAGIC):
        raise SourceError(
            source,
            "expected a collection of documents, found a pocket file, which is already built; "
            "query it with `pocketindex query` (several are asked as one), or give the collection "
            "that it was built from",
        )
    kind = kind_of(source.file_name if isinstance(source, Elsewhere) else source, begin)
    if kind and kind.source:
        raise SourceError(source, f"it is {kind.what}; {kind.source.format(shlex.quote(source))}")
