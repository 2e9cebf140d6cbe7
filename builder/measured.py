"""What was measured of a file: counts, and shares with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from pocketindex.answers.results import Part

NEAR = 0.7  # cosine of a neighbour
SHOWN = 0.5  # similarity of a hit that somebody looks at
TOP = 10
LEAST_QUERIES = 30  # of fewer a share says nothing
_DEVIATIONS = 1.959964  # of a normal distribution, that 95 % of it lie within


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of so many (Wilson 1927), or of the mean of so many
    values of 0..1.

    For a mean it is wider than it need be: such values vary no more than zeros and ones of the same
    mean.
    """
    if count == 0:
        return 0.0, 1.0
    z2 = _DEVIATIONS**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = (
        _DEVIATIONS
        / (1 + z2 / count)
        * sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    )
    return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass(frozen=True, repr=False)
class MeanError(Part):
    """The mean |similarity - cosine| over hits of so many queries."""

    queries: int
    hits: int
    mean: float

    @property
    def known(self) -> bool:
        return self.queries >= LEAST_QUERIES

    def as_dict(self) -> dict[str, Any]:
        return {
            "queries": self.queries,
            "hits": self.hits,
            **_figures(self.mean, self.hits, self.known),
        }


@dataclass(frozen=True, repr=False)
class Measured(Part):
    """What a file finds. Documents of a file, asked as queries; texts that are byte for byte the
    query's count nowhere.

    asked: how many; queries: of them with a neighbour at cosine NEAR or more; wanted: of each query
    its neighbours, at most TOP; found: of these among its first TOP hits; error, error_of_all: of
    hits at similarity SHOWN or more, and of all first TOP hits; None where similarity estimates no
    cosine (schemes but `rff`). The interval of recall is that of so many queries, not pairs: those
    of one query are found or missed together, and two samples of one collection lay outside each
    other's intervals of pairs.
    """

    asked: int
    queries: int
    wanted: int
    found: int
    error: MeanError | None
    error_of_all: MeanError | None

    @property
    def recall(self) -> float | None:
        """None where too few queries have a neighbour."""
        return self.found / self.wanted if self.queries >= LEAST_QUERIES else None

    def text(self) -> str:
        """Return the figures for people, one claim a line."""
        lines = [
            (
                f"measured: {self.queries:,} of {self.asked:,} sampled documents have a neighbour "
                "at "
                f"cosine {NEAR} or more"
            )
        ]
        if self.recall is None:
            lines.append(
                f"  recall@{TOP} is unknown: it takes {LEAST_QUERIES} such documents to say"
            )
        else:
            shown = _shown(self.recall, self.queries)
            lines.append(
                f"  recall@{TOP} is {shown}: {self.found:,} of their {self.wanted:,} nearest "
                "ones "
                f"are among the first {TOP} hits"
            )
        for error, at in (
            (self.error, f" at {SHOWN} or more"),
            (self.error_of_all, ", however low"),
        ):
            if error and error.known:
                by = _shown(error.mean, error.hits)
                lines.append(
                    f"  similarity is {by} off the exact cosine, on average over the "
                    f"{error.hits:,} hits{at}"
                )
            elif error:
                lines.append(
                    f"  the error of similarity over hits{at} is unknown: {error.queries} "
                    f"documents have some, it takes {LEAST_QUERIES}"
                )
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON; null is what is unknown."""
        recall = {
            "found": self.found,
            "wanted": self.wanted,
            **_figures(self.recall or 0.0, self.queries, self.recall is not None),
        }
        errors = {f"from_{SHOWN}": self.error, "all": self.error_of_all}
        return {
            "asked": self.asked,
            "cosine": NEAR,
            "queries": self.queries,
            f"recall@{TOP}": recall,
            "similarity_error": {
                which: error.as_dict() if error else None for which, error in errors.items()
            },
        }


def _shown(share: float, count: int) -> str:
    low, high = wilson(share, count)
    return f"{share:.3f} ({low:.3f} to {high:.3f})"


def _figures(share: float, count: int, known: bool) -> dict[str, Any]:
    if not known:
        return {"mean": None, "interval": None}
    return {"mean": round(share, 4), "interval": [round(end, 4) for end in wilson(share, count)]}
