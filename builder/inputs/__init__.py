"""The inputs: where documents come from.

They may import the base (conventions, document) and work, and no other room. A new one is a
file with a function `documents` and a line in INPUTS.
"""

from __future__ import annotations

import functools
import glob
import io
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pocketindex.builder.document import Document, Skip
from pocketindex.builder.inputs import folder, pydoc
from pocketindex.builder.inputs.archives import tar, warc, zim, zip
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.pages import epub, mediawiki, office, single
from pocketindex.builder.inputs.rows import csv, jsonl, jsonl_batches, parquet
from pocketindex.builder.inputs.source import STDIN, Batches, Documents, SourceError, packed
from pocketindex.constants import MAGIC

__all__ = [
    "INPUTS",
    "OWN_NAMES",
    "Document",
    "Documents",
    "Fields",
    "Input",
    "Skip",
    "SourceError",
    "find",
    "find_all",
]


@dataclass(frozen=True)
class Input:
    """An input and how a source of it is known.

    about: a line for people; scheme: the start of its sources, as "pydoc:"; suffixes: the ends of
    its file names, in lower case; magic: matches the first bytes, decompressed; named: its records
    have named fields, `documents` takes `fields`; drops: what `documents` can leave out of a text,
    by its argument `drop`; adds: what it can add to a text, by its argument `add`; encoded: its
    texts do not say their encoding, `documents` takes `encoding`; placed: it can go on in the
    middle of a file, `documents` takes a `place`; batches: gives what `documents` does, many at a
    time, with threads.
    """

    documents: Documents
    about: str
    scheme: str = ""
    suffixes: tuple[str, ...] = ()
    magic: re.Pattern[bytes] | None = None
    named: bool = False
    drops: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    encoded: bool = False
    placed: bool = False
    batches: Batches | None = None


_COMPRESSED = "plain, .gz, .bz2, .xz or .zst"

INPUTS: dict[str, Input] = {
    "csv": Input(
        csv.documents,
        f"comma-separated values with a first row of names, {_COMPRESSED}",
        suffixes=packed(".csv"),
        named=True,
        encoded=True,
        placed=True,
    ),
    "tar": Input(
        tar.documents,
        f"an archive of the files that a folder may have, {_COMPRESSED}",
        suffixes=tar.SUFFIXES,
        magic=re.compile(rb"(?s:.{257})ustar"),
        encoded=True,
        adds=office.ADDS,
    ),
    "warc": Input(
        warc.documents,
        f"the pages of a crawl, {_COMPRESSED}",
        suffixes=packed(".warc"),
        magic=re.compile(rb"WARC/\d"),
    ),
    "zim": Input(
        zim.documents,
        "the articles of a ZIM file",
        suffixes=(".zim",),
        magic=re.compile(rb"ZIM\x04"),
    ),
    "epub": Input(single.reader(".epub"), "an EPUB book", magic=epub.BEGINS),
    "docx": Input(
        single.reader(".docx"),
        "a Word document",
        magic=office.BEGINS["docx"],
        adds=("comments",),
    ),
    "pptx": Input(
        single.reader(".pptx"),
        "a PowerPoint presentation",
        magic=office.BEGINS["pptx"],
        adds=office.ADDS,
    ),
    "odt": Input(
        single.reader(".odt"),
        "a text or presentation of OpenDocument",
        magic=office.BEGINS["odt"],
        adds=office.ADDS,
    ),
    "rtf": Input(
        single.reader(".rtf"),
        "a Rich Text Format file",
        magic=office.BEGINS["rtf"],
        adds=("comments",),
    ),
    "zip": Input(
        zip.documents,
        "an archive of the files that a folder may have",
        suffixes=zip.SUFFIXES,
        magic=re.compile(rb"PK(?:\x03\x04|\x05\x06)"),
        encoded=True,
        adds=office.ADDS,
    ),
    "tsv": Input(
        functools.partial(csv.documents, separators="\t"),
        "the same with tabs",
        suffixes=packed(".tsv", ".tab"),
        named=True,
        encoded=True,
        placed=True,
    ),
    "folder": Input(
        folder.documents,
        "a folder of .txt, .md, .html, .epub, .pdf and office files and archives of them, or one "
        "such file",
        suffixes=single.SUFFIXES,
        encoded=True,
        adds=office.ADDS,
    ),
    "html": Input(
        single.reader(".html"),
        "an HTML file",
        magic=re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE),
    ),
    "markdown": Input(single.reader(".md"), "a Markdown file", encoded=True),
    "mediawiki": Input(
        mediawiki.documents,
        f"an XML dump of a MediaWiki, {_COMPRESSED}",
        suffixes=packed(".xml"),
        magic=mediawiki.BEGINS,
        drops=mediawiki.DROPS,
        batches=mediawiki.batches,
    ),
    "parquet": Input(
        parquet.documents,
        "Parquet, Arrow and Feather files",
        suffixes=(".parquet", ".pq", ".arrow", ".arrows", ".feather"),
        magic=re.compile(rb"PAR1|ARROW1|\xff{4}(?s:...)\0"),
        named=True,
        batches=parquet.batches,
    ),
    "pdf": Input(single.reader(".pdf"), "a PDF file", magic=re.compile(rb"%PDF-")),
    "text": Input(single.reader(".txt"), "a text file", encoded=True),
    "jsonl": Input(
        jsonl.documents,
        f"JSON Lines with id, title and text, {_COMPRESSED}; - is standard input",
        suffixes=packed(".jsonl", ".ndjson"),
        magic=re.compile(rb'(?:\xef\xbb\xbf)?\s*\{[ \t]*"'),
        named=True,
        encoded=True,
        placed=True,
        batches=jsonl_batches.batches,
    ),
    "pydoc": Input(
        pydoc.documents,
        "pydoc: the documentation of Python's own library, pydoc:NAME of one package",
        scheme=pydoc.SCHEME,
    ),
}

