"""Say by sketches and passages, where no text is at hand, what a document has of an item."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from pocketindex.builder.collections.findings import Evidence
from pocketindex.joint_index import FileHit, JointIndex
from pocketindex.queries.exact import Bag
from pocketindex.queries.sources import Source, Span

RARE = 7  # the evidence of a shingle that no other document has (Source.evidence)
MEASURED = 4  # terms of the shingles by which this was chosen; of fewer a shingle says less
# Any two texts of a language share some shingles, and those of one collection sentences of a form,
# with other names in them. A passage that shingles tell says as much as twelve rare ones.
CERTAIN = 12 * RARE
# Or it has such a share of the item, and says so much of what a copy of rare shingles would. A copy
# of what fifty documents have says two sevenths of that.
MOST = (0.9, 0.2), (0.8, 0.45)
# Or it has so many terms, which say as much as five or six rare shingles, and so much of what a
# copy would.
TERMS, SURE, DENSE = 70, 38, 0.45
NEIGHBOURHOOD = 80  # terms between shingles that are evidence together (docs/format.md, 9)
LIKELY_PART = 4 * RARE  # where a sketch is similar to a part of the item, too, fewer do
# A document is near by its sketch and its passages together. Without a passage it needs a
# similarity of so many similarity_errors above the threshold. With passages that say as much as
# three rare shingles and have this share of the item, so many below it do, and in between as many
# as lie on a line.
NO_PASSAGE, PASSAGES, NEAR_SAYS, NEAR_SHARE = 1.6, -0.8, 3 * RARE, 0.3


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
        passages = source.passages if source and self._says(file, source) >= LIKELY_PART else []
        return similarity >= self._limit(file) and (
            file not in item.traced
            or any(start < part[1] and end > part[0] for start, end in passages)
        )

    def is_passage(self, file: int, source: Source) -> bool:
        """Say whether what shingles tell of a source is more than sentences of a form."""
        index, says = self._indexes.indexes[file], self._says(file, source)
        # A passage reaches half a window beyond its shingles.
        gap = NEIGHBOURHOOD - index.run_terms - 2 * (index.run_window // 2)
        terms = _most_together(source.terms, gap)
        copy = RARE * terms / max((index.run_window + 1) / 2, index.run_terms)
        of_copy = source.evidence / copy
        return (
            says >= CERTAIN
            or any(source.coverage >= part and of_copy >= thin for part, thin in MOST)
            or (terms >= TERMS and says >= SURE and of_copy >= DENSE)
        )

    def _says(self, file: int, source: Source) -> float:
        """Return the evidence of a source as if its shingles had four terms: a passage has fewer
        that do not overlap of longer shingles, and any two texts have single words in common.
        """
        return source.evidence * self._indexes.indexes[file].run_terms / MEASURED

    def _limit(self, file: int) -> float:
        """Return the similarity from which on an estimate is evidence, above the noise floor."""
        index = self._indexes.indexes[file]
        return max(self._least, index.min_similarity(documents=len(self._indexes)))

    def is_similar(self, item: Item, file: int, similarity: float, source: Source | None) -> bool:
        """Say by an estimate, and in a file with passages by those, too, whether a document is
        similar enough.
        """
        least = self._limit(file)
        if file in item.traced:
            has = 0.0
            if source:
                has = min(self._says(file, source) / NEAR_SAYS, source.coverage / NEAR_SHARE, 1)
            error = self._indexes.indexes[file].similarity_error(similarity)
            least += (NO_PASSAGE + (PASSAGES - NO_PASSAGE) * has) * error
        return similarity >= least


def _most_together(passages: Sequence[Span], gap: int) -> int:
    """Return the most terms that passages have together, no more than gap terms from each other."""
    most = together = behind = 0
    for first, last in passages:
        together = last - first + (together if first - behind <= gap else 0)
        most, behind = max(most, together), last
    return most


def words_in(item: Item, passage: Span) -> int:
    """Count the words of an item that lie in a passage, whole or in part."""
    start, end = passage
    return bisect_left(item.spans, end, key=itemgetter(0)) - bisect_right(
        item.spans, start, key=itemgetter(1)
    )
