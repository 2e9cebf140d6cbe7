"""Ways of packing a file, and kinds of files that are given by mistake: how each is known, and what
to do with it. The kinds that are read are in builder/inputs/kinds.py.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass

BEGIN = 1 << 16  # bytes that are looked at
SAVED_SHINGLES = b"\x89PCKS\r\n\x1a"  # the first bytes of such a file (docs/format.md 14)
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


@dataclass(frozen=True, slots=True)
class Packing:
    """A way of packing a file.

    begin: how a packed file begins; suffixes: of packed files, in lower case, each with the suffix
    that stands for it when the file is unpacked; unpack: the program that does so.
    """

    name: str
    begin: tuple[bytes, ...]
    suffixes: dict[str, str]
    unpack: str


PACKINGS = (
    Packing("gzip", (b"\x1f\x8b",), {".gz": "", ".tgz": ".tar"}, "gunzip"),
    # The first block, or the end.
    Packing(
        "bzip2",
        tuple(b"BZh%d" % level + begin for level in range(1, 10) for begin in (b"1A", b"\x17r")),
        {".bz2": "", ".tbz2": ".tar"},
        "bunzip2",
    ),
    Packing("xz", (b"\xfd7zXZ\0",), {".xz": "", ".txz": ".tar"}, "unxz"),
    # A frame, or the skippable frames (0x184D2A50 .. 5F) that parallel compressors put first.
    Packing(
        "zstd",
        (
            b"\x28\xb5\x2f\xfd",
            *(bytes([first, 0x2A, 0x4D, 0x18]) for first in range(0x50, 0x60)),
        ),
        {".zst": "", ".tzst": ".tar"},
        "unzstd",
    ),
)
PACKED = {end: inner for packing in PACKINGS for end, inner in packing.suffixes.items()}
KINDS = (
    Kind(
        "a profile",
        (".profile",),
        index="use it with build --profile {}",
        source="use it with --profile {}",
    ),
    Kind(
        "a file of saved shingles",
        begin=re.compile(re.escape(SAVED_SHINGLES)),
        index="it has no texts; give it to dedup --against",
        source="it has no texts; give it to dedup --against, or give what it was made from",
    ),
    Kind(
        "an Excel workbook",
        (".xlsx", ".xlsm"),
        re.compile(_OFFICE + rb"xl/"),
        source="save the sheet as CSV",
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
        (".arc",),
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


def packing_of(begin: bytes) -> Packing | None:
    """Return how a file that begins so is packed, None if it is not."""
    return next((packing for packing in PACKINGS if begin.startswith(packing.begin)), None)


def unpacked_name(name: str) -> str:
    """Return the name that a file has when it is unpacked, "a.csv" for "a.csv.gz"."""
    stem, dot, end = name.rpartition(".")
    inner = PACKED.get(f".{end.lower()}") if dot else None
    return name if inner is None else stem + inner


def kind_of(name: str, begin: bytes) -> Kind | None:
    """Return the kind of a file by its first bytes, else by its name; None for all others."""
    by_bytes = (kind for kind in KINDS if kind.begin and kind.begin.match(begin))
    unpacked = unpacked_name(name).lower()
    by_name = (kind for kind in KINDS if unpacked.endswith(kind.suffixes or ("\0",)))
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
    packing = packing_of(found)
    if path.startswith("<"):  # bytes or a file object, which no command takes
        packed = packing and f"it is compressed with {packing.name}; unpack it first"
        return packed or "its first bytes are wrong; check where it comes from"
    # A name such as docs.jsonl.gz tells a collection, which is read as it is.
    if packing and os.path.splitext(unpacked_name(path))[1].lower() in ("", ".pocket"):
        command = f"{packing.unpack} {shlex.quote(path)}"
        return f"it is compressed with {packing.name}; unpack it first: {command}"
    if not packing and (kind := kind_of(path, found)):
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
