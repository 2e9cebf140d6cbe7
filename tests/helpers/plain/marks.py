"""docs/format.md, section 7.3: the marks that the term stream `marked` keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence

TONES = (0x300, 0x301, 0x303, 0x309, 0x323)
OF_LETTERS = (0x302, 0x306, 0x31B)
VOWELS = "aeiouy"
KEPT = range(0x300, 0x340)
SYLLABLE = re.compile(
    f"(b|c|ch|d|đ|g|gh|h|k|kh|l|m|n|ng|ngh|nh|p|ph|q|r|s|t|th|tr|v|x)?[{VOWELS}]{{1,4}}"
    "(c|ch|m|n|ng|nh|p|t)?"
)


def marks_of(letters: str, marks: Sequence[tuple[str, int]]) -> str:
    """Return the marks that a word keeps, in their order. marks: those that `folded` drops, each
    with the letter before it.
    """
    codes = [code for _, code in marks]
    fits = (
        len(marks) <= 3
        and len(letters.encode()) <= 8
        and SYLLABLE.fullmatch(letters)
        and sum(code in TONES for code in codes) <= 1
        and all(code in (*TONES, *OF_LETTERS) and letter in VOWELS for letter, code in marks)
    )
    return "".join(map(chr, sorted(codes))) if fits else ""


def parted(word: bytes) -> tuple[bytes, str]:
    """Return the letters of a word of a file and its marks."""
    letters = word.decode()
    while len(letters) > 1 and ord(letters[-1]) in KEPT:
        letters = letters[:-1]
    return letters.encode(), word.decode()[len(letters) :]


def has_marks_of(one: bytes, other: bytes) -> bool:
    """Return whether the second word has the marks of the first one."""
    own, its = parted(one)[1], iter(parted(other)[1])
    return all(mark in its for mark in own)
