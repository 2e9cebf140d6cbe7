"""The passages of a text that very many documents have (docs/format.md, section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from pocketindex.answers.results import Part

MOST_EXAMPLES = 3


@dataclass(frozen=True, repr=False, slots=True)
class ExampleDocument(Part):
    """A document that has a frequent passage. file: the name of the pocket file."""

    id: str
    title: str
    url: str
    file: str


@dataclass(frozen=True, repr=False, slots=True)
class FrequentPassage(Part):
    """A passage of the text that very many documents have, so that none of them is its source.

    start, end: its place in the text, in code points. documents: about how many documents have it.
    This is the number of its least frequent shingle, and is rather too low, because winnowing keeps
    the shingles at the ends of a passage in fewer documents. examples: one to three of these
    documents. verified: whether the passage was found in their texts; otherwise it may begin or end
    a few words too early or too late.
    """

    start: int
    end: int
    documents: int
    examples: tuple[ExampleDocument, ...]
    verified: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the passage for JSON, as `sources --json` prints it."""
        return {
            "frequent": [self.start, self.end],
            "documents": self.documents,
            "examples": [asdict(one) for one in self.examples],
            "verified": self.verified,
        }

    def __str__(self) -> str:
        named = ", ".join(one.title or one.id for one in self.examples)
        return f"in about {about(self.documents):,} documents, for instance {named}"


def about(documents: int) -> int:
    """Round a number to two digits."""
    step: int = 10 ** max(len(str(documents)) - 2, 0)
    return (documents + step // 2) // step * step


def of_files(found: Iterable[Iterable[FrequentPassage]]) -> list[FrequentPassage]:
    """Join the frequent passages that several files found in one text, in rising order. If several
    files have a passage at the same place, their numbers of documents are added.
    """
    rising = sorted((one for own in found for one in own), key=lambda one: (one.start, one.end))
    return [_together(list(own)) for _, own in groupby(rising, lambda one: (one.start, one.end))]


def _together(same: list[FrequentPassage]) -> FrequentPassage:
    examples = [record for one in same for record in one.examples]
    return replace(
        same[0],
        documents=sum(one.documents for one in same),
        examples=tuple(examples[:MOST_EXAMPLES]),
        verified=all(one.verified for one in same),
    )
