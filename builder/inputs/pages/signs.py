"""The kind of a line that is not a paragraph. Its first character says it, a space that texts
hardly ever have (docs/inputs.md); terms and words are the same with and without it.
"""

from __future__ import annotations

HEADING = "\u2005"
ITEM = "\u2006"  # the first line of an item of a list
CODE = "\u2004"  # each line of what keeps its white space


def code(text: str) -> str:
    """Return text with the sign of code at the beginning of each line."""
    return "\n".join(CODE + line for line in text.split("\n"))
