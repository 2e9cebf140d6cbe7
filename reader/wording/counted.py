"""Numbers with their nouns, for people."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural ends in s."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
