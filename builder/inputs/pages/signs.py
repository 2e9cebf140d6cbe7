"""What a line of a text is where it is no paragraph: its first character, a space that texts hardly
ever have (docs/inputs.md). Terms and words are the same with it and without.
"""

from __future__ import annotations

HEADING = "\u2005"
ITEM = "\u2006"  # the first line of an item of a list
