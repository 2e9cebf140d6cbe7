"""The terms of texts, as the plain reader takes them. It takes its time, and tests write the same
texts into many files: each is taken once.
"""

from __future__ import annotations

from functools import lru_cache

from plain.terms import every_word, terms


@lru_cache(maxsize=1 << 14)
def terms_of(text: str) -> tuple[bytes, ...]:
    return terms(text.encode())


@lru_cache(maxsize=1 << 14)
def words_of(text: str) -> tuple[bytes, ...]:
    """Of the stream `every word`."""
    return tuple(term.bytes for term in every_word(text.encode()))
