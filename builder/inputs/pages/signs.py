"""The kind of a line that is not a paragraph. Its first character says it, a space that texts
hardly ever have (docs/inputs.md); terms and words are the same with and without it.
"""

from __future__ import annotations

HEADING = "\u2005"
ITEM = "\u2006"  # the first line of an item of a list
