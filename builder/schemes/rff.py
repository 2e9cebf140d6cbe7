"""Scheme `rff`: rotated fuzzy-fingerprinting. Its profile is learned in the stations of docs/format.md 2.4, each a function here."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any

import numpy as np
from pocketindex.builder.container import pad8
from pocketindex.builder.profile import Head, Profile, pack
from pocketindex.builder.schemes.calibration import UNCALIBRATED, calibrate
from pocketindex.builder.schemes.prefix_classes import pack_bins
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.cbits import ffi, lib
from pocketindex.status import check

NUMBER = 2
NEUTRAL = "neutral: no learned directions"  # what such a profile is called
STORED = 0  # how the rotation is
WEIGHT_FRACTION = 16  # a term weight of 1 is this many units
SCALE_ONE = 4096  # of a class with the median spread
LEADING = 192  # directions that are turned onto those of the sub-keys
LEARN_ROTATION_FROM = 2_000  # texts: the directions of fewer are those of chance
LARGEST_SCALE = 4 * SCALE_ONE  # a class that the sample hardly shows gets no more
ONE = 65536  # the spread of a neutral rotation, and 1 in 16.16
UNIT = 1 << 14  # length of a normalised text in the learning

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class RffSettings:
    """Choices of scheme `rff`.

    tables: sub-keys l of a document; bits: components b of a sub-key (0: by the collection's size, two more than its
    logarithm); components: of the sketch;
    classes: k; prefix: letters of a term that choose its bin, 0 for all; bins: of prefixes; rotation: "learned", "neutral",
    or "auto": learned from 2,000 sampled texts on; least_terms: shorter texts have no sketch.
    """

    tables: int = 2
    bits: int = 0
    components: int = 128
    classes: int = 1024
    prefix: int = 0
    bins: int = 16384
    rotation: str = "auto"
    least_terms: int = 5

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("tables", self.tables, 1, 64),
            ("bits", self.bits, 0, 64),
            ("components", self.components, 8, 1024),
            ("classes", self.classes, 2, 4096),
            ("prefix", self.prefix, 0, 16),
            ("tables x bits", self.tables * self.bits, 0, self.components),
            ("least_terms", self.least_terms, 1, 2**32 - 1),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} .. {most}")
        if self.rotation not in ("auto", "learned", "neutral"):
            raise ValueError(f"rotation is {self.rotation!r}; it must be auto, learned or neutral")
        if self.bins not in (1 << n for n in range(8, 18)):
            raise ValueError(f"bins is {self.bins}; it must be a power of two, 256 .. 131072")

    def sub_key_bits(self, documents: int) -> int:
        """Components of a sub-key for a collection of this size."""
        rounded = ((2 * documents * documents).bit_length() - 1) // 2  # log2, to the nearest whole number
        return self.bits or min(max(rounded + 2, 8), 32, self.components // self.tables)


@dataclass(frozen=True)
class Embedding:
    """What stands before the rotation: a weight for each term slot, a class and a sign for each prefix bin, a scale for each class."""

    weights: np.ndarray[Any, np.dtype[np.uint8]]
    classes: np.ndarray[Any, np.dtype[np.uint16]]
    scales: np.ndarray[Any, np.dtype[np.uint16]]


def learn(name: str, texts: list[bytes], documents: int, settings: RffSettings = RffSettings()) -> bytes:
    """The bytes of a profile learned from sampled texts of a collection of so many documents.

    From few texts only the weights are learned, and the rotation is neutral.
    """
    rows = TermRows.of(texts, settings.prefix)
    learned = settings.rotation == "learned" or (settings.rotation == "auto" and len(texts) >= LEARN_ROTATION_FROM)
    if not learned:
        # Nothing is rotated, so one class is as good as many.
        settings = replace(settings, classes=2, bins=256, prefix=0)
    weights = term_weights(rows, whole=len(texts) >= documents)
    classes = signed_classes(rows, weights, settings)
    sums = class_sums(rows, weights, classes, settings)
    scales = class_scales(sums, settings.classes)
    embedding = Embedding(weights, classes, scales)
    b = settings.sub_key_bits(documents)
    rotation = directions(sums, scales, settings, settings.tables * b) if learned else None
    tables = [(t * b, b) for t in range(settings.tables)]
    # The components of the sub-keys are directions that the sample leads to, the others hashed ones, which tell rare terms apart.
    components = [(j, 2) for j in range(settings.components)]
    hashed = settings.components - (settings.tables * b if learned else 0)

    def packed(borders: list[int], spread: int, calibration: list[int]) -> bytes:
        head = Head(NUMBER, name if rotation else NEUTRAL, tables, components, borders, calibration, settings.least_terms)
        return pack(head, body(embedding, settings, spread, rotation or b"", settings.components - hashed, hashed))

    borders, spread = [0] * settings.components, ONE
    if rotation:
        borders, spread = divide(Profile(packed(borders, spread, UNCALIBRATED), name).project_many(texts), settings.tables * b)
    second = Profile(packed(borders, spread, UNCALIBRATED), name)
    return packed(borders, spread, calibrate(second, texts, rows))


def fit(data: bytes, documents: int) -> bytes:
    """A shipped profile for a collection of so many documents: only which components make a sub-key changes."""
    (tables,), (components,) = struct.unpack_from("<H", data, 4), struct.unpack_from("<I", data, 8)
    (stops,), (name,) = struct.unpack_from("<I", data, 16), struct.unpack_from("<H", data, 24)
    (longest,) = struct.unpack_from("<H", data, 32 + (name + 7) // 8 * 8 + 8 * stops + 2)
    # No more than were learned: the components after them are hashed directions.
    b = min(RffSettings(tables=tables, components=components).sub_key_bits(documents), longest)
    at = 32 + (name + 7) // 8 * 8 + 8 * stops
    rows = b"".join(struct.pack("<HH", t * longest, b) for t in range(tables))
    return data[:at] + rows + data[at + len(rows) :]


def term_weights(rows: TermRows, whole: bool) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """For each slot that terms are hashed into: floor(16 log2(texts / texts with such a term)), at most 255.

    A term that no sampled text has counts as if half a text had it; or nothing when the sample is the whole
    collection, as no document has it.
    """
    slots = 1 << min(max((8 * rows.distinct).bit_length(), 10), 16)
    frequency = np.bincount((rows.whole >> np.uint64(32)) & np.uint64(slots - 1), minlength=slots)
    n = max(rows.texts, 1)
    weight = {f: _log2(2 * n, 2 * f or 1) for f in np.unique(frequency).tolist()}
    if whole:
        weight[0] = 0
    return np.array([weight[f] for f in frequency.tolist()], np.uint8)


def _log2(a: int, b: int) -> int:
    """floor(16 log2(a / b)) in 0 .. 255, exactly."""
    return int(min(max((a**WEIGHT_FRACTION // b**WEIGHT_FRACTION).bit_length() - 1, 0), 255))


def signed_classes(
    rows: TermRows, weights: np.ndarray[Any, np.dtype[np.uint8]], settings: RffSettings
) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Class and sign (bit 15) of each prefix bin.

    Bins are packed into classes of equal expected weight, and take the sign that keeps their class's expectation near zero.
    """
    bins = (rows.prefix & np.uint64(settings.bins - 1)).astype(np.int64)
    expected = np.zeros(settings.bins, np.int64)
    np.add.at(expected, bins, rows.counts * rows.weighted(weights))
    class_of, _ = pack_bins(expected.astype(np.uint64), settings.classes)
    sums = [0] * settings.classes
    signed = class_of.copy()
    for i in sorted(range(settings.bins), key=lambda i: (-int(expected[i]), i)):
        c = int(class_of[i])
        # Bins without any term alternate.
        negative = sums[c] > 0
        sums[c] += -max(int(expected[i]), 1) if negative else max(int(expected[i]), 1)
        signed[i] |= 0x8000 if negative else 0
    return signed


