"""docs/format.md, section 10: the documents that have a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from plain.filters import FILTERS, Filter, Filtering, filters_of
from plain.labels import Labels
from plain.marks import has_marks_of, parted
from plain.question import PlainAsked, Question, Quote
from plain.replacing import Asked, Replacement, Replacing
from plain.spelling import is_spelled_out, plain_spelling
from plain.word_stream import wholes, words
from plain.words import LEVELS, RANKS, Word, Words, idf

BEGUN, BEGUN_COLD = 4_096, 256  # words that begin with an asked term and count
TEXTS, TEXTS_COLD = 1_024, 64  # that are looked into for quotes
WORTHS = (4, 7, 11, 15, 19, 22, 24, 25)  # of a word, by its level
TITLE_WORTH = 32
FORMS = 64  # words of a class that are looked at
GOING_ON = 3  # blocks in which a word goes on that a first answer reads
NEIGHBOURS_COLD = 8  # texts that are looked into for two words side by side

TextsOf = Callable[[int], Sequence[bytes]]


class Has(NamedTuple):
    """A document that has a term or another form of it. twice: twice what the term is worth to it,
    another spelling, or half of its plain spelling; forms: what its other forms are worth
    together; itself: whether it has the term; rank: the highest.
    """

    twice: int
    forms: int
    itself: bool
    rank: int

    @property
    def worth(self) -> int:
        """Return 128 times what the term and its forms are worth together: the forms count half of
        what the term leaves of the highest worth.
        """
        return 64 * self.twice + (64 - self.twice) * min(TITLE_WORTH, self.forms)


@dataclass(frozen=True)
class PlainWordHit:
    """A document with the asked words that it has, and its score."""

    document: int
    words: int
    score: int


@dataclass
class PlainFound:
    """The answer to a search."""

    words: list[PlainAsked] = field(default_factory=list)
    hits: list[PlainWordHit] = field(default_factory=list)
    all: int = 0
    any: int = 0
    capped: bool = False
    unchecked: bool = False
    ignored: bool = False
    pieces: bool = False
    text: bytes = b""
    replacements: list[Replacement] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    allowed: int = 0
    unlabelled: int = 0


class Search:
    """A search in a words section. texts_of: what a document's quotes may stand in, None where no
    whole texts are kept; title_of: gives the title that has to have all words, or None.
    """

    def __init__(
        self,
        words: Words,
        texts_of: TextsOf | None,
        title_of: Callable[[int], bytes] | None,
        cold: bool,
        exact: bool = False,
    ) -> None:
        self.exact = exact
        self.section = words
        self.texts_of = texts_of
        self.title_of = title_of
        self.cold = cold
        self.looked = TEXTS_COLD if cold else TEXTS
        self.nested = False  # only whether a document has a quote
        # Documents with each word in all files that are asked together, and of these files.
        self.in_all: Sequence[int] = ()
        self.all = 0
        self.labels: Labels | None = None
        self.marks = False  # whether the words of the file have marks
        self.marked = False  # whether a word that is asked has some
        self.given = b""  # filters beside the text
        self.found = PlainFound()
        self.wanted = self.quotes = 0  # asked words that a document has; quotes and runs

    def replaced(
        self,
        text: bytes,
        top: int,
        prefix: bool,
        said: Callable[[int], Sequence[bytes]],
        few: bool = False,
    ) -> PlainFound:
        """Return the answer to a text in which others may stand for words that no document has.

        few: also for rare ones; said: the title of a document, and its text where that is kept
        whole.
        """
        found = self.run(text, top, prefix)
        asked = [
            Asked(word.term, word.start, word.end, documents, word.forms)
            for word, documents in zip(found.words, self.with_each(), strict=True)
            if word.alone and not word.prefix and not word.quoted and word.role == 0
        ]

        def neighbours(*words: bytes) -> bool:
            nested = Search(self.section, said, None, self.cold)
            nested.nested = True
            nested.marks = self.marks
            nested.looked = NEIGHBOURS_COLD if self.cold else TEXTS_COLD
            return bool(nested.run(b'"%b %b"' % words, 1, False).hits)

        asked = [word for word in asked if not parted(word.term)[1]]
        rare = few and not self.cold and not self.quotes and (self.wanted == 1 or not found.all)
        replacements = Replacing(self.section, neighbours, self.cold).of(text, asked, rare)
        if not replacements:
            return found
        other, at = b"", 0
        for one in replacements:
            other += text[at : one.start] + one.text
            at = one.end
        other += text[at:]
        self.in_all = ()  # that is of other words
        found = self.run(other, top, prefix)
        found.text, found.replacements = other, replacements
        return found

    def with_each(self) -> Sequence[int]:
        """Return how many documents have each asked word, of all files that are asked together."""
        return self.in_all or [word.documents for word in self.found.words]

    def run(self, text: bytes, top: int, prefix: bool) -> PlainFound:
        question = Question(text, prefix, self.marks)
        self.marked = any(parted(word.term)[1] for word in question.words)
        self.found = PlainFound(question.words, capped=question.capped, ignored=question.ignored)
        filtering = self.filtering(question)
        having = [self.having(word) for word in question.words]
        asked = [i for i, word in enumerate(question.words) if word.role == 0]
        wanted = [
            i for i in asked if question.words[i].documents or (self.in_all and self.in_all[i])
        ]
        self.wanted, self.quotes = len(wanted), len(question.quotes)
        sums = dict[int, tuple[int, int]]()
        for i in wanted:
            worth = idf(self.section.documents, question.words[i].documents)
            if self.in_all:
                worth = idf(self.all, self.in_all[i])
            for document, has in having[i].items():
                count, score = sums.get(document, (0, 0))
                sums[document] = count + 1, score + worth * has.worth // 128
        for i, word in enumerate(question.words):
            for document in having[i] if word.role == 1 else ():
                sums.pop(document, None)
        if filtering:
            if not asked:
                excluded = [i for i, word in enumerate(question.words) if word.role == 1]
                without = {document for i in excluded for document in having[i]}
                sums = {d: (0, 0) for d in range(self.section.documents) if d not in without}
            sums = {
                document: own for document, own in sums.items() if document in filtering.passing
            }
        self.found.any = len(sums)
        self.found.all = sum(count == len(wanted) for count, _ in sums.values())
        for document, (count, score) in sums.items():
            if count == len(wanted):
                score += score // 5 if len(wanted) > 1 else 0
                if wanted and wanted == asked:
                    own = [having[i][document].rank for i in wanted]
                    score += title_bonus(score, own)
                sums[document] = count, score
        only = having[wanted[0]] if len(wanted) == 1 else {}
        behind = {document for document, has in only.items() if not has.itself}
        if any(quote.run for quote in question.quotes):
            behind |= {document for document, (count, _) in sums.items() if count < len(wanted)}
        order = sorted(sums, key=lambda own: (own in behind, -sums[own][1], own))
        hits = [PlainWordHit(document, *sums[document]) for document in order]
        runs = [quote for quote in question.quotes if quote.run]
        quotes = [quote for quote in question.quotes if not quote.run]
        self.found.unchecked = bool(quotes) and not self.texts_of
        self.found.pieces = bool(runs)
        unseen = bool(runs) and not self.texts_of
        if not self.texts_of:
            quotes, runs = [], []
        if quotes or runs or self.title_of:
            if self.title_of or self.nested or self.all_are_quoted(quotes, question.words):
                hits = [hit for hit in hits if hit.words == len(asked)]
            hits = self.chosen(hits, question.words, quotes, runs, len(wanted), top)
        if unseen:
            hits = [less(hit, len(wanted)) for hit in hits]
        self.found.hits = hits[:top]
        return self.found

    def filtering(self, question: Question) -> Filtering | None:
        """Return what the filters leave, None without any."""
        given = [replace(one, given=True) for one in filters_of(self.given)]
        filters = [*question.filters, *given]
        self.found.capped |= len(filters) > FILTERS
        self.found.filters = filters[:FILTERS]
        if not filters:
            return None
        found = Filtering(self.found.filters, self.labels, self.cold)
        self.found.capped |= found.capped
        self.found.allowed, self.found.unlabelled = len(found.passing), found.unlabelled
        return found

    def having(self, word: PlainAsked) -> dict[int, Has]:
        """Return the documents of an asked word, or of its other forms."""
        own, others, letters = list[Word](), list[Word](), plain_spelling(word.term)
        alone = self.exact or word.role != 0
        spelled = None if alone or word.prefix else self.section.all.get(word.spelled)
        with_marks = not (alone or word.prefix) and bool(word.spelled and (spelled or self.in_all))
        if word.prefix:
            own = self.beginning(word.term)
        elif word.term in self.section.all:
            own = [self.section.all[word.term]]
            if not alone:
                others = [one for one in self.others(own[0]) if self.is_form(one.word, word.term)]
        elif not alone and word.term != letters:
            first = self.section.all.get(letters)
            others = [first, *self.others(first)] if first else []
        without = sum(one.having for one in own)
        if with_marks:
            others, own = [*own, *others], [spelled] if spelled else []
        if word.quoted:
            others = [one for one in others if self.is_spelling(one.word, word)]
        alike = [one for one in others if is_spelled_out(one.word, word.term) and not with_marks]
        every = self.section.documents
        with_it = sum(one.having for one in own)
        documents = with_it or without
        for one in alike:
            documents, more = min(every, documents), min(every, one.having)
            documents += more - documents * more // every
        word.documents = min(every, documents or sum(one.having for one in others))
        word.forms = any(
            one.postings and (one.word != word.term or one.having > with_it) for one in others
        )
        having = dict[int, Has]()
        for one in [*own, *others]:
            is_plain = one in others and one.word in (word.term, letters)
            is_form = one not in own and one not in alike and not is_plain
            postings = one.postings
            if self.cold and word.role != 2 and len(one.blocks) > 1 + GOING_ON:
                word.partial = True
                postings = postings[: sum(size for _, size in one.blocks[: 1 + GOING_ON])]
            for document, rank in postings:
                has, worth = having.get(document, Has(0, 0, False, 0)), worth_of(rank)
                having[document] = Has(
                    max(has.twice, worth * (0 if is_form else 2 - is_plain)),
                    has.forms + worth * is_form,
                    has.itself or one in own,
                    max(has.rank, rank),
                )
        return having

    def others(self, first: Word) -> list[Word]:
        """Return the words of its class that come after a word."""
        place, found, word = self.section.section.place(), list[Word](), first
        while word.ending:
            word = self.section.all[word.next_form(place)]
            if word is first:
                break
            if len(found) == FORMS - 1:
                self.found.capped = True
                break
            found.append(word)
        return found

    def beginning(self, term: bytes) -> list[Word]:
        letters = parted(term)[0]
        every = self.section.all.values()
        begun = [one for one in every if one.word.startswith(letters) and b"\0" not in one.word]
        most = BEGUN_COLD if self.cold else BEGUN
        self.found.capped |= len(begun) > most
        return [word for word in begun[:most] if word.postings and is_begun(word.word, term)]

    def is_form(self, form: bytes, term: bytes) -> bool:
        """Return whether a word of its class stands for a term that is asked."""
        marks = parted(form)[1]
        return not (self.marked and marks) or marks == parted(term)[1]

    def is_spelling(self, term: bytes, word: PlainAsked) -> bool:
        """Return whether a term is an asked word, its plain spelling, or one whose plain spelling
        was typed.
        """
        if term == word.term or self.exact or word.role != 0:
            return term == word.term
        letters = plain_spelling(word.term)
        if letters == word.term:
            return self.is_form(term, word.term) and is_spelled_out(term, letters)
        return term == letters

    def all_are_quoted(self, quotes: Sequence[Quote], words: Sequence[PlainAsked]) -> bool:
        """Return whether no hit can have the quotes that has not all asked words."""
        quoted = {term for quote in quotes if not quote.negative for term in quote.terms}
        return (
            bool(quoted)
            and self.section.heaviest == 0
            and self.section.title_weight > 0
            and all(
                word.term in quoted and not word.prefix and not word.partial
                for word in words
                if word.role == 0
            )
        )

    def chosen(
        self,
        hits: list[PlainWordHit],
        asked: Sequence[PlainAsked],
        quotes: Sequence[Quote],
        runs: Sequence[Quote],
        wanted: int,
        top: int,
    ) -> list[PlainWordHit]:
        """Return, of the first hits, those that have the quotes, and the words in the title; those
        with the runs before the others.
        """
        most, filters = self.looked, bool(quotes or self.title_of)
        given, looked = hits[:most] if filters else hits[: min(most, self.found.all)], 0
        seen, others = list[PlainWordHit](), list[PlainWordHit]()
        for hit in given:
            if len(seen) == top:
                break
            looked += 1
            if self.title_of and not self.titled(self.title_of(hit.document), asked):
                continue
            texts = [
                [term.bytes for term in wholes(own, self.marks)]
                for own in (self.texts_of(hit.document) if self.texts_of else ())
            ]
            if all(
                any(self.has(own, quote) for own in texts) != quote.negative for quote in quotes
            ):
                fits = all(any(self.has(own, run) for own in texts) for run in runs)
                (seen if fits else others).append(hit)
        if filters:
            self.found.capped |= len(seen) < top and len(hits) > most
        else:
            if looked == self.found.all:
                self.found.pieces, self.found.all = False, len(seen)
            others += hits[looked:]
        return [*seen, *(less(hit, wanted) for hit in others)]

    def has(self, terms: Sequence[bytes], quote: Quote) -> bool:
        """Return whether a text has the words of a quote side by side."""
        asked = [PlainAsked(term, 2 * quote.negative, 0, 0) for term in quote.terms]
        return any(
            all(self.is_spelling(terms[i + k], word) for k, word in enumerate(asked))
            for i in range(len(terms) - len(asked) + 1)
        )

    def titled(self, title: bytes, asked: Sequence[PlainAsked]) -> bool:
        found = [word.bytes for word in words(title, self.marks)]
        if not self.marked:
            found = [parted(word)[0] for word in found]
        return all(
            any(is_begun(own, word.term) if word.prefix else own == word.term for own in found)
            for word in asked
            if word.role == 0
        )


def less(hit: PlainWordHit, wanted: int) -> PlainWordHit:
    """Return a hit of which it is not known that it has all."""
    return PlainWordHit(hit.document, hit.words - (hit.words == wanted), hit.score)


def is_begun(word: bytes, term: bytes) -> bool:
    """Return whether a word begins with the letters of a term, and has its marks."""
    return word.startswith(parted(term)[0]) and has_marks_of(term, word)


def worth_of(rank: int) -> int:
    return WORTHS[rank] if rank < LEVELS else TITLE_WORTH


def title_bonus(score: int, ranks: Sequence[int]) -> int:
    """Return what a title adds to the score of a document that has all words with these ranks."""
    if min(ranks) < LEVELS:
        return 0
    words = min(ranks) - LEVELS + 1
    return score // 2 if words == len(ranks) and words < RANKS - LEVELS else score // 5
