"""Scheme `simhash`: *Interoperability of Locality-Sensitive Hashing Schemes*, with the tables of
Manku et al. (2007, 3.1.1).
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from pocketindex.builder.schemes.profile import (
    GOES_ON,
    INTEROP,
    Head,
    Profile,
    least_terms_option,
    pack,
)
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.options import Options

NUMBER = 6
BITS = 64
BLOCKS = 4
BLOCK = 16
PIECE = 12
LOOKUP3 = 1
# What the draft leaves open: word characters of Unicode 15, no stop list, which of Jenkins' hashes,
# tokens counted as often as they occur.
NAME = "simhash64-interop-u15-lookup3-tf"


@dataclass(frozen=True, kw_only=True)
class SimHashSettings(Options):
    """Choices of scheme `simhash`; the draft fixes all others."""

    least_terms: int = least_terms_option()


def learn(
    name: str,
    texts: Iterable[bytes],
    documents: int | None,
    settings: SimHashSettings = SimHashSettings(),
    each: Each = one_by_one,
) -> bytes:
    """Make the bytes of the profile; nothing is learned, and the name is always the identifier."""
    return profile(settings)


def profile(settings: SimHashSettings) -> bytes:
    """Make the bytes of the profile (docs/format.md 2.7)."""
    rows = [row for i in range(BLOCKS) for m in range(BLOCKS) for row in table(i, m)]
    components = [(j, 2) for j in range(BITS)]
    head = Head(NUMBER, NAME, rows, components, [0] * BITS, settings.least_terms, stream=INTEROP)
    return pack(head, struct.pack("<2I", LOOKUP3, 0))


def table(i: int, m: int) -> list[tuple[int, int]]:
    """Return the rows of the table with block i, and piece m of the bits of the other blocks."""
    block = range(BLOCK * i, BLOCK * (i + 1))
    others = [j for j in range(BITS) if j not in block]
    bits = sorted([*block, *others[PIECE * m : PIECE * (m + 1)]])
    starts = [bits[0], *(b for a, b in pairwise(bits) if b > a + 1), BITS]
    counts = [sum(start <= bit < end for bit in bits) for start, end in pairwise(starts)]
    return [
        (start, count | (GOES_ON if n else 0))
        for n, (start, count) in enumerate(zip(starts[:-1], counts, strict=True))
    ]


def fingerprint(text: bytes) -> str | None:
    """Return the simhash of a text in UTF-8 with the scheme's identifier before it, or None where
    the text has no token.
    """
    sketched = Profile(profile(SimHashSettings(least_terms=1)), NAME).sketch_many(
        text, np.array([len(text)], np.uint64), 0
    )
    return f"{NAME}:{written(sketched.records[0].tobytes())}" if sketched.terms[0] else None


def written(sketch: bytes) -> str:
    """Return a packed sketch in base32, most significant byte first."""
    return base64.b32encode(sketch[::-1]).decode().rstrip("=").lower()
