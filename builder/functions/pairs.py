"""All pairs of near-duplicates among documents that a program has."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from pocketindex.answers.results import Result, Results
from pocketindex.arguments import as_text
from pocketindex.builder.collections import comparison
from pocketindex.builder.collections.options import Comparing, PairsOptions
from pocketindex.builder.collections.pairs import Pair, clusters
from pocketindex.builder.functions.choices import Reading, Shown, settings_of
from pocketindex.builder.functions.documents import Documents, records_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.settings import Settings
from pocketindex.builder.tally import Tally
from pocketindex.given import is_pocket
from pocketindex.index import Index
from pocketindex.keywords import takes
from pocketindex.wording.counted import counted

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, repr=False)
class SimilarPair(Result):
    """Two documents, a before b.

    a, b: their ids; similarity: 0..1; kind: "exact" (equal but for white space) or "near";
    a_number, b_number: which they are of what was given, from 0.
    """

    a: str
    b: str
    similarity: float
    kind: str
    a_number: int
    b_number: int


@dataclass(frozen=True, repr=False)
class Pairs(Results[SimilarPair]):
    """Pairs of near-duplicates, by the second document, then the first.

    report: what was read and left out; documents: how many were given; said: what the command says
    in the end.
    """

    pairs: tuple[SimilarPair, ...]
    report: Report
    documents: int
    said: str

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The numbers of each pair: n rows, two columns."""
        rows = [(one.a_number, one.b_number) for one in self.pairs]
        return np.array(rows, np.int64).reshape(len(rows), 2)

    def clusters(self) -> list[list[int]]:
        """Return groups of documents, by number, that pairs join, directly or through others."""
        pairs = (Pair(one.a_number, one.b_number, 1.0, False) for one in self.pairs)
        return clusters(self.documents, pairs)

    def __repr__(self) -> str:
        return f"<Pairs: {self._sum()}>"

    def _sum(self) -> str:
        return f"{counted(len(self), 'pair')} among {counted(self.report.indexed, 'document')}"


@dataclass(frozen=True, kw_only=True)
class PairsCall(Reading, PairsOptions, Shown):
    """The arguments of pairs."""

    documents: Documents | Index = field(kw_only=False)


@takes(PairsCall)
def pairs(call: PairsCall) -> Pairs:
    """List all pairs of near-duplicates.

    documents: what [Documents][pocketindex.Documents] says, read once; or an open pocket
    file, or the path of one. min_similarity: of a pair, above 0, at most 1. measure: what it is of
    two texts. "jaccard" is the number of word 5-grams that both have, of those that either has;
    "containment" the same, of those of the text that has fewer. Both depend on the two texts alone,
    and every pair is found. "records", for titles, addresses and the like, is the share of the
    words of both that stand in both, in order, or their share by weight if that is smaller; one
    record may begin in the middle of the other one, words that differ in a few characters count as
    the same, and records of which each has a term with a digit that the other one lacks are not
    near. min_similarity is .8 if it is not given, of records .82. "cosine" is the tf-idf cosine of
    all words, at most .1 above the one with 1 + ln tf; sketches propose the pairs, and of a pocket
    file without texts they decide, too. probes: for cosine, keys looked up in each table; None to
    scan all sketches, up to 1,048,576 texts. progress: None for a bar where somebody looks. The
    other arguments are those of [Reading][pocketindex.Reading].

    Raises TypeError (documents that are none), ValueError, SourceError, NoSpace, OSError.

    >>> import pocketindex
    >>> texts = ["a rose is a rose is a rose"] * 2 + ["another text of other words"]
    >>> [(pair.a, pair.b, pair.kind) for pair in pocketindex.pairs(texts)]
    [('0', '1', 'exact')]
    """
    documents, settings, report = call.documents, settings_of(call), Tally()
    with ExitStack() as stack:
        shown = stack.enter_context(looked_at(call.progress))
        if isinstance(documents, str | os.PathLike) and is_pocket(as_text(documents)):
            documents = stack.enter_context(Index(documents))
        given: Index | Numbered = (
            documents
            if isinstance(documents, Index)
            else Numbered(records_of(documents, settings, report), report, shown)
        )
        found = compared(stack, given, call, shown, settings)
        numbers: Sequence[int] = range(found.count)
        count = found.count
        if isinstance(given, Numbered):
            numbers, count = given.numbers, given.count
        pairs = tuple(
            SimilarPair(
                found.id(pair.first),
                found.id(pair.second),
                pair.similarity,
                "exact" if pair.exact else "near",
                numbers[pair.first],
                numbers[pair.second],
            )
            for pair in found.pairs
        )
        said = found.said()
    log(found.report)
    return Pairs(pairs, found.report.report(), count, said)


def compared(
    stack: ExitStack,
    given: Index | Numbered,
    how: Comparing,
    progress: Progress,
    settings: Settings,
) -> comparison.Comparison:
    """Compare documents with each other, or those of an open file; stack closes what is open.

    Raises what pairs raises.
    """
    if isinstance(given, Index):
        return comparison.of_file(stack, given, how, progress, settings)
    return comparison.of_texts(stack, given, given.report, how, progress, settings)
