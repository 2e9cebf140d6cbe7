"""Schemes `minhash` and `wminhash`: bands of least hashes over word shingles (Broder 1997), a few
bits of each (Li & König 2010).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

from pocketindex.builder.conventions import pad8
from pocketindex.builder.schemes.profile import Head, least_terms_option, pack
from pocketindex.builder.schemes.weights import term_weights
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.options import SET, Options, option

MINHASH, WMINHASH = 4, 5
UNIT = 48  # weight of a copy: 3 bits of rarity


@dataclass(frozen=True, kw_only=True)
class MinHashSettings(Options):
    """Choices of schemes `minhash` and `wminhash`."""

    bands: int = option(16, "sub-keys of a document", least=1, most=64, metavar="N", shown=SET)
    rows: int = option(4, "least hashes in a sub-key", least=1, most=64, metavar="N", shown=SET)
    bits: int = option(4, "bits kept of each least hash", least=1, most=4, metavar="N")
    shingle: int = option(1, "terms of a shingle", least=1, most=16, metavar="N", shown=SET)
    least_terms: int = least_terms_option()


def learn_minhash(
    name: str,
    texts: Iterable[bytes],
    documents: int | None,
    settings: MinHashSettings = MinHashSettings(),
    each: Each = one_by_one,
) -> bytes:
    """Make the bytes of a `minhash` profile; nothing is learned."""
    return _profile(MINHASH, name, b"", settings)


def learn_wminhash(
    name: str,
    texts: Iterable[bytes],
    documents: int | None,
    settings: MinHashSettings = MinHashSettings(),
    each: Each = one_by_one,
) -> bytes:
    """Make the bytes of a `wminhash` profile: shingles weigh as much as their last term is rare."""
    return _profile(WMINHASH, name, term_weights(texts, documents, each)[0].tobytes(), settings)


def _profile(number: int, name: str, weights: bytes, settings: MinHashSettings) -> bytes:
    count, intervals = settings.bands * settings.rows, 1 << settings.bits
    tables = [(t * settings.rows, settings.rows) for t in range(settings.bands)]
    components = [(0, intervals)] * count
    borders = list(range(1, intervals)) * count  # digits are hash values: the borders mean nothing
    scheme = pad8(
        struct.pack("<4I", settings.shingle, len(weights), UNIT if weights else 0, 0) + weights
    )
    return pack(Head(number, name, tables, components, borders, settings.least_terms), scheme)
