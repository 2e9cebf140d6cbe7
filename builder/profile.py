"""Write profiles (docs/format.md, section 2) and learn those of scheme `ff` from term frequencies."""

from __future__ import annotations

import heapq
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pocketindex.builder.container import pad8
from pocketindex.cbits import ffi, lib
from pocketindex.status import check

STREAM_FOLDED = 1
SCHEME_FF = 1
ONE = 65536  # a deviation of 1 in 16.16 fixed point

# Three fuzzification schemes of two intervals each (DIR 2007: "typically three"). Where the borders lie is our choice: of the settings with
# about two candidates a query, the one that finds most (bench/results/ff.md).
FF_BORDERS = ((0.0,), (-0.4,), (0.4,))


@dataclass(frozen=True)
class FfSettings:
    """Choices of scheme `ff` that the paper leaves to its user.

    classes: k, 2..256 prefix classes; prefix: their prefixes' length in code points; borders: for each fuzzification scheme its interval
    borders as
    deviations (p - E) / E, rising; bins: prefixes are told apart by murmur modulo this; least_terms: shorter texts have no sketch.
    """

    classes: int = 26
    prefix: int = 3
    borders: tuple[tuple[float, ...], ...] = FF_BORDERS
    bins: int = 16384
    least_terms: int = 5

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("classes", self.classes, 2, 256),
            ("prefix", self.prefix, 1, 16),
            ("fuzzification schemes", len(self.borders), 1, 64),
            ("components", self.classes * len(self.borders), 2, 4096),
            ("least_terms", self.least_terms, 1, 2**32 - 1),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} .. {most}")
        if self.bins not in (1 << n for n in range(8, 18)):
            raise ValueError(f"bins is {self.bins}; it must be a power of two, 256 .. 131072")
        for scheme in self.borders:
            fixed = [round(border * ONE) for border in scheme]
            if not 1 <= len(fixed) <= 15 or fixed != sorted(set(fixed)) or not -ONE <= fixed[0] <= fixed[-1] < 2**31:
                raise ValueError(f"borders are {scheme}; a fuzzification scheme has 1 to 15 of them, rising, from -1 on")


@dataclass
class Frequencies:
    """Term frequencies of a reference, as far as a profile needs them: terms by prefix bin (stop words left out) and the stop words."""

    bins: np.ndarray[Any, np.dtype[np.uint64]]
    stop_words: list[str] = field(default_factory=list)


def murmur(data: bytes) -> int:
    """First 64 bits of MurmurHash3_x64_128 with seed 0."""
    return int(lib.pocket_murmur(data, len(data)))


def stop_slots(words: Iterable[str]) -> bytes:
    """The stop words' hashes as an open-addressed table, a quarter full at most, so that nearly every look-up ends at its first slot."""
    hashes = sorted({murmur(word.encode()) for word in words} - {0})
    if not hashes:
        return b""
    size = 1 << (4 * len(hashes) - 1).bit_length()
    slots = [0] * size
    for value in hashes:
        at = value & (size - 1)
        while slots[at]:
            at = (at + 1) & (size - 1)
        slots[at] = value
    return struct.pack(f"<{size}Q", *slots)