@dataclass(frozen=True)
class ClassSums:
    """Each text's classes with their signed weights: text i's entries up to ends[i]."""

    classes: Ints
    values: Ints
    ends: np.ndarray[Any, np.dtype[np.uint64]]

    @property
    def text_of(self) -> Ints:
        """The text of each entry."""
        return np.repeat(np.arange(len(self.ends)), np.diff(self.ends.astype(np.int64), prepend=0))

    def unit(self, scales: Ints, length: int) -> Ints:
        """The values scaled by class and brought to this length text by text, rounded toward zero."""
        scaled = self.values * scales[self.classes]
        squares = np.zeros(len(self.ends), np.float64)
        np.add.at(squares, self.text_of, scaled.astype(np.float64) ** 2)
        norms = np.maximum(np.sqrt(squares), 1.0)
        return np.trunc(scaled * (length / norms)[self.text_of]).astype(np.int64)


def class_sums(
    rows: TermRows,
    weights: np.ndarray[Any, np.dtype[np.uint8]],
    classes: np.ndarray[Any, np.dtype[np.uint16]],
    settings: RffSettings,
) -> ClassSums:
    """Sum the signed weights of each text's terms by class."""
    signed = classes[(rows.prefix & np.uint64(settings.bins - 1)).astype(np.int64)].astype(np.int64)
    value = rows.counts * rows.weighted(weights) * np.where(signed & 0x8000, -1, 1)
    key = rows.text_of * settings.classes + (signed & 0x7FFF)
    order = np.argsort(key, kind="stable")
    distinct, starts = np.unique(key[order], return_index=True)
    sums = np.add.reduceat(value[order], starts) if len(starts) else np.zeros(0, np.int64)
    ends = np.searchsorted(distinct, np.arange(1, rows.texts + 1) * settings.classes).astype(np.uint64)
    return ClassSums(distinct % settings.classes, sums, ends)


