"""Markdown to text: title and text of a file, by markdown-it-py, which reads in a process of its
own (apart.py). markdown_text.py is what runs there.
"""

from __future__ import annotations

from dataclasses import dataclass

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import apart

MARKUP_STAYS = "markup stays"  # the reason of a Notice


@dataclass(frozen=True)
class Markdown:
    """What a Markdown file says.

    title: of its front matter, or else the first heading; date, lang: of its front matter; each may
    be empty. problem: a sentence on what is read otherwise than it was meant, or "".
    """

    title: str
    text: str
    date: str
    lang: str
    problem: str


def read(source: str) -> Markdown:
    """Return what a Markdown file says.

    A file that is more work than apart.py allows keeps its markup in the text, and `problem` says
    so: nothing of it is lost.
    """
    try:
        return Markdown(*apart.read(f"{__name__}_text", source.encode(errors="surrogatepass")))
    except Unfit as unfit:
        return Markdown("", source, "", "", f"its text is kept with all marks: {unfit.detail}")
