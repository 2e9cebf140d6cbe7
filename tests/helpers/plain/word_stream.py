"""docs/format.md, section 6.4: the words of a text, by which documents are found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from plain.terms import TERM_BYTES, Term, every_word

WHOLE, COMPOUND, PART, SPELLING = range(4)
LETTERS, MARKS = 10, 8  # of a spelling
JOINED = 5  # terms of a compound
JOINTS = ("-", "'", ".", "/", "&", "+", "\u2010", "\u2011", "\u2019", "\u00b7")
APOSTROPHES = (b"'", "\u2019".encode())
BLANKS = (" ", "\u00a0", "\u2009", "\u202f")
EMOJI = (range(0x2600, 0x27C0), range(0x2B00, 0x2C00), range(0x1F000, 0x1FB00))
COLOURS = range(0x1F3FB, 0x1F400)


class Word(NamedTuple):
    """A word and where it stands in the text; single: one code point beside a longer word, or the
    s of Iceland's; compounded: a term of a compound.
    """

    bytes: bytes
    start: int
    end: int
    kind: int
    single: bool
    compounded: bool = False


def words(text: bytes, marks: bool = False) -> Iterator[Word]:
    at = 0
    for chain, after in pairwise([*chains(text, marks), []]):
        yield from emoji(text, at, chain[0].start)
        joined = b"".join(term.bytes for term in chain)
        compound = 1 < len(chain) <= JOINED and len(joined) <= TERM_BYTES
        if compound:
            yield Word(joined, chain[0].start, chain[-1].end, COMPOUND, False)
        for term in chain:
            single = compound and is_single(term.bytes)
            yield Word(*term[:3], WHOLE, single or is_possessive(text, at, term), compound)
            if term.marks and len(term.bytes.decode()) <= LETTERS:
                yield Word(spelling(term), term.start, term.end, SPELLING, False)
            yield from parts(text, term, marks)
            yield from last_of_run(term, after)
        at = chain[-1].end
    yield from emoji(text, at, len(text))


def spelling(term: Term) -> bytes:
    """Return a term with its marks, as a word of its own."""
    return term.bytes + b"\0" + term.marks[:MARKS].encode()


def wholes(text: bytes, marks: bool = False) -> Iterator[Term]:
    found = (word for word in words(text, marks) if word.kind == WHOLE)
    return (Term(word.bytes, word.start, word.end) for word in found)


def chains(text: bytes, marks: bool) -> Iterator[list[Term]]:
    """Yield terms that are joined, those that are not each by itself."""
    chain = list[Term]()
    end, before_alone = 0, False
    for term in (signed(text, own) for own in every_word(text, marks)):
        alone = stands_alone(term) or is_possessive(text, end, term)
        if chain and (alone or before_alone or not is_joined(text, chain[-1], term)):
            yield chain
            chain = []
        chain.append(term)
        end, before_alone = term.end, alone
    if chain:
        yield chain


def is_possessive(text: bytes, end: int, term: Term) -> bool:
    """Return whether it is the s of Iceland's; end: of the term before it, or 0."""
    return end > 0 and term.bytes == b"s" and text[end : term.start] in APOSTROPHES


def signed(text: bytes, term: Term) -> Term:
    """Return C++ and C# with their signs."""
    if len(term.bytes) == 1 and term.bytes.isalpha():
        for signs in (b"++", b"#"):
            if text.startswith(signs, term.end):
                return Term(term.bytes + signs, term.start, term.end + len(signs))
    return term


def stands_alone(term: Term) -> bool:
    """Return whether it is of pair characters, or has signs."""
    return term.second >= 0 or term.bytes[1:2] in (b"+", b"#")


def is_joined(text: bytes, before: Term, after: Term) -> bool:
    between = text[before.end : after.start].decode("utf-8", "replace")
    if between == ",":
        return before.bytes.isdigit() and after.bytes.isdigit()
    if between in BLANKS:
        return before.bytes.isdigit() and len(before.bytes) < 4 and is_group(after.bytes)
    return between in JOINTS


def is_group(term: bytes) -> bool:
    return term.isdigit() and len(term) == 3


def is_single(term: bytes) -> bool:
    return len(term.decode()) == 1


def emoji(text: bytes, start: int, end: int) -> Iterator[Word]:
    at = start
    for character in text[start:end].decode("utf-8", "replace"):
        size = len(character.encode())
        code = ord(character)
        if any(code in own for own in EMOJI) and code not in COLOURS:
            # What is damaged before it moves its place: look for it.
            at = text.index(character.encode(), at)
            yield Word(character.encode(), at, at + size, WHOLE, False)
            at += size


def parts(text: bytes, term: Term, marks: bool) -> Iterator[Word]:
    """Yield the parts of a name, if it has several, or lines."""
    raw = text[term.start : term.end]
    cuts = [0, *(at for at in range(1, len(raw)) if is_cut(raw, at)), len(raw)]
    if len(cuts) == 2 and b"_" not in raw:
        return
    for first, last in pairwise(cuts):
        at = first
        for piece in raw[first:last].split(b"_"):
            for own in every_word(piece, marks) if piece else ():
                place = term.start + at
                found = own.bytes, place + own.start, place + own.end
                yield Word(*found, PART, is_single(own.bytes))
            at += len(piece) + 1


def last_of_run(term: Term, after: list[Term]) -> Iterator[Word]:
    """Yield the last of several pair characters; after: the next chain."""
    if term.second >= 0 and len(term.bytes.decode()) == 2:
        if not after or after[0].start >= term.end:
            yield Word(term.bytes.decode()[1].encode(), term.second, term.end, PART, True)


def is_cut(raw: bytes, at: int) -> bool:
    """Return whether a capital letter begins a part: behind a small letter, or before one."""
    before, own, behind = (raw[i : i + 1] for i in (at - 1, at, at + 1))
    if not is_capital(own):
        return False
    return is_small(before) or ((is_capital(before) or before.isdigit()) and is_small(behind))


def is_capital(byte: bytes) -> bool:
    return b"A" <= byte <= b"Z"


def is_small(byte: bytes) -> bool:
    return b"a" <= byte <= b"z"
