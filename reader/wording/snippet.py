"""The beginning of a text on one line: what files without whole texts keep, and what a list of hits
shows.
"""

from __future__ import annotations

import re

CHARACTERS = 160
MOST_CHARACTERS = 10_000  # that a file may keep


def snippet(text: str, characters: int = CHARACTERS) -> str:
    """Return at most so many characters of text, cut between words where there are any
    (docs/format.md 6.1 has the rule).
    """
    words, size = [], -1
    for word in re.finditer(r"\S+", text):
        words.append(word[0])
        size += 1 + len(word[0])
        if size > characters:
            break
    line = " ".join(words)
    if size <= characters:
        return line
    # A script without spaces, or one long word, is cut where it is.
    space = line.rfind(" ", (characters + 1) // 2, characters + 1)
    return line[: space if space > 0 else characters]
