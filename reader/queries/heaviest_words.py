"""The words of a text that tell most of its topic, and the documents that have them."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from pocketindex.queries.terms import terms_of
from pocketindex.queries.word_search import HIGHEST, MOST_HITS, WordHit, search

if TYPE_CHECKING:
    from pocketindex.index import Index

# The stream `every word` of a file by that of its profile (docs/format.md 6.3).
EVERY_WORD, MARKED, EVERY_MARKED = 3, 5, 6
HEAVIEST = 64  # as many as a search asks for
SURE = 2  # words that one document alone has: what weighs as much is more than chance


def heaviest_words(index: Index, text: bytes) -> list[str]:
    """Return the words of text (UTF-8) with the greatest tf-idf, at most 64, the greatest first:
    tf is 1 + the logarithm of how often text has a word, idf that of the documents over those that
    have it. Words of no document and of all are left out. Raises NoWords, TextTooLong, Damaged,
    FileChanged.
    """
    summary = ffi.new("pocket_summary *")
    lib.pocket_summarize(index._core, summary)
    terms = terms_of(text, EVERY_MARKED if summary.stream == MARKED else EVERY_WORD)
    documents, count = ffi.new("uint64_t[]", len(terms)), ffi.new("uint64_t *", len(terms))
    error = ffi.new("pocket_error *")
    status = lib.pocket_known_words(index._core, text, len(text), documents, count, error)
    check(status, error, index.path)
    having = dict(zip(terms, documents, strict=True))
    weights = {
        term: (1 + log(times)) * log(len(index) / having[term])
        for term, times in Counter(terms).items()
        if 0 < having[term] < len(index)
    }
    return sorted(weights, key=lambda term: (-weights[term], term))[:HEAVIEST]


def on_topic(index: Index, text: bytes, most: int) -> list[tuple[WordHit, float]]:
    """Return the documents that have the heaviest words of text, each with the score below which it
    may be chance: that of two words which one document alone has, as often as a word counts.
    """
    words = heaviest_words(index, text)
    if not words:
        return []
    least = SURE * HIGHEST * log(len(index))
    found = search(
        index, " ".join(words), min(most, MOST_HITS), prefix=False, group=False, exact=True
    )
    return [(hit, least) for hit in found]
