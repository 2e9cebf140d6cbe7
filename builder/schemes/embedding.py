"""What schemes `rff` and `plsh` learn, in the stations of docs/format.md 2.4: term weights, signed classes, scales, directions, borders."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from pocketindex.builder.schemes.prefix_classes import pack_bins
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.cbits import ffi, lib
from pocketindex.status import check

WEIGHT_FRACTION = 16  # a term weight of 1 is this many units
SCALE_ONE = 4096  # of a class with the median spread
LEADING = 192  # directions that are turned onto those of the sub-keys
LARGEST_SCALE = 4 * SCALE_ONE  # a class that the sample hardly shows gets no more
ONE = 65536  # the spread of a neutral rotation, and 1 in 16.16
UNIT = 1 << 14  # length of a normalised text in the learning

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Embedding:
    """What stands before the rotation.

    Code points of a prefix (0: the whole term), a weight for each term slot, a class and a sign for each prefix bin, a scale for each
    class.
    """

    prefix: int
    weights: np.ndarray[Any, np.dtype[np.uint8]]
    classes: np.ndarray[Any, np.dtype[np.uint16]]
    scales: np.ndarray[Any, np.dtype[np.uint16]]


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
    rows: TermRows, weights: np.ndarray[Any, np.dtype[np.uint8]], bins: int, classes: int
) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Class and sign (bit 15) of each prefix bin.

    Bins are packed into classes of equal expected weight, and take the sign that keeps their class's expectation near zero.
    """
    bin_of = (rows.prefix & np.uint64(bins - 1)).astype(np.int64)
    expected = np.zeros(bins, np.int64)
    np.add.at(expected, bin_of, rows.counts * rows.weighted(weights))
    class_of, _ = pack_bins(expected.astype(np.uint64), classes)
    sums = [0] * classes
    signed = class_of.copy()
    for i in sorted(range(bins), key=lambda i: (-int(expected[i]), i)):
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
    count: int,
) -> ClassSums:
    """Sum the signed weights of each text's terms by class; count: of classes."""
    signed = classes[(rows.prefix & np.uint64(len(classes) - 1)).astype(np.int64)].astype(np.int64)
    value = rows.counts * rows.weighted(weights) * np.where(signed & 0x8000, -1, 1)
    key = rows.text_of * count + (signed & 0x7FFF)
    order = np.argsort(key, kind="stable")
    distinct, starts = np.unique(key[order], return_index=True)
    sums = np.add.reduceat(value[order], starts) if len(starts) else np.zeros(0, np.int64)
    ends = np.searchsorted(distinct, np.arange(1, rows.texts + 1) * count).astype(np.uint64)
    return ClassSums(distinct % count, sums, ends)


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


def directions(
    sums: ClassSums, scales: np.ndarray[Any, np.dtype[np.uint16]], classes: int, count: int
) -> np.ndarray[Any, np.dtype[np.int8]]:
    """The rotation onto so many of the sample's leading directions: (classes, count)."""
    entries = np.zeros(len(sums.classes), [("number", "<u4"), ("value", "<i4")])
    entries["number"] = sums.classes
    entries["value"] = sums.unit(scales.astype(np.int64), UNIT)
    if count > classes:
        raise ValueError(f"{count} components of sub-keys need as many classes; there are {classes}")
    out = ffi.new("int8_t[]", classes * count)
    status = lib.pocket_directions(
        ffi.cast("pocket_class_row *", ffi.from_buffer(entries)),
        ffi.cast("uint64_t *", ffi.from_buffer(sums.ends)),
        len(sums.ends),
        classes,
        min(max(LEADING, count), classes),
        count,
        out,
    )
    check(status, ffi.new("pocket_error *"), "the sample")
    return np.frombuffer(ffi.buffer(out), np.int8).reshape(classes, count).copy()


def divide(ratios: np.ndarray[Any, np.dtype[np.int32]]) -> tuple[Ints, Ints]:
    """Borders that halve the sample in every component, and the spread of each about its own. ratios: (texts, components)."""
    n, d = ratios.shape
    if n == 0:
        return np.zeros(d, np.int64), np.full(d, ONE)
    borders = np.partition(ratios, n // 2, axis=0)[n // 2].astype(np.int64)
    squares = ((ratios - borders) ** 2).sum(axis=0)
    return borders, np.array([isqrt(int(s) // n) for s in squares], np.int64)