SNIFF_BYTES = 1 << 16
_PATTERN = re.compile(r"[*?\[]")


def find(source: str, format: str | None = None) -> Input:
    """Return the input that reads `source`: the one named `format`, else by scheme, folder, suffix
    and first bytes, in this order.

    Raises SourceError where there is no such format or source, or where none fits; the message
    lists the known ones.
    """
    if format is not None:
        if format not in INPUTS:
            raise SourceError(source, f"there is no format {format!r}; {_known()}")
        return INPUTS[format]
    if kind := by_name(source):
        return kind
    if source != STDIN and not os.path.exists(source):
        raise SourceError(
            source,
            "there is no such file or folder; check the path (`pocketindex build --help` says "
            "what else is read)",
        )
    if not os.path.isfile(source):
        return INPUTS[
            "jsonl"
        ]  # standard input or a pipe, of which a look at the first bytes would take them away
    if kind := by_content(source):
        return kind
    with open(source, "rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            raise SourceError(
                source,
                "expected a collection of documents, found a pocket file, which is built already; "
                "ask it with `pocketindex query` "
                "(several are asked as one), or give the collection that it was built from",
            )
    raise SourceError(
        source,
        f"its name and its first bytes do not tell its format; name it with --format; {_known()}",
    )


def by_name(source: str) -> Input | None:
    """Return the input for a source by its scheme or suffix, or as a folder; None where these do
    not tell.
    """
    for candidate in INPUTS.values():
        if candidate.scheme and source.startswith(candidate.scheme):
            return candidate
    if os.path.isdir(source):
        return INPUTS["folder"]
    ends = source.lower().endswith if os.path.isfile(source) else lambda suffixes: False
    return next(
        (
            candidate
            for candidate in INPUTS.values()
            if candidate.suffixes and ends(candidate.suffixes)
        ),
        None,
    )


def by_content(source: str) -> Input | None:
    """Return the input for a file by its first bytes; None where they do not tell."""
    with Stream(source, text=False) as stream:
        return by_begin(stream.take(SNIFF_BYTES))


def by_begin(begin: bytes) -> Input | None:
    """Return the input for a file that begins so; None where that does not tell."""
    return next(
        (
            candidate
            for candidate in INPUTS.values()
            if candidate.magic and candidate.magic.match(begin)
        ),
        None,
    )


