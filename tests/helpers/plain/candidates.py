"""docs/format.md, section 9: the documents that may have a unit, by its rarest words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from plain.profile import Profile
from plain.projection import Projection
from plain.segments import Segment, Unit
from plain.terms import every_word
from plain.words import LEVELS, Word, Words, idf

SENTENCE_WORDS, WINDOW_WORDS = 12, 25  # the rarest ones that are asked for
MOST_WORDS = 32  # with numbers
SENTENCE_MAKERS, WINDOW_MAKERS = 6, 12  # the rarest of them, whose documents are candidates
COMMON, LEAST_COMMON = 100, 64  # a word is common that more than N / 100 documents have
LEAST_RARE, LEAST_ASKED = 3, 6  # words, however common they are
LEAST_SINGLED_OUT = 4  # words that a document has to have all of, to be singled out
FEW = 20  # documents that have all asked words: of more, the next word decides
CANDIDATES, CANDIDATES_OF_MORE = 20, 8  # of a unit that is the whole text, of another
COMPLETE = 1_024  # those of the whole text that have all words
POSTINGS = 262_144  # of one word that are read
UNWEIGHED, STOP_WORD = 2_048, 256  # in 1/256 bit
LENGTHS = (32, 11, 5, 2, 1, 1, 1, 1, 4)  # quarters of the average, by the least level; of none


@dataclass
class Candidate:
    """A document that has asked words of a unit. mass: their idf, more for higher levels; level:
    their least one.
    """

    document: int
    words: set[bytes]
    mass: int = 0
    level: int = LEVELS

    @property
    def length(self) -> int:
        return LENGTHS[self.level]


@dataclass
class Asked:
    """The candidates of a unit, the best first. words: by which they were looked for; left_out:
    whether there are more that have all of these; every: those that were not taken, too.
    """

    words: list[bytes]
    candidates: list[Candidate]
    left_out: bool = False
    every: Sequence[Candidate] = ()


class SegmentWords:
    """What the file knows of a segment's terms."""

    def __init__(
        self, segment: Segment, documents: int, section: Words | None, profile: Profile
    ) -> None:
        self.segment, self.documents, self.section = segment, documents, section
        self.profile = profile
        self.capped = False

    @cached_property
    def known(self) -> dict[bytes, Word]:
        """The words with postings."""
        if not self.section:
            return {}
        every = self.section.all
        known = {term: every[term] for term in self.segment.first if term in every}
        return {
            term: word for term, word in known.items() if word.postings and self._stands_alone(term)
        }

    def _stands_alone(self, term: bytes) -> bool:
        """Return whether the bytes of a term's first place have it."""
        own = self.segment.terms[self.segment.first[term]]
        return any(
            other.bytes == term
            for other in every_word(self.segment.text[own.start : own.end], self.profile.marks)
        )

    @cached_property
    def idf(self) -> dict[bytes, int]:
        weigh: Callable[[bytes], int] = self._counted if self.section else self._weighed
        return {term: weigh(term) for term in self.segment.first}

    def _counted(self, term: bytes) -> int:
        return idf(self.documents, self.having(term))

    def _weighed(self, term: bytes) -> int:
        """The idf of a term in a file without words."""
        if not self._stands_alone(term) or self.profile.is_stop_word(term):
            return STOP_WORD
        scheme = self.profile.scheme
        weight = scheme.weight(term) if isinstance(scheme, Projection) else 1
        return 16 * weight if weight > 1 else UNWEIGHED

    def having(self, term: bytes) -> int:
        return self.known[term].having if term in self.known else 0

    def chosen(self, unit: Unit) -> tuple[list[bytes], int]:
        """The rarest words of a unit, and how many of them make candidates."""
        words = [
            word
            for word in dict.fromkeys(self.segment.words[unit.first : unit.last])
            if word in self.known
        ]
        words.sort(key=lambda word: (self.having(word), self.segment.first[word]))
        del words[SENTENCE_WORDS if unit.is_sentence else WINDOW_WORDS :]
        common = max(LEAST_COMMON, self.documents // COMMON)
        count = len(words)
        while count > LEAST_RARE and self.having(words[count - 1]) > common:
            count -= 1
        return words, count

    def candidates(
        self, unit: Unit, alone: bool, cold: bool, least: int = 0, brief: bool = False
    ) -> Asked:
        """least: of the idf of the words that are asked in any case, in 1/1024; what a document
        must be able to have to be a candidate. brief: whether common words are left out once the
        others single out a document.
        """
        words, count = self.chosen(unit)
        rare, sure = words[:count], words[: max(count, LEAST_ASKED)]
        wanted = least * sum(map(self.idf.__getitem__, sure))
        spare = sum(map(self.idf.__getitem__, sure[count:]))
        makers = SENTENCE_MAKERS if unit.is_sentence else WINDOW_MAKERS
        found = {
            document: Candidate(document, set())
            for word in words[: min(count, makers)]
            for document, _ in self._postings(word)
        }
        for word in words[:count]:
            self._add(found, word)
        complete = self._complete(found, words[:count])
        while count < len(words):
            is_found = brief and count >= LEAST_SINGLED_OUT and len(complete) == 1
            if is_found if count < LEAST_ASKED else len(complete) <= FEW:
                break
            self._add(found, words[count])
            count += 1
            complete = self._complete(found, words[:count])
        asked = set(words[:count])
        order = sorted(
            (
                own
                for own in found.values()
                if 1024 * (spare + sum(self.idf[word] for word in own.words.intersection(rare)))
                >= wanted
            ),
            key=lambda own: (own.words != asked, -own.mass, own.document),
        )
        most = CANDIDATES if alone else CANDIDATES_OF_MORE
        if alone and not cold:
            most = min(COMPLETE, max(most, len(complete)))
        return Asked(words[:count], order[:most], len(complete) > most, order)

    def add_numbers(self, asked: Asked, is_number: Callable[[bytes], bool]) -> None:
        """Ask for the numbers of the text, too; they make no candidates."""
        every = {own.document: own for own in asked.every}
        for word in self.segment.first:
            if len(asked.words) == MOST_WORDS:
                break
            if word in self.known and word not in asked.words and is_number(word):
                asked.words.append(word)
                self._add(every, word)

    def _postings(self, word: bytes) -> list[tuple[int, int]]:
        postings = self.known[word].postings
        self.capped |= len(postings) > POSTINGS
        return postings[:POSTINGS]

    def _add(self, found: dict[int, Candidate], word: bytes) -> None:
        """Count a word for the documents that are candidates."""
        for document, rank in self._postings(word):
            level = min(rank, LEVELS - 1)
            if own := found.get(document):
                own.words.add(word)
                own.mass += self.idf[word] * (24 + level)
                own.level = min(own.level, level)

    def _complete(self, found: dict[int, Candidate], words: list[bytes]) -> list[Candidate]:
        return [own for own in found.values() if len(own.words) == len(words)]
