"""Read office files: DOCX, PPTX, OpenDocument and RTF, each in a separate process (apart.py)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.source import needed

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
        rb"|(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?<office:document\s"
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
_OOXML, _ODF = (
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
)
MEDIA_TYPES = {
    f"{_OOXML}wordprocessingml.document": ".docx",
    f"{_OOXML}presentationml.presentation": ".pptx",
    f"{_ODF}text": ".odt",
    f"{_ODF}presentation": ".odp",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "application/msword": ".doc",
    "application/vnd.ms-powerpoint": ".ppt",
}
_LOOKED_AT = 1 << 16  # bytes
# Streams of a compound file, with what has them and what it is saved as.
_STREAMS = (
    ("WordDocument", "a binary Word file (.doc)", "docx"),
    ("PowerPoint Document", "a binary PowerPoint file (.ppt)", "pptx"),
    ("Workbook", "a binary Excel file (.xls)", "csv"),
    ("Book", "a binary Excel file (.xls)", "csv"),
)
_NO_LANGUAGE = ("x-none", "zxx", "und")
DAMAGED = "damaged part"  # the reason of a Notice
# What programs call a document that nobody has given a title.
_NO_TITLE = re.compile(
    r"(?:PowerPoint|Word)[ -](?:Presentation|Präsentation|Document|Dokument)"
    r"|Présentation PowerPoint|Presentación de PowerPoint|Presentazione (?:standard di )?PowerPoint"
    r"|(?:Slide|Folie|Diapositive|Document|Dokument|Presentation|Präsentation) ?\d*"
    r"|Untitled(?: ?\d+)?|Unbenannt(?: ?\d+)?|Microsoft (?:Office )?(?:Word|PowerPoint) - .*"
)


@dataclass(frozen=True)
class Found:
    """The title, the text and the language of an office file; each may be empty.

    problems: a sentence for each part that is damaged and left out.
    """

    title: str
    text: str
    lang: str
    problems: list[str]


def read(content: bytes, name: str, suffix: str, add: Sequence[str] = ()) -> Found:
    """Return the content of an office file. Its first bytes tell its format, or else its suffix.
    The title is that of its properties, unless a program made it up.

    name: for messages; add: some of ADDS.

    Raises Unfit "unreadable" (another kind, cut short, encrypted, an older binary file, or more
    work than apart.py allows) and "bomb"; SourceError where lxml is missing.
    """
    kind = _kind(content, suffix)
    if content.startswith(OLE):
        raise Unfit("unreadable", _compound(content))
    if not kind:
        raise Unfit(
            "unreadable",
            f"expected an office file or RTF, because its name ends in {suffix}, and found "
            "neither; give it the suffix of its format",
        )
    if kind != "rtf":
        needed("lxml.etree", "office", name, "it is an office file")
    title, text, lang, problems = apart.read(
        f"pocketindex.builder.inputs.pages.{kind}", content, ",".join(add)
    )
    return Found(
        "" if _NO_TITLE.fullmatch(title) else title,
        text,
        "" if lang.lower() in _NO_LANGUAGE else lang,
        problems,
    )


def _kind(content: bytes, suffix: str) -> str:
    begin = content[:_LOOKED_AT]
    by_content = (kind for kind, begins in BEGINS.items() if begins.match(begin))
    return next(by_content, _BY_SUFFIX.get(suffix, ""))


def require(source: str, names: Iterable[str]) -> None:
    """Raise SourceError where files of these names in `source` need lxml, and it is missing."""
    for name in names:
        if _BY_SUFFIX.get(os.path.splitext(name)[1].lower(), "rtf") not in ("rtf", ""):
            needed("lxml.etree", "office", source, f"it has office files such as {name}")
            return


def _compound(content: bytes) -> str:
    """Return a sentence that says what a compound file is, and what to do."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        return "it is encrypted; save a copy without a password"
    for stream, found, kind in _STREAMS:
        if stream.encode("utf-16-le") in content:
            return (
                f"it is {found}, which is not read; save it as .{kind}, or convert it with: "
                f"libreoffice --headless --convert-to {kind} FILE"
            )
    return (
        "it is an OLE file of an unknown kind, which is not read; save it in another format with "
        "the program that made it"
    )
