"""docs/format.md, section 9: the documents that claim units of a segment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plain.aligned import Text, align, align_whole
from plain.candidates import Asked, Candidate
from plain.judged import Claim, File, Judge
from plain.passages import Passages
from plain.segments import Segment, Unit
from plain.shingled import Match, Neighbourhood, evidence, matches, neighbourhoods
from plain.thresholds import LEAST_BAG, LEAST_EDITED, longest

DOCUMENTS, DOCUMENTS_COLD = 256, 4  # with shingles of a segment that are looked into
TOLD = 2  # times as much evidence as a neighbourhood, of one that explains it
WHOLES = 100  # documents that have the whole text word for word
SURE = 14  # evidence of a neighbourhood that counts without texts where words can be asked for
COMPLETE = 205  # what it adds to an estimate to have all asked words
# Of the asked words' idf, in 1/1024, in the text of a candidate of a sentence, window, stretch.
LEAST_SHARES = (512, 350, 200)


class Trace(Judge):
    """What documents have of a segment."""

    def __init__(self, file: File, segment: Segment, cold: bool) -> None:
        super().__init__(file, segment)
        self.cold = cold
        self.matches = dict[int, list[Match]]()
        self.compared = list[Claim]()  # candidates of the text alone that cannot count
        if file.passages:
            self.matches = matches(file.passages, segment.words, cold)
            self._look_by_shingles(file.passages)
        if file.words:
            self._claim_by_words()
        if file.text_of:
            self._align(self.claims, file.text_of)
            self._compare(file.text_of)
        self._judge()
        self.capped |= self.words.capped

    def _is_told(self, section: Passages, near: Neighbourhood) -> bool:
        """Return whether another document explains a neighbourhood, by far more shingles."""
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
                    if neighbourhood.evidence >= SURE or not self.file.words:
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
            needs_parts = self.file.text_of is not None and self._needs_parts(unit)
            having = {
                claim.document
                for claim in self._parts(unit)
                if self.segment.units[claim.unit].terms >= LEAST_BAG
            }
            if needs_parts and not having:
                continue
            asked = self.words.candidates(
                unit, self._is_alone(unit), self.cold, self._least_share(unit)
            )
            self.capped |= asked.left_out and self._is_alone(unit)
            for own in asked.candidates:
                if self.file.text_of is None:
                    estimate = self._estimate(unit, asked, own)
                    complete = len(own.words) == len(asked.words)
                    self._claim(Claim(number, own.document, estimate, complete))
                elif needs_parts and own.document not in having:
                    continue
                elif (number, own.document) not in claimed:
                    anywhere = self._share(asked, own)
                    claim = Claim(number, own.document, anywhere=anywhere)
                    if self._is_worth_reading(unit, asked, own):
                        self._claim(claim)
                    elif self._is_bag_compared(unit) and anywhere >= LEAST_SHARES[2]:
                        self.compared.append(claim)

    def _is_bag_compared(self, unit: Unit) -> bool:
        """Return whether the bag of a unit is compared with those of its other candidates."""
        return self._is_alone(unit) and not unit.is_stretch

    def _least_share(self, unit: Unit) -> int:
        """The least share of a candidate; without texts, there is none."""
        if self.file.text_of is None:
            return 0
        if unit.terms < LEAST_EDITED:
            return 1024
        kind = 2 if unit.is_stretch or self._is_alone(unit) else 0 if unit.is_sentence else 1
        return LEAST_SHARES[kind]

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
        same, run = sum(there), longest(there)
        bag = share if unit.is_stretch else (share + 1024 * same // unit.terms) // 2
        in_order = rules.is_long(run) or rules.in_order(same, run, share, 0)
        return (
            all(there)
            or (in_order and not unit.is_stretch)
            or rules.as_a_bag(bag, self._share(asked, own), 0)
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
        excess = max(0, 512 * (2 * had - 3 * chance) // (whole + 1))
        inside = self._matches_in(own.document, unit)
        terms = self.file.passages.run_terms if self.file.passages else 0
        shingles = min(1024, 1024 * 13 * evidence(inside, terms) // (7 * unit.terms))
        return excess + 6 * shingles // 10 + (COMPLETE if had == whole else 0)

    def _compare(self, text_of: Callable[[int], Text]) -> None:
        """Read the other candidates of the text alone, if it may count as a bag."""
        units = self.segment.units
        if any(
            self._is_alone(units[claim.unit]) and self._has_bag(units[claim.unit], claim)
            for claim in self.claims
        ):
            before = len(self.claims)
            for claim in self.compared:
                self._claim(claim)
            self._align(self.claims[before:], text_of)

    def _align(self, claims: Sequence[Claim], text_of: Callable[[int], Text]) -> None:
        wholes = 0
        for claim in sorted(claims, key=lambda claim: claim.document):
            unit = self.segment.units[claim.unit]
            if self._is_alone(unit) and wholes == WHOLES:
                self.capped = True
                continue
            claim.alignment = align(self.segment, unit, text_of(claim.document), self.words.idf)
            if claim.alignment and claim.alignment.whole:
                wholes += self._is_alone(unit)
