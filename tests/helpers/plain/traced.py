"""docs/format.md, section 9: what documents have of a segment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from plain.aligned import Alignment, Text, align, align_whole
from plain.candidates import Asked, Candidate, SegmentWords
from plain.chosen import Part, Terms
from plain.passages import Passages
from plain.profile import Profile
from plain.segments import Segment, Unit
from plain.shingled import Match, Neighbourhood, evidence, matches, neighbourhoods
from plain.thresholds import Thresholds, longest, sixth
from plain.words import Words

DOCUMENTS, DOCUMENTS_COLD = 256, 4  # with shingles of a segment that are looked into
TOLD = 2  # times as much evidence as a neighbourhood, of one that explains it
CLAIMS = 65_536  # of a segment that are looked at together
WHOLES = 100  # documents that have the whole text word for word
EXPLAINED, EXPLAINED_LONGER = 80, 50  # percent of the terms of a sentence, of a longer unit
# Of the asked words' idf, in 1/1024, in the text of a candidate of a sentence, window, stretch.
LEAST_SHARES = (512, 350, 200)


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


class Trace:
    """What documents have of a segment."""

    def __init__(self, file: File, segment: Segment, cold: bool) -> None:
        self.file, self.segment, self.cold = file, segment, cold
        self.words = SegmentWords(segment, file.documents, file.words, file.profile)
        self.parts = list[Part]()
        self.claims = list[Claim]()
        self.explained = dict[int, int]()  # of terms, the first document that has them
        self.capped = False
        self.words_only: WordsOnly | None = None
        self.matches = dict[int, list[Match]]()
        if file.passages:
            self.matches = matches(file.passages, segment.words, cold)
            self._look_by_shingles(file.passages)
        if file.words:
            self._claim_by_words()
        if file.text_of:
            self._align(file.text_of)
        self._judge()
        self.capped |= self.words.capped

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

    def _is_told(self, section: Passages, near: Neighbourhood) -> bool:
        """Return whether another document explains a neighbourhood, with far more shingles there."""
        places = [match.place for match in near.matches]
        if not all(place in self.explained for place in places):
            return False
        other = self.matches.get(self.explained[places[0]], ())
        inside = [match for match in other if places[0] <= match.place <= places[-1]]
        return evidence(inside, section.run_terms) >= TOLD * near.evidence

    # Shingles

    def _look_by_shingles(self, section: Passages) -> None:
        near = {
            document: list(neighbourhoods(own, section.run_terms))
            for document, own in sorted(self.matches.items())
        }
        if self.file.text_of is None:
            for document, own in near.items():
                for neighbourhood in own:
                    self._estimate_shingles(section, document, neighbourhood)
            return
        sums = {document: sum(one.evidence for one in own) for document, own in near.items() if own}
        most = DOCUMENTS_COLD if self.cold else DOCUMENTS
        self.capped |= len(sums) > most
        for document in sorted(sums, key=lambda document: -sums[document])[:most]:
            if not all(self._is_told(section, own) for own in near[document]):
                self._look_into(document, near[document])
        claims = self.claims
        self.claims = [claim for claim in claims if claim.alignment]
        self._judge()
        self.claims = [
            claim
            for claim in claims
            if not claim.alignment and not self._is_explained(self.segment.units[claim.unit])
        ]

    def _look_into(self, document: int, near: Sequence[Neighbourhood]) -> None:
        """Claim the units that these neighbourhoods touch; sentences that stand in the document
        word for word are aligned.
        """
        assert self.file.passages
        assert self.file.text_of
        terms, text = self.file.passages.run_terms, self.file.text_of(document)
        for number, unit in enumerate(self.segment.units):
            if not text.terms or not any(
                unit.first < own.matches[-1].place + terms and unit.last > own.matches[0].place
                for own in near
            ):
                continue
            claim = Claim(number, document)
            if unit.is_sentence:
                claim.alignment = align_whole(self.segment, unit, text)
            if claim.alignment:
                own = evidence(self._matches_in(document, unit), terms)
                claim.alignment = replace(claim.alignment, mass=own << 8)
                self._explain(claim.alignment.first, claim.alignment.last, document)
            self._claim(claim)

    def _matches_in(self, document: int, unit: Unit) -> list[Match]:
        return [
            match
            for match in self.matches.get(document, ())
            if unit.first <= match.place < unit.last
        ]

    def _estimate_shingles(self, section: Passages, document: int, near: Neighbourhood) -> None:
        half, gap = section.window // 2, section.window + section.run_terms
        start = 0
        for end in range(1, len(near.matches) + 1):
            last = near.matches[end - 1].place
            if end < len(near.matches) and near.matches[end].place - last <= gap:
                continue
            first = near.matches[start].place
            self._explain(first, last + section.run_terms, document)
            first = max(0, first - half)
            last = min(len(self.segment.terms), last + section.run_terms + half)
            self._add(document, first, last, last - first, near.evidence)
            start = end

    # Words

    def _claim_by_words(self) -> None:
        claimed = {(claim.unit, claim.document) for claim in self.claims}
        for number, unit in enumerate(self.segment.units):
            if self._is_explained(unit):
                continue
            asked = self.words.candidates(unit, self._is_alone(unit), self.cold)
            self.capped |= asked.left_out and self._is_alone(unit)
            for own in asked.candidates:
                if self.file.text_of is None:
                    estimate = self._estimate(unit, asked, own)
                    complete = len(own.words) == len(asked.words)
                    self._claim(Claim(number, own.document, estimate, complete))
                elif (number, own.document) not in claimed and self._is_worth_reading(
                    unit, asked, own
                ):
                    self._claim(Claim(number, own.document))

    def _share(self, asked: Asked, own: Candidate) -> int:
        idf = self.words.idf
        return 1024 * sum(map(idf.__getitem__, own.words)) // sum(map(idf.__getitem__, asked.words))

    def _is_worth_reading(self, unit: Unit, asked: Asked, own: Candidate) -> bool:
        kind = 0 if unit.is_sentence else 2 if unit.is_stretch else 1
        if self._share(asked, own) < LEAST_SHARES[kind]:
            return False
        lacking = set(asked.words) - own.words
        words = self.segment.words[unit.first : unit.last]
        there = [word not in lacking for word in words]
        idf, rules = self.words.idf, self._rules(unit)
        mass = sum(idf[word] for word in words if word not in lacking)
        share = 1024 * mass // sum(idf[word] for word in words)
        return (
            all(there)
            or rules.in_order(sum(there), longest(there), share, 0)
            or rules.as_a_bag(share, 0)
        )

    def _estimate(self, unit: Unit, asked: Asked, own: Candidate) -> int:
        idf, documents = self.words.idf, self.file.documents
        whole = sum(idf[word] for word in asked.words)
        had = sum(idf[word] for word in own.words)
        chance = sum(
            idf[word]
            * min(1000, 1024 * self.words.having(word) * own.length // (4 * documents))
            // 1024
            for word in asked.words
        )
        excess = 1024 * (had - chance) // (whole - chance + 1) if had > chance else 0
        inside = self._matches_in(own.document, unit)
        terms = self.file.passages.run_terms if self.file.passages else 0
        shingles = min(1024, 1024 * 13 * evidence(inside, terms) // (7 * unit.terms))
        return excess + 6 * shingles // 10

    def _align(self, text_of: Callable[[int], Text]) -> None:
        wholes = 0
        for claim in sorted(self.claims, key=lambda claim: claim.document):
            unit = self.segment.units[claim.unit]
            if self._is_alone(unit) and wholes == WHOLES:
                self.capped = True
                continue
            claim.alignment = align(self.segment, unit, text_of(claim.document), self.words.idf)
            if claim.alignment and claim.alignment.whole:
                wholes += self._is_alone(unit)

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
        for unit, own in aligned:
            self._judge_bags(unit, own, in_order)

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
            first_term, last_term = self.segment.terms[unit.first], self.segment.terms[unit.last - 1]
            self.words_only = WordsOnly(
                unit.terms, first_term.start, last_term.end, first.document, len(complete)
            )

    def _counts_in_order(self, unit: Unit, own: Alignment, others: int) -> bool:
        if own.whole or unit.is_stretch:
            return own.whole
        rules = self._rules(unit)
        return rules.is_long(own.run) or rules.in_order(own.same, own.run, own.share, others)

    def _judge_in_order(self, unit: Unit, aligned: dict[int, Alignment]) -> None:
        others = sixth(own.share for own in aligned.values())
        whole = sum(own.whole for own in aligned.values())
        for document, own in aligned.items():
            if self._counts_in_order(unit, own, others):
                self._add_in_order(document, own, whole)

    def _judge_bags(
        self, unit: Unit, aligned: dict[int, Alignment], in_order: Sequence[Part]
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
                and self._rules(unit).as_a_bag(own.bag, bags)
                and own.bag > most
            ):
                self._add_bag(document, unit, own, whole)

    def _rules(self, unit: Unit) -> Thresholds:
        """Return the thresholds of a unit; of a text of many some are like one by chance."""
        return Thresholds(unit.terms, self._is_alone(unit))

    def _is_alone(self, unit: Unit) -> bool:
        """Return whether a unit is the whole text."""
        return self.segment.base == unit.first == 0 and unit.last == len(self.segment.terms)

    # What was found

    def _add(self, document: int, first: int, last: int, same: int, own_evidence: int) -> None:
        base = self.segment.base
        self.parts.append(Part(document, base + first, base + last, same, own_evidence))

    def _add_in_order(self, document: int, own: Alignment, documents: int) -> None:
        place, same = (own.own_first, own.own_last), own.dense + own.beyond
        asked = own.first, own.last
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
