"""Refuse sources of known kinds that are not read, with what to do instead."""

from __future__ import annotations

import shlex

from pocketindex.builder.inputs.opening.addresses import Address
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere, begin_of, is_regular
from pocketindex.builder.inputs.source import SourceError, shown
from pocketindex.constants import MAGIC
from pocketindex.kinds import BEGIN, kind_of, unpacked_name


def check_kind(source: str) -> None:
    """Raise SourceError for a file of a kind that is known and not read."""
    if is_regular(source):
        check_begin(source, begin_of(source, BEGIN))


def check_begin(source: str, begin: bytes) -> None:
    """Raise SourceError for a file that begins so, where that is known and not read."""
    if begin.startswith(MAGIC):
        raise SourceError(
            shown(source),
            "expected a collection of documents, found a pocket file, which is already built; "
            "query it with `pocketindex query` (several are asked as one), or give the collection "
            "that it was built from",
        )
    if remedy := instead(source, begin):
        raise SourceError(shown(source), remedy)


def instead(source: str, begin: bytes) -> str:
    """Return what a file is that begins so, unpacked, and what to do with it, where its kind is
    known and not read; else nothing.
    """
    name = source.file_name if isinstance(source, Elsewhere) else shown(source)
    kind = kind_of(name, begin)
    if not kind or not kind.source:
        return ""
    inner = unpacked_name(name)
    steps = "download it, then " if isinstance(source, Address) else ""
    if inner != name:
        steps += "unpack it, then "
    return f"it is {kind.what}; {steps}{kind.source.format(shlex.quote(inner))}"