def class_scales(sums: ClassSums, classes: int) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """One over the spread of each class's share, in units of the median class."""
    shares = sums.unit(np.ones(classes, np.int64), 1 << 20)
    first, second = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    np.add.at(first, sums.classes, shares)
    np.add.at(second, sums.classes, shares * shares)
    n = max(len(sums.ends), 1)
    spreads = [isqrt(max(n * int(b) - int(a) ** 2, 0)) // n for a, b in zip(first, second, strict=True)]
    median = sorted(spreads)[classes // 2]
    return np.array([min(SCALE_ONE * median // s, LARGEST_SCALE) if s else LARGEST_SCALE for s in spreads], np.uint16)


def directions(sums: ClassSums, scales: np.ndarray[Any, np.dtype[np.uint16]], settings: RffSettings, count: int) -> bytes:
    """The rotation onto so many of the sample's leading directions, class by class, a signed byte each."""
    entries = np.zeros(len(sums.classes), [("number", "<u4"), ("value", "<i4")])
    entries["number"] = sums.classes
    entries["value"] = sums.unit(scales.astype(np.int64), UNIT)
    if count > settings.classes:
        raise ValueError(f"{count} components of sub-keys need as many classes; there are {settings.classes}")
    out = ffi.new("int8_t[]", settings.classes * count)
    status = lib.pocket_directions(
        ffi.cast("pocket_class_row *", ffi.from_buffer(entries)),
        ffi.cast("uint64_t *", ffi.from_buffer(sums.ends)),
        len(sums.ends),
        settings.classes,
        min(max(LEADING, count), settings.classes),
        count,
        out,
    )
    check(status, ffi.new("pocket_error *"), "the sample")
    return bytes(ffi.buffer(out))


def divide(ratios: np.ndarray[Any, np.dtype[np.int32]], rotated: int) -> tuple[list[int], int]:
    """Borders that halve the sample in every component, and the median spread of the first `rotated` about theirs.

    ratios: (texts, components).
    """
    n, d = ratios.shape
    if n == 0:
        return [0] * d, ONE
    borders = np.partition(ratios, n // 2, axis=0)[n // 2].astype(np.int64)
    squares = ((ratios[:, :rotated] - borders[:rotated]) ** 2).sum(axis=0)
    spreads = sorted(isqrt(int(s) // n) for s in squares)
    return borders.tolist(), max(spreads[rotated // 2], 1)


def body(embedding: Embedding, settings: RffSettings, spread: int, rotation: bytes, rotated: int, hashed: int, made: int = STORED) -> bytes:
    """The scheme's part of the profile (docs/format.md 2.4).

    rotated, hashed: directions; made: how the rotation is, where it is not stored.
    """
    slots = len(embedding.weights)
    head = struct.pack("<8I", settings.prefix, settings.bins, settings.classes, slots, rotated, made, spread, hashed)
    arrays = embedding.weights.tobytes() + embedding.classes.astype("<u2").tobytes() + embedding.scales.astype("<u2").tobytes()
    return pad8(head + arrays) + pad8(rotation)
