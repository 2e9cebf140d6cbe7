"""Office files: DOCX, PPTX, OpenDocument and RTF, each read in a process of its own (apart.py)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

from pocketindex.builder.document import Document, Notice, Unfit
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.source import OnSkip, needed

ADDS = ("comments", "notes")  # what can be added to a text: comments, and notes of the speaker
# A zip archive that begins with a file of a package, and has those of its kind (an archive of such
# packages begins with the name of one); a compound file, which older programs wrote, and which is
# refused with what to do.
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FIRST = (
    rb"(?s)(?=PK\x03\x04.{26}(?:\[Content_Types\]\.xml|(?:_rels|docProps|customXml|word|ppt)/))"
)
BEGINS = {
    "rtf": re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\\rtf"),
    "docx": re.compile(
        _FIRST + rb"(?=.*?PK\x03\x04.{26}word/(?:document|styles|settings))|" + re.escape(OLE)
    ),
    "pptx": re.compile(_FIRST + rb"(?=.*?PK\x03\x04.{26}ppt/(?:presentation|slide))"),
    "odt": re.compile(
        rb"(?s)PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.(?:text|presentation)"
        rb"|(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>)?\s*<office:document\s"
    ),
}
_OLDER = (".doc", ".dot", ".ppt", ".pps")  # may be RTF, or one of the others under an old name
_BY_SUFFIX = {
    **dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), "docx"),
    **dict.fromkeys((".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"), "pptx"),
    **dict.fromkeys((".odt", ".ott", ".fodt", ".odp", ".otp", ".fodp"), "odt"),
    ".rtf": "rtf",
    **dict.fromkeys(_OLDER, ""),
}
SUFFIXES = tuple(_BY_SUFFIX)
_LOOKED_AT = 1 << 16  # bytes
# Streams of a compound file, with what has them and what it is saved as.
_STREAMS = (
    ("WordDocument", "a binary Word file (.doc)", "docx"),
    ("PowerPoint Document", "a binary PowerPoint file (.ppt)", "pptx"),
    ("Workbook", "a binary Excel file (.xls)", "csv"),
    ("Book", "a binary Excel file (.xls)", "csv"),
)
_NO_LANGUAGE = ("x-none", "zxx", "und")
_DAMAGED = "damaged part"
# What programs call a document that nobody has given a title.
_NO_TITLE = re.compile(
    r"(?:PowerPoint|Word)[ -](?:Presentation|Präsentation|Document|Dokument)"
    r"|Présentation PowerPoint|Presentación de PowerPoint|Presentazione (?:standard di )?PowerPoint"
    r"|(?:Slide|Folie|Diapositive|Document|Dokument|Presentation|Präsentation) ?\d*"
    r"|Untitled(?: ?\d+)?|Unbenannt(?: ?\d+)?|Microsoft (?:Office )?(?:Word|PowerPoint) - .*"
)


def document(
    content: bytes,
    id: str,
    stem: str,
    name: str,
    suffix: str,
    skip: OnSkip,
    add: Sequence[str] = (),
) -> Document:
    """Return the document in the bytes of an office file, which its first bytes tell, or else its
    suffix. Its title is that of its properties, unless a program has made it up, else `stem`.

    name: for messages; add: some of ADDS. skip: is told of each part that is damaged and left out.

    Raises Unfit "unreadable" (another kind, cut short, encrypted, an older binary file, or more
    work than apart.py allows), "bomb", "too long" and "empty"; SourceError where lxml is missing.
    """
    kind = _kind(content, suffix)
    if content.startswith(OLE):
        raise Unfit("unreadable", _compound(content))
    if not kind:
        raise Unfit(
            "unreadable",
            f"expected a document, as its name ends in {suffix}, found neither an office file "
            "nor RTF; rename it by its kind",
        )
    if kind != "rtf":
        needed("lxml.etree", "office", name, "it is an office file")
    title, text, lang, problems = apart.read(
        f"pocketindex.builder.inputs.pages.{kind}", content, ",".join(add)
    )
    for problem in problems:
        skip(Notice(name, _DAMAGED, problem))
    return Document(
        id,
        stem if not title or _NO_TITLE.fullmatch(title) else title,
        text,
        lang="" if lang.lower() in _NO_LANGUAGE else lang,
    )


def _kind(content: bytes, suffix: str) -> str:
    begin = content[:_LOOKED_AT]
    by_content = (kind for kind, begins in BEGINS.items() if begins.match(begin))
    return next(by_content, _BY_SUFFIX.get(suffix, ""))


def require(source: str, names: Iterable[str]) -> None:
    """Raise SourceError where files of these names in `source` need lxml, and it is missing."""
    for name in names:
        if _BY_SUFFIX.get(os.path.splitext(name)[1].lower(), "rtf") not in ("rtf", ""):
            needed("lxml.etree", "office", source, f"it has office files, as {name}")
            return


def _compound(content: bytes) -> str:
    """Say what a compound file is, and what to do."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        return "it is encrypted; save a copy without a password"
    for stream, found, kind in _STREAMS:
        if stream.encode("utf-16-le") in content:
            return (
                f"it is {found}, which is not read; save it as .{kind}, or convert it with: "
                f"libreoffice --headless --convert-to {kind} FILE"
            )
    return (
        "it is an OLE file of an unknown kind, which is not read; save it as another kind with "
        "the program that made it"
    )
