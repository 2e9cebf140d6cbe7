"""Is a text, whole or in large part, in a collection? What its sketches can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pocketindex.many import FileHit, FileHits, Many

SHORT = 50  # words: below, chance agreement is too high for anything but near-exact matches
SHORT_SIMILARITY = 0.95
WINDOW = 100  # words of a part where a text has no paragraphs of use; windows overlap by half
TOP = 50  # hits of each question

KINDS = ("exact", "near", "partly")
CLEAN, TOO_SHORT = "clean", "too short"

# Scripts without spaces: each character is a word.
_DENSE = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(f"[{_DENSE}]|[^\\s{_DENSE}]+")
_PARAGRAPH = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A document that has much of a text. kind: of KINDS; words: the part of the text it was found by, first word and last + 1."""

    kind: str
    hit: FileHit
    words: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """verdict: the strongest kind of the evidence, CLEAN, or TOO_SHORT (too few terms for a sketch); evidence: strongest first."""

    verdict: str
    evidence: list[Evidence]


class Checker:
    """Looks for texts in open files.

    near: similarity at which a document is nearly the whole text; partly: at which it shares much with the text or with one of its
    parts. Texts below SHORT words are asked whole alone and need SHORT_SIMILARITY.
    """

    def __init__(
        self, indexes: Many, near: float = 0.8, partly: float = 0.6, window: int = WINDOW, top: int = 3, probes: int | None = None
    ) -> None:
        if not 0 < partly <= near <= 1:
            raise ValueError(f"the similarities are {partly} (partly) and {near} (near); expected 0 < partly <= near <= 1")
        if window < SHORT:
            raise ValueError(f"the window is {window} words; it must be at least {SHORT}")
        if top < 1:
            raise ValueError(f"top is {top}; it must be at least 1")
        self._indexes, self._near, self._partly, self._window, self._top, self._probes = indexes, near, partly, window, top, probes

    def check(self, text: str) -> Finding:
        """Ask for a text and, when it is long, for its parts. Raises TextTooLong, Damaged, FileChanged."""
        spans = [match.span() for match in _WORD.finditer(text)]
        short = len(spans) < SHORT
        found: dict[tuple[int, int], Evidence] = {}
        whole = self._ask(text, SHORT_SIMILARITY if short else self._partly)
        if whole.too_short:
            return Finding(TOO_SHORT, [])
        near = SHORT_SIMILARITY if short else self._near
        for hit in whole:
            kind = "exact" if hit.similarity == 1 else "near" if hit.similarity >= near else "partly"
            found[hit.file, hit.number] = Evidence(kind, hit, (0, len(spans)))
        for first, end in () if short else parts(text, spans, self._window):
            for hit in self._ask(text[spans[first][0] : spans[end - 1][1]], self._partly):
                known = found.get((hit.file, hit.number))
                if known is None or (known.kind == "partly" and known.hit.similarity < hit.similarity):
                    found[hit.file, hit.number] = Evidence("partly", hit, (first, end))
        evidence = sorted(found.values(), key=lambda e: (KINDS.index(e.kind), -e.hit.similarity, e.hit.file, e.hit.number))
        return Finding(evidence[0].kind if evidence else CLEAN, evidence[: self._top])

    def _ask(self, text: str, least: float) -> FileHits:
        (hits,) = self._indexes.query_many([text], TOP, self._probes, min_similarity=least)
        return hits


def parts(text: str, spans: list[tuple[int, int]], window: int) -> Iterator[tuple[int, int]]:
    """The parts of a text of these words, as first word and last + 1: its paragraphs of SHORT words or more, long ones in windows.

    Where paragraphs are shorter, as many as make SHORT words are one part. A text that would be one part has none.
    """
    ends, word = [], 0
    for paragraph in _PARAGRAPH.finditer(text):
        while word < len(spans) and spans[word][0] < paragraph.end():
            word += 1
        ends.append(word)
    blocks, first = list[tuple[int, int]](), 0
    for end in ends:
        if end - first >= SHORT:
            blocks.append((first, end))
            first = end
    if blocks and first < len(spans):
        blocks.append((first if len(spans) - first >= SHORT // 2 else blocks.pop()[0], len(spans)))
    found = []
    for first, end in blocks:
        starts = range(first, end - window // 2, window // 2) if end - first >= 2 * window else (first,)
        found += [(start, min(start + window, end) if end - first >= 2 * window else end) for start in starts]
    yield from found if len(found) > 1 else ()
