"""Learn a profile's frequencies from texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from pocketindex.builder.profile import FfSettings, Frequencies
from pocketindex.cbits import ffi, lib
from pocketindex.explain import terms_of

STOP_WORDS = 150
# At most one in so many different terms is a stop word: a few documents have no 150 words that say nothing.
TERMS_PER_STOP_WORD = 100
SAMPLE = 20_000  # documents; more move no class border that matters (bench/README.md)


def frequencies(texts: Iterable[bytes], settings: FfSettings, stop_words: int | None = None) -> Frequencies:
    """Count the texts' terms: the most frequent stop_words of them become stop words, the others are counted by prefix bin.

    stop_words: None for 150, or one in a hundred different terms where that is less.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(terms_of(text))
    return of_counts(counts, settings, min(STOP_WORDS, len(counts) // TERMS_PER_STOP_WORD) if stop_words is None else stop_words)


def of_counts(counts: Counter[str], settings: FfSettings, stop_words: int = STOP_WORDS) -> Frequencies:
    """The same from terms and how often each occurs. Ties between terms are broken by their bytes."""
    order = sorted(counts, key=lambda term: (-counts[term], term.encode()))
    stops, rest = order[:stop_words], [term.encode() for term in order[stop_words:]]
    ends = np.cumsum([len(term) for term in rest], dtype=np.uint64)
    numbers = np.zeros(len(rest), np.uint32)
    status = lib.pocket_prefix_bins(
        b"".join(rest),
        ffi.from_buffer("uint64_t[]", ends),
        len(rest),
        settings.prefix,
        settings.bins,
        ffi.from_buffer("uint32_t[]", numbers, require_writable=True),
    )
    if status:
        raise ValueError(f"prefix length {settings.prefix} or {settings.bins} bins are outside their range")
    bins = np.zeros(settings.bins, np.uint64)
    np.add.at(bins, numbers, np.array([counts[term] for term in order[stop_words:]], np.uint64))
    return Frequencies(bins, stops)
