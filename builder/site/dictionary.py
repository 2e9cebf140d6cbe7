"""The dictionary of an index: every word with its stem and the pages that have it, cut into pieces
(docs/format.md 13.3) by the core.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from pocketindex.builder.site.counting.forms import Forms, forms
from pocketindex.builder.site.counting.vocabulary import Counts
from pocketindex.builder.write.folding import LETTERS
from pocketindex.cbits import ffi, lib
from pocketindex.errors import raise_status

MOST = 64 << 20  # bytes of the pieces that are in memory at a time

_SPELLING = re.compile(rb"\0(.+)")

# The slots and words of all pages, by rising slots, as often as it is called.
Pages: TypeAlias = Callable[[], Iterable[tuple[int, Counts]]]


class Dictionary:
    """The words of pages. words: those of a vocabulary in the order of their numbers, with a line
    feed behind each; language: as PyStemmer names it.

    letters: those that have another plain spelling, with that; forms: the stems of words.
    """

    def __init__(self, pages: Pages, words: bytes, language: str) -> None:
        self._pages = pages
        self._words = words = ffi.from_buffer(words)  # the core reads them where they are
        self._core = lib.pocket_dictionary_new(words, len(words))
        if self._core == ffi.NULL:
            raise MemoryError
        self._core = ffi.gc(self._core, lib.pocket_dictionary_free)
        for slot, own in pages():
            several = bool(own.texts)
            _check(lib.pocket_dictionary_count(self._core, slot, *_numbers(own), several))
        used = self._used()
        self.letters = _letters(used)
        self.forms: Forms = forms(used, language)

    def _used(self) -> bytes:
        """Return the words that pages have in the order of their bytes."""
        count, size = ffi.new("uint32_t *"), ffi.new("uint64_t *")
        _check(lib.pocket_dictionary_sort(self._core, count, size))
        out = ffi.new("uint8_t[]", size[0])
        lib.pocket_dictionary_words(self._core, out)
        return bytes(ffi.buffer(out))

    def pieces(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield the first word of each piece, and its bytes."""
        bases, stems = (
            ffi.from_buffer(_lines(own)) for own in (self.forms.words, self.forms.stems)
        )
        count, upto = ffi.new("uint32_t *"), ffi.new("uint32_t *")
        status = lib.pocket_dictionary_cut(self._core, bases, len(bases), stems, len(stems), count)
        _check(status)
        while upto[0] < count[0]:
            first = upto[0]
            _check(lib.pocket_dictionary_take(self._core, first, MOST, upto))
            for slot, own in self._pages():
                _check(_put(self._core, slot, own))
            for number in range(first, upto[0]):
                yield self._piece(number)

    def _piece(self, number: int) -> tuple[bytes, bytes]:
        word, length = ffi.new("uint8_t **"), ffi.new("uint32_t *")
        size = ffi.new("uint64_t *")
        piece = lib.pocket_dictionary_piece(self._core, number, size, word, length)
        assert piece != ffi.NULL
        return bytes(ffi.buffer(word[0], length[0])), bytes(ffi.buffer(piece, size[0]))


def _check(status: int) -> None:
    raise_status("", status)


def _numbers(own: Counts) -> tuple[Any, int]:
    return ffi.from_buffer("uint32_t[]", own.numbers), len(own.numbers) // 4


def _put(core: Any, slot: int, own: Counts) -> int:
    numbers, count = _numbers(own)
    weights = ffi.from_buffer("uint32_t[]", own.weights)
    texts = own.texts or ffi.NULL
    status: int = lib.pocket_dictionary_put(core, slot, numbers, weights, own.places, texts, count)
    return status


def _lines(words: Iterable[str]) -> bytes:
    return "".join([f"{word}\n" for word in words]).encode()


def _letters(words: bytes) -> dict[str, str]:
    """Return the letters of words that have another plain spelling."""
    seen = set(b"".join(_SPELLING.findall(words)).decode())
    return {letter: LETTERS[ord(letter)] for letter in sorted(seen) if ord(letter) in LETTERS}
