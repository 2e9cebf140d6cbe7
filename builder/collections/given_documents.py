"""Compare the documents of a collection with whole texts: find those that have the same text, and
tell how near those are that sketches propose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pocketindex.builder.collections.findings import COPY, Evidence
from pocketindex.builder.collections.sketch_hits import TOP, Proposed, SketchHits
from pocketindex.builder.document import Document
from pocketindex.joint_index import JointIndex


class GivenDocuments:
    """Compares documents, given one after the other, with whole texts.

    hits: for each text, the documents that sketches propose; top: documents to name for a text;
    probes: keys to look up in each table.
    """

    def __init__(
        self, indexes: JointIndex, hits: Sequence[SketchHits], top: int, probes: int | None
    ) -> None:
        self._indexes = indexes
        self._hits = hits
        self._top = top
        self._probes = probes
        self._same: list[list[Evidence]] = [[] for _ in hits]
        self._by_text = defaultdict[str, list[int]](list)
        self._by_id = defaultdict[str, dict[int, list[tuple[SketchHits, Proposed]]]](dict)
        for number, own in enumerate(hits):
            self._by_text[own.text].append(number)
            for proposed in own.proposed.values():
                if proposed.likeness is None:
                    of_file = self._by_id[proposed.hit.id].setdefault(proposed.hit.file_number, [])
                    of_file.append((own, proposed))

    def compare(self, source: str, document: Document) -> None:
        """Compare a document with each text that equals its own, and with each text for which
        sketches propose a document that has its id. source: the name of its source.
        """
        for file, some in self._by_id.get(document.id, {}).items():
            if self._may_be(document, file, some[0][1].hit.number):
                for hits, proposed in some:
                    # Equal texts have equal sketches.
                    if document.text != hits.text or proposed.whole == 1:
                        hits.compare(self._indexes, proposed, document.text)
        for number in self._by_text.get(document.text, ()):
            self._add_same(number, source, document)

    def same(self, number: int) -> list[Evidence]:
        """Return the documents that equal a text and that no sketch proposes for it."""
        return self._same[number]

    def _add_same(self, number: int, source: str, document: Document) -> None:
        same, proposed = self._same[number], self._hits[number].proposed.values()
        if any(one.same and document.id == one.hit.id for one in proposed):
            return
        if len(same) < self._top:
            same.append(Evidence(COPY, document.id, document.title, document.url, source, True))

    def _may_be(self, document: Document, file: int, number: int) -> bool:
        """Return whether a given document may be the one with the same id in a file.

        If other files have the id as well, the text must have the sketch of the document in this
        file. Only then does a query with the text find the document with similarity 1.
        """
        others = (index for other, index in enumerate(self._indexes.indexes) if other != file)
        if all(index.find(document.id) is None for index in others):
            return True
        (hits,) = self._indexes.indexes[file].query_many(
            [document.text], top=TOP, probes=self._probes, min_similarity=0
        )
        return any(hit.number == number and hit.similarity == 1 for hit in hits)
