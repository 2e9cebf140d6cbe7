"""Say by sketches and passages, where no text is at hand, what a document has of an item."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from pocketindex.asking.exact import Bag
from pocketindex.asking.sources import Source, Span
from pocketindex.builder.collections.findings import Evidence
from pocketindex.joint_index import FileHit, JointIndex

RARE = 7  # the evidence of a run that no other document has (Source.evidence)
MEASURED = 4  # terms of the runs by which this was chosen; of fewer a run says less
# Any two texts of a language share some runs, and those of one collection sentences of a form, with
# other names in them. A passage that runs tell says as much as twelve rare ones. Or it says that
# share of what a copy of so many words would, and has most of the item, or else so many words
# that say as much as five or six rare ones.
CERTAIN = 12 * RARE
DENSE, MOST = 0.45, 0.8
SURE, WORDS = 38, 68
GAP = 80  # words: passages that are nearer are one (docs/format.md, 9)
# Where a sketch is similar, too, to a part of the item or to the whole, three rare runs do.
LIKELY = 3 * RARE
# A document whose estimate is within one similarity_error of the threshold: above, any passage says
# that it is near; below, passages with this share of the item, if they are likely.
NEAR_SHARE = 0.3


@dataclass(slots=True)
class Proposed:
    """A document that sketches propose.

    whole: its similarity to the whole text; part, similarity: the part that it is most similar to,
    from first word to last + 1; equal, cosine: of the whole texts, once the document's text was
    seen.
    """

    hit: FileHit
    whole: float = 0.0
    part: tuple[int, int] = (0, 0)
    similarity: float = 0.0
    equal: bool = False
    cosine: float | None = None
    kept: bool = False


@dataclass(slots=True)
class Item:
    """A text that is looked for, the places of its words, and what was found so far."""

    text: str
    spans: list[Span]
    looked: list[str] = field(default_factory=list)
    proposed: dict[tuple[int, int], Proposed] = field(default_factory=dict)
    equal: list[Evidence] = field(default_factory=list)
    traced: set[int] = field(default_factory=set)  # files whose passages were looked into
    sources: dict[tuple[int, int], Source] = field(default_factory=dict)
    bags: dict[int, Bag] = field(default_factory=dict)  # by file, whose weights they have


class Estimates:
    """Judges documents of open files by what their sketches and passages tell.

    least: the similarity from which on a document is near to an item, or to a part of it.
    """

    def __init__(self, indexes: JointIndex, least: float) -> None:
        self._indexes = indexes
        self._least = least

    def has_part(
        self, item: Item, file: int, similarity: float, part: Span, source: Source | None
    ) -> bool:
        """Say by an estimate whether a document has a part of an item. In a file with passages one
        of the document's lies in that part, too, and its surest one is likely: else both are of one
        subject, in other words.
        """
        passages = source.passages if source and self._says(file, source) >= LIKELY else []
        return similarity >= self._limit(file) and (
            file not in item.traced
            or any(start < part[1] and end > part[0] for start, end in passages)
        )

    def is_passage(self, item: Item, file: int, source: Source) -> bool:
        """Say whether what runs tell of a source is more than sentences of a form."""
        index = self._indexes.indexes[file]
        words = _most_together(item, source.passages)
        of_copy = RARE * words / max((index.run_window + 1) / 2, index.run_terms)
        if self._says(file, source) >= CERTAIN:
            return True
        is_long = words >= WORDS and self._says(file, source) >= SURE
        return source.evidence >= DENSE * of_copy and (is_long or words >= MOST * len(item.spans))

    def _says(self, file: int, source: Source) -> float:
        """Return the evidence of a source as if its runs had four terms: a passage has fewer that
        do not overlap of longer runs, and any two texts have single words in common.
        """
        return source.evidence * self._indexes.indexes[file].run_terms / MEASURED

    def _limit(self, file: int) -> float:
        """Return the similarity from which on an estimate is evidence, and not chance."""
        index = self._indexes.indexes[file]
        return max(self._least, index.min_similarity(documents=len(self._indexes)))

    def is_similar(self, item: Item, file: int, similarity: float, source: Source | None) -> bool:
        """Say by an estimate whether a document is similar enough. Where that leaves it open, its
        passages, with a share of the item, decide in a file that has them.
        """
        least = self._limit(file)
        error = self._indexes.indexes[file].similarity_error(similarity)
        if file not in item.traced or abs(similarity - least) > error:
            return similarity >= least
        if source is None or similarity >= least:
            return source is not None
        return self._says(file, source) >= LIKELY and source.coverage >= NEAR_SHARE


def _most_together(item: Item, passages: Sequence[Span]) -> int:
    """Most words of an item that lie in passages without a gap of GAP words."""
    most = together = behind = 0
    for passage in sorted(passages):
        first, last = _words_of(item, passage)
        together = last - first + (together if first - behind <= GAP else 0)
        most, behind = max(most, together), last
    return most


def words_in(item: Item, passage: Span) -> int:
    """How many words of an item lie in a passage, whole or in part."""
    first, last = _words_of(item, passage)
    return last - first


def _words_of(item: Item, passage: Span) -> tuple[int, int]:
    """First word that lies in a passage, and last + 1."""
    start, end = passage
    return (
        bisect_right(item.spans, start, key=itemgetter(1)),
        bisect_left(item.spans, end, key=itemgetter(0)),
    )
