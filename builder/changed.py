"""What an update did to the documents of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pocketindex.answers.results import Part
from pocketindex.wording.counted import counted

NAMED, CHARACTERS = 3, 40  # ids that are named for people, and of each at most so many
FAR = 0.4  # from here on weights of their own find more


@dataclass(frozen=True, repr=False)
class Changed(Part):
    """What an update changed. added, replaced, removed, kept: numbers of documents; missing: the
    ids to remove that no document has; moved: how far the terms of new documents are from those
    that the profile's weights were counted in, 0..1 (changing/moved.py), None where that is not
    known.
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
            lines.append(not_there(self.missing))
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


def not_there(ids: Sequence[str]) -> str:
    """Return a sentence that says that no document has these ids."""
    are = "is" if len(ids) == 1 else "are"
    return f"{counted(len(ids), 'id')} {are} not in the index: {named_ids(ids)}"


def named_ids(ids: Sequence[str]) -> str:
    """Return the first of these ids for a message, each shortened and safe for a terminal."""
    some = [one if len(one) <= CHARACTERS else f"{one[: CHARACTERS - 1]}…" for one in ids[:NAMED]]
    shown = ", ".join("".join(c if c.isprintable() else "?" for c in one) for one in some)
    return shown + ", ..." * (len(ids) > NAMED)
