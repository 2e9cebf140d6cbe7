"""The answer for a text that was looked for: verdicts, methods and evidence."""

from __future__ import annotations

from dataclasses import dataclass

from pocketindex.answers.results import Part, Result
from pocketindex.queries.sources import WordsOnly

COPY, NEAR, PASSAGE, PHRASE, NOT_FOUND = VERDICTS = (
    "copy",
    "near",
    "passage",
    "phrase",
    "not found",
)
# The methods by which a text is looked for.
SKETCHES, PARTS, PASSAGES, KEPT, SOURCE, OTHERS = METHODS = (
    "sketches",
    "sketches of parts",
    "passages",
    "kept texts",
    "source",
    "each other",
)


@dataclass(frozen=True, repr=False, slots=True)
class FoundPassage(Part):
    """A passage of a text that a document has. Places are in code points.

    start, end: the passage in the text; document_start, document_end: the passage in the document.
    edited: the share of its words that the document does not have, 0 to 1. documents: the number of
    documents that were seen to have a sentence of it word for word, or about how many have a
    passage that very many documents have. The others are None if the text of the document was not
    read.
    """

    start: int
    end: int
    document_start: int | None = None
    document_end: int | None = None
    edited: float | None = None
    documents: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Evidence(Result):
    """A document that has a text or a part of it. What is unknown is None.

    kind: one of VERDICTS. verified: whether this was seen in the text of the document; otherwise it
    is estimated from its sketch, shingles or words. similarity: that of the sketches; cosine: that
    of the texts; jaccard: the share of the word 5-grams of both texts that both have. coverage: the
    share of the text that passages of the document cover, or the part to which its sketch is
    similar, 0 to 1. passage: the longest passage; passages: all of them. document_coverage: if two
    items are compared with each other, the share of the second item that the passages cover.
    """

    kind: str
    id: str
    title: str
    url: str
    file: str
    verified: bool = False
    similarity: float | None = None
    cosine: float | None = None
    coverage: float | None = None
    passage: str | None = None
    passages: tuple[FoundPassage, ...] = ()
    document_coverage: float | None = None
    jaccard: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a text.

    verdict: one of VERDICTS, the strongest kind of the evidence. coverage: the share of the text
    that passages of all documents cover together, 0 to 1; 1 for a copy, None if only whole texts
    were compared. looked: some of METHODS, empty if the text is too short for all of them.
    evidence: strongest first; documents: the number of documents that have something of the text,
    including those that are not listed; about how many if very many have a passage. capped: whether
    the text has more matches than are looked at. words_only: for a file that keeps no texts, the
    longest sentence whose words a document has in an unknown order.
    """

    verdict: str
    coverage: float | None
    looked: list[str]
    evidence: list[Evidence]
    documents: int = 0
    capped: bool = False
    words_only: WordsOnly | None = None
