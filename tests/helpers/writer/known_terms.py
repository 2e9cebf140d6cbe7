"""The terms of texts, as the plain reader takes them. It takes its time, and tests write the same
texts into many files: each is taken once.
"""

from __future__ import annotations

from functools import lru_cache

from plain.terms import every_word, marked, terms
from plain.word_stream import WHOLE, words


@lru_cache(maxsize=1 << 14)
def terms_of(text: str, marks: bool = False) -> tuple[bytes, ...]:
    """marks: those of the stream `marked`."""
    return marked(text.encode()) if marks else terms(text.encode())


@lru_cache(maxsize=1 << 14)
def words_of(text: str, marks: bool = False) -> tuple[bytes, ...]:
    """Of the stream `every word`."""
    return tuple(term.bytes for term in every_word(text.encode(), marks))


@lru_cache(maxsize=1 << 14)
def found_by(text: str, marks: bool = False) -> tuple[tuple[bytes, bool], ...]:
    """The words by which a text is found, and whether each is a whole one."""
    found = words(text.encode(), marks)
    return tuple((word.bytes, word.kind == WHOLE) for word in found)
