"""Schemes `minhash` and `wminhash`: bands of least hashes over word shingles (Broder 1997), a few
bits of each (Li & König 2010).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

from pocketindex.arguments import check_fields
from pocketindex.builder.conventions import pad8
from pocketindex.builder.schemes.profile import Head, pack
from pocketindex.builder.schemes.weights import term_weights
from pocketindex.builder.work.threads import Each, one_by_one

MINHASH, WMINHASH = 4, 5
UNIT = 48  # weight of a copy: 3 bits of rarity


@dataclass(frozen=True)
class MinHashSettings:
    """Choices of schemes `minhash` and `wminhash`.

    bands: tables b; rows: components r of a band; bits: kept of each least hash; shingle: terms of
    a shingle; least_terms: shorter texts have no sketch.
    """

    bands: int = 16
    rows: int = 4
    bits: int = 4
    shingle: int = 1
    least_terms: int = 5

    def __post_init__(self) -> None:
        check_fields(self)
        for name, value, least, most in (
            ("bands", self.bands, 1, 64),
            ("rows", self.rows, 1, 64),
            ("bits", self.bits, 1, 4),
            ("shingle", self.shingle, 1, 16),
            ("least_terms", self.least_terms, 1, 2**32 - 1),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} .. {most}")


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
