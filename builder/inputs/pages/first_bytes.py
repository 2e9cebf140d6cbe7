"""What the content of a file says about it, where its name says something else or too little: its
kind by its first bytes, and whether it is text at all.
"""

from __future__ import annotations

import re

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.opening.encoding import guessed, marked
from pocketindex.builder.inputs.pages import epub, office

_LOOKED_AT = 1 << 16  # bytes
HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE)
PDF = re.compile(rb"%PDF-")
_BEGINS = {
    ".pdf": PDF,
    ".epub": epub.BEGINS,
    **{f".{kind}": begins for kind, begins in office.BEGINS.items()},
}
_PACKED = ".epub", *office.SUFFIXES, ".pdf"  # no page of HTML is one of these
# No text has them. A form feed parts pages, an escape begins the colours of a terminal, and
# ISO-2022 shifts out and in.
_CONTROL = re.compile("[\0-\x07\x10-\x1a\x1c-\x1f]")
# A file may have holes, and some programs fill its last block with zeros.
_HOLE = re.compile("\0{16,}")
_ARCHIVE = re.compile(rb"PK\x03\x04|(?s:.{257})ustar")
_MOST_CONTROL = 1 / 20  # of the characters; random bytes have a tenth
_FEW = 8  # characters of control that a short text may have


def suffix_of(content: bytes, suffix: str) -> str:
    """Return the suffix of the kind that the first bytes of a file tell beyond doubt, else its own.

    A page of HTML is told only under the name of a kind that cannot begin so: under that of a text
    or of Markdown it is meant as it stands.
    """
    begin = content[:_LOOKED_AT]
    if suffix not in office.SUFFIXES:  # whose kind office.py tells by the first bytes, too
        for own, begins in _BEGINS.items():
            if begins.match(begin):
                return own
        if _ARCHIVE.match(begin) and suffix not in _PACKED:
            raise Unfit("unreadable", "its first bytes are those of an archive; rename it so")
    return ".html" if suffix in _PACKED and HTML.match(begin) else suffix


def check_page(content: bytes) -> None:
    """Raise Unfit "unreadable" where a page of HTML in a bytewise encoding is binary data."""
    begin = content[:_LOOKED_AT]
    if begin[:2] not in (b"<\0", b"\0<") and not (marked(begin)[0] or guessed(begin)):
        check_text(begin.decode("latin-1"))


def check_text(text: str) -> None:
    """Raise Unfit "unreadable" where something has as many control characters as no text has."""
    begin = _HOLE.sub("", text)[:_LOOKED_AT]
    count = len(_CONTROL.findall(begin))
    if count > max(_FEW, int(_MOST_CONTROL * len(begin))) or count == len(begin) < len(text):
        raise Unfit(
            "unreadable",
            "expected a text, found binary data; rename it by its kind, or name its encoding with "
            "--encoding, as utf-16-le",
        )
