"""The texts of a page: one, or of a long page several, so that a reader loads the one that has the
words (docs/format.md 13.2).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeAlias

from pocketindex.builder.site.elements import KIND, SIGNATURE

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
        marked = size >= LEAST and not zlib.crc32(id.encode(errors="replace")) & 1
        if marked and len(texts) < TEXTS:
            texts.append([])
            size = 0
        fits = size + len(text) < MOST or len(texts) == TEXTS
        own = list[str]()
        for block in [text] if fits else text.split("\n"):
            if size and size + len(block) >= MOST and len(texts) < TEXTS:
                if own:
                    texts[-1].append((id, title, level, own))
                texts.append([])
                own, size = [], 0
            own.append(block)
            size += len(block) + 1
        texts[-1].append((id, title, level, own))
    return [
        [(id, title, level, "\n".join(blocks)) for id, title, level, blocks in own] for own in texts
    ]


def stored(address: str, meta: dict[str, str], texts: Sequence[Sequence[Part]]) -> list[bytes]:
    """Return what pieces have of a page: a line of JSON for each of its texts."""
    compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
    return [compact.encode([address, meta, own]).encode(errors="replace") for own in texts]


def ends_of(texts: Sequence[Sequence[Part]]) -> list[int]:
    """Return the number of the block behind each text."""
    counts = (sum(text.count("\n") + 1 for *_, text in own if text) for own in texts)
    return list(accumulate(counts))


def homes_of(texts: Sequence[Sequence[Part]], headings: Sequence[str]) -> list[int]:
    """Return the number of the text that each heading is in."""
    homes = _homes(texts)
    return [_home(heading, homes, texts) for heading in headings]


def _homes(texts: Sequence[Sequence[Part]]) -> dict[str, int]:
    """Return the numbers of the texts that have the headings of parts."""
    found = dict[str, int]()
    for number, own in enumerate(texts):
        for _, title, level, text in own:
            if text.startswith(title):  # else the heading is in the text before
                found.setdefault(title, number)
                if level == SIGNATURE:
                    found.setdefault(KIND.sub("", title), number)
    return found


def _home(heading: str, homes: dict[str, int], texts: Sequence[Sequence[Part]]) -> int:
    """Return the number of the text that has a heading."""
    if heading in homes:
        return homes[heading]
    having = (number for number, own in enumerate(texts) if any(heading in part[3] for part in own))
    return next(having, 0)


def parts_of(stored: bytes) -> list[Any]:
    """Return the parts of a page, of all of its texts."""
    return [part for line in stored.split(b"\n") for part in json.loads(line)[2]]
