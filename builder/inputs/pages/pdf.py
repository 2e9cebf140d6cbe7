"""PDF to text: title and text of all pages, with pypdfium2, which reads in a process of its own
(apart.py).
"""

from __future__ import annotations

import contextlib
import re

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.source import needed
from pocketindex.errors import TEXT_BYTES

_HYPHEN = re.compile("\ufffe(?:\r?\n)?")  # what pdfium makes of a hyphen at the end of a line


def read(content: bytes, name: str) -> tuple[str, str]:
    """Return the title, or nothing, and the text of a PDF file; name: for messages.

    Raises Unfit "unreadable" (no PDF, cut short, encrypted, or more work than apart.py allows),
    "empty" (no page has text), "too long"; SourceError where pypdfium2 is missing.
    """
    needed("pypdfium2", "pdf", name, "it is a PDF file")
    title, text = apart.read(__name__, content, name)
    return title, text


def parsed(content: bytes, name: str) -> tuple[str, str]:
    """Parse a PDF in this process: title and text."""
    pdfium = needed("pypdfium2", "pdf", name, "it is a PDF file")
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        raise Unfit(
            "unreadable", f"no PDF file, cut short, damaged or encrypted: {error}"
        ) from None
    with contextlib.closing(document):
        pages = []
        size = 0
        damaged = 0
        for number in range(len(document)):
            try:
                with (
                    contextlib.closing(document[number]) as page,
                    contextlib.closing(page.get_textpage()) as text,
                ):
                    pages.append(_HYPHEN.sub("", text.get_text_range()))
            except pdfium.PdfiumError:
                damaged += 1
                continue
            size += len(pages[-1])
            if size > TEXT_BYTES:
                raise Unfit("too long", f"the text has more than {TEXT_BYTES:,} characters")
        if damaged:
            raise Unfit(
                "unreadable",
                (
                    f"{damaged:,} of {len(document):,} pages are damaged; the others have {size:,} "
                    "characters"
                ),
            )
        if not "".join(pages).strip():
            raise Unfit(
                "empty",
                (
                    f"none of its {len(document):,} pages has text; a scan needs character "
                    "recognition first"
                ),
            )
        title: str = document.get_metadata_value("Title")
    return " ".join(title.split()), "\n\n".join(pages)
