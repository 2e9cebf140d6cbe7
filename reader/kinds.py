"""Kinds of files that are given by mistake: how each is known, and what to do with it."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass

BEGIN = 1 << 16  # bytes that are looked at
_OFFICE = rb"PK\x03\x04(?s:.{26})\[Content_Types\]\.xml(?s:.*)"  # what its first entry says


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of files.

    what: a name for people; suffixes: in lower case; begin: matches the first bytes; index: what to
    do where a pocket file was expected, source: where documents were, each with {} for the name; ""
    where the general advice has to do, or where it is read.
    """

    what: str
    suffixes: tuple[str, ...] = ()
    begin: re.Pattern[bytes] | None = None
    index: str = ""
    source: str = ""


def _packed(program: str, unpack: str, suffix: str, begin: bytes) -> Kind:
    return Kind(
        f"compressed with {program}",
        (suffix,),
        re.compile(begin),
        f"unpack it first: {unpack} {{}}",
    )


KINDS = (
    _packed("gzip", "gunzip", ".gz", rb"\x1f\x8b"),
    _packed("bzip2", "bunzip2", ".bz2", rb"BZh[1-9]"),
    _packed("xz", "unxz", ".xz", rb"\xfd7zXZ\0"),
    _packed("zstd", "unzstd", ".zst", rb"\x28\xb5\x2f\xfd"),
    Kind(
        "a profile",
        (".profile",),
        index="use it with build --profile {}",
        source="use it with --profile {}",
    ),
    Kind(
        "an Excel workbook",
        (".xlsx", ".xlsm"),
        re.compile(_OFFICE + rb"xl/"),
        source="save the sheet as CSV",
    ),
    Kind(
        "a Word document",
        (".docx", ".docm"),
        re.compile(_OFFICE + rb"word/"),
    ),
    Kind(
        "a PowerPoint presentation",
        (".pptx", ".pptm"),
        re.compile(_OFFICE + rb"ppt/"),
    ),
    Kind(
        "an OpenDocument spreadsheet",
        (".ods",),
        re.compile(
            rb"PK\x03\x04(?s:.{26})mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet"
        ),
        source="save the sheet as CSV",
    ),
    Kind(
        "an old Excel workbook",
        (".xls",),
        source="save the sheet as CSV",
    ),
    Kind(
        "a SQLite database",
        begin=re.compile(rb"SQLite format 3\0"),
        source="export it: sqlite3 -json {} 'select ...' | jq -c '.[]' > docs.jsonl",
    ),
    Kind(
        "a WACZ file",
        (".wacz",),
        source="unpack it and give its WARC files: unzip {} 'archive/*'",
    ),
    Kind(
        "an ARC file",
        (".arc", ".arc.gz"),
        re.compile(rb"filedesc://"),
        source="convert it to WARC: warcio recompress {} out.warc.gz",
    ),
    Kind(
        "a 7z archive",
        begin=re.compile(rb"7z\xbc\xaf\x27\x1c"),
        source="unpack it first: 7z x {}",
    ),
    Kind(
        "a RAR archive",
        begin=re.compile(rb"Rar!\x1a\x07"),
        source="unpack it first: unrar x {}",
    ),
)


def kind_of(name: str, begin: bytes) -> Kind | None:
    """Return the kind of a file by its first bytes, else by its name; None for all others."""
    by_bytes = (kind for kind in KINDS if kind.begin and kind.begin.match(begin))
    by_name = (kind for kind in KINDS if name.lower().endswith(kind.suffixes or ("\0",)))
    return next(by_bytes, None) or next(by_name, None)


def not_an_index(path: str, found: bytes) -> str:
    """Return what a file is that is no pocket file, and what to do. found: its first bytes, empty
    where nobody has seen them.
    """
    try:
        with open(path, "rb") as file:
            found = file.read(BEGIN)
        if not found:
            return "it is empty (0 bytes); copy or download it again"
    except (OSError, ValueError):
        pass
    if kind := kind_of(path, found):
        if kind.index:
            return f"it is {kind.what}; {kind.index.format(shlex.quote(path))}"
        return f"it is {kind.what}; check the path"
    if path.lower().endswith(".pocket"):
        return "its first bytes are wrong; check the path, or copy or download it again"
    name = os.path.basename(path).partition(".")[0] or "FILE"
    return (
        "if it is a collection, build an index first: pocketindex build "
        f"{shlex.quote(path)} -o {shlex.quote(name + '.pocket')}"
    )
