"""What an update did to the documents of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

NAMED = 3  # ids that are said for people


@dataclass(frozen=True)
class Changed:
    """added, replaced, removed, kept: documents; a new one that is too short removes the one that
    has its id. missing: ids that were to be removed, which no document has.
    """

    added: int
    replaced: int
    removed: int
    kept: int
    missing: Sequence[str] = ()

    def text(self) -> str:
        """For people."""
        lines = [
            f"{self.added:,} added, {self.replaced:,} replaced, {self.removed:,} removed, "
            f"{self.kept:,} kept"
        ]
        if self.missing:
            some = ", ".join(self.missing[:NAMED]) + (", ..." if self.missing[NAMED:] else "")
            lines.append(f"{len(self.missing):,} ids to be removed are of no document: {some}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "added": self.added,
            "replaced": self.replaced,
            "removed": self.removed,
            "kept": self.kept,
            **({"missing": list(self.missing)} if self.missing else {}),
        }
