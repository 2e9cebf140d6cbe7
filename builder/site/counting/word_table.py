"""Distinct words with numbers and sums, in the core: a site has so many that an object for each
takes most of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.errors import raise_status

MOST = (1 << 32) - 1  # a sum
UNKNOWN = MOST  # the number of a word that is not there


class WordTable:
    """Words, numbered from 0 on as they come. Lines are words with a line feed behind each."""

    def __init__(self) -> None:
        table = lib.pocket_word_table_new()
        if table == ffi.NULL:
            raise MemoryError
        self._table = ffi.gc(table, lib.pocket_word_table_free)

    def __len__(self) -> int:
        count = ffi.new("uint32_t *")
        lib.pocket_word_table_sums(self._table, count)
        return int(count[0])

    def within(self, texts: int) -> None:
        """Set the texts of a page that have the words to be added next: a bit for each text."""
        lib.pocket_word_table_in(self._table, texts)

    def weigh(self, text: bytes, weight: int) -> int:
        """Add the words of a text (docs/format.md 6.4), and weight to the sum of each for every
        time that it is there. Returns how many the text has.
        """
        total = ffi.new("uint64_t *")
        status = lib.pocket_word_table_weigh(self._table, text, len(text), weight, total)
        raise_status("", status)
        return int(total[0])

    def add(self, words: Iterable[bytes], weights: Sequence[int]) -> None:
        """Add words, and to the sum of each its weight, which is below 2^32."""
        self._numbered(_lines(words), ffi.new("uint32_t[]", weights))

    def numbers(self, lines: bytes) -> bytes:
        """Return the number of each word, as four bytes; new ones are added."""
        return bytes(ffi.buffer(self._numbered(lines, ffi.new("uint32_t[]", lines.count(b"\n")))))

    def find(self, words: Iterable[bytes]) -> list[int]:
        """Return the number of each word, or UNKNOWN."""
        return list(self._numbered(_lines(words), ffi.NULL))

    def lines(self) -> bytes:
        """Return all words in the order of their numbers."""
        size = ffi.new("uint64_t *")
        return bytes(ffi.buffer(lib.pocket_word_table_lines(self._table, size), size[0]))

    def sums(self) -> bytes:
        """Return their sums, as four bytes each."""
        count = ffi.new("uint32_t *")
        return bytes(ffi.buffer(lib.pocket_word_table_sums(self._table, count), 4 * count[0]))

    def texts(self) -> bytes:
        """Return which texts each word is in, a byte a word."""
        out = bytearray(len(self))
        lib.pocket_word_table_texts(self._table, ffi.from_buffer("uint8_t[]", out))
        return bytes(out)

    def _numbered(self, lines: bytes, weights: Any) -> Any:
        numbers = ffi.new("uint32_t[]", lines.count(b"\n"))
        raise_status(
            "", lib.pocket_word_table_numbers(self._table, lines, len(lines), weights, numbers)
        )
        return numbers


def _lines(words: Iterable[bytes]) -> bytes:
    return b"".join([word + b"\n" for word in words])
