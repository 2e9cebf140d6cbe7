"""Turn Markdown into text: title and text of a file, by markdown-it-py, which runs in a separate
process (apart.py). markdown_text.py is what runs there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.pages import apart

if TYPE_CHECKING:
    from pocketindex.builder.inputs.pages.single import File

MARKUP_STAYS = "markup stays"  # the reason of a Notice


@dataclass(frozen=True)
class Markdown:
    """The content of a Markdown file.

    title: of its front matter, or else the first heading; date, lang: of its front matter; each may
    be empty. problem: a sentence on what may not be read as it was meant, or "".
    """

    title: str
    text: str
    date: str
    lang: str
    problem: str


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of a Markdown file."""
    found = read(file.text())
    if found.problem:
        file.say(MARKUP_STAYS, found.problem)
    yield file.document(found.title, found.text, found.lang, found.date)


def read(source: str) -> Markdown:
    """Return the content of a Markdown file.

    A file that takes more work than apart.py allows keeps its markup in the text, so that nothing
    is lost, and `problem` says so.
    """
    try:
        return Markdown(*apart.read(f"{__name__}_text", source.encode(errors="surrogatepass")))
    except Unfit as unfit:
        return Markdown("", source, "", "", f"its text is kept with its marks: {unfit.detail}")