def find_all(
    sources: Sequence[str],
    format: str | None = None,
    fields: Fields = OWN_NAMES,
    drop: Sequence[str] = (),
    encoding: str | None = None,
    add: Sequence[str] = (),
) -> list[tuple[str, Input]]:
    """Return each source with the input that reads it, patterns as *.csv or data/**/*.md replaced
    by the sorted paths that fit them.

    fields: for the inputs whose records have some; drop: left out by the inputs that can; encoding:
    of texts that do not say theirs, None for UTF-8; add: added by the inputs that can. Raises
    SourceError as find does, for a pattern that nothing fits, and where no source has fields that
    are named, what is to be dropped or added, or texts that do not say their encoding;
    ValueError for an encoding that there is not.
    """
    if list(sources).count(STDIN) > 1:
        raise SourceError(
            STDIN, "standard input is given twice, and can be read once; leave one away"
        )
    found = [(path, find(path, format)) for source in sources for path in _expanded(source)]
    if fields.named() and found and not any(kind.named for _, kind in found):
        names = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.named)
        raise SourceError(
            found[0][0],
            f"its records have no fields to name with --{fields.named()[0]}; these formats have: "
            f"{names}",
        )
    for option, does, parts in (("drops", "leave out", drop), ("adds", "add", add)):
        for part in parts:
            if found and not any(part in getattr(kind, option) for _, kind in found):
                raise SourceError(
                    found[0][0],
                    f"its texts have no {part!r} to {does} with --{option[:-1]}; these formats "
                    f"have: {listed(option)}",
                )
    if encoding:
        check_encoding(encoding, found)
    return [(path, _told(kind, fields, drop, encoding, add)) for path, kind in found]


def listed(option: str) -> str:
    """Return which inputs can drop or add what, for messages; option: "drops" or "adds"."""
    return "; ".join(
        f"{name}: {', '.join(parts)}"
        for name, kind in sorted(INPUTS.items())
        if (parts := getattr(kind, option))
    )


def check_encoding(encoding: str, found: Sequence[tuple[str, Input]]) -> None:
    """Raise ValueError for an encoding that there is not, SourceError where none of the sources
    needs to be told one.
    """
    try:
        io.TextIOWrapper(io.BytesIO(), encoding)
    except LookupError:
        raise ValueError(
            f"encoding is {encoding!r}; there is no text encoding of this name; expected one as "
            "utf-16, cp1252 or shift_jis"
        ) from None
    if found and not any(kind.encoded for _, kind in found):
        names = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.encoded)
        raise SourceError(
            found[0][0],
            f"its format says or fixes the encoding; --encoding is for these formats: {names}",
        )


def _told(
    kind: Input, fields: Fields, drop: Sequence[str], encoding: str | None, add: Sequence[str]
) -> Input:
    """Return the same input, whose functions need no more be told."""
    options: dict[str, Any] = {}
    if kind.named and fields.named():
        options["fields"] = fields
    if dropped := [part for part in drop if part in kind.drops]:
        options["drop"] = dropped
    if added := [part for part in add if part in kind.adds]:
        options["add"] = added
    if kind.encoded and encoding:
        options["encoding"] = encoding
    if not options:
        return kind
    told = replace(kind, documents=functools.partial(kind.documents, **options))
    return (
        replace(told, batches=functools.partial(kind.batches, **options)) if kind.batches else told
    )


def _expanded(source: str) -> list[str]:
    scheme = any(known.scheme and source.startswith(known.scheme) for known in INPUTS.values())
    if scheme or not _PATTERN.search(source) or os.path.lexists(source):
        return [source]
    paths = sorted(glob.glob(source, recursive=True))
    if not paths:
        raise SourceError(
            source,
            "there is no file or folder of this name, and none fits it as a pattern; check the "
            "path",
        )
    return paths


def _known() -> str:
    return "known formats: " + "; ".join(
        f"{name} ({known.about})" for name, known in sorted(INPUTS.items())
    )
