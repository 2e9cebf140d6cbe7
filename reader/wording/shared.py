"""How much of the wording of two texts is the same."""

from __future__ import annotations

from dataclasses import dataclass

from pocketindex.answers.results import Part


@dataclass(frozen=True, repr=False, slots=True)
class Shared(Part):
    """Word 3-shingles that text and document share, 0..1: of all that either has, and of those that
    the text has.
    """

    jaccard: float
    containment: float

    def as_dict(self) -> dict[str, float]:
        """Return the shares for JSON."""
        return {"jaccard": round(self.jaccard, 4), "containment": round(self.containment, 4)}
