"""Where the passages of a text come from (docs/format.md, section 9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pocketindex.arguments import check_whole
from pocketindex.cbits import ffi, lib
from pocketindex.contents.texts import read_text
from pocketindex.ffi.status import check
from pocketindex.queries.frequent_passages import FrequentPassage
from pocketindex.wording.common_passages import CommonPassage

if TYPE_CHECKING:
    from pocketindex.index import Index

MOST_SOURCES = 1_000

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Source:
    """A document that passages of a text come from.

    coverage: share of the text that its passages have; added: share that it has and no source
    before it; passages: places in the text, in code points, rising. In a file that keeps the texts
    passages are exact, and common has each with its place in the document and how much of it was
    edited; otherwise a passage may begin or end half a window of words too early or too late, and
    common is empty. evidence: what the shingles of its surest passage say together: 7 for four words in
    a row that no other document has, less for what more have. terms: what its shingles tell of the
    places, in terms of the text, from a first one up to a last one. file: the pocket file.
    """

    id: str
    title: str
    url: str
    coverage: float
    added: float
    passages: list[Span]
    number: int
    file: str
    evidence: int
    terms: list[Span] = field(default_factory=list)
    common: list[CommonPassage] = field(default_factory=list)

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
        }
        if self.common:
            plain["common"] = [
                {
                    "start": own.start,
                    "end": own.end,
                    "document_start": own.document_start,
                    "document_end": own.document_end,
                    "edited": round(own.edited, 4),
                }
                for own in self.common
            ]
        return plain


class Sources(list[Source]):
    """Sources of a text, the one that explains most of it first, then by what each adds.

    coverage: share of the text that they have together; terms: of the text, or those that were
    looked at; capped: whether the text had more terms or more matches than are looked at; frequent:
    passages that very many documents have, which are no sources, rising.
    """

    def __init__(
        self,
        sources: Iterable[Source] = (),
        coverage: float = 0.0,
        terms: int = 0,
        capped: bool = False,
        frequent: Sequence[FrequentPassage] = (),
    ) -> None:
        super().__init__(sources)
        self.coverage = coverage
        self.terms = terms
        self.capped = capped
        self.frequent = list(frequent)


def find_sources(index: Index, text: str, top: int) -> Sources:
    """Return the sources of a text in an open file; where it keeps the texts, these decide.

    Raises NoPassages, ValueError, Damaged.
    """
    check_whole("top", top, 1, MOST_SOURCES)
    data = text.encode("utf-8", "replace")
    out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
    options = ffi.new(
        "pocket_sources_options *",
        [ffi.sizeof("pocket_sources_options"), top, int(index.cold)],
    )
    check(lib.pocket_sources(index._core, data, len(data), options, out, error), error, index.path)
    try:
        found = out[0]
        places = code_points(
            data, [(one.start, one.end) for one in found.passages[0 : found.passage_count]]
        )
        sources = [_source(index, one, found, places) for one in found.sources[0 : found.count]]
        frequent = _frequent(index, found, data)
        return Sources(sources, found.coverage / 10_000, found.terms, bool(found.capped), frequent)
    finally:
        lib.pocket_sources_free(out[0])


def by_added(sources: Sequence[Source], length: int, top: int) -> list[Source]:
    """Order sources of a text of so many code points by what each adds to those before it; equal
    ones stay in their order.
    """
    order = ordered([joined(one.passages) for one in sources], 0, top)
    return [replace(sources[which], added=added / max(length, 1)) for which, added in order]


def ordered(sources: Sequence[Sequence[Span]], least: int, top: int) -> list[tuple[int, int]]:
    """Return the numbers of at most top sources, and what each adds to those before it; one that
    adds less than least comes behind those that add more, by what it has, and adds 0.

    The spans of a source rise. Raises ValueError where they do not.
    """
    spans = [span for own in sources for span in own]
    ends = list(accumulate(map(len, sources)))
    count, error = ffi.new("uint32_t *", len(sources)), ffi.new("pocket_error *")
    order, added = (ffi.new("uint32_t[]", min(top, len(sources))) for _ in range(2))
    status = lib.pocket_order_sources(
        ffi.new("pocket_span[]", spans), ends, count, least, len(order), order, added, error
    )
    check(status, error, "")
    return list(zip(order[0 : count[0]], added[0 : count[0]], strict=True))


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return the union of spans, rising."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def share(spans: Iterable[Span], length: int) -> float:
    """Return the share of a text of so many code points that spans cover."""
    return sum(end - start for start, end in joined(spans)) / length if length else 0.0


def _source(index: Index, one: Any, found: Any, places: list[Span]) -> Source:
    number, own = int(one.document), slice(one.first, one.first + one.count)
    record = index.record(number)
    passages = found.passages[own]
    return Source(
        record.id,
        record.title,
        record.url,
        one.coverage / 10_000,
        one.added / 10_000,
        places[own],
        number,
        index.path,
        int(one.evidence),
        [(passage.first, passage.last) for passage in passages],
        _common(index, number, passages, places[own]),
    )


def _common(
    index: Index, number: int, passages: Sequence[Any], places: Sequence[Span]
) -> list[CommonPassage]:
    """Return the passages that were found in a document's text, with their places there."""
    verified = [passage.verified for passage in passages]
    if not any(verified):
        return []
    text = read_text(index._core, index.path, number)
    spans = [(one.document_start, one.document_end) for one in passages]
    return [
        CommonPassage(*place, *own, one.edited / 10_000, one.documents)
        for one, place, own in zip(passages, places, code_points(text, spans), strict=True)
        if one.verified
    ]


def _frequent(index: Index, found: Any, data: bytes) -> list[FrequentPassage]:
    own = found.frequent[0 : found.frequent_count]
    places = code_points(data, [(one.start, one.end) for one in own])
    return [
        FrequentPassage(
            *place,
            one.documents,
            [index.record(number) for number in _examples(found, one)],
            bool(one.verified),
        )
        for one, place in zip(own, places, strict=True)
    ]


def _examples(found: Any, one: Any) -> list[int]:
    return list(found.examples[one.first_example : one.first_example + one.example_count])


def code_points(data: bytes, spans: Sequence[Span]) -> list[Span]:
    """Return byte spans of a text in UTF-8 as code points, in one pass."""
    places = dict[int, int]()
    before = 0
    count = 0
    for place in sorted({place for span in spans for place in span}):
        count += len(data[before:place].decode("utf-8", "replace"))
        places[place], before = count, place
    return [(places[start], places[end]) for start, end in spans]
