"""How much of the wording of two texts is the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shared:
    """Word 3-shingles that text and document share, 0..1: of all that either has, and of those that
    the text has.
    """

    jaccard: float
    containment: float

    def as_dict(self) -> dict[str, float]:
        """Return the shares for JSON."""
        return {"jaccard": round(self.jaccard, 4), "containment": round(self.containment, 4)}
