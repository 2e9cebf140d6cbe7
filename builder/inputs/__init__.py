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
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pocketindex.builder.document import Document, Skip
from pocketindex.builder.inputs import folder, pydoc
from pocketindex.builder.inputs.archives import mbox, tar, warc, zim, zip
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.options import DEFAULTS, Css, Options
from pocketindex.builder.inputs.pages import epub, first_bytes, html, mediawiki, office, single
from pocketindex.builder.inputs.rows import csv, jsonl, jsonl_batches, parquet
from pocketindex.builder.inputs.source import STDIN, Batches, Documents, SourceError, packed, shown
from pocketindex.builder.inputs.unread import check_begin, check_kind, is_url
from pocketindex.builder.inputs.walking import written

__all__ = [
    "INPUTS",
    "OWN_NAMES",
    "Document",
    "Documents",
    "Fields",
    "Input",
    "Options",
    "Skip",
    "SourceError",
    "check_used",
    "find",
    "find_all",
    "sparing",
]

Found = list[tuple[str, "Input"]]


@dataclass(frozen=True)
class Input:
    """An input and how a source of it is known.

    about: a line for people; scheme: the start of its sources, as "pydoc:"; suffixes: the ends of
    its file names, in lower case; magic: matches the first bytes, decompressed; batches: gives what
    `documents` does, many at a time, with threads.

    What `documents` takes besides: files: all of the options, because a source is a file that is a
    document, or holds such files; walked: also a folder, with `spared` and `alone`; named:
    `fields`, the names of the fields of its records; drops: `drop`, any of these parts of a text;
    encoded: `encoding`; placed: `place`, from where it goes on in the middle of a file. Of an input
    that takes all options, `encoded`, `drops`, `adds` (parts of a text) and `pages` (it has pages
    of HTML) say which are of use.
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
    files: bool = False
    pages: bool = False
    walked: bool = False


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
        files=True,
        adds=office.ADDS,
        encoded=True,
        pages=True,
    ),
    "warc": Input(
        warc.documents,
        f"the pages and texts of a crawl, {_COMPRESSED}",
        suffixes=packed(".warc", ".wet"),
        magic=re.compile(rb"\s*WARC/\d", re.IGNORECASE),
        files=True,
        encoded=True,
        pages=True,
    ),
    "mbox": Input(
        mbox.documents,
        f"mail messages of an mbox file, {_COMPRESSED}",
        suffixes=mbox.SUFFIXES,
        magic=mbox.BEGINS,
        files=True,
        encoded=True,
        adds=office.ADDS,
    ),
    "mail": Input(single.reader(".eml"), "a mail message", files=True, encoded=True),
    "zim": Input(
        zim.documents,
        "the articles and texts of a ZIM file",
        suffixes=zim.SUFFIXES,
        magic=re.compile(rb"ZIM\x04"),
        files=True,
        encoded=True,
        pages=True,
    ),
    "epub": Input(
        single.reader(".epub"),
        "an EPUB book",
        magic=epub.BEGINS,
        files=True,
        encoded=True,
        pages=True,
    ),
    "docx": Input(
        single.reader(".docx"),
        "a Word document",
        magic=office.BEGINS["docx"],
        files=True,
        adds=("comments",),
    ),
    "pptx": Input(
        single.reader(".pptx"),
        "a PowerPoint presentation",
        magic=office.BEGINS["pptx"],
        files=True,
        adds=office.ADDS,
    ),
    "odt": Input(
        single.reader(".odt"),
        "a text or presentation of OpenDocument",
        magic=office.BEGINS["odt"],
        files=True,
        adds=office.ADDS,
    ),
    "rtf": Input(
        single.reader(".rtf"),
        "a Rich Text Format file",
        magic=office.BEGINS["rtf"],
        files=True,
        adds=("comments",),
    ),
    "zip": Input(
        zip.documents,
        "an archive of the files that a folder may have",
        suffixes=zip.SUFFIXES,
        magic=re.compile(rb"PK(?:\x03\x04|\x05\x06)"),
        files=True,
        adds=office.ADDS,
        encoded=True,
        pages=True,
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
        "a folder of .txt, .md, .html, .epub, .pdf, office and mail files and archives of them, a "
        "Maildir, or one such file",
        suffixes=single.SUFFIXES,
        files=True,
        walked=True,
        adds=office.ADDS,
        encoded=True,
        pages=True,
    ),
    "html": Input(
        single.reader(".html"),
        "an HTML file",
        magic=first_bytes.HTML,
        files=True,
        encoded=True,
        pages=True,
    ),
    "markdown": Input(single.reader(".md"), "a Markdown file", files=True, encoded=True),
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
    "pdf": Input(single.reader(".pdf"), "a PDF file", magic=first_bytes.PDF, files=True),
    "text": Input(single.reader(".txt"), "a text file", files=True, encoded=True),
    "jsonl": Input(
        jsonl.documents,
        f"JSON Lines with id, title and text, or a JSON array, {_COMPRESSED}; - is standard input",
        suffixes=packed(".jsonl", ".ndjson", ".json"),
        magic=re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"'),
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

# What a folder does not give, because each such file is a source by itself.
_ALONE = tuple(
    suffix
    for kind in INPUTS.values()
    for suffix in kind.suffixes
    if suffix not in (*single.SUFFIXES, *folder.ARCHIVES)
)
SNIFF_BYTES = 1 << 16
_PATTERN = re.compile(r"[*?\[]")


def find(source: str, format: str | None = None) -> Input:
    """Return the input that reads `source`: the one named `format`, or else the one that its
    scheme, its being a folder, its suffix or its first bytes tell, in this order.

    Raises SourceError if there is no such format or source, or if no input fits; the message says
    what to do if the kind of file is known.
    """
    if format is not None:
        if format not in INPUTS:
            names = ", ".join(sorted(INPUTS))
            raise SourceError(source, f"there is no format {format!r}; expected one of {names}")
        if source == STDIN and format in ("folder", "pydoc"):
            raise SourceError(
                source,
                f"standard input is a single file, and the format {format} is not; give a path",
            )
        return INPUTS[format]
    if source == STDIN:
        begin = stdin_begin()
        if kind := by_begin(begin):
            return kind
        check_begin(shown(source), begin)
        return INPUTS["jsonl"]
    check_kind(source)
    if kind := by_name(source):
        return kind
    if not os.path.exists(source):
        raise SourceError(
            source,
            "there is no such file or folder; check the path (`pocketindex build --help` says "
            "what else is read)",
        )
    if not os.path.isfile(source):
        return INPUTS["jsonl"]  # a pipe, of which a look at the first bytes would take them away
    begin = _begin_of(source)
    if kind := by_begin(begin):
        return kind
    check_begin(source, begin)
    raise SourceError(
        source,
        "its name and its first bytes do not tell its format; name it with --format (`pocketindex "
        "build --help-all` lists what is read)",
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
    return by_begin(_begin_of(source))


def _begin_of(source: str) -> bytes:
    """Return the first bytes of a file, decompressed."""
    with Stream(source, text=False) as stream:
        return stream.take(SNIFF_BYTES)


def stdin_begin() -> bytes:
    """Return the first bytes of standard input without consuming them; none if unbuffered."""
    stream = sys.stdin.buffer
    return stream.peek(SNIFF_BYTES) if isinstance(stream, io.BufferedReader) else b""


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
    sources: Sequence[str], options: Options = DEFAULTS, alone: bool = True
) -> list[tuple[str, Input]]:
    """Return each source with the input that reads it. A pattern such as *.csv or data/**/*.md is
    replaced by the sorted paths that match it.

    alone: whether nothing else is read with these options; otherwise the caller calls check_used.
    Raises SourceError as find does, for a pattern that nothing matches, and for an option that no
    source can use; ValueError for an encoding that does not exist.
    """
    fields = options.fields
    if list(sources).count(STDIN) > 1:
        raise SourceError(STDIN, "standard input is given twice but can be read only once")
    found = [(path, find(path, options.format)) for source in sources for path in _expanded(source)]
    if fields.named() and found and not any(kind.named for _, kind in found):
        names = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.named)
        raise SourceError(
            found[0][0],
            f"it has no records with fields to name with {fields.option(fields.named()[0])}; these "
            f"formats have: {names}",
        )
    if options.encoding:
        check_encoding(options.encoding, found)
    if alone:
        check_used(options, found)
    return [
        (path, told(kind, replace(options, fields=fields.of_source(number, len(found)))))
        for number, (path, kind) in enumerate(found, 1)
    ]


def check_used(options: Options, found: Sequence[tuple[str, Input]]) -> None:
    """Raise SourceError for an option that says what counts as text, or what is read of a folder,
    and that none of the sources can use; ValueError for an invalid selector.
    """
    for option, does, parts in (
        ("drops", "leave out", options.drop),
        ("adds", "add", options.add),
    ):
        for part in parts:
            if found and not any(part in getattr(kind, option) for _, kind in found):
                raise SourceError(
                    found[0][0],
                    f"its texts have no {part!r} to {does} with --{option[:-1]}; these formats "
                    f"have: {listed(option)}",
                )
    if any(options.css):
        check_css(options.css, found)
    if options.follow_links and found and not any(kind.walked for _, kind in found):
        raise SourceError(
            found[0][0], "it is no folder, and --follow-links is for folders; leave it away"
        )


def sparing(found: Sequence[tuple[str, Input]], *paths: str | os.PathLike[str] | None) -> Found:
    """Return the sources without these files and folders, which the command writes itself."""
    told: dict[str, Any] = {
        "spared": written(os.fspath(path) for path in paths if path is not None)
    }
    return [
        (source, replace(kind, documents=functools.partial(kind.documents, **told)))
        if kind.walked
        else (source, kind)
        for source, kind in found
    ]


def listed(option: str) -> str:
    """Return the inputs with the parts that they can drop or add, for messages; option: "drops" or
    "adds".
    """
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


def check_css(css: Css, found: Sequence[tuple[str, Input]]) -> None:
    """Raise ValueError for an invalid selector, and SourceError if no source has HTML pages."""
    if found and not any(kind.pages for _, kind in found):
        names = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.pages)
        raise SourceError(
            found[0][0],
            f"it has no pages of HTML; --select and --exclude are for these formats: {names}",
        )
    html.check(css)


def told(kind: Input, options: Options) -> Input:
    """Return the input with those of the options bound that it can use."""
    own: dict[str, Any] = {}
    if kind.files:
        own["options"] = options
    elif kind.encoded and options.encoding:
        own["encoding"] = options.encoding
    if kind.walked:
        own["alone"] = _ALONE
    if kind.named and options.fields != OWN_NAMES:
        own["fields"] = options.fields
    if dropped := [part for part in options.drop if part in kind.drops]:
        own["drop"] = dropped
    if not own:
        return kind
    return replace(
        kind,
        documents=functools.partial(kind.documents, **own),
        batches=functools.partial(kind.batches, **own) if kind.batches else None,
    )


def _expanded(source: str) -> list[str]:
    scheme = any(known.scheme and source.startswith(known.scheme) for known in INPUTS.values())
    if scheme or is_url(source) or not _PATTERN.search(source) or os.path.lexists(source):
        return [source]
    paths = sorted(glob.glob(source, recursive=True))
    if not paths:
        raise SourceError(
            source,
            "there is no file or folder of this name, and none fits it as a pattern; check the "
            "path",
        )
    return paths
