"""Tell whether a text, whole or in part, is in a collection.

Sketches find the documents that are similar as a whole, and `sources` those that have a passage.
Documents whose texts are given are compared one after the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

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
from pocketindex.builder.collections.given_documents import GivenDocuments
from pocketindex.builder.collections.given_texts import GivenTexts
from pocketindex.builder.collections.options import COSINE, CheckOptions
from pocketindex.builder.collections.parts import WINDOW
from pocketindex.builder.collections.sketch_hits import TOP, Sketches, SketchHits, same_words
from pocketindex.builder.document import Document
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.constants import MOST_SOURCES
from pocketindex.index import encode
from pocketindex.joint_index import JointIndex
from pocketindex.queries.frequent_passages import FrequentPassage
from pocketindex.queries.sources import (
    Source,
    Sources,
    sources_of,
    trace,
)
from pocketindex.queries.spans import Span, joined

LEAST_SENTENCE = 5  # words: a shorter text is not searched for passages
LEAST_WHOLE = 25  # words: for a shorter text, similar sketches say little
LEAST_READ = 65  # words: for a shorter text, the cosine says less than the passages that were seen
MOST_EDITED = 0.5  # share of a passage: beyond, it may merely be on the same subject
WHOLE = 0.95  # share of an item from which on it counts as standing in a document
HALF = 0.5  # share of a text in a document from which on the two are compared as a whole


@dataclass(slots=True)
class Item:
    """A text that is looked for, and what the files have of it.

    hits: the documents that sketches propose. sources: the documents that have passages of it, None
    if no file has passages or words. given: the same of documents whose texts are given.
    """

    text: str
    hits: SketchHits
    sources: Sources | None
    given: Sources | None = None


class Checker:
    """Looks for texts in open files and, if it is given, in the collection itself.

    least: the similarity from which on a document is near to a text, by the measure if its text is
    at hand; window: words in each part that a long paragraph is split into; top: documents to name
    for a text; probes: keys to look up in each table; each: runs a function for several texts, in
    threads. without_words: the files that have passages but no words; finds_sentences: whether all
    files have words and keep their texts.
    """

    def __init__(
        self,
        indexes: JointIndex,
        least: float = 0.7,
        window: int = WINDOW,
        top: int = 3,
        probes: int | None = None,
        each: Each = one_by_one,
        measure: str = COSINE,
    ) -> None:
        CheckOptions(min_similarity=least, window=window, top=top, probes=probes, measure=measure)
        self._measure = measure
        self._indexes = indexes
        self._least = least
        self._top = top
        self._probes = probes
        self._each = each
        sections = [index.info().sections.keys() for index in indexes.indexes]
        files = range(len(sections))
        self._traced = [file for file in files if sections[file] & {"passages", "words"}]
        self._untraced = frozenset(files) - frozenset(self._traced)
        self.without_words = [
            indexes.paths[file] for file in self._traced if "words" not in sections[file]
        ]
        self.finds_sentences = all(
            "words" in sections[file] and indexes.indexes[file].kept == "text" for file in files
        )
        # This file tells how rare the words of a text are.
        self._words = max(indexes.indexes, key=lambda index: "words" in index.info().sections)
        self._sketches = Sketches(indexes, least, window, probes, self._untraced, measure)

    def check(
        self, texts: Sequence[str], documents: Iterable[tuple[str, Document]] | None = None
    ) -> list[Finding]:
        """Look for each text, and return the findings in the order of the texts.

        documents: the collection, as pairs of the name of a source and a document. It is read once;
        the memory that this takes grows with the texts, not with the collection. Raises
        TextTooLong, Damaged, FileChanged.
        """
        return self.judge(self.propose(texts), documents)

    def propose(self, texts: Sequence[str]) -> list[Item]:
        """Search the files for each text: the first step of check."""
        return list(self._each(self._propose, texts))

    def judge(
        self, items: list[Item], documents: Iterable[tuple[str, Document]] | None = None
    ) -> list[Finding]:
        """Return the finding of each item: the second step of check.

        documents: at least those documents of the collection that have something of an item, or
        that sketches propose for one. Other documents change nothing.
        """
        self._compare_kept(items)
        whole = GivenDocuments(
            self._indexes, [item.hits for item in items], self._top, self._probes
        )
        untraced_kept = any(self._indexes.indexes[file].kept == "text" for file in self._untraced)
        if documents is None and not untraced_kept:
            return [self._judge(item, None, []) for item in items]
        given = GivenTexts(self._words, [item.text for item in items])
        try:
            for source, document in self._kept_of_untraced(items):
                given.look(source, document)
            for source, document in documents or ():
                whole.compare(source, document)
                given.look(source, document)
            for number, item in enumerate(items):
                item.given = given.found(number, max(TOP, self._top))
            looked = [
                *([KEPT] if untraced_kept else []),
                *([SOURCE] if documents is not None else []),
            ]
            return [
                self._judge(item, given, whole.same(number), looked)
                for number, item in enumerate(items)
            ]
        finally:
            given.close()

    def _propose(self, text: str) -> Item:
        return Item(text, self._sketches.ask(text), self._sources(text) if self._traced else None)

    def _sources(self, text: str) -> Sources:
        """Return the documents that have passages of a text; those that have only phrases last."""
        data, indexes = encode(text), self._indexes
        traced = [
            trace(indexes.indexes[file], indexes.paths[file], data, MOST_SOURCES)
            for file in self._traced
        ]
        return sources_of(data, traced, max(TOP, self._top), phrases_last=True)

    # ---- whole texts ----

    def _compare_kept(self, items: list[Item]) -> None:
        """Compare each item with the documents that sketches propose for it, if the file keeps
        their texts.
        """
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
        """Yield the documents that sketches propose in files that keep texts but have neither
        passages nor words, with the names of the files.
        """
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

    def _judge(
        self,
        item: Item,
        given: GivenTexts | None,
        same: list[Evidence],
        looked_into: Sequence[str] = (),
    ) -> Finding:
        evidence = list(same)
        copies = {one.id for one in evidence}
        evidence += [
            one for one in self._sketches.evidence(item.hits) if self._is_credible(item, one)
        ]
        named = {(one.file, one.id) for one in evidence}
        seen = {one.id for one in evidence} | {one.id for one in item.given or ()}
        if given is not None:
            evidence += [
                self._of_source(item, one, given.text(one.number).decode("utf-8", "replace"))
                for one in filter(_is_passage, item.given or ())
                if one.id not in {id for _, id in named}
            ]
        for one in filter(_is_passage, item.sources or ()):
            # A document that was seen to have passages needs no estimate of them.
            if (one.file, one.id) not in named and one.id not in (copies if one.verified else seen):
                evidence.append(self._of_source(item, one, self._kept_text(one)))
        looked = self._looked(item, looked_into)
        # A source is compared with each of its documents, so no estimate of their number is needed.
        if item.sources is not None and SOURCE not in looked:
            frequent = item.sources.frequent
        else:
            frequent = ()
        evidence += frequent_evidence(item.text, frequent, {(one.file, one.id) for one in evidence})
        evidence = [self._with_passages(item, one) for one in evidence]
        if item.sources is not None and item.sources.terms < LEAST_READ:
            places = {(one.file, one.id): place for place, one in enumerate(item.sources)}
            evidence.sort(key=lambda one: places.get((one.file, one.id), len(places)))
            evidence.sort(key=lambda one: _rank_of_short(one, len(item.text)))
        else:
            evidence.sort(key=_rank)
        verdict = evidence[0].kind if evidence else NOT_FOUND
        asked = [own for own in (item.sources, item.given) if own is not None]
        coverage = None
        if not {PARTS, PASSAGES, KEPT, SOURCE}.isdisjoint(looked):
            parts = [one.coverage or 0 for one in evidence if not one.verified]
            coverage = max([0.0, *(own.coverage for own in asked), *parts])
            coverage = max(
                coverage, share_of(item.text, [(one.start, one.end) for one in frequent])
            )
        words_only = item.sources.words_only if item.sources is not None else []
        return Finding(
            verdict,
            1.0 if verdict == COPY else coverage,
            looked,
            evidence[: self._top],
            max(
                len(evidence) + max((own.total - len(own) for own in asked), default=0),
                *(one.documents for one in frequent),
                0,
            ),
            any(own.capped for own in asked),
            words_only[0] if words_only and SOURCE not in looked else None,
        )

    def _is_credible(self, item: Item, one: Evidence) -> bool:
        """Return whether evidence that two whole texts are near can be believed. If the item is
        hardly more than a sentence, the document must have passages of it as well, if passages were
        looked for.
        """
        least = LEAST_READ if one.verified else LEAST_WHOLE
        if one.kind != NEAR or item.sources is None or item.sources.terms >= least:
            return True
        return any(own.id == one.id for own in (*item.sources, *(item.given or ())))

    def _looked(self, item: Item, looked_into: Sequence[str]) -> list[str]:
        looked = [SKETCHES] if item.hits.long_enough else []
        looked += [PARTS] if item.hits.in_parts else []
        if item.sources is not None and item.sources.terms >= LEAST_SENTENCE:
            kept = [self._indexes.indexes[file].kept == "text" for file in self._traced]
            looked += [PASSAGES] if not all(kept) else []
            looked += [KEPT] if any(kept) else []
        if item.given is not None and item.given.terms >= LEAST_SENTENCE:
            looked += [method for method in looked_into if method not in looked]
        return looked

    def _kept_text(self, one: Source) -> str | None:
        """Return the text of a document, None if its file does not keep it."""
        if not one.verified:
            return None
        return self._indexes.indexes[self._indexes.paths.index(one.file)].text(one.number)

    def _of_source(self, item: Item, one: Source, text: str | None) -> Evidence:
        """Return the evidence of a document that has passages of an item: it may be a copy, near,
        or have passages or phrases alone. text: the text of the document if it is at hand.
        """
        document = (one.id, one.title, one.url, one.file)
        if text is not None and one.coverage >= HALF:
            if same_words(text, item.text):
                return Evidence(COPY, *document, True)
            if item.hits.long_enough:
                own = item.hits.likeness(self._indexes, 0, text)
                if own.is_near(self._measure, self._least):
                    return Evidence(NEAR, *document, True, None, own.cosine, jaccard=own.jaccard)
        kind = PHRASE if one.phrases_only else PASSAGE
        return Evidence(kind, *document, one.verified, None, None, *passages_of(item.text, one))

    def _with_passages(self, item: Item, evidence: Evidence) -> Evidence:
        """Return evidence that a document is near with the passages that it has of the item."""
        if evidence.kind != NEAR:
            return evidence
        for sources in (item.sources, item.given):
            for one in sources or ():
                if one.id == evidence.id and (sources is item.given or one.file == evidence.file):
                    coverage, passage, passages = passages_of(item.text, one)
                    return replace(evidence, coverage=coverage, passage=passage, passages=passages)
        return evidence


def frequent_evidence(
    text: str, frequent: Iterable[FrequentPassage], named: set[tuple[str, str]]
) -> Iterator[Evidence]:
    """Yield the evidence of documents that are examples of a passage which very many documents
    have, but for those that are named already, each of them once.
    """
    seen = set(named)
    for one in frequent:
        span = (one.start, one.end)
        for document in one.examples:
            place = (document.file, document.id)
            if place not in seen:
                seen.add(place)
                yield Evidence(
                    PASSAGE,
                    document.id,
                    document.title,
                    document.url,
                    document.file,
                    one.verified,
                    coverage=share_of(text, [span]),
                    passage=" ".join(text[slice(*span)].split()),
                    passages=(FoundPassage(*span, documents=one.documents),),
                )


def share_of(text: str, spans: Iterable[Span]) -> float:
    """Return the share of the characters of a text that spans cover, without white space."""
    size = len("".join(text.split()))
    covered = sum(len("".join(text[slice(*span)].split())) for span in joined(spans))
    return covered / size if size else 0.0


def _is_passage(one: Source) -> bool:
    """Return whether enough of a passage is unchanged. An estimate is believed."""
    return not one.common or any(own.edited <= MOST_EDITED for own in one.common)


def passages_of(text: str, one: Source) -> tuple[float, str, tuple[FoundPassage, ...]]:
    """Return the share of a text that the passages of a source cover, the words of the longest
    one, and all of them.
    """
    longest = max(one.passages, key=lambda span: span[1] - span[0])
    passages = tuple(FoundPassage(*own) for own in one.passages)
    if one.common:
        passages = tuple(FoundPassage(**own.as_dict()) for own in one.common)
    return one.coverage, " ".join(text[slice(*longest)].split()), passages


def _rank(one: Evidence) -> tuple[float, float]:
    says = one.coverage if one.kind in (PASSAGE, PHRASE) else one.cosine or one.similarity
    kind: float = VERDICTS.index(one.kind)
    if one.kind in (NEAR, PASSAGE) and _stands_there(one):
        kind = VERDICTS.index(NEAR) - 0.5
    return kind, -(says or 0)


def _rank_of_short(one: Evidence, length: int) -> tuple[float, float]:
    """Rank the evidence of a text of length code points that is too short for its cosine to say
    much: documents that were read come in the order of how much of the text they have unchanged.
    """
    kind, says = _rank(one)
    if one.verified and one.passages and one.kind != COPY:
        same = sum((own.end - own.start) * (1 - (own.edited or 0)) for own in one.passages)
        says = -round(same / max(length, 1), 4)
    return kind, says


def _stands_there(one: Evidence) -> bool:
    """Return whether an item stands in a document word for word, which outranks being near."""
    return (
        (one.coverage or 0) >= WHOLE
        and bool(one.verified)
        and not any(own.edited for own in one.passages)
    )
