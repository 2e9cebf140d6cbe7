"""The findings of check as rows and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from pocketindex.builder.collections.findings import (
    COPY,
    KEPT,
    METHODS,
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
)
from pocketindex.builder.document import Document
from pocketindex.builder.out.rows import Types
from pocketindex.streams import printable
from pocketindex.wording.counted import counted, have
from pocketindex.wording.snippet import snippet

EVIDENCE: Types = {
    "kind": "string",
    "id": "string",
    "title": "string",
    "url": "string",
    "file": "string",
    "verified": "bool",
    "similarity": "double",
    "cosine": "double",
    "coverage": "double",
    "passage": "string",
    "passages": [
        {
            "start": "int64",
            "end": "int64",
            "document_start": "int64",
            "document_end": "int64",
            "edited": "double",
            "documents": "int64",
        }
    ],
    "document_coverage": "double",
    "jaccard": "double",
}
WORDS_ONLY: Types = {
    "start": "int64",
    "end": "int64",
    "documents": "int64",
    "id": "string",
    "title": "string",
    "url": "string",
    "number": "int64",
    "file": "string",
}
FOUND: Types = {
    "id": "string",
    "line": "int64",
    "verdict": "string",
    "coverage": "double",
    "looked": ["string"],
    "evidence": [dict(EVIDENCE)],
    "documents": "int64",
    "capped": "bool",
    "words_only": dict(WORDS_ONLY),
}
FLAT: Types = {
    **{name: type for name, type in FOUND.items() if name != "evidence"},
    **{f"evidence_{name}": type for name, type in EVIDENCE.items()},
}

# What a method does, and what it may miss; {} is --min-similarity.
MISSES = {
    SKETCHES: (
        "compares the item with whole documents; misses an item that is a small part of a "
        "document, or less than {:g} similar to it"
    ),
    PARTS: (
        "compares paragraphs of the item with whole documents; misses what is less than a "
        "paragraph, or a small part of a document"
    ),
    PASSAGES: (
        "looks up shingles and words of the item; without texts, misses sentences of fewer "
        "than nine words, many of fewer than fifteen, and passages with few unchanged words in "
        "a row"
    ),
    KEPT: (
        "compares the item with documents that share shingles or rare words with it; misses "
        "what was rewritten or translated, and edited sentences of fewer than nine words"
    ),
    SOURCE: (
        "compares the item with every document; misses what was rewritten or translated, and "
        "edited sentences of fewer than nine words"
    ),
}


def row_of(number: int, item: Document, finding: Finding) -> Iterator[tuple[Any, ...]]:
    """Yield one row: the item with all of its evidence."""
    coverage = None if finding.coverage is None else round(finding.coverage, 4)
    known = [
        {name: value for name, value in _rounded(one).items() if value not in (None, ())}
        for one in finding.evidence
    ]
    yield item.id, number, finding.verdict, coverage, finding.looked, known, *_more(finding)


def flat_rows(number: int, item: Document, finding: Finding) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each document in which the item was found, or one row with empty cells for
    the document if it was found in none.
    """
    coverage = None if finding.coverage is None else round(finding.coverage, 4)
    looked = "; ".join(finding.looked)
    head = (item.id, number, finding.verdict, coverage, looked, *_more(finding))
    for one in finding.evidence:
        yield (*head, *_rounded(one).values())
    if not finding.evidence:
        yield (*head, *[None] * len(EVIDENCE))


def _more(finding: Finding) -> tuple[int, bool, dict[str, Any] | None]:
    words = finding.words_only
    return finding.documents, finding.capped, None if words is None else asdict(words)


def _rounded(one: Evidence) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in asdict(one).items()
    }


def item_text(item: Document, finding: Finding) -> str:
    """Return the verdict, and a line for each document in which the item was found. An item that
    was not found gives an empty text.
    """
    if finding.verdict == NOT_FOUND:
        return ""
    share = ""
    if finding.verdict in (PASSAGE, PHRASE) and finding.coverage:
        least = "at least " if finding.capped else ""
        share = f"  {finding.coverage:.0%} of it in {least}{counted(finding.documents, 'document')}"
    head = f"{finding.verdict:8} {printable(item.id)}{share}"
    shown = [f"  {_of(one)}" for one in finding.evidence]
    if len(shown) < finding.documents:
        shown.append(f"  and {finding.documents - len(shown):,} more")
    return "\n".join([head, *shown])


