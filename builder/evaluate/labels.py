"""How many documents get the labels that they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from pocketindex.queries.classification import Classification

Z = 1.96  # of a 95 % interval


@dataclass(frozen=True)
class Evaluated:
    """How well labels are named. documents: those with labels; right: those whose labels are all
    named, and no other, the best ones where there is too little evidence; interval: of their share,
    95 %; clear: documents with enough evidence; clear_right: of these; macro_f1: the mean of F1
    over all labels that documents have; micro_f1: F1 over all pairs of document and label; several:
    whether a document has more than one.
    """

    documents: int
    right: int
    interval: tuple[float, float]
    clear: int
    clear_right: int
    labels: int
    macro_f1: float
    micro_f1: float
    several: bool

    @property
    def accuracy(self) -> float:
        return self.right / self.documents if self.documents else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "documents": self.documents,
            "right": self.right,
            "accuracy": round(self.accuracy, 4),
            "interval": [round(end, 4) for end in self.interval],
            "labels": self.labels,
            "macro_f1": round(self.macro_f1, 4),
            "micro_f1": round(self.micro_f1, 4),
            "clear": self.clear,
            "clear_right": self.clear_right,
        }

    def text(self) -> str:
        """Return the figures for people."""
        low, high = self.interval
        lines = [
            f"{self.documents:,} documents with {self.labels:,} labels",
            f"  accuracy   {self.accuracy:.3f} (95 %: {low:.3f} to {high:.3f}), {self.right:,} right",
            f"  macro-F1   {self.macro_f1:.3f}, the mean over labels",
        ]
        if self.several:
            lines.append(f"  micro-F1   {self.micro_f1:.3f}, over documents and labels")
        share = self.clear_right / self.clear if self.clear else 0.0
        lines.append(
            f"  clear      {self.clear:,} documents, {share:.3f} of them right; the others have "
            "too little evidence"
        )
        return "\n".join(lines)


def evaluated(found: Iterable[tuple[Collection[str], Classification]]) -> Evaluated:
    """Compare the labels that documents have with those that were found."""
    both = Counter[str]()
    given = Counter[str]()
    had = Counter[str]()
    documents = right = clear = clear_right = 0
    several = False
    for labels, one in found:
        own, best = set(labels), set(one.best)
        documents += 1
        several = several or len(own) > 1
        right += own == best
        clear += one.verdict == "clear"
        clear_right += one.verdict == "clear" and own == best
        both.update(own & best)
        given.update(best)
        had.update(own)
    f1 = [2 * both[label] / (given[label] + had[label]) for label in had]
    every = given.total() + had.total()
    return Evaluated(
        documents,
        right,
        wilson(right, documents),
        clear,
        clear_right,
        len(had),
        sum(f1) / len(f1) if f1 else 0.0,
        2 * both.total() / every if every else 0.0,
        several,
    )


def wilson(found: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    share = found / of
    middle = share + Z * Z / (2 * of)
    half = Z * (share * (1 - share) / of + Z * Z / (4 * of * of)) ** 0.5
    return (middle - half) / (1 + Z * Z / of), (middle + half) / (1 + Z * Z / of)
