"""Cut a long text into the parts that are asked for alone: paragraphs, or windows of words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pocketindex.queries.spans import Span

SHORT = 50  # words: a text's parts have so many or more
WINDOW = 100  # words of a part where a text has no paragraphs of use; windows overlap by half

# Scripts without spaces: each character is a word.
_DENSE = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(f"[{_DENSE}]|[^\\s{_DENSE}]+")
_PARAGRAPH = re.compile(r"[^\n]+")


def word_spans(text: str) -> list[Span]:
    """Find the words of a text: from first character to last + 1."""
    return [match.span() for match in _WORD.finditer(text)]


def parts(text: str, spans: list[Span], window: int) -> Iterator[Span]:
    """The parts of a text of these words, as first word and last + 1: its paragraphs of SHORT words
    or more, long ones in windows.

    Where paragraphs are shorter, as many as make SHORT words are one part. A text that would be one
    part has none.
    """
    ends, word = [], 0
    for paragraph in _PARAGRAPH.finditer(text):
        while word < len(spans) and spans[word][0] < paragraph.end():
            word += 1
        ends.append(word)
    blocks, first = list[tuple[int, int]](), 0
    for end in ends:
        if end - first >= SHORT:
            blocks.append((first, end))
            first = end
    if blocks and first < len(spans):
        blocks.append((first if len(spans) - first >= SHORT // 2 else blocks.pop()[0], len(spans)))
    found = []
    for first, end in blocks:
        starts = (
            range(first, end - window // 2, window // 2) if end - first >= 2 * window else (first,)
        )
        found += [
            (start, min(start + window, end) if end - first >= 2 * window else end)
            for start in starts
        ]
    yield from found if len(found) > 1 else ()
