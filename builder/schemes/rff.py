"""Scheme `rff`: fuzzy-fingerprinting with classes drawn at random by hash.

What its profile says, and how it is put together.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from pocketindex.builder.schemes.profile import TABLES_HELP, Head, least_terms_option, pack
from pocketindex.builder.schemes.shapes import (
    DEFAULT_SHAPE,
    PROBES_BESIDE,
    SHAPES,
    TABLES_BESIDE,
    Found,
    Shape,
    cells_of,
)
from pocketindex.builder.schemes.weights import Weights, term_weights
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.options import COMMON, Options, option

NUMBER = 2


@dataclass(frozen=True, kw_only=True)
class RffSettings(Options):
    """Choices of scheme `rff`. The shape decides what is None."""

    shape: str = option(
        DEFAULT_SHAPE,
        "trade size for recall; in our benchmarks balanced finds 97 to 99.9 % of the documents "
        "with a cosine of 0.7 or more",
        choices=tuple(SHAPES),
        shown=COMMON,
    )
    tables: int | None = option(
        None,
        TABLES_HELP,
        least=0,
        most=64,
        metavar="N",
        shown_default="depends on the shape",
    )
    bits: int | None = option(
        None,
        "components in a sub-key",
        least=1,
        most=64,
        metavar="N",
        shown_default="depends on the number of documents",
    )
    components: int | None = option(
        None,
        "components of a sketch, one bit each",
        least=1,
        most=1024,
        metavar="N",
        shown_default="depends on the shape",
    )
    cells: int | None = option(
        None,
        "number of cells that group similar documents, 0 for none",
        least=0,
        most=65_536,
        metavar="N",
        shown_default="depends on the number of documents",
    )
    least_terms: int = least_terms_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        together = self.chosen.tables * (self.bits or 1)
        if together > self.chosen.components:
            raise self.refused(
                "{tables} x {bits} is {0}; it must be at most {1}, the components of a sketch",
                together,
                self.chosen.components,
            )
        if self.tables == 0 and self.bits is not None:
            raise self.refused(
                "{bits} is {0}, but with {tables} 0 there are no sub-keys; omit one of them",
                self.bits,
            )

    @property
    def found(self) -> Found | None:
        """What the shape found on the bench's collections, None where something else than the shape
        is chosen.
        """
        return SHAPES[self.shape].found if self == RffSettings(shape=self.shape) else None

    @property
    def chosen(self) -> Shape:
        """The named shape, with what is chosen besides."""
        shape = SHAPES[self.shape]
        return replace(
            shape,
            tables=shape.tables if self.tables is None else self.tables,
            components=shape.components if self.components is None else self.components,
        )

    def cells_of(self, documents: int) -> int:
        """Return the number of cells of a file of so many documents."""
        return cells_of(documents) if self.cells is None else self.cells

    def shape_of(self, documents: int) -> Shape:
        """Return the chosen shape for so many documents: beside cells it has fewer tables."""
        if not self.cells_of(documents):
            return self.chosen
        tables = TABLES_BESIDE if self.tables is None else self.tables
        return replace(self.chosen, tables=tables, probes=PROBES_BESIDE)


def learn(
    name: str,
    texts: Iterable[bytes],
    documents: int | None,
    settings: RffSettings = RffSettings(),
    each: Each = one_by_one,
) -> bytes:
    """Make the bytes of a profile with the term weights of sampled texts.

    documents: of the collection, None where the texts are all of it.
    """
    weights, count = term_weights(texts, documents, each)
    return profile(name, weights, count if documents is None else documents, settings)


def profile(name: str, weights: Weights, documents: int, settings: RffSettings) -> bytes:
    """Make the bytes of a profile for a collection of so many documents (docs/format.md 2.4)."""
    shape = settings.shape_of(documents)
    bits, d = settings.bits or shape.bits(documents), shape.components
    # Sub-keys are made of the sketch's own bits, each of bits of its own.
    tables = [(t * bits, bits) for t in range(shape.tables)]
    head = Head(NUMBER, name, tables, [(j, 2) for j in range(d)], [0] * d, settings.least_terms)
    return pack(head, body(weights, d))


def fit(data: bytes, name: str, documents: int, settings: RffSettings) -> bytes:
    """Make a profile for so many documents with the term weights of one of another shape: a shipped
    one.
    """
    return profile(name, weights_of(data), documents, settings)


def weights_of(data: bytes) -> Weights:
    """Return the term weights of a profile of this scheme."""
    components, borders, stops = struct.unpack_from("<III", data, 8)
    named, rows = struct.unpack_from("<HH", data, 24)
    at = 32 + sum(
        (size + 7) // 8 * 8 for size in (named, 8 * stops, 4 * rows, 4 * components, 4 * borders)
    )
    (slots,) = struct.unpack_from("<I", data, at)
    return np.frombuffer(data, np.uint8, slots, at + 8)


def bits_of(data: bytes) -> int:
    """Return the components of a sub-key of a profile of this scheme; 0 where it has no tables."""
    stops, _, named, rows = struct.unpack_from("<IIHH", data, 16)
    at = 32 + (named + 7) // 8 * 8 + 8 * stops
    return struct.unpack_from("<HH", data, at)[1] if rows else 0


def body(weights: Weights, directions: int) -> bytes:
    """Make the scheme's part of the profile (docs/format.md 2.4)."""
    return struct.pack("<2I", len(weights), directions) + weights.tobytes()
