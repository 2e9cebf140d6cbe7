"""The words of a page and what each of them weighs there (docs/format.md 13.3)."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.site.attributes import WEIGHT_UNIT
from pocketindex.builder.write.folding import LETTERS
from pocketindex.queries.terms import written_terms

WORDS, WHOLE = 4, 3  # streams of the core (cbits/build/pocket_build.h)
TITLE_WEIGHT = 5
MOST_WEIGHT = (1 << 32) - 1
MOST_TITLE, MOST_HEADING = 8, 15  # words that are told apart
UNSEARCHED = ("image", "url")  # metadata that are addresses
PARTS_TEXTS = "pocketindexpartstexts"  # no word of theirs
_PARTS_TEXTS = PARTS_TEXTS.encode()
MOST_SPELLED = 120  # bytes of a spelling that is told from the plain one
JOINT = b"\x01"  # between the first word of a heading and the checksum of all
SPELLED = b"\0"  # between a word's plain spelling and its own

_OTHER = re.compile(r"[^\W_]*[^\W\x00-\x7f_](?:[^\W_]|[\u0300-\u036f])*")


@dataclass
class PageWords:
    """The words of a page in order, with line feeds between them, each with its weights in all (24
    for one of weight 1), and where it stands: the words of the title in the low half of a byte, in
    the high half those of the shortest heading that has it; 0 where neither does.

    length: how many words the page has; texts: which texts of a page of several have each word
    (texts.py).
    """

    joined: bytes
    weights: npt.NDArray[np.uint32]
    places: npt.NDArray[np.uint8]
    length: int
    texts: npt.NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))

    @property
    def words(self) -> list[bytes]:
        return self.joined.split(b"\n") if self.joined else []

    @classmethod
    def none(cls) -> PageWords:
        """Return those of a page without any."""
        return cls(b"", np.empty(0, np.uint32), np.empty(0, np.uint8), 0)


def words_of(text: str) -> list[bytes]:
    """Return the words of a text (docs/format.md 6.4), in plain letters."""
    return _plain_terms(text, WORDS)


def together(words: list[bytes]) -> bytes:
    """Return the entry of a title or heading with these words, nothing where it has none."""
    own = list(dict.fromkeys(words))
    return own[0] + JOINT + b"%06x" % (zlib.crc32(JOINT.join(own)) & 0xFFFFFF) if own else b""


def headed(titles: list[str]) -> list[bytes]:
    """Return the entries of titles and headings."""
    return [together(own) for own in _each(titles, WORDS)]


def page_words(record: dict[str, Any]) -> PageWords:
    """Return the words of a page that was read (reading.py)."""
    meta = record["meta"]
    searched = [value for key, value in meta.items() if key not in (*UNSEARCHED, "title")]
    weighted = [
        *record["weighted"],
        (TITLE_WEIGHT * WEIGHT_UNIT, meta["title"]),
        (WEIGHT_UNIT, "\n".join(searched)),
    ]
    found, length = dict[bytes, int](), 0
    for weight, text in weighted:
        own = words_of(text)
        length += len(own)
        spelled = spellings(text, own)
        for word, count in Counter(own).items():
            if spelled and word in spelled:
                for other, times in spelled[word].items():
                    count -= times
                    key = word + SPELLED + other
                    found[key] = found.get(key, 0) + times * weight
                if count <= 0:
                    continue
            found[word] = found.get(word, 0) + count * weight
    titles = list(dict.fromkeys([meta["title"], *record["headings"]]))
    of_titles, wholes = _each(titles, WORDS), _each(titles, WHOLE)
    for own in of_titles:
        if key := together(own):
            found[key] = WEIGHT_UNIT
    headings = set(record["headings"])
    sizes = [len(set(own)) for own in wholes]
    shifted = dict[bytes, int]()
    for title, own, size in zip(titles, of_titles, sizes, strict=True):
        if title in headings:
            for word in own:
                before = shifted.get(word, MOST_HEADING << 4)
                shifted[word] = min(before, min(size, MOST_HEADING) << 4)
    for word in of_titles[0]:
        shifted[word] = shifted.get(word, 0) | min(sizes[0], MOST_TITLE)
    words = sorted(found)
    return PageWords(
        b"\n".join(words),
        np.fromiter(map(found.__getitem__, words), np.int64, len(words))
        .clip(0, MOST_WEIGHT)
        .astype(np.uint32),
        _places(words, shifted),
        length,
    )


def _places(words: list[bytes], found: dict[bytes, int]) -> npt.NDArray[np.uint8]:
    for word in words:
        if SPELLED in word:
            found[word] = found.get(word.partition(SPELLED)[0], 0)
    return np.fromiter(map(found.get, words, repeat(0)), np.uint8, len(words))


def _each(texts: list[str], stream: int) -> list[list[bytes]]:
    """Return the words of each of some short texts, which are read together."""
    own = [list[bytes]()]
    for word in _plain_terms(f"\n{PARTS_TEXTS}\n".join(texts), stream):
        if word == _PARTS_TEXTS:
            own.append([])
        else:
            own[-1].append(word)
    return own if len(own) == len(texts) else [_plain_terms(text, stream) for text in texts]


def _plain_terms(text: str, stream: int) -> list[bytes]:
    terms = written_terms(text.encode(errors="replace"), stream)
    if not terms.isascii():
        terms = terms.decode().translate(LETTERS).encode()
    words = terms.split(b"\n")
    words.pop()
    return words if b"" not in words else [word for word in words if word]


def spellings(text: str, words: list[bytes]) -> dict[bytes, Counter[bytes]]:
    """Return how often words are written with accents or letters that their plain spelling lacks,
    and how.
    """
    found = dict[bytes, Counter[bytes]]()
    if text.isascii():
        return found
    others = " ".join([chunk for chunk in text.split() if not chunk.isascii()])
    for written, times in Counter(_OTHER.findall(others)).items():
        word, spelled = _spelled(written)
        if word:
            found.setdefault(word, Counter())[spelled] += times
    return found


@cache
def _spelled(written: str) -> tuple[bytes, bytes]:
    """Return the plain word that is written so and its spelling, or nothing where they are the
    same, or it is not one word.
    """
    spelled = unicodedata.normalize("NFC", written.lower()).encode()
    words = words_of(written)
    differs = len(words) == 1 and words[0] != spelled and len(spelled) <= MOST_SPELLED
    return (words[0], spelled) if differs else (b"", b"")
