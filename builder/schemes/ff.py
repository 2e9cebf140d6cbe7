"""Scheme `ff`: fuzzy-fingerprinting as published (Stein & Potthast, DIR 2007, 3.1): its settings,
and its profile from term frequencies.
"""

from __future__ import annotations

import argparse
import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.prefix_classes import pack_bins
from pocketindex.builder.schemes.profile import MARKED, Head, least_terms_option, pack
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.cbits import ffi, lib
from pocketindex.errors import spelled
from pocketindex.options import SET, Options, option
from pocketindex.queries.terms import terms_of

NUMBER = 1
ONE = 65536  # a deviation of 1 in 16.16 fixed point

# Three fuzzification schemes of two intervals each (DIR 2007: "typically three"). Where the borders
# lie is our choice: of the settings with about two candidates a query, the one that finds most
# (bench/results/ff.md).
FF_BORDERS = ((0.0,), (-0.4,), (0.4,))


def borders(text: str) -> tuple[tuple[float, ...], ...]:
    """Parse borders: '0;-.35,.35' is ((0.0,), (-0.35, 0.35))."""
    try:
        return tuple(tuple(float(b) for b in scheme.split(",")) for scheme in text.split(";"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected rising numbers, with commas within a fuzzification scheme and ; "
            "between them"
        ) from None


@dataclass(frozen=True, kw_only=True)
class FfSettings(Options):
    """Choices of scheme `ff` that the paper leaves to its user."""

    classes: int = option(26, "prefix classes of terms", least=2, most=256, metavar="N", shown=SET)
    prefix: int = option(
        3, "length of a prefix in code points", least=1, most=16, metavar="N", shown=SET
    )
    borders: tuple[tuple[float, ...], ...] = option(
        FF_BORDERS,
        "borders of the intervals of each fuzzification scheme, rising, as relative deviations "
        "from the expected frequency",
        parse=borders,
        metavar="'X,...;X,...'",
        shown=SET,
        shown_default=";".join(",".join(f"{b:g}" for b in scheme) for scheme in FF_BORDERS),
    )
    bins: int = option(
        16384,
        "bins that prefixes are hashed to",
        choices=tuple(1 << n for n in range(8, 18)),
        metavar="N",
        shown=SET,
    )
    least_terms: int = least_terms_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        count = len(self.borders)
        if not 1 <= count <= 64:
            raise self.refused(
                "{borders} has {0} fuzzification schemes; it must have between 1 and 64", count
            )
        if self.classes * count > 4096:
            raise self.refused(
                "{classes} is {0} and {borders} has {1} fuzzification schemes; together they make "
                "more than 4096 components",
                self.classes,
                count,
            )
        for scheme in self.borders:
            fixed = [round(border * ONE) for border in scheme]
            if (
                not 1 <= len(fixed) <= 15
                or fixed != sorted(set(fixed))
                or not -ONE <= fixed[0] <= fixed[-1] < 2**31
            ):
                raise self.refused(
                    "{borders} has {0}; a fuzzification scheme has 1 to 15 borders, rising, from "
                    "-1 on",
                    scheme,
                )


@dataclass
class Frequencies:
    """Term frequencies of a reference, as far as a profile needs them: terms by prefix bin (stop
    words left out) and the stop words.
    """

    bins: npt.NDArray[np.uint64]
    stop_words: list[str] = field(default_factory=list)


def pack_ff(name: str, frequencies: Frequencies, settings: FfSettings = FfSettings()) -> bytes:
    """Return an `ff` profile. Raises ValueError for settings that the format does not allow."""
    k = settings.classes
    tables = [(t * k, k) for t in range(len(settings.borders))]
    components = [(i, len(borders) + 1) for borders in settings.borders for i in range(k)]
    fixed = [[round(b * ONE) for b in borders] for borders in settings.borders]
    borders = [b for scheme in fixed for _ in range(k) for b in scheme]
    class_of, expectation = pack_bins(frequencies.bins, k)
    body = struct.pack("<IIII", settings.prefix, len(class_of), k, 0)
    body += struct.pack(f"<{k}I", *expectation) + class_of.astype(np.uint8).tobytes()
    return pack(
        Head(
            NUMBER, name, tables, components, borders, settings.least_terms, frequencies.stop_words
        ),
        body,
    )


STOP_WORDS = 150
TERM_BYTES = 160  # of a term that is counted: its string, its count, its place
# At most one in so many different terms is a stop word: a few documents have no 150 words that say
# nothing.
TERMS_PER_STOP_WORD = 100


def frequencies(
    texts: Iterable[bytes],
    settings: FfSettings,
    stop_words: int | None = None,
    max_memory: int | None = None,
) -> Frequencies:
    """Count the texts' terms: the most frequent stop_words of them become stop words, the others
    are counted by prefix bin.

    stop_words: None for 150, or one in a hundred different terms where that is less. max_memory: in
    bytes, None for any. Raises ValueError where there are more different terms than fit.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(terms_of(text, MARKED))
        if max_memory and len(counts) * TERM_BYTES > max_memory:
            raise ValueError(
                f"the texts have more than {len(counts):,} different terms, which do not fit into "
                f"{max_memory:,} bytes; raise {spelled('max_memory')}, or give a part of the "
                "collection"
            )
    return of_counts(
        counts,
        settings,
        min(STOP_WORDS, len(counts) // TERMS_PER_STOP_WORD) if stop_words is None else stop_words,
    )


def learn(
    name: str,
    texts: Iterable[bytes],
    documents: int | None,
    settings: FfSettings = FfSettings(),
    each: Each = one_by_one,
) -> bytes:
    """Make the bytes of a profile learned from sampled texts; the collection's size does not
    matter.
    """
    return pack_ff(name, frequencies(texts, settings), settings)


def of_counts(
    counts: Counter[str], settings: FfSettings, stop_words: int = STOP_WORDS
) -> Frequencies:
    """Do the same from terms and their counts. Ties between terms are broken by their bytes."""
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
        raise ValueError(
            f"prefix length {settings.prefix} or {settings.bins} bins are outside their range"
        )
    bins = np.zeros(settings.bins, np.uint64)
    np.add.at(bins, numbers, np.array([counts[term] for term in order[stop_words:]], np.uint64))
    return Frequencies(bins, stops)
