"""Documents that have a few words (docs/format.md, section 10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pocketindex.answers.results import Part, Result, Results
from pocketindex.arguments import check_whole
from pocketindex.cbits import ffi, lib
from pocketindex.contents.documents import read_records
from pocketindex.ffi.status import check
from pocketindex.queries.filters import (
    AskedFilter,
    filter_notes,
    filters_found,
    lacking,
    merged_filters,
)

if TYPE_CHECKING:
    from pocketindex.index import Index

MOST_HITS = 1_000
UNKNOWN, RARE = 1, 2  # words that others may be asked instead of
GROUPED = 20  # hits that are looked at for each group that is wanted
LEAST_GROUPED = 200
HOW = {
    lib.POCKET_REPLACED_JOINED: "joined",
    lib.POCKET_REPLACED_PARTED: "parted",
    lib.POCKET_REPLACED_SPELLED: "spelled",
    lib.POCKET_REPLACED_FORM: "form",
}
BM25 = 2.2 * log(2) / (26 * 256)  # the core's scores are this part of BM25's (docs/format.md 6.4)
HIGHEST = 2.2 * 25 / 26  # the most that the idf of a word of a text is multiplied by in a score


@dataclass(frozen=True, repr=False, slots=True)
class AskedWord(Part):
    """A word of a search as it was typed; documents: how many have it.

    excluded: behind a minus; quoted: within a quote that is looked for; prefix: a beginning of
    words; partial: on cold media, where not all of its documents were read; forms: documents with
    other forms of it were looked for, too, and where documents have these alone they are counted.
    """

    word: str
    documents: int
    excluded: bool = False
    quoted: bool = False
    prefix: bool = False
    partial: bool = False
    forms: bool = False


@dataclass(frozen=True, repr=False, slots=True)
class Replacement(Part):
    """What was asked instead of a word that no document has, or of two, or of a rare word.

    how: "form" (another form of the word), "joined" (two words as one), "parted" (one as two
    neighbours), "spelled" (spelt in another way); documents: how many have a rare word that was
    replaced, 0 for the others.
    """

    word: str
    instead: str
    how: str
    documents: int = 0


class Placed(NamedTuple):
    """A replacement, and the bytes start .. end - 1 of the text that it stands for."""

    start: int
    end: int
    replacement: Replacement


@dataclass(frozen=True, slots=True, repr=False)
class WordHit(Result):
    """A document that has words of a search.

    score: that of BM25, nearly, and more where the document has all words, or its title; words:
    how many of the asked ones it has; file: the pocket file; labels: none in a file that was built
    without --label; like: of a grouped search the other hits that are similar to this one, best
    first.
    """

    id: str
    title: str
    url: str
    score: float
    words: int
    number: int
    file: str
    labels: tuple[str, ...] = ()
    like: tuple[WordHit, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the hit for JSON, as `search --json` prints it, without empty fields."""
        plain: dict[str, Any] = {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "score": round(self.score, 4),
            "words": self.words,
            "file": self.file,
        }
        if self.labels:
            plain["labels"] = list(self.labels)
        if self.like:
            plain["like"] = [other.as_dict() for other in self.like]
        return plain


