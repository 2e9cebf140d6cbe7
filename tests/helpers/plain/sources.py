"""docs/format.md, section 9: the documents that parts of a text come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from plain.chosen import ADDED, Found, Part, choose, passages_of
from plain.judged import File
from plain.segments import segments
from plain.terms import every_word
from plain.traced import Trace


@dataclass(frozen=True)
class PlainPassage:
    """Terms first .. last - 1 of a text, which are its bytes start .. end - 1.

    edited: in ten-thousandths; documents: that have a sentence of it word for word.
    """

    start: int
    end: int
    first: int
    last: int
    document_start: int = 0
    document_end: int = 0
    edited: int = 0
    documents: int = 0
    verified: bool = False


@dataclass(frozen=True)
class PlainSource:
    """A document that passages of a text come from; coverage and added in ten-thousandths."""

    document: int
    coverage: int
    added: int
    evidence: int
    passages: tuple[PlainPassage, ...]


@dataclass(frozen=True)
class PlainSources:
    """Sources of a text. all: how many there are, terms: of the text; coverage: in ten-thousandths;
    capped: whether there was more than is looked at; words_only: the longest sentence, from byte
    start up to end, whose words documents have, one of these, and how many; zeros where none is.
    """

    sources: tuple[PlainSource, ...]
    all: int
    terms: int
    coverage: int
    capped: bool
    words_only: tuple[int, int, int, int] = (0, 0, 0, 0)


def find_sources(file: File, text: bytes, top: int, cold: bool) -> PlainSources:
    """Return at most top sources. cold: only the shingles are looked up that winnowing keeps."""
    if file.text_of:
        file = replace(file, text_of=cache(file.text_of))
    traces = [Trace(file, segment, cold) for segment in segments(text, file.profile.marks)]
    passages = passages_of(part for trace in traces for part in trace.parts)
    terms = list(every_word(text, file.profile.marks))

    def written(own: Part) -> PlainPassage:
        return PlainPassage(
            terms[own.first].start,
            terms[own.last - 1].end,
            own.first,
            own.last,
            *own.own_bytes,
            edited(own),
            own.documents,
            own.verified,
        )

    chosen = choose(
        [
            Found(document, [(one.first, one.last) for one in own])
            for document, own in passages.items()
        ],
        min(ADDED, max(1, len(terms))),
    )
    sources = tuple(
        PlainSource(
            found.document,
            share(len(found.terms), len(terms)),
            share(added, len(terms)),
            max(one.evidence for one in passages[found.document]),
            tuple(map(written, passages[found.document])),
        )
        for found, added in chosen[:top]
    )
    covered = {term for found, _ in chosen for term in found.terms}
    capped = any(trace.capped for trace in traces)
    coverage = share(len(covered), len(terms))
    noted = [trace.words_only for trace in traces if trace.words_only]
    longest = max(noted, key=lambda own: own.terms)[1:] if noted else (0, 0, 0, 0)
    return PlainSources(sources, len(chosen), len(terms), coverage, capped, longest)


def edited(own: Part) -> int:
    """Return what is not the same of the longer one of a passage and its place in the document."""
    terms = max(own.terms, own.own[1] - own.own[0])
    return share(terms - min(own.same, terms), terms)


def share(part: int, whole: int) -> int:
    return part * 10_000 // whole if whole else 0
