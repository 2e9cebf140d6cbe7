"""What is said of a text that was looked for: verdicts, how it was looked for, and evidence."""

from __future__ import annotations

from dataclasses import dataclass

COPY, NEAR, PASSAGE, NOT_FOUND = VERDICTS = ("copy", "near", "passage", "not found")
# How a text was looked for.
SKETCHES, PARTS, SHINGLES, KEPT, SOURCE = METHODS = (
    "sketches",
    "sketches of parts",
    "passages",
    "kept texts",
    "source",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A document that has a text or a part of it.

    kind: of VERDICTS; similarity: of the sketches; cosine: of the texts; coverage: share of the
    text in passages of the document, or in the part that its sketch is similar to; passage: the
    longest of them. What was not looked at is None.
    """

    kind: str
    id: str
    title: str
    url: str
    file: str
    similarity: float | None = None
    cosine: float | None = None
    coverage: float | None = None
    passage: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a text.

    verdict: of VERDICTS, the strongest kind of the evidence; coverage: share of the text in
    passages, of all documents together, 1 of a copy, None where only whole texts were compared;
    looked: of METHODS, none where a text is too short for any; evidence: strongest first.
    """

    verdict: str
    coverage: float | None
    looked: list[str]
    evidence: list[Evidence]
