"""Scheme `rff`: rotated fuzzy-fingerprinting. What its profile says, and how it is put together."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

import numpy as np
from pocketindex.builder.container import pad8
from pocketindex.builder.profile import Head, Profile, pack
from pocketindex.builder.schemes.calibration import UNCALIBRATED, calibrate
from pocketindex.builder.schemes.embedding import (
    ONE,
    ClassSums,
    Embedding,
    class_scales,
    class_sums,
    directions,
    divide,
    signed_classes,
    term_weights,
)
from pocketindex.builder.schemes.term_rows import TermRows

NUMBER = 2
NEUTRAL = "neutral: no learned directions"  # what such a profile is called
STORED = 0  # how the rotation is
LEARN_ROTATION_FROM = 2_000  # texts: the directions of fewer are those of chance
TABLES, COMPONENTS = 3, 96  # where nothing is tuned
NEUTRAL_COMPONENTS = 128  # where nothing is learned: such collections are small
MOST_TABLES = 4  # that tuning chooses from


@dataclass(frozen=True)
class RffSettings:
    """Choices of scheme `rff`.

    tables: sub-keys l of a document; bits: components b of a sub-key; components: of the sketch; 0 leaves each of these to tuning.py,
    or, where nothing is tuned, to TABLES, COMPONENTS and the collection's size; classes: k; prefix: letters of a term that choose its
    bin, 0 for all; bins: of prefixes; rotation: "learned", "neutral", or "auto": learned from 2,000 sampled texts on; least_terms: shorter
    texts have no sketch.
    """

    tables: int = 0
    bits: int = 0
    components: int = 0
    classes: int = 1024
    prefix: int = 0
    bins: int = 16384
    rotation: str = "auto"
    least_terms: int = 5

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("tables", self.tables, 0, 64),
            ("bits", self.bits, 0, 64),
            ("components", self.components, 0, 1024),
            ("classes", self.classes, 2, 4096),
            ("prefix", self.prefix, 0, 16),
            ("tables x bits", self.tables * self.bits, 0, self.components or 1024),
            ("least_terms", self.least_terms, 1, 2**32 - 1),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} .. {most}")
        if self.rotation not in ("auto", "learned", "neutral"):
            raise ValueError(f"rotation is {self.rotation!r}; it must be auto, learned or neutral")
        if self.bins not in (1 << n for n in range(8, 18)):
            raise ValueError(f"bins is {self.bins}; it must be a power of two, 256 .. 131072")

    def shape(self, documents: int) -> Shape:
        """What is chosen, with the defaults for a collection of this size where nothing is."""
        tables = self.tables or TABLES
        rounded = ((2 * documents * documents).bit_length() - 1) // 2  # log2, to the nearest whole number
        bits = self.bits or min(max(rounded + 2, 8), 32, (self.components or 1024) // tables)
        return Shape(tables, bits, self.components or max(COMPONENTS, tables * bits))


@dataclass(frozen=True)
class Shape:
    """Of a sketch: its sub-keys, the components of each, and all of its components."""

    tables: int
    bits: int
    components: int


class Learned:
    """All that is learned but the shape of the sketch: profiles of several shapes are made of it.

    A learned rotation has directions for at least MOST_TABLES sub-keys of two bits more than the default; a profile takes those it needs.
    From few texts only the weights are learned, and the rotation is neutral.
    """

    def __init__(self, name: str, texts: list[bytes], documents: int, settings: RffSettings) -> None:
        self.texts, self.documents = texts, documents
        rows = TermRows.of(texts, settings.prefix)
        self.rotated = settings.rotation == "learned" or (settings.rotation == "auto" and len(texts) >= LEARN_ROTATION_FROM)
        if not self.rotated:
            # Nothing is rotated, so one class is as good as many.
            components = settings.components or max(NEUTRAL_COMPONENTS, (settings.tables or TABLES) * settings.bits)
            settings = replace(settings, tables=settings.tables or TABLES, components=components, classes=2, bins=256, prefix=0)
        self.name = name if self.rotated else NEUTRAL
        self.settings, self.shape = settings, settings.shape(documents)
        weights = term_weights(rows, whole=len(texts) >= documents)
        classes = signed_classes(rows, weights, settings.bins, settings.classes)
        sums = class_sums(rows, weights, classes, settings.classes)
        self.embedding = Embedding(settings.prefix, weights, classes, class_scales(sums, settings.classes))
        self.stride, self._borders, self._spreads = self.shape.bits, np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._rotation = np.zeros((settings.classes, 0), np.int8)
        if self.rotated:
            self._rotate(sums)

    def _rotate(self, sums: ClassSums) -> None:
        tables, self.stride = self.settings.tables or MOST_TABLES, self.settings.bits or self.shape.bits + 2
        if self.settings.classes < tables * self.stride:
            tables, self.stride = self.shape.tables, self.shape.bits
        count = tables * self.stride
        self._rotation = directions(sums, self.embedding.scales, self.settings.classes, count)
        self._borders, self._spreads = np.zeros(count, np.int64), np.full(count, ONE)
        plain = Profile(self.profile(Shape(tables, self.stride, count)), self.name)
        self._borders, self._spreads = divide(plain.project_many(self.texts))

    @property
    def most_tables(self) -> int:
        """Of a shape."""
        return len(self._borders) // self.stride if self.rotated else self.shape.tables

    def profile(self, shape: Shape, calibration: list[int] = UNCALIBRATED) -> bytes:
        """The bytes of a profile of this shape."""
        own = [t * self.stride + i for t in range(shape.tables) for i in range(shape.bits)] if self.rotated else []
        # The components of the sub-keys are directions that the sample leads to, the others hashed ones, which tell rare terms apart.
        tables = [(t * shape.bits, shape.bits) for t in range(shape.tables)]
        components = [(j, 2) for j in range(shape.components)]
        hashed = shape.components - len(own)
        borders = [*self._borders[own].tolist(), *[0] * hashed]
        spread = max(sorted(self._spreads[own].tolist())[len(own) // 2], 1) if own else ONE
        rotation = np.ascontiguousarray(self._rotation[:, own]).tobytes()
        head = Head(NUMBER, self.name, tables, components, borders, calibration, self.settings.least_terms)
        return pack(head, body(self.embedding, spread, rotation, len(own), hashed))


def learn(name: str, texts: list[bytes], documents: int, settings: RffSettings = RffSettings()) -> bytes:
    """The bytes of a profile learned from sampled texts of a collection of so many documents, of the default shape where none is chosen."""
    learned = Learned(name, texts, documents, settings)
    return learned.profile(learned.shape, calibrate(Profile(learned.profile(learned.shape), learned.name), texts))


def fit(data: bytes, documents: int) -> bytes:
    """A shipped profile for a collection of so many documents: only which components make a sub-key changes."""
    (tables,), (components,) = struct.unpack_from("<H", data, 4), struct.unpack_from("<I", data, 8)
    (stops,), (name,) = struct.unpack_from("<I", data, 16), struct.unpack_from("<H", data, 24)
    (longest,) = struct.unpack_from("<H", data, 32 + (name + 7) // 8 * 8 + 8 * stops + 2)
    # No more than were learned: the components after them are hashed directions.
    b = min(RffSettings(tables=tables, components=components).shape(documents).bits, longest)
    at = 32 + (name + 7) // 8 * 8 + 8 * stops
    rows = b"".join(struct.pack("<HH", t * longest, b) for t in range(tables))
    return data[:at] + rows + data[at + len(rows) :]


def body(embedding: Embedding, spread: int, rotation: bytes, rotated: int, hashed: int, made: int = STORED) -> bytes:
    """The scheme's part of the profile (docs/format.md 2.4).

    rotated, hashed: directions; made: how the rotation is, where it is not stored.
    """
    slots = len(embedding.weights)
    head = struct.pack("<8I", embedding.prefix, len(embedding.classes), len(embedding.scales), slots, rotated, made, spread, hashed)
    arrays = embedding.weights.tobytes() + embedding.classes.astype("<u2").tobytes() + embedding.scales.astype("<u2").tobytes()
    return pad8(head + arrays) + pad8(rotation)
