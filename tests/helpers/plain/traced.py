"""docs/format.md, section 9: what documents have of a segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from plain.aligned import Alignment, Text, align
from plain.candidates import Asked, Candidate, SegmentWords
from plain.chosen import Part, Terms
from plain.passages import Passages
from plain.profile import Profile
from plain.segments import Segment, Unit
from plain.shingled import Match, Neighbourhood, evidence, matches, neighbourhoods
from plain.words import Words

DOCUMENTS = 64  # with shingles of a segment that are looked into
CLAIMS = 65_536  # of a segment that are looked at together
EXPLAINED = 80  # percent of a unit's terms
# Of the asked words' idf, in 1/1024, in the text of a candidate of a sentence, window, stretch.
LEAST_SHARES = (512, 350, 200)
LEAST_EDITED = 9  # terms of a unit
OTHERS = 5  # what the document behind so many has as well is no evidence
# The thresholds for units of up to so many terms: of those that are the whole text, and others.
Rules = tuple[tuple[float, int], ...]
TAKEN: tuple[Rules, Rules] = (
    ((14, 800), (29, 770), (39, 680), (inf, 650)),
    ((14, 950), (20, 880), (29, 820), (39, 700), (inf, 660)),
)
BAGS: tuple[Rules, Rules] = (
    ((34, 700), (49, 580), (64, 450), (100, 360), (160, 290), (inf, 250)),
    ((34, 720), (49, 600), (64, 520), (100, 420), (160, 300), (inf, 250)),
)
LEAST_BAG = 25  # terms of a unit
ESTIMATED: tuple[Rules, Rules] = (
    ((11, 1050), (14, 950), (17, 870), (20, 820), (29, 740), (39, 720), (64, 600), (inf, 450)),
    ((11, 1200), (14, 1100), (20, 1000), (29, 900), (39, 720), (64, 600), (inf, 450)),
)


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
    alignment: Alignment | None = None

    @property
    def bag(self) -> int:
        return self.alignment.bag if self.alignment else 0


class Trace:
    """What documents have of a segment."""

    def __init__(self, file: File, segment: Segment, cold: bool) -> None:
        self.file, self.segment, self.cold = file, segment, cold
        self.words = SegmentWords(segment, file.documents, file.words, file.profile)
        self.parts = list[Part]()
        self.explained = set[int]()
        self.capped = False
        self.matches = dict[int, list[Match]]()
        if file.passages:
            self.matches = matches(file.passages, segment.words, cold)
            self._judge(self._by_shingles())
        if file.words:
            self._judge(self._by_words())
        self.capped |= self.words.capped

    # Shingles

    def _by_shingles(self) -> list[Claim]:
        """Return the claims of the documents whose shingles say most; without texts they are parts
        of their own.
        """
        assert self.file.passages
        terms = self.file.passages.run_terms
        near = {
            document: list(neighbourhoods(own, terms))
            for document, own in sorted(self.matches.items())
        }
        if self.file.text_of is None:
            for document, own in near.items():
                for neighbourhood in own:
                    self._estimate_shingles(self.file.passages, document, neighbourhood)
            return []
        order = sorted(
            (document for document, own in near.items() if own),
            key=lambda document: -sum(own.evidence for own in near[document]),
        )
        self.capped |= len(order) > DOCUMENTS
        return [
            Claim(number, document)
            for document in order[:DOCUMENTS]
            for number, unit in enumerate(self.segment.units)
            if any(
                unit.first < own.matches[-1].place + terms and unit.last > own.matches[0].place
                for own in near[document]
            )
        ]

    def _estimate_shingles(self, section: Passages, document: int, near: Neighbourhood) -> None:
        half, gap = section.window // 2, section.window + section.run_terms
        start = 0
        for end in range(1, len(near.matches) + 1):
            last = near.matches[end - 1].place
            if end < len(near.matches) and near.matches[end].place - last <= gap:
                continue
            first = near.matches[start].place
            self.explained |= set(range(first, last + section.run_terms))
            first = max(0, first - half)
            last = min(len(self.segment.terms), last + section.run_terms + half)
            self._add(document, first, last, last - first, near.evidence)
            start = end

    # Words

    def _by_words(self) -> list[Claim]:
        claims = list[Claim]()
        for number, unit in enumerate(self.segment.units):
            known = sum(term in self.explained for term in range(unit.first, unit.last))
            if 100 * known >= EXPLAINED * unit.terms:
                continue
            asked = self.words.candidates(unit, self.cold)
            self.capped |= asked.left_out
            for own in asked.candidates:
                if self.file.text_of is None:
                    estimate = self._estimate(unit, asked, own)
                    claims.append(Claim(number, own.document, estimate))
                elif self._is_worth_reading(unit, asked, own):
                    claims.append(Claim(number, own.document))
        return claims

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
        idf = self.words.idf
        mass = sum(idf[word] for word in words if word not in lacking)
        share = 1024 * mass // sum(idf[word] for word in words)
        return (
            all(there)
            or self._is_enough(unit, sum(there), longest(there), share, 0)
            or self._is_enough_of_a_bag(unit, share, 0)
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
        inside = [
            match
            for match in self.matches.get(own.document, ())
            if unit.first <= match.place < unit.last
        ]
        terms = self.file.passages.run_terms if self.file.passages else 0
        shingles = min(1024, 1024 * 13 * evidence(inside, terms) // (7 * unit.terms))
        return excess + 6 * shingles // 10

    # What counts

    def _judge(self, claims: list[Claim]) -> None:
        self.capped |= len(claims) > CLAIMS
        del claims[CLAIMS:]
        if self.file.text_of:
            for claim in claims:
                unit, text = self.segment.units[claim.unit], self.file.text_of(claim.document)
                claim.alignment = align(self.segment, unit, text, self.words.idf)
        for number, unit in enumerate(self.segment.units):
            self._judge_unit(unit, [claim for claim in claims if claim.unit == number])

    def _judge_unit(self, unit: Unit, claims: list[Claim]) -> None:
        if self.file.text_of is None:
            others = sixth(claim.estimate for claim in claims)
            for claim in claims:
                if self._is_estimated(unit, claim.estimate, others):
                    evidence = claim.estimate * unit.terms // 1024
                    self._add(claim.document, unit.first, unit.last, unit.terms, evidence)
            return
        aligned = {claim.document: claim.alignment for claim in claims if claim.alignment}
        others = sixth(own.share for own in aligned.values())
        bags = sixth(own.bag for own in aligned.values())
        whole = sum(own.whole for own in aligned.values())
        for document, own in aligned.items():
            if own.whole or (
                not unit.is_stretch
                and self._is_enough(unit, own.same, own.run, own.share, others)
            ):
                self._add_in_order(document, own, whole)
            elif self._is_enough_of_a_bag(unit, own.bag, bags):
                self._add_bag(document, unit, own, whole)

    def _of_more(self, unit: Unit) -> bool:
        """Return whether the text has more than this unit."""
        return self.segment.base + unit.first > 0 or unit.last < len(self.segment.terms)

    def _is_enough(self, unit: Unit, same: int, run: int, share: int, others: int) -> bool:
        """Return whether so much of a unit counts although it is not all of it."""
        score = (500 * same + 250 * run) // unit.terms + 500 * share // 1024 - 300 * others // 1024
        least = least_of(TAKEN[self._of_more(unit)], unit.terms)
        return unit.terms >= LEAST_EDITED and score >= least

    def _is_enough_of_a_bag(self, unit: Unit, bag: int, others: int) -> bool:
        score = 1000 * bag // 1024 - 300 * others // 1024
        least = least_of(BAGS[self._of_more(unit)], unit.terms)
        return unit.terms >= LEAST_BAG and score >= least

    def _is_estimated(self, unit: Unit, estimate: int, others: int) -> bool:
        score = 1000 * estimate // 1024 - 600 * others // 1024
        least = least_of(ESTIMATED[self._of_more(unit)], unit.terms)
        return unit.terms >= LEAST_EDITED and score >= least

    # What was found

    def _add(self, document: int, first: int, last: int, same: int, own_evidence: int) -> None:
        base = self.segment.base
        self.parts.append(Part(document, base + first, base + last, same, own_evidence))

    def _add_in_order(self, document: int, own: Alignment, documents: int) -> None:
        same = own.dense + own.beyond
        if same == own.last - own.first:
            self.explained |= set(range(own.first, own.last))
        place = own.own_first, own.own_last
        self._add_seen(document, (own.first, own.last), place, same, own.mass, documents)

    def _add_bag(self, document: int, unit: Unit, own: Alignment, documents: int) -> None:
        same = unit.terms * own.bag // 1024
        self._add_seen(document, (unit.first, unit.last), own.place, same, own.mass, documents)

    def _add_seen(
        self, document: int, asked: Terms, own: Terms, same: int, mass: int, documents: int
    ) -> None:
        assert self.file.text_of
        terms, base = self.file.text_of(document).terms, self.segment.base
        bytes_of = terms[own[0]].start, terms[own[1] - 1].end
        first, last = base + asked[0], base + asked[1]
        self.parts.append(
            Part(document, first, last, same, mass >> 8, documents, own, bytes_of, True)
        )


def sixth(shares: Iterable[int]) -> int:
    """Return what the document behind OTHERS has, 0 where there is none."""
    return ([*sorted(shares, reverse=True), *[0] * OTHERS, 0])[OTHERS]


def longest(there: Iterable[bool]) -> int:
    most = run = 0
    for own in there:
        run = run + 1 if own else 0
        most = max(most, run)
    return most


def least_of(rules: Rules, terms: int) -> int:
    return next(least for most, least in rules if terms <= most)
