"""The inputs: where documents come from. A new one is a file with a function `documents` and a line in INPUTS."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from pocketindex.builder.document import Document, Skip
from pocketindex.builder.inputs import folder, jsonl, pydoc
from pocketindex.builder.inputs.source import STDIN, Documents, SourceError, Stream

__all__ = ["INPUTS", "Document", "Documents", "Input", "Skip", "SourceError", "find"]


@dataclass(frozen=True)
class Input:
    """An input and how a source of it is known.

    about: a line for people; scheme: the start of its sources, as "pydoc:"; suffixes: the ends of its file names, in lower case.
    """

    documents: Documents
    about: str
    scheme: str = ""
    suffixes: tuple[str, ...] = ()


INPUTS: dict[str, Input] = {
    "folder": Input(folder.documents, "a folder of .txt and .md files, or one of them", suffixes=folder.SUFFIXES),
    "jsonl": Input(
        jsonl.documents,
        "JSON Lines with id, title and text, plain, .gz or .zst; - is standard input",
        suffixes=tuple(name + packed for name in (".jsonl", ".ndjson") for packed in ("", ".gz", ".zst")),
    ),
    "pydoc": Input(pydoc.documents, "pydoc: the documentation of Python's own library, pydoc:NAME of one package", scheme=pydoc.SCHEME),
}

_SNIFF_BYTES = 1 << 16
_OBJECT_BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{[ \t]*"')


def find(source: str, format: str | None = None) -> Input:
    """The input that reads `source`: the one named `format`, else by scheme, folder, suffix and first bytes, in this order.

    Raises SourceError where there is no such format or source, or where none fits; the message lists the known ones.
    """
    if format is not None:
        if format not in INPUTS:
            raise SourceError(source, f"there is no format {format!r}; {_known()}")
        return INPUTS[format]
    for candidate in INPUTS.values():
        if candidate.scheme and source.startswith(candidate.scheme):
            return candidate
    if os.path.isdir(source):
        return INPUTS["folder"]
    if source != STDIN and not os.path.exists(source):
        raise SourceError(source, f"there is no such file or folder; {_known()}")
    if not os.path.isfile(source):
        return INPUTS["jsonl"]  # standard input or a pipe, of which a look at the first bytes would take them away
    for candidate in INPUTS.values():
        if candidate.suffixes and source.lower().endswith(candidate.suffixes):
            return candidate
    with Stream(source) as stream:
        if _OBJECT_BEGINS.match(stream.line(_SNIFF_BYTES)):
            return INPUTS["jsonl"]
    raise SourceError(source, f"its name and its first bytes do not tell its format; name it with --format; {_known()}")


def _known() -> str:
    return "known formats: " + "; ".join(f"{name} ({known.about})" for name, known in sorted(INPUTS.items()))
