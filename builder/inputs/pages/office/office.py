"""Read office files: DOCX, PPTX, OpenDocument and RTF, each in a separate process (apart.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.kinds import OLE
from pocketindex.builder.inputs.pages import apart

if TYPE_CHECKING:
    from pocketindex.builder.inputs.pages.single import File

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


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of an office file."""
    found = read(file.content, file.kind.name, file.options.add)
    for problem in found.problems:
        file.say(DAMAGED, problem)
    yield file.document(found.title, found.text, found.lang)


def read(content: bytes, kind: str, add: Sequence[str] = ()) -> Found:
    """Return the content of an office file. The title is that of its properties, unless a program
    made it up.

    kind: docx, pptx, odt or rtf, whose module has `parsed`; add: the parts to add.

    Raises Unfit "unreadable" (another kind, cut short, encrypted, an older binary file, or more
    work than apart.py allows) and "bomb".
    """
    if content.startswith(OLE):
        raise Unfit("unreadable", _compound(content))
    title, text, lang, problems = apart.read(f"{__package__}.{kind}", content, ",".join(add))
    return Found(
        "" if _NO_TITLE.fullmatch(title) else title,
        text,
        "" if lang.lower() in _NO_LANGUAGE else lang,
        problems,
    )


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
