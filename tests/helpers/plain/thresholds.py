"""docs/format.md, section 9: when a unit of a text counts as taken from a document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

LEAST_EDITED, LEAST_RUN = 9, 13  # terms of a unit, and terms in a row
LEAST_ESTIMATED = 8  # terms of a text alone that may count without having been seen
LEAST_VALUE = 14  # by how much the same terms of a passage outnumber the others
OTHERS = 5  # what the document behind so many has as well is no evidence
# The thresholds for units of up to so many terms: of those that are the whole text, and others.
Rules = tuple[tuple[float, int], ...]
TAKEN: tuple[Rules, Rules] = (
    ((14, 800), (29, 770), (39, 680), (inf, 650)),
    ((14, 950), (20, 880), (29, 820), (39, 700), (inf, 660)),
)
BAGS: tuple[Rules, Rules] = (
    ((34, 600), (49, 490), (64, 385), (100, 370), (160, 345), (inf, 300)),
    ((34, 640), (49, 560), (64, 540), (100, 350), (160, 230), (inf, 180)),
)
BAG_OF_SENTENCE = 700  # of a sentence that is the whole text
LEAST_BAG = 25  # terms of a unit
MOST_OTHERS = 600  # of the share that others have in order, which counts against a claim
# In thousandths: what the bag of others counts against a bag, by whether it is that of the whole
# text; and what the asked words anywhere in the document count for it instead if it is a stretch.
OTHERS_COUNT = {True: 500, False: 300}
ANYWHERE = 100
PLACED = 64  # by how much a bag is greater than one of a document with a part in order
NEARLY = 50  # less of a part of a stretch is enough than if it had to count for itself
ESTIMATED: tuple[Rules, Rules] = (
    ((17, 1070), (20, 980), (29, 880), (39, 790), (64, 660), (inf, 500)),
    ((11, 1400), (14, 1250), (20, 1100), (29, 1000), (39, 790), (64, 660), (inf, 500)),
)


@dataclass(frozen=True)
class Thresholds:
    """Those of a unit of so many terms. alone: it is the whole text."""

    terms: int
    alone: bool
    is_stretch: bool = False
    is_sentence: bool = False

    def in_order(self, same: int, run: int, share: int, others: int) -> bool:
        """Return whether so much of a unit counts although it is not all of it."""
        score = (500 * same + 250 * run) // self.terms + 500 * share // 1024
        score -= 300 * min(others, MOST_OTHERS) // 1024
        return self.terms >= LEAST_EDITED and score >= self._least(TAKEN)

    def is_long(self, run: int, value: int = 0) -> bool:
        """Return whether a passage counts wherever it stands in a unit."""
        return self.terms >= LEAST_EDITED and (run >= LEAST_RUN or value >= LEAST_VALUE)

    def as_a_bag(self, bag: int, anywhere: int, others: int) -> bool:
        score = 1000 * bag // 1024
        if self.alone and self.is_stretch:
            score += ANYWHERE * anywhere // 1024
        else:
            score -= OTHERS_COUNT[self.alone] * others // 1024
        return self.terms >= LEAST_BAG and score >= self._least_bag()

    def is_nearly_bag(self, bag: int) -> bool:
        return self.terms >= LEAST_BAG and 1000 * bag // 1024 >= self._least_bag() - NEARLY

    def by_estimate(self, estimate: int, others: int) -> bool:
        score = 1000 * estimate // 1024 - 400 * others // 1024
        least = LEAST_ESTIMATED if self.alone else LEAST_EDITED
        return self.terms >= least and score >= self._least(ESTIMATED)

    def _least_bag(self) -> int:
        return BAG_OF_SENTENCE if self.alone and self.is_sentence else self._least(BAGS)

    def _least(self, rules: tuple[Rules, Rules]) -> int:
        return next(least for most, least in rules[not self.alone] if self.terms <= most)


def sixth(shares: Iterable[int]) -> int:
    """Return what the document behind OTHERS has, 0 where there is none."""
    return ([*sorted(shares, reverse=True), *[0] * OTHERS, 0])[OTHERS]


def longest(there: Iterable[bool]) -> int:
    most = run = 0
    for own in there:
        run = run + 1 if own else 0
        most = max(most, run)
    return most
