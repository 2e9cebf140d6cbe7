"""All pairs of near-duplicates among documents that a program has."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from pocketindex.arguments import as_text
from pocketindex.builder.collections import comparison
from pocketindex.builder.collections.options import Comparing, PairsOptions
from pocketindex.builder.collections.pairs import Pair, clusters
from pocketindex.builder.functions.choices import Reading, Shown, settings_of
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.functions.numbered import Numbered
from pocketindex.builder.functions.rows import Rows
from pocketindex.builder.out.rows import Types
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.settings import Settings
from pocketindex.given import is_pocket
from pocketindex.index import Index
from pocketindex.keywords import takes
from pocketindex.wording.counted import counted

if TYPE_CHECKING:
    import numpy.typing as npt


class SimilarPair(NamedTuple):
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


class Pairs(Rows[SimilarPair]):
    """Pairs of near-duplicates, by the second document, then the first.

    said: what the command says in the end. Iterates over SimilarPair.
    """

    types: ClassVar[Types] = {
        "a": "string",
        "b": "string",
        "similarity": "double",
        "kind": "string",
        "a_number": "int64",
        "b_number": "int64",
    }
    _make: ClassVar[Any] = SimilarPair

    def __init__(
        self, columns: Sequence[Sequence[Any]], report: Report, count: int, said: str
    ) -> None:
        super().__init__(columns, report)
        self._count, self.said = count, said

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The numbers of each pair: n rows, two columns."""
        return np.stack([np.asarray(column, np.int64) for column in self._columns[4:]], axis=1)

    def clusters(self) -> list[list[int]]:
        """Return groups of documents, by number, that pairs join, directly or through others."""
        rows = zip(self._columns[4], self._columns[5], strict=True)
        return clusters(self._count, (Pair(a, b, 1.0, False) for a, b in rows))

    def _sum(self) -> str:
        return f"{counted(len(self), 'pair')} among {counted(self.report.indexed, 'document')}"


@dataclass(frozen=True, kw_only=True)
class PairsCall(Reading, PairsOptions, Shown):
    """The arguments of pairs."""

    documents: Documents | Index = field(kw_only=False)


@takes(PairsCall)
def pairs(call: PairsCall) -> Pairs:
    """List all pairs of near-duplicates.

    documents: what [Documents][pocketindex.builder.Documents] says, read once; or an open pocket
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
    other arguments are those of [Reading][pocketindex.builder.Reading].

    Raises TypeError (documents that are none), ValueError, SourceError, NoSpace, OSError.

    >>> import pocketindex
    >>> texts = ["a rose is a rose is a rose"] * 2 + ["another text of other words"]
    >>> [(pair.a, pair.b, pair.kind) for pair in pocketindex.pairs(texts)]
    [('0', '1', 'exact')]
    """
    documents, settings, report = call.documents, settings_of(call), Report()
    with ExitStack() as stack:
        shown = stack.enter_context(looked_at(call.progress))
        if isinstance(documents, str | os.PathLike) and is_pocket(as_text(documents)):
            documents = stack.enter_context(Index(documents))
        given: Index | Numbered = (
            documents
            if isinstance(documents, Index)
            else Numbered(found_of(documents, settings), report, shown)
        )
        found = compared(stack, given, call, shown, settings)
        numbers: Sequence[int] = range(found.count)
        count = found.count
        if isinstance(given, Numbered):
            numbers, count = given.numbers, given.count
        a = list[str]()
        b = list[str]()
        kinds = list[str]()
        similarities = array("d")
        firsts = array("q")
        seconds = array("q")
        for pair in found.pairs:
            a.append(found.id(pair.first))
            b.append(found.id(pair.second))
            similarities.append(pair.similarity)
            kinds.append("exact" if pair.exact else "near")
            firsts.append(numbers[pair.first])
            seconds.append(numbers[pair.second])
        said = found.said()
    log(found.report)
    return Pairs((a, b, similarities, kinds, firsts, seconds), found.report, count, said)


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
