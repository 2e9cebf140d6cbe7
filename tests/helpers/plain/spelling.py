"""docs/format.md, section 7.4: plain spellings of words."""

from __future__ import annotations

from functools import cache

from plain.marks import KEPT
from plain.terms import tables


@cache
def plain_spelling(word: bytes) -> bytes:
    """Return the plain spelling of a word, which has the bytes that the word list of a file has."""
    letters = tables().plain | dict.fromkeys(KEPT, "")
    return word.decode().translate(letters).encode() or word


def is_spelled_out(word: bytes, plain: bytes) -> bool:
    """Return whether a word is another one than plain, and plain is how it is spelled plainly."""
    return word != plain and plain_spelling(word) == plain
