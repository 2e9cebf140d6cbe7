"""docs/format.md, section 10: the words, quotes and filters of a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plain.filters import FILTERS, SPACE, filters_of, mark_at, next_mark
from plain.terms import Term
from plain.word_stream import PART, SPELLING, WHOLE, wholes, words

MANY = 8  # words of a text, from which on it has no syntax
ASKED = 64  # different terms
LOOKED = 512  # bytes behind a minus


@dataclass
class PlainAsked:
    """A term of a search: its bytes in the text; documents: how many have it.

    role: 0 asked, 1 excluded, 2 of a negative quote alone; spelled: with its marks.
    """

    term: bytes
    role: int
    start: int
    end: int
    documents: int = 0
    quoted: bool = False
    prefix: bool = False
    partial: bool = False
    alone: bool = False
    spelled: bytes = b""
    forms: bool = False


class Quote(NamedTuple):
    """Words that have to stand side by side, or, negative, may not; run: characters of a script
    without spaces, which a hit may lack.
    """

    terms: list[bytes]
    negative: bool
    run: bool = False


class Piece(NamedTuple):
    """A part of a question, from byte start to end."""

    start: int
    end: int
    quoted: bool
    negative: bool


def is_excludable(text: bytes) -> bool:
    """Return whether a text behind a minus begins with a quote, or a word of three letters, which
    may be a compound.
    """
    if mark_at(text, 0):
        return True
    term = next(words(text, False), None)
    if term is None or term.start > 0:
        return False
    characters = term.bytes.decode()
    return sum(c >= "a" for c in characters) >= 3 or any(c > "\u07ff" for c in characters)


def has_star(text: bytes, term: Term) -> bool:
    """Return whether a star behind a term makes it a beginning of words."""
    behind = text[term.end : term.end + 2]
    return (
        behind[:1] == b"*"
        and (len(behind) == 1 or behind[1] in SPACE)
        and text[term.start - 1 : term.start] != b"*"
    )


def moved(term: Term, piece: Piece) -> Term:
    return Term(term.bytes, piece.start + term.start, piece.start + term.end)


class Question:
    """What a text asks for."""

    def __init__(self, text: bytes, prefix: bool, marks: bool = False) -> None:
        self.words = list[PlainAsked]()
        self.quotes = list[Quote]()
        self.filters = filters_of(text)
        self.capped, self.ignored = len(self.filters) > FILTERS, False
        del self.filters[FILTERS:]
        rest = text
        for one in self.filters:
            rest = rest[: one.start] + b" " * (one.end - one.start) + rest[one.end :]
        if self.filters and len(list(wholes(rest))) >= MANY:
            self.filters, self.capped, self.ignored, rest = [], False, True, text
        self.text = text = rest
        every = list(wholes(text))
        ends = [every[0].end if every else len(text), *(one.end for one in self.filters[:1])]
        self.first_end = min(ends)
        pieces, many = list(self._pieces()), len(every) >= MANY
        self.ignored |= many and any(piece.quoted or piece.negative for piece in pieces)
        for piece in [Piece(0, len(text), False, False)] if many else pieces:
            own = text[piece.start : piece.end]
            terms = [moved(term, piece) for term in wholes(own, marks)]
            if (piece.quoted or piece.negative) and len(terms) > 1:
                self._quote(piece, terms)
                continue
            whole: PlainAsked | None = None
            fresh: PlainAsked | None = None  # the whole word before, if it was not asked before
            for found in words(own, marks):
                if found.kind == SPELLING and fresh:
                    fresh.spelled = found.bytes
                fresh = None
                if found.kind == SPELLING or found.single:
                    continue
                if piece.negative and found.kind != WHOLE:
                    continue
                term = moved(Term(found.bytes, found.start, found.end), piece)
                known = len(self.words)
                word = self._word(term, int(piece.negative))
                if found.kind == WHOLE and known < len(self.words) and not piece.negative:
                    fresh = word
                if found.kind == WHOLE and known < len(self.words) and not many:
                    whole = word
                    self.words[-1].alone = not (found.compounded or piece.quoted)
                elif found.kind == PART and whole:
                    whole.alone = False
                if word and not piece.negative and not piece.quoted:
                    last = prefix and term.end == len(text)
                    star = not many and has_star(text, term)
                    word.prefix |= last or star or is_lone(term.bytes)
            if not many and not piece.negative and not piece.quoted:
                self._runs(terms)

    def _runs(self, terms: list[Term]) -> None:
        run, end = list[bytes](), 0
        for term in [*terms, Term(b"", len(self.text) + 1, 0)]:
            if term.start >= end:
                if len(run) > 1:
                    self.quotes.append(Quote(run, False, True))
                    for word in self.words:
                        word.alone &= word.term not in run
                run = []
            run.append(term.bytes)
            end = term.end

    def _is_minus(self, at: int) -> bool:
        text = self.text
        return (
            text[at] == ord("-")
            and at >= self.first_end
            and text[at - 1] in SPACE
            and is_excludable(text[at + 1 : at + 1 + LOOKED])
        )

    def _pieces(self) -> Iterator[Piece]:
        at, text = 0, self.text
        while at < len(text):
            negative = self._is_minus(at)
            at += negative
            if size := mark_at(text, at):
                start, end = at + size, next_mark(text, at + size)
                if end == len(text):
                    yield Piece(start, end, False, False)
                    return
                yield Piece(start, end, True, negative)
                at = end + mark_at(text, end)
                continue
            start = at
            while at < len(text) and not mark_at(text, at):
                if text[at] in SPACE if negative else self._is_minus(at):
                    break
                at += 1
            yield Piece(start, at, False, negative)

    def _word(self, term: Term, role: int) -> PlainAsked | None:
        for word in self.words:
            if (word.term, word.role) == (term.bytes, role):
                return word
        if len(self.words) == ASKED:
            self.capped = True
            return None
        self.words.append(PlainAsked(term.bytes, role, term.start, term.end))
        return self.words[-1]

    def _quote(self, piece: Piece, terms: list[Term]) -> None:
        for term in terms:
            word = self._word(term, 2 if piece.negative else 0)
            assert word
            word.quoted = True
        self.quotes.append(Quote([term.bytes for term in terms], piece.negative))


def is_lone(term: bytes) -> bool:
    return len(term) >= 3 and len(term.decode()) == 1