def pack_bins(counts: np.ndarray[Any, np.dtype[np.uint64]], classes: int) -> tuple[np.ndarray[Any, np.dtype[np.uint8]], list[int]]:
    """Pack prefix bins into classes of equal expected frequency (DIR 2007, 3.1): the most frequent bin first, each into the lightest class.

    Returns the class of each bin and each class's expectation in units of 2^-32. Ties go to the lower number, so equal counts give equal
    bytes.
    """
    order = sorted(range(len(counts)), key=lambda i: (-int(counts[i]), i))
    lightest = [(0, 0, i) for i in range(classes)]
    class_of = np.zeros(len(counts), np.uint8)
    sums = [0] * classes
    for i in order:
        weight, size, number = heapq.heappop(lightest)
        class_of[i] = number
        sums[number] = weight + int(counts[i])
        # Bins without terms go to the class with the fewest bins.
        heapq.heappush(lightest, (sums[number], size + 1, number))
    total = max(sum(sums), 1)
    return class_of, [min(max((s << 32) // total, 1), 2**32 - 1) for s in sums]


def pack_ff(name: str, frequencies: Frequencies, settings: FfSettings = FfSettings()) -> bytes:
    """The bytes of an `ff` profile. Raises ValueError for settings that the format does not allow."""
    k = settings.classes
    tables = [(t * k, k) for t in range(len(settings.borders))]
    components = [(i, len(borders) + 1) for borders in settings.borders for i in range(k)]
    fixed = [[round(b * ONE) for b in borders] for borders in settings.borders]
    borders = [b for scheme in fixed for _ in range(k) for b in scheme]
    class_of, expectation = pack_bins(frequencies.bins, k)
    # Uncalibrated: agreement at chance level and below is no similarity, full agreement all of it.
    calibration = [0, 0, 5000, 9999]
    body = struct.pack("<IIII", settings.prefix, len(class_of), k, 0)
    body += struct.pack(f"<{k}I", *expectation) + class_of.tobytes()
    stops = stop_slots(frequencies.stop_words)
    encoded = name.encode()
    head = struct.pack(
        "<HHHHIIIIH6x",
        SCHEME_FF,
        STREAM_FOLDED,
        len(tables),
        len(calibration),
        len(components),
        len(borders),
        len(stops) // 8,
        settings.least_terms,
        len(encoded),
    )
    profile = head + pad8(encoded) + stops
    profile += pad8(b"".join(struct.pack("<HH", *t) for t in tables)) + pad8(b"".join(struct.pack("<HH", *c) for c in components))
    profile += pad8(struct.pack(f"<{len(borders)}i", *borders)) + pad8(struct.pack(f"<{len(calibration)}H", *calibration)) + pad8(body)
    Profile(profile, name)
    return profile


class Profile:
    """A profile opened by the core: sketches texts before there is a file.

    Raises TooNew or Damaged where the bytes are no profile; origin names them in the message.
    """

    def __init__(self, data: bytes, origin: str) -> None:
        handle, error = ffi.new("pocket_profile **"), ffi.new("pocket_error *")
        check(lib.pocket_profile_open(data, len(data), handle, error), error, origin)
        self.data = data
        self._handle = ffi.gc(handle[0], lib.pocket_profile_close)
        summary = ffi.new("pocket_summary *")
        lib.pocket_profile_summarize(self._handle, summary)
        self.tables: int = summary.tables
        self.sketch_bytes: int = summary.stride
        self.least_terms: int = summary.least_terms
        self.fingerprint = f"{summary.profile_fingerprint:016x}"

    def sketch_many(self, texts: bytes, ends: np.ndarray[Any, np.dtype[np.uint64]], identity_bits: int) -> Sketches:
        """Sketch the texts that lie one after the other in texts, text i up to byte ends[i]."""
        count = len(ends)
        stride = self.sketch_bytes + identity_bits // 8
        sketches = np.zeros((count, stride), np.uint8)
        keys = np.zeros((count, self.tables), np.uint64)
        terms = np.zeros(count, np.uint32)
        status = lib.pocket_sketch_many(
            self._handle,
            texts,
            ffi.from_buffer("uint64_t[]", ends),
            count,
            identity_bits,
            ffi.from_buffer("uint8_t[]", sketches, require_writable=True),
            ffi.from_buffer("uint64_t[]", keys, require_writable=True),
            ffi.from_buffer("uint32_t[]", terms, require_writable=True),
        )
        check(status, ffi.new("pocket_error *"), "texts")
        return Sketches(sketches, keys, terms)


@dataclass(frozen=True)
class Sketches:
    """records: (n, stride) packed sketches with identity; keys: (n, tables) sub-keys; terms: (n,) terms, stop words not counted."""

    records: np.ndarray[Any, np.dtype[np.uint8]]
    keys: np.ndarray[Any, np.dtype[np.uint64]]
    terms: np.ndarray[Any, np.dtype[np.uint32]]
