"""Numbers with their nouns, for people."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural ends in s."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def were(number: int, noun: str) -> str:
    """Return a number with its noun and the verb that agrees: "1 line was", "2 lines were"."""
    return f"{counted(number, noun)} {'was' if number == 1 else 'were'}"


def have(number: int, noun: str) -> str:
    """Return a number with its noun and the verb that agrees: "1 line has", "2 lines have"."""
    return f"{counted(number, noun)} {'has' if number == 1 else 'have'}"


def no_file(files: int, example: str, kind: str) -> str:
    """Say that none of a source's files is of a kind. example: one of them."""
    if files == 1:
        return f"its only file ({example!r}) is not of a kind {kind}"
    return f"none of its {files:,} files ({example!r} ...) is of a kind {kind}"


def no_document(records: int, whose: str) -> str:
    """Say that none of some records is a document; whose: "the" or "its"."""
    if records == 1:
        return f"{whose} only record is not a document"
    return f"none of {whose} {records:,} records is a document"
