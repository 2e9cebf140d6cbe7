"""Turn Markdown into text: title and text of a file, by markdown-it-py, which runs in a separate
process (apart.py). markdown_text.py is what runs there.
"""

from __future__ import annotations

from dataclasses import dataclass

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import apart

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


def read(source: str) -> Markdown:
    """Return the content of a Markdown file.

    A file that takes more work than apart.py allows keeps its markup in the text, so that nothing
    is lost, and `problem` says so.
    """
    try:
        return Markdown(*apart.read(f"{__name__}_text", source.encode(errors="surrogatepass")))
    except Unfit as unfit:
        return Markdown("", source, "", "", f"its text is kept with its marks: {unfit.detail}")
