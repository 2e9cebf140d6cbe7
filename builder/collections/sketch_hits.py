"""Find the documents whose sketches are similar to a text, or to a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pocketindex.builder.collections.findings import COPY, NEAR, PASSAGE, Evidence, FoundPassage
from pocketindex.builder.collections.parts import SHORT, parts, word_spans
from pocketindex.builder.collections.shingles.sets import similarities
from pocketindex.index import encode
from pocketindex.joint_index import JointIndex
from pocketindex.queries.exact import Bag
from pocketindex.queries.hits import FileHit
from pocketindex.queries.spans import Span

TOP = 20  # hits of each query
DOUBT = 3  # times similarity_error below the threshold, a document is still compared by its text


class Likeness(NamedTuple):
    """How similar two texts are by each measure, 0..1; the names are those of MEASURES."""

    cosine: float
    jaccard: float
    containment: float

    def is_near(self, measure: str, least: float) -> bool:
        """Return whether they are near by a measure."""
        return bool(getattr(self, measure) >= least)


@dataclass(slots=True)
class Proposed:
    """A document that is a candidate because its sketch is similar to that of a text.

    whole: its similarity to the whole text. part: the part of the text to which it is most similar,
    in code points; similarity: its similarity to this part; share: the share of the text's words
    that are in it. same: whether the document has the same words as the text; likeness: of the two
    texts, None until the text of the document was read.
    """

    hit: FileHit
    whole: float = 0.0
    part: Span = (0, 0)
    similarity: float = 0.0
    share: float = 0.0
    same: bool = False
    likeness: Likeness | None = None


@dataclass(slots=True)
class SketchHits:
    """The documents that sketches propose for a text.

    proposed: these documents, by (file, number). long_enough: whether the text has a sketch;
    in_parts: whether parts of it were looked for as well.
    """

    text: str
    proposed: dict[tuple[int, int], Proposed] = field(default_factory=dict)
    long_enough: bool = False
    in_parts: bool = False
    bags: dict[int, Bag] = field(default_factory=dict)  # by file, whose weights they have

    def compare(self, indexes: JointIndex, proposed: Proposed, text: str) -> None:
        """Store the cosine of a proposed document, of which this may be the text. If several texts
        are given for a document, the one counts whose cosine is closest to the similarity of its
        sketch.
        """
        own, before = self.likeness(indexes, proposed.hit.file_number, text), proposed.likeness
        proposed.same |= same_words(text, self.text)
        if before is None or abs(own.cosine - proposed.whole) < abs(before.cosine - proposed.whole):
            proposed.likeness = own

    def likeness(self, indexes: JointIndex, file: int, text: str) -> Likeness:
        """Return how similar a text is to this one; its cosine is by the weights of a file."""
        handle, path = indexes.indexes[file]._core, indexes.paths[file]
        if file not in self.bags:
            self.bags[file] = Bag(handle, path, encode(self.text))
        cosine = self.bags[file].cosine(Bag(handle, path, encode(text)))
        return Likeness(cosine, *similarities(self.text, text))


def same_words(text: str, other: str) -> bool:
    """Return whether two texts have the same words in the same order, in the same case."""
    return text == other or text.split() == other.split()


class Sketches:
    """Looks for texts by the sketches of open files.

    least: the similarity from which on a document is near to a text, or to a part of it, by the
    measure; window:
    words in each part that a long paragraph is split into; probes: keys to look up in each table;
    parts_in: the numbers of the files in which parts of a text are looked for.
    """

    def __init__(
        self,
        indexes: JointIndex,
        least: float,
        window: int,
        probes: int | None,
        parts_in: frozenset[int],
        measure: str,
    ) -> None:
        self._indexes = indexes
        self._least = least
        self._window = window
        self._probes = probes
        self._parts_in = parts_in
        self._measure = measure

    def ask(self, text: str) -> SketchHits:
        """Look for a text and, in the files of parts_in, for its parts."""
        hits = SketchHits(text)
        hits.long_enough = self._ask(hits, text, None)
        spans = word_spans(text) if hits.long_enough and self._parts_in else []
        if len(spans) >= SHORT:
            for first, end in parts(text, spans, self._window):
                part = (spans[first][0], spans[end - 1][1])
                self._ask(hits, text[slice(*part)], part, (end - first) / len(spans))
                hits.in_parts = True
        return hits

    def _ask(self, hits: SketchHits, text: str, part: Span | None, share: float = 1.0) -> bool:
        """Look for a text or a part of it. Returns whether it is long enough for a sketch."""
        (found,) = self._indexes.query_many([text], top=TOP, probes=self._probes, min_similarity=0)
        for hit in found:
            if hit.similarity + DOUBT * hit.similarity_error < self._least:
                continue
            if part and hit.file_number not in self._parts_in:
                continue
            proposed = hits.proposed.setdefault((hit.file_number, hit.number), Proposed(hit))
            if part is None:
                proposed.whole = hit.similarity
            elif hit.similarity > proposed.similarity:
                proposed.part, proposed.similarity, proposed.share = part, hit.similarity, share
        return not found.too_short

    def evidence(self, hits: SketchHits) -> Iterator[Evidence]:
        """Yield the evidence of the proposed documents. If the text of a document was compared, it
        decides, and passages are left to other methods. Otherwise the sketches decide.
        """
        for proposed in hits.proposed.values():
            hit, least = proposed.hit, self._limit(proposed.hit.file_number)
            document, whole = (hit.id, hit.title, hit.url, hit.file), proposed.whole
            if own := proposed.likeness:
                if proposed.same or own.is_near(self._measure, self._least):
                    kind = COPY if proposed.same else NEAR
                    said = (True, whole or None, own.cosine)
                    yield Evidence(kind, *document, *said, jaccard=own.jaccard)
            elif whole == 1 or whole >= least:
                yield Evidence(COPY if whole == 1 else NEAR, *document, False, whole)
            elif proposed.similarity >= least:
                passage = " ".join(hits.text[slice(*proposed.part)].split())
                known = (proposed.similarity, None, proposed.share, passage)
                places = (FoundPassage(*proposed.part),)
                yield Evidence(PASSAGE, *document, False, *known, places)

    def _limit(self, file: int) -> float:
        """Return the similarity from which on an estimate is unlikely to be chance."""
        index = self._indexes.indexes[file]
        return max(self._least, index.min_similarity(documents=len(self._indexes)))
