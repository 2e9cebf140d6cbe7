"""docs/format.md, section 9: what documents have of a segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plain.aligned import Alignment, Text, align
from plain.candidates import Asked, Candidate, SegmentWords
from plain.chosen import Part
from plain.passages import Passages
from plain.profile import Profile
from plain.segments import Segment, Unit
from plain.shingled import Match, Neighbourhood, evidence, matches, neighbourhoods
from plain.words import Words

DOCUMENTS = 64  # with shingles of a segment that are looked into
CLAIMS = 65_536  # of a segment that are looked at together
EXPLAINED = 80  # percent of a unit's terms
LEAST_SHARE = 512  # of the asked words' idf, in 1/1024
LEAST_EDITED = 9  # terms of a unit
OTHERS = 5  # what the document behind so many has as well is no evidence
TAKEN = ((14, 950), (24, 850), (34, 750), (None, 650))
ESTIMATED = ((8, 1_100), (14, 1_000), (24, 850), (34, 650), (None, 500))


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
    def share(self) -> int:
        return self.alignment.share if self.alignment else self.estimate


class Trace:
    """What documents have of a segment."""

    def __init__(self, file: File, segment: Segment, cold: bool) -> None:
        self.file, self.segment = file, segment
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
            for own in near[document]
            for number, unit in enumerate(self.segment.units)
            if unit.first < own.matches[-1].place + terms and unit.last > own.matches[0].place
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
            asked = self.words.candidates(unit)
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
        if self._share(asked, own) < LEAST_SHARE:
            return False
        lacking = set(asked.words) - own.words
        there = [term not in lacking for term in self.segment.words[unit.first : unit.last]]
        return all(there) or is_enough(sum(there), longest(there), 0, unit.terms)

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
            own = sorted(
                (claim for claim in claims if claim.unit == number), key=lambda claim: -claim.share
            )
            others = own[OTHERS].share if len(own) > OTHERS else 0
            whole = sum(claim.alignment is not None and claim.alignment.whole for claim in own)
            for claim in own:
                if claim.alignment is None:
                    if self.file.text_of is None and is_estimated(unit, claim.estimate, others):
                        self._add(claim.document, unit.first, unit.last, unit.terms, 0)
                elif claim.alignment.whole or is_enough(
                    claim.alignment.same, claim.alignment.run, others, unit.terms
                ):
                    self._add_aligned(claim.document, claim.alignment, whole)

    def _add(self, document: int, first: int, last: int, same: int, own_evidence: int) -> None:
        base = self.segment.base
        self.parts.append(Part(document, base + first, base + last, same, own_evidence))

    def _add_aligned(self, document: int, own: Alignment, documents: int) -> None:
        assert self.file.text_of
        terms, base = self.file.text_of(document).terms, self.segment.base
        same = own.same + own.beyond
        if same == own.last - own.first:
            self.explained |= set(range(own.first, own.last))
        self.parts.append(
            Part(
                document,
                base + own.first,
                base + own.last,
                same,
                own.mass >> 8,
                documents,
                (own.own_first, own.own_last),
                (terms[own.own_first].start, terms[own.own_last - 1].end),
                True,
            )
        )


def longest(there: Iterable[bool]) -> int:
    most = run = 0
    for own in there:
        run = run + 1 if own else 0
        most = max(most, run)
    return most


def least_of(rules: Sequence[tuple[int | None, int]], terms: int) -> int:
    return next(least for most, least in rules if most is None or terms <= most)


def is_enough(same: int, run: int, others: int, terms: int) -> bool:
    """Return whether so much of a unit counts although it is not all of it."""
    score = (1000 * same + 500 * run) // terms - 300 * others // 1024
    return terms >= LEAST_EDITED and score >= least_of(TAKEN, terms)


def is_estimated(unit: Unit, estimate: int, others: int) -> bool:
    score = 1000 * estimate // 1024 - 300 * others // 1024
    return score >= least_of(ESTIMATED, unit.terms)