@dataclass(frozen=True, repr=False)
class WordHits(Results[WordHit]):
    """The hits of a search for words, best first.

    words: the words that were searched for; all, any: the numbers of documents that have all of
    these words (those that no document has do not count) and at least one of them; capped: whether
    more words, beginnings of words or texts matched than one search examines; unchecked: the files
    in which quotes were not looked for, because they keep no whole texts; ignored: whether
    quotation marks, minus signs or filters had no effect, because the text has eight words or more;
    pieces: whether all counts documents that have every two neighbouring characters of longer words
    in a script without spaces, and not all of these documents were checked; a hit that was not
    checked has fewer words; text: the text that was searched for; replacements: the words of the
    text that no document has, or few, and what was searched for instead; filters: the filters by
    label and language; allowed: the number of documents that match them; unlabelled: the files that
    do not keep what the filters need, each with the kinds of these filters.
    """

    hits: tuple[WordHit, ...] = ()
    words: tuple[AskedWord, ...] = ()
    all: int = 0
    any: int = 0
    capped: bool = False
    unchecked: tuple[str, ...] = ()
    ignored: bool = False
    pieces: bool = False
    text: str = ""
    replacements: tuple[Replacement, ...] = ()
    filters: tuple[AskedFilter, ...] = ()
    allowed: int = 0
    unlabelled: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def wanted(self) -> int:
        """Return the number of asked words that a document has."""
        return _wanted(self.words)

    @property
    def excluded(self) -> list[str]:
        """Return the words that no hit has, and quotes in quotation marks."""
        said = list[str]()
        for quoted, own in groupby(self.words, lambda one: one.quoted and one.excluded):
            left_out = [one.word for one in own if one.excluded]
            said += [f'"{" ".join(left_out)}"'] if quoted else left_out
        return said

    def as_dict(self) -> dict[str, Any]:
        """Return everything except the hits for JSON, as in the last line of `search --json`."""
        return {
            "words": [asdict(word) for word in self.words],
            "all": self.all,
            "any": self.any,
            "capped": self.capped,
            "unchecked": bool(self.unchecked),
            "ignored": self.ignored,
            "pieces": self.pieces,
            "replacements": [asdict(one) for one in self.replacements],
            "filters": [asdict(one) for one in self.filters],
            "allowed": self.allowed if self.filters else None,
            "unlabelled": bool(self.unlabelled),
            "notes": self.notes,
        }

    @property
    def notes(self) -> list[str]:
        """Return what a user should know about the answer, one sentence each."""
        unknown = [one.word for one in self.words if not one.documents and not one.excluded]
        said = []
        if unknown:
            verb = "is" if len(unknown) == 1 else "are"
            said.append(f"{', '.join(unknown)} {verb} in no document")
        said += [
            f"{one.word} is in {_few(one.documents)}; these are the hits for {one.instead}"
            for one in self.replacements
        ]
        if excluded := self.excluded:
            said.append(f"documents with {' or '.join(excluded)} are left out")
        if spelled := [one.word for one in self.words if one.quoted and one.forms]:
            verb = "stands" if len(spelled) == 1 else "stand"
            said.append(
                f"{', '.join(spelled)} also {verb} for other spellings, with or without accents"
            )
        if self.ignored:
            said.append(
                "in a search for eight words or more, quotation marks, minus signs and filters "
                "have no effect"
            )
        if self.unchecked:
            names = ", ".join(Path(path).name for path in self.unchecked)
            verb = "keeps" if len(self.unchecked) == 1 else "keep"
            said.append(
                f"{names} {verb} no whole texts, so only the words of quotes were searched for "
                "there"
            )
        said += filter_notes(self.filters, self.unlabelled)
        if any(one.partial for one in self.words):
            said.append(
                "for common words, only the documents in which they have the most weight were "
                "considered"
            )
        if self.capped:
            said.append(
                "the search has more words or matches than one search examines, so hits may be "
                "missing"
            )
        return said


class Having(NamedTuple):
    """How many documents of all files that are asked together have each word, and how many there
    are in all.
    """

    words: Sequence[int]
    all: int


def search(
    index: Index,
    text: str,
    top: int,
    prefix: bool,
    group: bool,
    replace: int = 0,
    having: Having | None = None,
    exact: bool = False,
    filters: bytes = b"",
) -> WordHits:
    """Return the documents of an open file that have the words of text. replace: UNKNOWN or RARE,
    where others may be asked instead of words that no document has, or few; having: how rare words
    are, None for the file's own count; exact: not where documents have other forms alone; filters:
    beside those of text.

    Raises NoWords, TextTooLong, ValueError, Damaged.
    """
    check_whole("top", top, 1, MOST_HITS)
    most = min(MOST_HITS, max(LEAST_GROUPED, GROUPED * top)) if group else top
    found = _ask(index, text, most, prefix, replace, having, exact, filters)
    return grouped(index, found, top) if group else found


def titled(index: Index, text: bytes, most: int) -> list[int]:
    """Return the documents of an open file that have all words of text in their titles, of the last
    one the beginning, best first. Raises NoWords, TextTooLong, Damaged.
    """
    with _found(index, text, most, prefix=True, titles=True) as found:
        return [one.document for one in found.hits[0 : found.count]]


@contextmanager
def _found(
    index: Index,
    data: bytes,
    most: int,
    *,
    prefix: bool,
    titles: bool = False,
    replace: int = 0,
    having: Having | None = None,
    exact: bool = False,
    filters: bytes = b"",
) -> Iterator[Any]:
    """Give the core's answer (pocket_search_found)."""
    out, error = ffi.new("pocket_search_found **"), ffi.new("pocket_error *")
    flags = map(int, (prefix, index.cold, exact, titles, replace))
    words = ffi.new("uint64_t[]", having.words) if having else ffi.NULL
    size, every = ffi.sizeof("pocket_search_options"), having.all if having else 0
    own = ffi.from_buffer("uint8_t[]", filters)
    options = ffi.new(
        "pocket_search_options *", [size, most, *flags, words, every, own, len(filters)]
    )
    check(lib.pocket_search(index._core, data, len(data), options, out, error), error, index.path)
    try:
        yield out[0]
    finally:
        lib.pocket_search_free(out[0])


