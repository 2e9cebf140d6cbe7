"""Where the words of a search stand in a text, and the piece of it that has most of them."""

from __future__ import annotations

from bisect import bisect_left

from pocketindex.cbits import ffi, lib
from pocketindex.queries.spans import Span, code_points
from pocketindex.wording.snippet import CHARACTERS

MOST_MARKS = 10_000
BEFORE = 40  # characters before the first word of a piece, at most


def marks(text: str, asked: str, prefix: bool = False) -> list[Span]:
    """Return where words that a search asks for stand in text, in code points, rising."""
    data, words = text.encode("utf-8", "replace"), asked.encode("utf-8", "replace")
    places, count = ffi.new("uint64_t[]", 2 * MOST_MARKS), ffi.new("uint32_t *", MOST_MARKS)
    lib.pocket_mark_words(data, len(data), words, len(words), int(prefix), places, count)
    spans = [(places[2 * i], places[2 * i + 1]) for i in range(count[0])]
    at = code_points(data, spans)
    return [(at[start], at[end]) for start, end in spans]


def excerpt(
    text: str, asked: str, characters: int = CHARACTERS, prefix: bool = False
) -> tuple[str, list[Span]]:
    """Return a piece of text on one line that has as many of the asked words as possible, the
    earliest of equal ones, and where they stand in it.
    """
    line = " ".join(text.split())
    found = marks(line, asked, prefix)
    best, start = -1, 0
    for i, (begin, _) in enumerate(found):
        end = bisect_left(found, begin + characters - BEFORE, i, key=lambda span: span[1])
        different = len({line[a:b].casefold() for a, b in found[i:end]})
        if (different, end - i) > (best, 0) and different > best:
            best, start = different, begin
    if start <= BEFORE or len(line) <= characters:
        start = 0
    else:
        start = line.rfind(" ", 0, start - BEFORE // 2) + 1
    end = min(len(line), start + characters)
    if end < len(line):
        end = max(line.rfind(" ", start, end), start + characters // 2)
    piece = ("… " if start else "") + line[start:end] + (" …" if end < len(line) else "")
    shift = (2 if start else 0) - start
    return piece, [(a + shift, b + shift) for a, b in found if a >= start and b <= end]
