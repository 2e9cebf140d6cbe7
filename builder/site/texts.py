"""The texts of a page: one, or of a long page several, so that a reader loads the one that has the
words (docs/format.md 13.3).
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from pocketindex.builder.site.words import SPELLED, PageWords, headed, spellings, words_of

LEAST, MOST = 12_000, 24_000  # characters of a text of a long page
TEXTS = 8  # of a page: the last one takes the rest

# Id, title, level and the blocks of a page under a heading.
Part: TypeAlias = "tuple[str, str, int, str]"


def cut(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts of each text of a page.

    A text ends where a part begins, if it is long enough and the checksum of the part's id says so,
    which no change before it alters; or else where it would be too long, between two blocks.
    """
    if sum(len(part[3]) for part in parts) < LEAST:
        return [list(parts)]
    texts, size = list[list[tuple[str, str, int, list[str]]]]([[]]), 0
    for id, title, level, text in parts:
        for number, block in enumerate(text.split("\n")):
            begins, own = number == 0, len(block) + 1
            marked = begins and size >= LEAST and not zlib.crc32(id.encode(errors="replace")) & 1
            if size and (marked or size + own > MOST) and len(texts) < TEXTS:
                texts.append([])
                size = 0
            if begins or not texts[-1]:
                texts[-1].append((id, title, level, []))
            texts[-1][-1][3].append(block)
            size += own
    return [
        [(id, title, level, "\n".join(blocks)) for id, title, level, blocks in own] for own in texts
    ]


def stored(address: str, meta: dict[str, str], texts: Sequence[Sequence[Part]]) -> bytes:
    """Return what pieces have of a page: a line of JSON for each of its texts."""
    lines = [
        json.dumps([address, meta, own], ensure_ascii=False, separators=(",", ":")) for own in texts
    ]
    return "\n".join(lines).encode(errors="replace")


def having(
    texts: Sequence[Sequence[Part]], headings: Sequence[str], words: PageWords
) -> npt.NDArray[np.uint8]:
    """Return which texts of a page have each word: a bit of a byte for each, the lowest for the
    first; of one text nothing. What no text has, as the metadata, is in the first.
    """
    own = words.words if len(texts) > 1 else []
    found = np.zeros(len(own), np.uint8)
    place = {word: number for number, word in enumerate(own)}
    wholes = ["\n".join(part[3] for part in text) for text in texts] if own else []
    for number, whole in enumerate(wholes):
        found[[place[entry] for entry in _entries(whole) if entry in place]] |= 1 << number
    for heading, entry in zip(headings, headed(list(headings)) if own else [], strict=False):
        if entry in place:
            found[place[entry]] |= 1 << _home(heading, texts, wholes)
    found[found == 0] = 1
    return found


def _entries(text: str) -> set[bytes]:
    own = words_of(text)
    entries = Counter(own)
    for word, others in spellings(text, own).items():
        for other, times in others.items():
            entries[word] -= times
            entries[word + SPELLED + other] += times
    return {entry for entry, times in entries.items() if times > 0}


def _home(heading: str, texts: Sequence[Sequence[Part]], wholes: Sequence[str]) -> int:
    """Return the number of the text that has a heading."""
    for number, own in enumerate(texts):
        if any(part[1].endswith(heading) and part[3].startswith(part[1]) for part in own):
            return number
    return next((number for number, whole in enumerate(wholes) if heading in whole), 0)


def parts_of(stored: bytes) -> list[Any]:
    """Return the parts of a page, of all of its texts."""
    return [part for line in stored.split(b"\n") for part in json.loads(line)[2]]
