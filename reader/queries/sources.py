"""Name the documents that passages of a text come from (docs/format.md, section 9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from pocketindex.answers.results import Part, Result, Results
from pocketindex.arguments import check_whole
from pocketindex.cbits import ffi, lib
from pocketindex.constants import MOST_SOURCES, SectionKind
from pocketindex.contents.sections import sections_of
from pocketindex.ffi.status import check
from pocketindex.queries.frequent_passages import ExampleDocument, FrequentPassage, of_files
from pocketindex.queries.spans import LEAST_TERMS, Span, code_points, joined, ordered
from pocketindex.wording.counted import counted

if TYPE_CHECKING:
    from pocketindex.index import Index

LEAST_PASSAGE = 9  # words; a piece of fewer is a phrase


@dataclass(frozen=True, repr=False, slots=True)
class CommonPassage(Part):
    """A passage that was found in the text of a document. Places are in code points.

    start, end: the passage in the text that was asked for; document_start, document_end: the
    passage in the document. edited: the share of its words that the document does not have, 0 to 1.
    documents: the number of documents that were seen to have a sentence of it word for word, 0 if
    there is none.
    """

    start: int
    end: int
    document_start: int
    document_end: int
    edited: float
    documents: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the passage for JSON."""
        return {
            "start": self.start,
            "end": self.end,
            "document_start": self.document_start,
            "document_end": self.document_end,
            "edited": round(self.edited, 4),
            "documents": self.documents,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Source(Result):
    """A document that passages of a text come from.

    coverage: the share of the text that its passages cover, 0 to 1; added: the share that it covers
    and no source before it. passages: their places in the text, in code points, in rising order;
    terms: the same places, counted in terms of the text. verified: whether the passages were found
    in the text of the document, which needs a file that keeps texts. Then common has the passages
    with their places in the document, the share of each that was edited, and the number of
    documents that have it. Otherwise common is empty and the passages are estimates: each may begin
    or end half a window of words, or a sentence, too early or too late. phrases_only: whether all
    passages are shorter than nine words and not known to be edited; many texts have such pieces
    by chance.
    evidence: that of its best passage: the more words or shingles the document shares with it, and
    the fewer other documents have these, the higher. number: that of the document in its file;
    file: the name of the pocket file.
    """

    id: str
    title: str
    url: str
    coverage: float
    added: float
    passages: tuple[Span, ...]
    number: int
    file: str
    evidence: int
    terms: tuple[Span, ...] = ()
    common: tuple[CommonPassage, ...] = ()
    phrases_only: bool = False

    @property
    def verified(self) -> bool:
        """Say whether the passages were found in the document's text."""
        return bool(self.common)

    def as_dict(self) -> dict[str, Any]:
        """Return the source for JSON, as `sources --json` prints it."""
        plain: dict[str, Any] = {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "coverage": round(self.coverage, 4),
            "added": round(self.added, 4),
            "passages": [list(span) for span in self.passages],
            "file": self.file,
            "verified": self.verified,
            "phrases_only": self.phrases_only,
        }
        if self.common:
            plain["common"] = [own.as_dict() for own in self.common]
        return plain


@dataclass(frozen=True, repr=False, slots=True)
class WordsOnly(Part):
    """A sentence whose rarest words are all in a document, of a file that keeps no texts. So it is
    unknown whether the document has them in the same order.

    start, end: the sentence, in code points of the text. documents: the number of documents that
    were seen to have these words. The other fields describe one of these documents.
    """

    start: int
    end: int
    documents: int
    id: str
    title: str
    url: str
    number: int
    file: str

    def as_dict(self) -> dict[str, Any]:
        """Return the sentence and the document for JSON, as `sources --json` prints them."""
        return {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "file": self.file,
            "words_only": [self.start, self.end],
            "documents": self.documents,
        }


@dataclass(frozen=True, repr=False)
class Sources(Results[Source]):
    """The sources of a text: the one that covers most of it, then each time the one that adds most.

    coverage: the share of the text that all sources cover together, 0 to 1, including those that
    are not listed; total: the number of all sources; terms: the number of terms of the text.
    capped: whether the text has more matches than are looked at, so that sources may be missing.
    words_only: for each file without texts, the longest sentence that was not found as a passage
    although documents have all of its words. frequent: the passages that very many documents have,
    in rising order; no source is named for them. without_words: the files that were built without
    words, in which at most longer passages are found. If there are no sources, words_only, frequent
    and without_words are empty, and capped is False, then no document has the text or a sentence of
    it.
    """

    sources: tuple[Source, ...] = ()
    coverage: float = 0.0
    terms: int = 0
    capped: bool = False
    total: int = 0
    words_only: tuple[WordsOnly, ...] = ()
    without_words: tuple[str, ...] = ()
    frequent: tuple[FrequentPassage, ...] = ()

    def summary(self) -> str:
        """Return a line that says how much of the text is in how many documents, and what may be
        missing.
        """
        if self:
            least = "at least " if self.capped else ""
            said = f"{self.coverage:.0%} of this text is in {least}"
            said += counted(self.total, "document")
            if len(self) < self.total:
                first = "first is" if len(self) == 1 else f"first {len(self):,} are"
                said += f"; the {first} shown"
            if all(one.phrases_only for one in self):
                said += f"; all passages that were found are shorter than {LEAST_PASSAGE} words"
        else:
            said = (
                "no source was found, but very many documents have a passage of this text"
                if self.frequent
                else f"no passage of this text ({counted(self.terms, 'word')}) was found"
            )
            if self.words_only:
                said += "; a document has all words of a sentence, but in an unknown order, because"
                said += " the file keeps no texts"
        if not self and self.without_words:
            names = ", ".join(self.without_words)
            verb = "was" if len(self.without_words) == 1 else "were"
            said += f"; {names} {verb} built without words, so sentences and short passages are "
            said += "not found there"
        if self.capped:
            said += "; the text has more matches than are looked at, so sources may be missing"
        return said


class Documents(Protocol):
    """A collection whose documents the core names by numbers."""

    def fields(self, number: int) -> tuple[str, str, str, str]:
        """Return id, title, url and file of a document."""


@dataclass(frozen=True, slots=True)
class OfFile:
    """The documents of an open file. path: the name that messages give to the file."""

    index: Index
    path: str

    def fields(self, number: int) -> tuple[str, str, str, str]:
        record = self.index.record(number)
        return record.id, record.title, record.url, self.path


@dataclass(frozen=True, slots=True)
class Traced:
    """The answer of the core for a text and one collection. Shares are in ten-thousandths.

    sources: (document, coverage, added, evidence) for each source. passages: for each source, a
    list of (start, end, document_start, document_end, first, last, edited, documents, verified);
    start and end are in bytes, those of the document in code points, first and last in terms.
    words_only: (start, end, document, documents); documents is 0 if there is no such sentence.
    """

    origin: Documents
    sources: list[tuple[int, int, int, int]]
    passages: list[list[tuple[int, ...]]]
    total: int
    terms: int
    coverage: int
    capped: bool
    words_only: tuple[int, int, int, int]
    # (start, end, documents, examples, verified) for each passage that very many documents have
    frequent: list[tuple[int, int, int, list[int], bool]]
    without_words: str = ""  # the name of the file if it has no words

    def spans(self, which: int) -> list[Span]:
        """Return the passages of a source, in terms."""
        return [(own[4], own[5]) for own in self.passages[which]]

    def is_phrases(self, which: int) -> bool:
        """Return whether all passages of a source are phrases."""
        return all(
            not edited and last - first < LEAST_PASSAGE
            for _, _, _, _, first, last, edited, _, _ in self.passages[which]
        )


def trace(index: Index, path: str, data: bytes, top: int) -> Traced:
    """Ask an open file for the sources of a text.

    data: the text in UTF-8; top: the number of sources that are listed, 1 to 1,000. Raises
    NoPassages, ValueError, Damaged.
    """
    check_whole("top", top, 1, MOST_SOURCES)
    out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
    options = ffi.new(
        "pocket_sources_options *",
        [ffi.sizeof("pocket_sources_options"), top, int(index.cold)],
    )
    check(lib.pocket_sources(index._core, data, len(data), options, out, error), error, index.path)
    has_words = any(own.kind == SectionKind.WORDS for own in sections_of(index._core))
    return replace(traced(out[0], OfFile(index, path)), without_words="" if has_words else path)


def traced(found: Any, origin: Documents) -> Traced:
    """Copy an answer of the core into a Traced, and free it."""
    try:
        sources = found.sources[0 : found.count]
        places = lib.pocket_sources_places(found)
        passages = [_plain(found.passages[i], places[i]) for i in range(found.passage_count)]
        seen = found.words_only
        return Traced(
            origin,
            [(one.document, one.coverage, one.added, one.evidence) for one in sources],
            [passages[one.first : one.first + one.count] for one in sources],
            int(found.all),
            int(found.terms),
            int(found.coverage),
            bool(found.capped),
            (seen.start, seen.end, seen.document, seen.documents),
            [_frequent(found, own) for own in found.frequent[0 : found.frequent_count]],
        )
    finally:
        lib.pocket_sources_free(found)


def sources_of(
    data: bytes,
    traced: Sequence[Traced],
    top: int,
    phrases_last: bool = False,
    passed_over: Iterable[str] = (),
) -> Sources:
    """Return the sources of a text in several files. Those of a single file keep their order.

    data: the text in UTF-8; traced: the answer of each file; top: the number of sources to list.
    phrases_last: whether sources that have only phrases come after all others. passed_over: the
    names of files that have neither passages nor words.
    """
    length = max(own.terms for own in traced)
    most = MOST_SOURCES if phrases_last else top
    if len(traced) == 1:
        rows = [(0, which, row[2] / 10_000) for which, row in enumerate(traced[0].sources)][:most]
        coverage = traced[0].coverage / 10_000
    else:
        every = [(i, which) for i, own in enumerate(traced) for which in range(len(own.sources))]
        spans = [traced[i].spans(which) for i, which in every]
        chosen = ordered(spans, LEAST_TERMS, most) if every else []
        rows = [(*every[number], added / max(length, 1)) for number, added in chosen]
        covered = sum(end - start for start, end in joined(span for own in spans for span in own))
        coverage = covered / max(length, 1)
        # A file that has more sources than it lists knows what all of them cover.
        coverage = max(coverage, *(own.coverage / 10_000 for own in traced))
    if phrases_last:
        rows = sorted(rows, key=lambda row: traced[row[0]].is_phrases(row[1]))[:top]
    places = code_points(
        data,
        [
            *(passage[:2] for i, which, _ in rows for passage in traced[i].passages[which]),
            *(own.words_only[:2] for own in traced),
            *(one[:2] for own in traced for one in own.frequent),
        ],
    )
    frequent = [[_frequent_passage(own, one, places) for one in own.frequent] for own in traced]
    return Sources(
        tuple(_source(traced[i], which, added, places) for i, which, added in rows),
        coverage,
        length,
        any(own.capped for own in traced),
        max(sum(own.total for own in traced), len(rows)),
        tuple(_words_only(own, places) for own in traced if own.words_only[3]),
        (*filter(None, (own.without_words for own in traced)), *passed_over),
        tuple(of_files(frequent)),
    )


def _plain(own: Any, place: Any) -> tuple[int, ...]:
    return (
        own.start,
        own.end,
        place.first,
        place.last,
        own.first,
        own.last,
        own.edited,
        own.documents,
        own.verified,
    )


def _source(traced: Traced, which: int, added: float, places: dict[int, int]) -> Source:
    number, coverage, _, evidence = traced.sources[which]
    passages = traced.passages[which]
    id, title, url, file = traced.origin.fields(number)
    return Source(
        id,
        title,
        url,
        coverage / 10_000,
        added,
        tuple((places[own[0]], places[own[1]]) for own in passages),
        number,
        file,
        evidence,
        tuple(traced.spans(which)),
        _common(passages, places),
        traced.is_phrases(which),
    )


def _common(
    passages: Sequence[tuple[int, ...]], places: dict[int, int]
) -> tuple[CommonPassage, ...]:
    """Return the passages with their places in the document; nothing for estimates."""
    if not all(own[8] for own in passages):
        return ()
    return tuple(
        CommonPassage(
            places[own[0]],
            places[own[1]],
            own[2],
            own[3],
            own[6] / 10_000,
            own[7],
        )
        for own in passages
    )


def _words_only(traced: Traced, places: dict[int, int]) -> WordsOnly:
    start, end, number, documents = traced.words_only
    id, title, url, file = traced.origin.fields(number)
    return WordsOnly(places[start], places[end], documents, id, title, url, number, file)


def _frequent(found: Any, own: Any) -> tuple[int, int, int, list[int], bool]:
    first = own.first_example
    examples = list(found.examples[first : first + own.example_count])
    return own.start, own.end, own.documents, examples, bool(own.verified)


def _frequent_passage(
    traced: Traced, own: tuple[int, int, int, list[int], bool], places: dict[int, int]
) -> FrequentPassage:
    start, end, documents, numbers, verified = own
    examples = tuple(ExampleDocument(*traced.origin.fields(number)) for number in numbers)
    return FrequentPassage(places[start], places[end], documents, examples, verified)
