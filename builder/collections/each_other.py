"""Compare the texts of a set with one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.findings import VERDICTS, Evidence, FoundPassage
from pocketindex.builder.collections.temporary_index import TemporaryIndex
from pocketindex.builder.document import Document
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.constants import MOST_SOURCES
from pocketindex.joint_index import JointIndex


@dataclass(frozen=True, slots=True)
class Pair:
    """The numbers of two texts, and what the first one has of the second one.

    evidence: has the number of the second text as its id. capped: whether one of them has more
    matches than are looked at.
    """

    first: int
    second: int
    evidence: Evidence
    capped: bool


def each_other(
    texts: Sequence[str], least: float, window: int, measure: str, each: Each = one_by_one
) -> Iterator[Pair]:
    """Yield each pair of texts that have a passage in common or are near to each other, once.

    Each text is looked for in all others. A temporary index of the texts tells how rare a word is.
    least, window, measure: as for Checker.
    """
    with TemporaryIndex(texts) as made:
        if made.index is None:
            return
        checker = Checker(
            JointIndex.of([made.index]),
            least,
            window=window,
            top=MOST_SOURCES,
            each=each,
            measure=measure,
        )
        found = dict[tuple[int, int], list[Evidence]]()
        # What has no text is no copy of another one without.
        documents = [
            ("", Document(str(number), "", text))
            for number, text in enumerate(texts)
            if text.strip()
        ]
        findings = checker.check(texts, documents)
        for number, finding in enumerate(findings):
            for one in finding.evidence:
                other = int(one.id)
                if other != number and one.verified:
                    pair = (min(number, other), max(number, other))
                    found.setdefault(pair, []).append(
                        one if number < other else _turned(one, number)
                    )
        for (first, second), seen in sorted(found.items()):
            capped = findings[first].capped or findings[second].capped
            yield Pair(first, second, _joined(seen), capped)


def _turned(one: Evidence, number: int) -> Evidence:
    """Swap the sides of evidence: what the text with this number has of another one becomes what
    the other one has of it.
    """
    passages = tuple(
        replace(
            own,
            start=own.document_start,
            end=own.document_end,
            document_start=own.start,
            document_end=own.end,
        )
        for own in one.passages
        if own.document_start is not None and own.document_end is not None
    )
    return replace(
        one, id=str(number), coverage=None, document_coverage=one.coverage, passages=passages
    )


def _joined(seen: Sequence[Evidence]) -> Evidence:
    """Join the evidence of a pair that its two texts gave when each was looked for in the other. A
    passage that only one of them gave counts for both.
    """
    best = min(seen, key=lambda one: VERDICTS.index(one.kind))
    passages = list[FoundPassage]()
    for one in seen:
        passages += [
            own
            for own in one.passages
            if all(own.end <= other.start or own.start >= other.end for other in passages)
        ]
    return replace(
        best,
        coverage=next((one.coverage for one in seen if one.coverage is not None), None),
        document_coverage=next(
            (one.document_coverage for one in seen if one.document_coverage is not None), None
        ),
        passage=next((one.passage for one in seen if one.passage is not None), None),
        passages=tuple(sorted(passages, key=lambda own: own.start)),
    )
