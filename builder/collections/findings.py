"""What is said of a text that was looked for: verdicts, how it was looked for, and evidence."""

from __future__ import annotations

from dataclasses import dataclass, field

from pocketindex.queries.sources import WordsOnly

COPY, NEAR, PASSAGE, PHRASE, NOT_FOUND = VERDICTS = (
    "copy",
    "near",
    "passage",
    "phrase",
    "not found",
)
# How a text was looked for.
SKETCHES, PARTS, PASSAGES, KEPT, SOURCE, OTHERS = METHODS = (
    "sketches",
    "sketches of parts",
    "passages",
    "kept texts",
    "source",
    "each other",
)


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage of a text: places in code points, in the text and, where the document's text was
    looked into, there.

    edited: the share of its words that the document does not have; documents: how many were seen
    that have a sentence of it word for word. What was not looked at is None.
    """

    start: int
    end: int
    document_start: int | None = None
    document_end: int | None = None
    edited: float | None = None
    documents: int | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A document that has a text or a part of it.

    kind: of VERDICTS; verified: whether that was seen in the document's text, or is estimated from
    its sketch, shingles or words; similarity: of the sketches; cosine: of the texts; jaccard: the
    share of the word 5-grams of both texts that both have; coverage: share of the text in passages
    of the document, or in the part that its sketch is similar to; passage: the longest of them;
    passages: all of them; document_coverage: of two items that are compared with each other, the
    share of the document in them. What was not looked at is None.
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
    passages: list[FoundPassage] = field(default_factory=list)
    document_coverage: float | None = None
    jaccard: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a text.

    verdict: of VERDICTS, the strongest kind of the evidence; coverage: share of the text in
    passages, of all documents together, 1 of a copy, None where only whole texts were compared;
    looked: of METHODS, none where a text is too short for any; evidence: strongest first;
    documents: how many there are that have something of the text, whatever is listed; capped:
    whether more was to be looked at than is; words_only: where the order of words is not known, the
    longest sentence whose words a document has.
    """

    verdict: str
    coverage: float | None
    looked: list[str]
    evidence: list[Evidence]
    documents: int = 0
    capped: bool = False
    words_only: WordsOnly | None = None
