"""What was measured of a file: counts, and shares with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

NEAR = 0.7  # cosine of a neighbour
TOP = 10
LEAST_QUERIES = 30  # of fewer a share says nothing
_DEVIATIONS = 1.959964  # of a normal distribution, that 95 % of it lie within


def wilson(share: float, count: int) -> tuple[float, float]:
    """95 % interval of a share of so many (Wilson 1927), or of the mean of so many values of 0..1.

    For a mean it is wider than it need be: such values vary no more than zeros and ones of the same mean.
    """
    if count == 0:
        return 0.0, 1.0
    z2 = _DEVIATIONS**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _DEVIATIONS / (1 + z2 / count) * sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass(frozen=True)
class Measured:
    """Documents of a file, asked as queries.

    asked: how many; queries: of them with a neighbour at cosine NEAR or more, texts that are byte for byte the query's not counted; wanted: of
    each query its neighbours, at most TOP; found: of these among its first TOP hits; hits: of all that were asked; answered: how many had
    hits; error: mean |similarity - cosine| over hits, None where there is none, or similarity estimates no cosine (schemes but `rff`).
    """

    asked: int
    queries: int
    wanted: int
    found: int
    answered: int
    hits: int
    error: float | None

    @property
    def recall(self) -> float | None:
        """None where too few queries have a neighbour."""
        return self.found / self.wanted if self.queries >= LEAST_QUERIES else None

    @property
    def similarity_error(self) -> float | None:
        """None where it is not known."""
        return self.error if self.answered >= LEAST_QUERIES else None

    def text(self) -> str:
        """For people, one claim a sentence."""
        lines = [f"measured: {self.queries:,} of {self.asked:,} sampled documents have a neighbour at cosine {NEAR} or more"]
        if self.recall is None:
            lines.append(f"  recall@{TOP} is unknown: it takes {LEAST_QUERIES} such documents to say")
        else:
            shown = _shown(self.recall, self.wanted)
            lines.append(f"  recall@{TOP} is {shown}: {self.found:,} of their {self.wanted:,} nearest ones were among the first {TOP} hits")
        if self.similarity_error is not None:
            shown = _shown(self.similarity_error, self.hits)
            lines.append(f"  similarity differs from the exact cosine by {shown} on average over {self.hits:,} hits")
        elif self.error is not None:
            lines.append(f"  the error of similarity is unknown: {self.answered} of these documents have hits, it takes {LEAST_QUERIES} to say")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """For JSON; null is what is unknown."""
        return {
            "asked": self.asked,
            "cosine": NEAR,
            "queries": self.queries,
            f"recall@{TOP}": {"found": self.found, "wanted": self.wanted, **_figures(self.recall, self.wanted)},
            "similarity_error": {"hits": self.hits, **_figures(self.similarity_error, self.hits)},
        }


def _shown(share: float, count: int) -> str:
    low, high = wilson(share, count)
    return f"{share:.3f} ({low:.3f} to {high:.3f})"


def _figures(share: float | None, count: int) -> dict[str, Any]:
    if share is None:
        return {"mean": None, "interval": None}
    return {"mean": round(share, 4), "interval": [round(end, 4) for end in wilson(share, count)]}
