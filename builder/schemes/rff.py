"""Scheme `rff`: fuzzy-fingerprinting with classes drawn at random by hash.

What its profile says, and how it is put together.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from pocketindex.arguments import check_fields
from pocketindex.builder.schemes.profile import Head, pack
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
from pocketindex.builder.work.threads import Each, one_by_one

NUMBER = 2


@dataclass(frozen=True)
class RffSettings:
    """Choices of scheme `rff`.

    shape: a name of shapes.py, which decides what is None here; tables: sub-keys l of a document, 0
    for a file that is always scanned; bits: components b of a sub-key; components: of the sketch;
    cells: that similar documents lie together in, 0 for none, None for as many as suit the number
    of documents; least_terms: shorter texts have no sketch.
    """

    shape: str = DEFAULT_SHAPE
    tables: int | None = None
    bits: int | None = None
    components: int | None = None
    cells: int | None = None
    least_terms: int = 5

    def __post_init__(self) -> None:
        check_fields(self)
        if self.shape not in SHAPES:
            raise ValueError(f"shape is {self.shape!r}; it must be one of {', '.join(SHAPES)}")
        for name, value, least, most in (
            ("tables", self.tables, 0, 64),
            ("bits", self.bits, 1, 64),
            ("components", self.components, 1, 1024),
            ("cells", self.cells, 0, 65_536),
            ("tables x bits", self.chosen.tables * (self.bits or 1), 0, self.chosen.components),
            ("least_terms", self.least_terms, 1, 2**32 - 1),
        ):
            if value is not None and not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} .. {most}")
        if self.tables == 0 and self.bits is not None:
            raise ValueError(
                f"bits is {self.bits}, of the sub-keys of tables, and tables is 0; leave one of "
                "them away"
            )

    @property
    def found(self) -> Found | None:
        """What the shape found on the bench's collections, None where something else than the shape
        is chosen.
        """
        return SHAPES[self.shape].found if self == RffSettings(self.shape) else None

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
