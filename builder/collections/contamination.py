"""Tell whether a text, whole or in part, is in a collection.

Sketches propose documents; texts decide where they are at hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from pocketindex.builder.collections.estimates import Estimates, Item, Proposed, words_in
from pocketindex.builder.collections.findings import (
    COPY,
    KEPT,
    NEAR,
    NOT_FOUND,
    PARTS,
    PASSAGE,
    SHINGLES,
    SKETCHES,
    SOURCE,
    VERDICTS,
    Evidence,
    Finding,
)
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.collections.parts import SHORT, WINDOW, parts, word_spans
from pocketindex.builder.collections.shingles import SHINGLE_TERMS, Shingles
from pocketindex.builder.document import Document
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.errors import NoPassages
from pocketindex.index import encode
from pocketindex.joint_index import JointIndex
from pocketindex.queries.exact import Bag
from pocketindex.queries.sources import Span, by_shingles, share

TOP = 20  # hits of each question
DOUBT = 3  # similarity_errors below the threshold from which on the texts decide


@dataclass(frozen=True, slots=True)
class Items:
    """Texts, what sketches propose for them, and the shingles that they have."""

    items: list[Item]
    shingles: Shingles


class Checker:
    """Looks for texts in open files and, where it is given, in the collection itself.

    least: the similarity from which on a document is near to a text, or to a part of it; terms:
    terms of a passage; each: for the work of threads. Where a document's text is at hand, kept by
    the file or in the collection, it decides: by its cosine, and by the passages that it shares.
    Otherwise its sketch does.
    """

    def __init__(
        self,
        indexes: JointIndex,
        least: float = 0.7,
        terms: int = SHINGLE_TERMS,
        window: int = WINDOW,
        top: int = 3,
        probes: int | None = None,
        each: Each = one_by_one,
    ) -> None:
        CheckOptions(min_similarity=least, run_terms=terms, window=window, top=top, probes=probes)
        self._indexes = indexes
        self._least = least
        self._estimates = Estimates(indexes, least)
        self._terms = terms
        self._window = window
        self._top = top
        self._probes = probes
        self._each = each

    def check(
        self, texts: Sequence[str], documents: Iterable[tuple[str, Document]] | None = None
    ) -> list[Finding]:
        """Look for each text.

        documents: the collection, each with the name of its source; it is read once, in memory that
        grows with the texts alone. Raises TextTooLong, Damaged, FileChanged.
        """
        return self.judge(self.propose(texts), documents)

    def propose(self, texts: Sequence[str]) -> Items:
        """Ask the files for each text, as check does at first."""
        return Items(list(self._each(self._propose, texts)), Shingles(texts, self._terms))

    def judge(
        self, given: Items, documents: Iterable[tuple[str, Document]] | None = None
    ) -> list[Finding]:
        """Say of each item what was found. documents: those of the collection that share a shingle
        with an item, are equal to one or are proposed for one, at least; others change nothing.
        """
        items, shingles = given.items, given.shingles
        seen = chain(self._kept(items), self._seen(items, documents or ()))
        shingles.look(seen, self._each)
        return [
            self._judge(item, number, shingles, documents is not None)
            for number, item in enumerate(items)
        ]

    def _propose(self, text: str) -> Item:
        """Ask for a text and, when it is long, for its parts."""
        item = Item(text, word_spans(text))
        self._trace(item)
        if not self._ask(item, text, None):
            return item
        item.looked.append(SKETCHES)
        for first, end in parts(text, item.spans, self._window) if len(item.spans) >= SHORT else ():
            self._ask(item, text[item.spans[first][0] : item.spans[end - 1][1]], (first, end))
            if PARTS not in item.looked:
                item.looked.append(PARTS)
        return item

    def _trace(self, item: Item) -> None:
        """Look for the passages of a text in the files that have a section of them."""
        for file, index in enumerate(self._indexes.indexes):
            try:
                found = by_shingles(index, item.text, TOP)
            except NoPassages:
                continue
            item.sources |= {(file, one.number): one for one in found}
            item.traced.add(file)
        if item.traced:
            item.looked.append(SHINGLES)

    def _ask(self, item: Item, text: str, part: tuple[int, int] | None) -> bool:
        """Ask for a text or a part of it. Returns whether it is long enough for a sketch."""
        (hits,) = self._indexes.query_many([text], top=TOP, probes=self._probes, min_similarity=0)
        for hit in hits:
            if hit.similarity + DOUBT * hit.similarity_error < self._least:
                continue
            proposed = item.proposed.setdefault((hit.file, hit.number), Proposed(hit))
            if part is None:
                proposed.whole = hit.similarity
            elif hit.similarity > proposed.similarity:
                proposed.part, proposed.similarity = part, hit.similarity
        return not hits.too_short

    def _kept(self, items: list[Item]) -> Iterator[tuple[str, Document]]:
        """Yield the documents that are proposed for any item and whose files keep their texts. Each
        is compared first with the items that it is proposed for.
        """
        of = defaultdict[tuple[int, int], list[Item]](list)
        for item in items:
            for place in item.proposed.keys() | item.sources.keys():
                of[place].append(item)
        for place in sorted(of):
            file, number = place
            index = self._indexes.indexes[file]
            if index.kept != "text":
                continue
            record = index.record(number)
            document = Document(record.id, record.title, index.text(number) or "", record.url)
            for item in of[place]:
                if proposed := item.proposed.get(place):
                    proposed.kept = True
                    self._compare(item, proposed, document.text)
                elif item.text == document.text:
                    self._add_equal(item, self._indexes.paths[file], document)
            yield self._indexes.paths[file], document

    def _seen(
        self, items: list[Item], documents: Iterable[tuple[str, Document]]
    ) -> Iterator[tuple[str, Document]]:
        """Pass the documents of the collection on.

        Each is compared first: with the items that are equal to it, and with those that a document
        of its id is proposed for.
        """
        by_text = defaultdict[str, list[Item]](list)
        by_id = defaultdict[str, dict[int, list[tuple[Item, Proposed]]]](dict)
        for item in items:
            by_text[item.text].append(item)
            for proposed in item.proposed.values():
                if not proposed.kept:
                    of_file = by_id[proposed.hit.id].setdefault(proposed.hit.file, [])
                    of_file.append((item, proposed))
        for source, document in documents:
            for file, some in by_id.get(document.id, {}).items():
                if self._may_be(document, file, some[0][1].hit.number):
                    for item, proposed in some:
                        # Equal texts have equal sketches.
                        if document.text != item.text or proposed.whole == 1:
                            self._compare(item, proposed, document.text)
            for item in by_text.get(document.text, ()):
                if not any(
                    proposed.equal and document.id == proposed.hit.id
                    for proposed in item.proposed.values()
                ):
                    self._add_equal(item, source, document)
            yield source, document

    def _add_equal(self, item: Item, source: str, document: Document) -> None:
        """Note a document that is equal to an item and is not proposed for it."""
        if len(item.equal) < self._top:
            item.equal.append(Evidence(COPY, document.id, document.title, document.url, source))

    def _may_be(self, document: Document, file: int, number: int) -> bool:
        """Say whether a document of the collection may be that of its id in a file.

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

    def _compare(self, item: Item, proposed: Proposed, text: str) -> None:
        """Note how near the text of a proposed document is. Of several texts that it may have, the
        one counts whose cosine is closest to what its sketch says.
        """
        cosine, before = self._cosine(item, proposed, text), proposed.cosine
        proposed.equal |= text == item.text
        if before is None or abs(cosine - proposed.whole) < abs(before - proposed.whole):
            proposed.cosine = cosine

    def _cosine(self, item: Item, proposed: Proposed, text: str) -> float:
        hit = proposed.hit
        handle = self._indexes.indexes[hit.file]._core
        if hit.file not in item.bags:
            item.bags[hit.file] = Bag(handle, hit.path, encode(item.text))
        return item.bags[hit.file].cosine(Bag(handle, hit.path, encode(text)))

    def _judge(self, item: Item, number: int, shingles: Shingles, in_source: bool) -> Finding:
        evidence, words = list(item.equal), set[int]()
        for proposed in item.proposed.values():
            one = self._evidence(item, proposed)
            if one:
                evidence.append(one)
                if one.kind == PASSAGE:
                    words.update(range(*proposed.part))
        known, told = {one.id for one in evidence}, list[Span]()
        for shared in shingles.passages(number, self._top):
            if shared.id not in known:
                known.add(shared.id)
                rest = (shared.id, shared.title, shared.url, shared.source)
                evidence.append(
                    Evidence(PASSAGE, *rest, coverage=shared.coverage, passage=shared.text)
                )
        for (file, _), source in item.sources.items():
            if not self._estimates.is_passage(file, source):
                continue
            longest = max(source.passages, key=lambda span: words_in(item, span))
            told += source.passages
            if source.id not in known:
                known.add(source.id)
                rest = (source.id, source.title, source.url, self._indexes.paths[file])
                passage = " ".join(item.text[slice(*longest)].split())
                evidence.append(Evidence(PASSAGE, *rest, coverage=source.coverage, passage=passage))
        if shingles.has(number):
            item.looked += (
                [SOURCE]
                if in_source
                else [KEPT]
                if any(index.kept == "text" for index in self._indexes.indexes)
                else []
            )
        evidence.sort(
            key=lambda one: (
                VERDICTS.index(one.kind),
                -(one.coverage or one.cosine or one.similarity or 0),
            )
        )
        looked_into = not {PARTS, SHINGLES, KEPT, SOURCE}.isdisjoint(item.looked)
        verdict = evidence[0].kind if evidence else NOT_FOUND
        coverage = (
            max(
                share(told, len(item.text.strip())),
                shingles.coverage(number),
                len(words) / max(len(item.spans), 1),
            )
            if looked_into
            else None
        )
        return Finding(
            verdict, 1.0 if verdict == COPY else coverage, item.looked, evidence[: self._top]
        )

    def _evidence(self, item: Item, proposed: Proposed) -> Evidence | None:
        """Say what a proposed document is: by its text where that was seen, which leaves passages
        to the shingles; else by its sketch.
        """
        hit = proposed.hit
        document = (hit.id, hit.title, hit.url, hit.path)
        if proposed.cosine is not None:
            kind = COPY if proposed.equal else NEAR if proposed.cosine >= self._least else NOT_FOUND
            return (
                None
                if kind == NOT_FOUND
                else Evidence(kind, *document, proposed.whole or None, proposed.cosine)
            )
        source = item.sources.get((hit.file, hit.number))
        if proposed.whole == 1 or self._estimates.is_similar(
            item, hit.file, proposed.whole, source
        ):
            return Evidence(COPY if proposed.whole == 1 else NEAR, *document, proposed.whole)
        first, end = proposed.part
        if end == 0:
            return None
        part = (item.spans[first][0], item.spans[end - 1][1])
        if not self._estimates.has_part(item, hit.file, proposed.similarity, part, source):
            return None
        passage = " ".join(item.text[slice(*part)].split())
        return Evidence(
            PASSAGE, *document, proposed.similarity, None, (end - first) / len(item.spans), passage
        )
