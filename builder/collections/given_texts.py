"""Texts that are looked for in documents whose texts are given, as they go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pocketindex.builder.collections.findings import COPY, PASSAGE, Evidence
from pocketindex.builder.collections.shingles import Shingles
from pocketindex.builder.collections.sketch_hits import TOP, Proposed, SketchHits
from pocketindex.builder.document import Document
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.joint_index import JointIndex


class GivenTexts:
    """Looks for texts, numbered as given, in documents that go by.

    It holds what is needed of the texts and what it found, nothing of the documents. hits: what
    sketches propose for each text; the texts of these documents are compared with it. run: terms of
    a passage; top: documents to name for a text.
    """

    def __init__(
        self,
        indexes: JointIndex,
        hits: Sequence[SketchHits],
        shingles: Shingles,
        top: int,
        probes: int | None,
    ) -> None:
        self._indexes = indexes
        self._hits = hits
        self._shingles = shingles
        self._top = top
        self._probes = probes
        self._same: list[list[Evidence]] = [[] for _ in hits]

    def look(self, documents: Iterable[tuple[str, Document]], each: Each = one_by_one) -> None:
        """Look at documents, each with the name of its source; each: for the work of threads."""
        self._shingles.look(self._compared(documents), each)

    def has(self, text: int) -> bool:
        """Return whether a text is long enough to be looked for."""
        return self._shingles.has(text)

    def coverage(self, text: int) -> float:
        """Return the share of a text's terms in passages of any document."""
        return self._shingles.coverage(text)

    def evidence(self, text: int) -> Iterator[Evidence]:
        """Yield the documents that are the text, then those that have passages of it."""
        yield from self._same[text]
        for own in self._shingles.passages(text, self._top):
            document = (own.id, own.title, own.url, own.source)
            yield Evidence(PASSAGE, *document, True, None, None, own.coverage, own.text)

    def _compared(
        self, documents: Iterable[tuple[str, Document]]
    ) -> Iterator[tuple[str, Document]]:
        """Pass documents on.

        Each is compared first: with the texts that are equal to it, and with those that a document
        of its id is proposed for.
        """
        by_text = defaultdict[str, list[int]](list)
        by_id = defaultdict[str, dict[int, list[tuple[SketchHits, Proposed]]]](dict)
        for number, hits in enumerate(self._hits):
            by_text[hits.text].append(number)
            for proposed in hits.proposed.values():
                if proposed.cosine is None:
                    of_file = by_id[proposed.hit.id].setdefault(proposed.hit.file, [])
                    of_file.append((hits, proposed))
        for source, document in documents:
            for file, some in by_id.get(document.id, {}).items():
                if self._may_be(document, file, some[0][1].hit.number):
                    for hits, proposed in some:
                        # Equal texts have equal sketches.
                        if document.text != hits.text or proposed.whole == 1:
                            hits.compare(self._indexes, proposed, document.text)
            for number in by_text.get(document.text, ()):
                self._add_same(number, source, document)
            yield source, document

    def _add_same(self, number: int, source: str, document: Document) -> None:
        """Note a document that is a text, and is not among those proposed for it."""
        same = self._same[number]
        proposed = self._hits[number].proposed.values()
        if any(one.same and document.id == one.hit.id for one in proposed):
            return
        if len(same) < self._top:
            same.append(Evidence(COPY, document.id, document.title, document.url, source, True))

    def _may_be(self, document: Document, file: int, number: int) -> bool:
        """Say whether a document may be that of its id in a file.

        Where other files have the id, too, its text must have the sketch of that document: only a
        query for the text itself has similarity 1.
        """
        others = (index for other, index in enumerate(self._indexes.indexes) if other != file)
        if all(index.find(document.id) is None for index in others):
            return True
        (hits,) = self._indexes.indexes[file].query_many(
            [document.text], top=TOP, probes=self._probes, min_similarity=0
        )
        return any(hit.number == number and hit.similarity == 1 for hit in hits)