def _ask(
    index: Index,
    text: str,
    most: int,
    prefix: bool,
    replace: int,
    having: Having | None,
    exact: bool,
    filters: bytes,
) -> WordHits:
    data = text.encode("utf-8", "replace")
    with _found(
        index,
        data,
        most,
        prefix=prefix,
        replace=replace,
        having=having,
        exact=exact,
        filters=filters,
    ) as found:
        given = data
        if found.text:
            data = bytes(ffi.buffer(found.text, found.text_length))
        rows = [(one.document, one.score, one.words) for one in found.hits[0 : found.count]]
        words = tuple(
            _asked(data[one.start : one.end], one.documents, one.flags)
            for one in found.words[0 : found.word_count]
        )
        return WordHits(
            _hits(index, rows),
            words,
            found.all,
            found.any,
            bool(found.capped),
            (index.path,) if found.unchecked else (),
            bool(found.ignored),
            bool(found.pieces),
            data.decode("utf-8", "replace"),
            tuple(one.replacement for one in _placed(found, given)),
            filters_found(index, found, data, filters),
            found.allowed,
            lacking(index.path, found.unlabelled),
        )


def _placed(found: Any, given: bytes) -> list[Placed]:
    """Return what the core's answer replaced in the text that was given."""
    other = ffi.buffer(found.text, found.text_length)[:] if found.text else given
    return [
        Placed(
            one.start,
            one.end,
            Replacement(
                given[one.start : one.end].decode("utf-8", "replace"),
                other[one.new_start : one.new_end].decode("utf-8", "replace"),
                HOW[one.how],
                one.documents,
            ),
        )
        for one in found.replacements[0 : found.replacement_count]
    ]


def replaced_in(
    index: Index, data: bytes, prefix: bool, replace: int, having: Having | None
) -> list[Placed]:
    """Return what an open file asks instead of words of data, as search does."""
    with _found(index, data, 1, prefix=prefix, replace=replace, having=having) as found:
        return _placed(found, data)


def _hits(index: Index, rows: Sequence[tuple[int, int, int]]) -> tuple[WordHit, ...]:
    """Return the hits; rows: the number, the score in the core's unit and the words of each."""
    records = read_records(index._core, index.path, [number for number, *_ in rows])
    return tuple(
        WordHit(
            record.id,
            record.title,
            record.url,
            score * BM25,
            words,
            number,
            index.path,
            index.labels(number) if index.has_labels else (),
        )
        for record, (number, score, words) in zip(records, rows, strict=True)
    )


def _few(documents: int) -> str:
    return f"only {documents:,} document{'s' * (documents > 1)}" if documents else "no document"


def _asked(word: bytes, documents: int, flags: int) -> AskedWord:
    return AskedWord(
        word.decode("utf-8", "replace"),
        documents,
        *(
            bool(flags & flag)
            for flag in (
                lib.POCKET_ASKED_EXCLUDED,
                lib.POCKET_ASKED_QUOTED,
                lib.POCKET_ASKED_PREFIX,
                lib.POCKET_ASKED_PARTIAL,
                lib.POCKET_ASKED_FORMS,
            )
        ),
    )


def grouped(index: Index, found: WordHits, top: int) -> WordHits:
    """Return the best hit of each group with the others of it beside, at most top of them.

    Hits are grouped by the collisions of their sketches, in a time that grows with the hits alone
    (Stein & Potthast, DIR 2007, section 4; docs/format.md, section 10).
    """
    numbers = [hit.number for hit in found]
    groups, error = ffi.new("uint32_t[]", max(len(numbers), 1)), ffi.new("pocket_error *")
    status = lib.pocket_group(index._core, numbers, len(numbers), groups, error)
    check(status, error, index.path)
    others = dict[int, list[WordHit]]()
    for place, hit in enumerate(found):
        if groups[place] != place:
            others.setdefault(groups[place], []).append(hit)
    best = [place for place in range(len(found)) if groups[place] == place][:top]
    hits = tuple(replace(found[place], like=tuple(others.get(place, ()))) for place in best)
    return replace(found, hits=hits)


def merged(answers: Sequence[WordHits], top: int) -> WordHits:
    """Return the hits of several files as one answer, at most top of them."""
    words = tuple(
        replace(
            own[0],
            documents=sum(one.documents for one in own),
            partial=any(one.partial for one in own),
            forms=any(one.forms for one in own),
        )
        for own in zip(*(answer.words for answer in answers), strict=True)
    )
    wanted = _wanted(words)
    hits = [hit for answer in answers for hit in answer]
    hits.sort(key=lambda hit: (hit.words < wanted, -hit.score))
    return WordHits(
        tuple(hits[:top]),
        words,
        sum(answer.all for answer in answers if answer.wanted == wanted),
        sum(answer.any for answer in answers),
        any(answer.capped for answer in answers),
        tuple(path for answer in answers for path in answer.unchecked),
        any(answer.ignored for answer in answers),
        any(answer.pieces for answer in answers),
        answers[0].text,
        (),
        merged_filters([answer.filters for answer in answers]),
        sum(answer.allowed for answer in answers),
        tuple(one for answer in answers for one in answer.unlabelled),
    )


def _wanted(words: Iterable[AskedWord]) -> int:
    return sum(1 for one in words if one.documents and not one.excluded)
