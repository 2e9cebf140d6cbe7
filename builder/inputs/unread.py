"""Refuse sources of known kinds that are not read, with what to do instead."""

from __future__ import annotations

import os
import re
import shlex

from pocketindex.builder.inputs.source import STDIN, SourceError
from pocketindex.constants import MAGIC
from pocketindex.kinds import BEGIN, kind_of, unpacked_name

_URL = re.compile(r"([a-z][a-z0-9+.-]+)://(.*)", re.IGNORECASE | re.DOTALL)


def is_url(source: str) -> bool:
    """Return whether a source is a URL and not the name of an existing file."""
    return bool(_URL.match(source)) and not os.path.lexists(source)


def check_kind(source: str) -> None:
    """Raise SourceError for a URL, and for a file of a kind that is known and not read."""
    if is_url(source):
        raise SourceError(source, f"URLs are not read; {_fetched(source)}")
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
    if remedy := instead(source, begin):
        raise SourceError(source, remedy)


def instead(source: str, begin: bytes) -> str:
    """Return what a file is that begins so, unpacked, and what to do with it, where its kind is
    known and not read; else nothing.
    """
    kind = kind_of(source, begin)
    if not kind or not kind.source:
        return ""
    inner = unpacked_name(source)
    first = "" if inner == source else "unpack it, then "
    return f"it is {kind.what}; {first}{kind.source.format(shlex.quote(inner))}"


def _fetched(source: str) -> str:
    """Return how to turn a URL into a file or standard input."""
    found = _URL.match(source)
    assert found
    scheme = found[1].lower()
    if scheme == "file":
        return f"give the path: {found[2].removeprefix('localhost') or '/'}"
    url = shlex.quote(source)
    programs = {"s3": f"aws s3 cp {url} -", "gs": f"gcloud storage cat {url}"}
    program = programs.get(scheme, f"curl -L {url}")
    return f"download it first: {program} | pocketindex build - -o FILE.pocket"
