"""docs/format.md, section 9: which claims of a segment's units count, and what is found by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plain.aligned import Alignment, Text
from plain.candidates import SegmentWords
from plain.chosen import Part, Terms
from plain.passages import Passages
from plain.profile import Profile
from plain.segments import Segment, Unit
from plain.thresholds import PLACED, Thresholds, sixth
from plain.words import Words

CLAIMS = 65_536  # of a segment that are looked at together
EXPLAINED, EXPLAINED_LONGER = 80, 50  # percent of the terms of a sentence, of a longer unit


@dataclass(frozen=True)
class File:
    """What sources are found by. text_of: the whole text of a document, None where none is kept."""

    documents: int
    profile: Profile
    passages: Passages | None
    words: Words | None
    text_of: Callable[[int], Text] | None


@dataclass
class Claim:
    """A unit that a document may have. share: what decides about others, in 1/1024."""

    unit: int
    document: int
    estimate: int = 0
    is_complete: bool = False
    alignment: Alignment | None = None
    anywhere: int = 1024  # the share of the asked words' idf that the document has

    @property
    def bag(self) -> int:
        return self.alignment.bag if self.alignment else 0


class WordsOnly(NamedTuple):
    """A sentence of so many terms, from byte start up to end, whose words documents have in an
    order that is not known: one of them, and how many were seen.
    """

    terms: int
    start: int
    end: int
    document: int
    documents: int


class Judge:
    """Judges claims of a segment's units. parts: what was found."""

    def __init__(self, file: File, segment: Segment) -> None:
        self.file, self.segment = file, segment
        self.words = SegmentWords(segment, file.documents, file.words, file.profile)
        self.parts = list[Part]()
        self.claims = list[Claim]()
        self.explained = dict[int, int]()  # of terms, the first document that has them
        self.capped = False
        self.words_only: WordsOnly | None = None

    def _claim(self, claim: Claim) -> None:
        if len(self.claims) == CLAIMS:
            self.capped = True
        else:
            self.claims.append(claim)

    def _is_explained(self, unit: Unit) -> bool:
        count = sum(term in self.explained for term in range(unit.first, unit.last))
        least = EXPLAINED if unit.is_sentence else EXPLAINED_LONGER
        return 100 * count >= least * unit.terms

    def _explain(self, first: int, last: int, document: int) -> None:
        for term in range(first, last):
            self.explained.setdefault(term, document)

    # What counts

    def _judge(self) -> None:
        of_units = [
            (unit, [claim for claim in self.claims if claim.unit == number])
            for number, unit in enumerate(self.segment.units)
        ]
        if self.file.text_of is None:
            for unit, claims in of_units:
                self._judge_estimates(unit, claims)
            for unit, claims in of_units:
                self._note_words(unit, [claim for claim in claims if claim.is_complete])
            return
        aligned = [
            (unit, {claim.document: claim.alignment for claim in claims if claim.alignment})
            for unit, claims in of_units
        ]
        for unit, own in aligned:
            self._judge_in_order(unit, own)
        in_order = list(self.parts)
        for (unit, own), (_, claims) in zip(aligned, of_units, strict=True):
            anywhere = {claim.document: claim.anywhere for claim in claims}
            self._judge_bags(unit, own, anywhere, in_order)

    def _judge_estimates(self, unit: Unit, claims: list[Claim]) -> None:
        others = sixth(claim.estimate for claim in claims)
        for claim in claims:
            if self._rules(unit).by_estimate(claim.estimate, others):
                own = claim.estimate * unit.terms // 1024
                self._explain(unit.first, unit.last, claim.document)
                self._add(claim.document, unit.first, unit.last, unit.terms, own)

    def _note_words(self, unit: Unit, complete: Sequence[Claim]) -> None:
        """Note the longest sentence that nothing explains, where documents have its words."""
        least = self.words_only.terms if self.words_only else 0
        if not complete or not unit.is_sentence or unit.terms <= least or self._is_explained(unit):
            return
        if all(map(self.words.having, self.segment.words[unit.first : unit.last])):
            first = max(complete, key=lambda claim: claim.estimate)
            start, end = self.segment.terms[unit.first].start, self.segment.terms[unit.last - 1].end
            self.words_only = WordsOnly(unit.terms, start, end, first.document, len(complete))

    def _counts_in_order(self, unit: Unit, own: Alignment, others: int) -> bool:
        if own.whole or unit.is_stretch:
            return own.whole
        rules = self._rules(unit)
        is_long = rules.is_long(own.run, own.value)
        return is_long or rules.in_order(own.same, own.run, own.share, others)

    def _judge_in_order(self, unit: Unit, aligned: dict[int, Alignment]) -> None:
        others = sixth(own.share for own in aligned.values())
        whole = sum(own.whole for own in aligned.values())
        for document, own in aligned.items():
            if self._counts_in_order(unit, own, others):
                self._add_in_order(document, own, whole)

    def _has_bag(self, unit: Unit, claim: Claim) -> bool:
        """Return whether a claim would count as a bag if no other document had any of its words."""
        own = claim.alignment
        return (
            own is not None
            and not self._counts_in_order(unit, own, 0)
            and self._rules(unit).as_a_bag(own.bag, claim.anywhere, 0)
        )

    def _judge_bags(
        self,
        unit: Unit,
        aligned: dict[int, Alignment],
        anywhere: dict[int, int],
        in_order: Sequence[Part],
    ) -> None:
        others = sixth(own.share for own in aligned.values())
        bags = sixth(own.bag for own in aligned.values())
        whole = sum(own.whole for own in aligned.values())
        first, last = self.segment.base + unit.first, self.segment.base + unit.last
        placed = {part.document for part in in_order if part.first < last and part.last > first}
        most = max((own.bag for number, own in aligned.items() if number in placed), default=0)
        for document, own in aligned.items():
            if (
                not self._counts_in_order(unit, own, others)
                and self._rules(unit).as_a_bag(own.bag, anywhere[document], bags)
                and own.bag > most + PLACED
                and self._is_dense(document, unit)
            ):
                self._add_bag(document, unit, own, whole)

    def _is_dense(self, document: int, unit: Unit) -> bool:
        """Return whether a document also has nearly enough of a part of the stretch."""
        return any(
            claim.document == document
            and self._rules(self.segment.units[claim.unit]).is_nearly_bag(claim.bag)
            for claim in self._parts(unit)
        ) or not self._needs_parts(unit)

    def _needs_parts(self, unit: Unit) -> bool:
        return unit.is_stretch and not self._is_alone(unit)

    def _parts(self, stretch: Unit) -> list[Claim]:
        """Return the claims of sentences and windows in a stretch."""
        units = self.segment.units
        return [
            claim
            for claim in self.claims
            if not units[claim.unit].is_stretch
            and units[claim.unit].first >= stretch.first
            and units[claim.unit].last <= stretch.last
        ]

    def _rules(self, unit: Unit) -> Thresholds:
        """Return the thresholds of a unit; of a text of many some are like one by chance."""
        return Thresholds(unit.terms, self._is_alone(unit), unit.is_stretch, unit.is_sentence)

    def _is_alone(self, unit: Unit) -> bool:
        """Return whether a unit is the whole text."""
        return self.segment.base == unit.first == 0 and unit.last == len(self.segment.terms)

    # What was found

    def _add(self, document: int, first: int, last: int, same: int, own_evidence: int) -> None:
        base = self.segment.base
        self.parts.append(Part(document, base + first, base + last, same, own_evidence))

    def _add_in_order(self, document: int, own: Alignment, documents: int) -> None:
        before, after = own.before, own.after
        place = own.own_first - before.own, own.own_last + after.own
        same = own.dense + own.beyond + before.same + after.same
        asked = own.first - before.terms, own.last + after.terms
        self._add_seen(document, asked, place, same, own.mass, documents, is_bag=False)

    def _add_bag(self, document: int, unit: Unit, own: Alignment, documents: int) -> None:
        same = unit.terms * own.bag // 1024
        asked = unit.first, unit.last
        self._add_seen(document, asked, own.place, same, own.mass, documents, is_bag=True)

    def _add_seen(
        self,
        document: int,
        asked: Terms,
        own: Terms,
        same: int,
        mass: int,
        documents: int,
        is_bag: bool,
    ) -> None:
        assert self.file.text_of
        terms, base = self.file.text_of(document).terms, self.segment.base
        bytes_of = terms[own[0]].start, terms[own[1] - 1].end
        first, last = base + asked[0], base + asked[1]
        self.parts.append(
            Part(document, first, last, same, mass >> 8, documents, own, bytes_of, True, is_bag)
        )
