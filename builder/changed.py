"""What an update did to the documents of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

NAMED = 3  # ids that are said for people
FAR = 0.4  # from here on weights of their own find more (bench/results/drift.md)


@dataclass(frozen=True)
class Changed:
    """What an update changed. added, replaced, removed, kept: documents. missing: ids that
    were to be removed, which no document has. moved: how far the terms of new documents are from
    those that the profile's weights were counted in, 0..1 (changing/moved.py), None where that is
    not known.
    """

    added: int
    replaced: int
    removed: int
    kept: int
    missing: Sequence[str] = ()
    moved: float | None = None

    def text(self) -> str:
        """Return the counts for people."""
        lines = [
            f"{self.added:,} added, {self.replaced:,} replaced, {self.removed:,} removed, "
            f"{self.kept:,} kept"
        ]
        if self.missing:
            some = ", ".join(self.missing[:NAMED]) + (", ..." if self.missing[NAMED:] else "")
            lines.append(f"{len(self.missing):,} ids to be removed are of no document: {some}")
        if self.moved is not None:
            far = "; if most documents are like these, build again from all texts"
            lines.append(
                f"the terms of the new documents are {self.moved:.2f} from those that the weights "
                f"were counted in (0 the same, 1 no term in common){far * (self.moved >= FAR)}"
            )
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts and ids for JSON."""
        return {
            "added": self.added,
            "replaced": self.replaced,
            "removed": self.removed,
            "kept": self.kept,
            **({"missing": list(self.missing)} if self.missing else {}),
            **({"moved": round(self.moved, 4)} if self.moved is not None else {}),
        }
