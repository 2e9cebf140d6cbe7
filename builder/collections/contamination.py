"""Tell whether a text, whole or in part, is in a collection.

Sketches tell what is alike as a whole, `sources` what has a passage; documents whose texts are
given are looked at as they go by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pocketindex.builder.collections.findings import (
    COPY,
    KEPT,
    NEAR,
    NOT_FOUND,
    PARTS,
    PASSAGE,
    PASSAGES,
    PHRASE,
    SKETCHES,
    SOURCE,
    VERDICTS,
    Evidence,
    Finding,
    FoundPassage,
)
from pocketindex.builder.collections.given_texts import GivenTexts
from pocketindex.builder.collections.options import CheckOptions
from pocketindex.builder.collections.parts import WINDOW
from pocketindex.builder.collections.shingles import SHINGLE_TERMS, Shingles
from pocketindex.builder.collections.sketch_hits import TOP, Sketches, SketchHits, same_words
from pocketindex.builder.document import Document
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.index import encode
from pocketindex.joint_index import JointIndex
from pocketindex.queries.sources import (
    MOST_SOURCES,
    Source,
    Sources,
    sources_of,
    trace,
)

HALF = 0.5  # of a text in passages of a document: the two are compared as a whole


@dataclass(slots=True)
class Item:
    """A text that is looked for, and what the files say of it."""

    text: str
    hits: SketchHits
    sources: Sources | None


@dataclass(frozen=True)
class Items:
    """Texts, what the files say of them, and the runs of so many terms that they have."""

    items: list[Item]
    run: int

    @cached_property
    def shingles(self) -> Shingles:
        return Shingles([item.text for item in self.items], self.run)


class Checker:
    """Looks for texts in open files and, where it is given, in the collection itself.

    least: the similarity from which on a document is near to a text; run: terms of a passage in the
    collection itself; each: for the work of threads.
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
        self._run = run
        self._top = top
        self._probes = probes
        self._each = each
        sections = [index.info().sections for index in indexes.indexes]
        self._traced = [
            file for file, own in enumerate(sections) if own.keys() & {"passages", "words"}
        ]
        untraced = frozenset(range(len(sections))) - frozenset(self._traced)
        self._untraced_kept = any(indexes.indexes[file].kept == "text" for file in untraced)
        self._sketches = Sketches(indexes, least, window, probes, untraced)

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
        return Items(list(self._each(self._propose, texts)), self._run)

    def judge(
        self, given: Items, documents: Iterable[tuple[str, Document]] | None = None
    ) -> list[Finding]:
        """Say of each item what was found. documents: those of the collection that share a shingle
        with an item, are equal to one or are proposed for one, at least; others change nothing.
        """
        items, texts = given.items, None
        self._compare_kept(items)
        if documents is not None or self._untraced_kept:
            hits = [item.hits for item in items]
            texts = GivenTexts(self._indexes, hits, given.shingles, self._top, self._probes)
            texts.look(self._kept_of_untraced(items), self._each)
            texts.look(documents or (), self._each)
        return [
            self._judge(item, number, texts, documents is not None)
            for number, item in enumerate(items)
        ]

    def _propose(self, text: str) -> Item:
        return Item(text, self._sketches.ask(text), self._sources(text) if self._traced else None)

    def _sources(self, text: str) -> Sources:
        """Return the documents that have passages of a text, phrases behind the others."""
        data, indexes = encode(text), self._indexes
        traced = [
            trace(indexes.indexes[file], indexes.paths[file], data, MOST_SOURCES)
            for file in self._traced
        ]
        return sources_of(data, traced, max(TOP, self._top), phrases_last=True)

    # ---- whole texts ----

    def _compare_kept(self, items: list[Item]) -> None:
        """Compare items with the kept texts of the documents that sketches propose for them."""
        of = defaultdict[tuple[int, int], list[Item]](list)
        for item in items:
            for place in item.hits.proposed:
                of[place].append(item)
        for place in sorted(of):
            file, number = place
            if self._indexes.indexes[file].kept == "text":
                text = self._indexes.indexes[file].text(number) or ""
                for item in of[place]:
                    item.hits.compare(self._indexes, item.hits.proposed[place], text)

    def _kept_of_untraced(self, items: list[Item]) -> Iterator[tuple[str, Document]]:
        """Yield the kept texts of what sketches propose in files without passages and words."""
        for file, number in sorted({place for item in items for place in item.hits.proposed}):
            index = self._indexes.indexes[file]
            if file not in self._traced and index.kept == "text":
                record = index.record(number)
                text = index.text(number) or ""
                yield (
                    self._indexes.paths[file],
                    Document(record.id, record.title, text, record.url),
                )

    # ---- verdicts ----

    def _judge(self, item: Item, number: int, texts: GivenTexts | None, in_source: bool) -> Finding:
        given = list(texts.evidence(number)) if texts else []
        evidence = [one for one in given if one.kind == COPY]
        copies = {one.id for one in evidence}
        evidence += self._sketches.evidence(item.hits)
        named = {(one.file, one.id) for one in evidence}
        for one in item.sources or ():
            if (one.file, one.id) not in named and one.id not in copies:
                evidence.append(self._of_source(item, one))
        ids = {one.id for one in evidence}
        evidence += [one for one in given if one.id not in ids]
        evidence.sort(key=_rank)
        verdict = evidence[0].kind if evidence else NOT_FOUND
        looked = self._looked(item, texts is not None and texts.has(number), in_source)
        coverage = None
        if not {PARTS, PASSAGES, KEPT, SOURCE}.isdisjoint(looked):
            parts = [one.coverage or 0 for one in evidence if not one.verified]
            own = item.sources.coverage if item.sources else 0.0
            coverage = max([own, texts.coverage(number) if texts else 0, *parts])
        sources = Sources() if item.sources is None else item.sources
        beyond = sources.total - len(sources)
        return Finding(
            verdict,
            1.0 if verdict == COPY else coverage,
            looked,
            evidence[: self._top],
            len(evidence) + beyond,
            sources.capped,
            sources.words_only[0] if sources.words_only else None,
        )

    def _looked(self, item: Item, has_runs: bool, in_source: bool) -> list[str]:
        looked = [SKETCHES] if item.hits.long_enough else []
        looked += [PARTS] if item.hits.in_parts else []
        if item.sources is not None and item.sources.terms:
            kept = [self._indexes.indexes[file].kept == "text" for file in self._traced]
            looked += [PASSAGES] if not all(kept) else []
            looked += [KEPT] if any(kept) else []
        if has_runs and self._untraced_kept and KEPT not in looked:
            looked.append(KEPT)
        if has_runs and in_source:
            looked.append(SOURCE)
        return looked

    def _of_source(self, item: Item, one: Source) -> Evidence:
        """Say what a document is that has passages of an item: a copy, near, or that."""
        document = (one.id, one.title, one.url, one.file)
        if one.verified and one.coverage >= HALF:
            file = self._indexes.paths.index(one.file)
            text = self._indexes.indexes[file].text(one.number) or ""
            cosine = item.hits.cosine(self._indexes, file, text)
            if same_words(text, item.text):
                return Evidence(COPY, *document, True, None, cosine)
            if item.hits.long_enough and cosine >= self._least:
                return Evidence(NEAR, *document, True, None, cosine)
        longest = max(one.passages, key=lambda span: span[1] - span[0])
        passages = [FoundPassage(*own) for own in one.passages]
        if one.verified:
            passages = [
                FoundPassage(
                    own.start,
                    own.end,
                    own.document_start,
                    own.document_end,
                    own.edited,
                    own.documents,
                )
                for own in one.common
            ]
        return Evidence(
            PHRASE if one.phrases_only else PASSAGE,
            *document,
            one.verified,
            None,
            None,
            one.coverage,
            " ".join(item.text[slice(*longest)].split()),
            passages,
        )


def _rank(one: Evidence) -> tuple[int, float]:
    return VERDICTS.index(one.kind), -(one.coverage or one.cosine or one.similarity or 0)