def pair_text(first: Document, second: Document, one: Evidence) -> str:
    """Return the verdict on a pair of items, and the passages that they share."""
    said = [_likeness(one)] if one.kind == NEAR else []
    if one.coverage is not None:
        said.append(f"{one.coverage:.0%} of the first")
    if one.document_coverage is not None:
        said.append(f"{one.document_coverage:.0%} of the second")
    shares = f"  {', '.join(said)}" if said else ""
    lines = [f"{one.kind:8} {printable(first.id)} and {printable(second.id)}{shares}"]
    for own in one.passages:
        words = snippet(first.text[own.start : own.end])
        where = f"{own.start}-{own.end} at {own.document_start}-{own.document_end}"
        changed = f", {own.edited:.0%} edited" if own.edited else ""
        lines.append(f"  {where}{changed}  {printable(words)}")
    return "\n".join(lines)


def _of(one: Evidence) -> str:
    name = f"{printable(one.title)}  <{printable(one.url or one.id)}>  [{printable(one.file)}]"
    if one.kind == COPY:
        return f"copy  {name}"
    if one.kind == NEAR:
        return f"near  {_likeness(one)}  {name}"
    by = "" if one.verified else ", estimated"
    if one.similarity is not None:
        by = f", by sketches, similarity {one.similarity:.3f}"
    edited = [own.edited for own in one.passages if own.edited]
    by += f", up to {max(edited):.0%} of a passage edited" if edited else ""
    return (
        f"{one.kind}  {one.coverage:.0%} of the item{by}  {name}\n    "
        f"{printable(snippet(one.passage or ''))}"
    )


def _likeness(one: Evidence) -> str:
    if one.cosine is not None:
        shared = "" if one.jaccard is None else f", jaccard {one.jaccard:.3f}"
        return f"cosine {one.cosine:.3f}{shared}"
    return f"similarity {one.similarity:.3f}"


class Counts:
    """What a run of check found: its items by verdict and by method, and its pairs by verdict."""

    def __init__(self) -> None:
        self.verdicts, self.pairs = Counter[str](), Counter[str]()
        self._methods = Counter[str]()
        self._capped = set[int]()
        self._unordered = 0

    def add(self, number: int, finding: Finding) -> None:
        """Count an item, which has a number of its own, by its finding."""
        self.verdicts[finding.verdict] += 1
        self._note_capped(number, finding)
        self._unordered += finding.verdict == NOT_FOUND and finding.words_only is not None
        self._methods.update(finding.looked or [NOT_FOUND])

    def add_pair(self, number: int, finding: Finding) -> None:
        """Count a pair of items by its finding. number: that of the first item."""
        self.pairs[finding.verdict] += 1
        self._note_capped(number, finding)

    def _note_capped(self, number: int, finding: Finding) -> None:
        if finding.capped:
            self._capped.add(number)

    def summary(self, items: int, min_similarity: float, finds_sentences: bool) -> list[str]:
        """Return lines with the number of items of each verdict, and with what may have been
        missed.

        finds_sentences: whether the files have all that finds a sentence.
        """
        lines = [counted(items, "item")]
        for verdict in VERDICTS:
            share = 100 * self.verdicts[verdict] / items if items else 0
            lines.append(f"  {verdict:10}{self.verdicts[verdict]:>9,}{share:>8.1f} %")
        if not self.verdicts[NOT_FOUND]:
            return lines
        lines.append('"not found" means that none of these methods found anything:')
        lines += [
            f"  {method}, {counted(items, 'item')}: {MISSES[method].format(min_similarity)}"
            for method in METHODS
            if (items := self._methods[method])
        ]
        if self._methods[NOT_FOUND]:
            lines.append(
                f"  not looked for: {counted(self._methods[NOT_FOUND], 'item')} of too few terms"
            )
        if not finds_sentences and SOURCE not in self._methods:
            lines.append(
                "  to find sentences of five words or more, build the file with "
                "--index documents,passages,words --keep text"
            )
        return lines

    def pair_summary(self) -> str:
        """Return a line with the number of pairs of each verdict."""
        total = sum(self.pairs.values())
        each = [f"{self.pairs[one]:,} {one}" for one in VERDICTS if self.pairs[one]]
        verb, counts = "has" if total == 1 else "have", f": {', '.join(each)}" if each else ""
        return f"{counted(total, 'pair')} of items {verb} something in common{counts}"

    def limits(self, without_words: Iterable[str]) -> list[str]:
        """Return lines that say what was not examined and what is not known.

        without_words: the files that have passages but no words.
        """
        lines = [
            f"{path} was built without words: only longer passages are found in it"
            for path in (without_words if self.verdicts[NOT_FOUND] else ())
        ]
        if self._unordered:
            lines.append(
                f"for {counted(self._unordered, 'item')} with the verdict {NOT_FOUND}, a document "
                "has all words of a sentence, but in an unknown order, because the file keeps no "
                "texts"
            )
        if self._capped:
            lines.append(
                f"{have(len(self._capped), 'item')} more matches than are looked at, so documents "
                "may be missing"
            )
        return lines
