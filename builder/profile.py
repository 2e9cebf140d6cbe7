"""Profiles (docs/format.md, section 2): write their bytes, and open them for sketching before there is a file."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pocketindex.builder.batches import batches
from pocketindex.builder.container import pad8
from pocketindex.builder.workers import Each, one_by_one
from pocketindex.cbits import ffi, lib
from pocketindex.status import check

FOLDED, INTEROP = 1, 2
EVERY_WORD = 3  # in no profile: `folded` with every word a term, numbers too
MOST_BYTES = 524_288
GOES_ON, IS_SUM = 1 << 14, 1 << 15  # marks of a row of the tables array


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


@dataclass(frozen=True)
class Head:
    """What every scheme's profile says (docs/format.md, section 2).

    tables: rows (first component, components) of the sub-keys; to the latter is added GOES_ON in the further rows of a sub-key,
    IS_SUM where it is a sum; components: (source, intervals); borders: of all components in a row;
    calibration: similarity in ten-thousandths at evenly spaced agreement.
    """

    scheme: int
    name: str
    tables: Sequence[tuple[int, int]]
    components: Sequence[tuple[int, int]]
    borders: Sequence[int]
    calibration: Sequence[int]
    least_terms: int
    stop_words: Sequence[str] = ()
    stream: int = FOLDED


def pack(head: Head, body: bytes) -> bytes:
    """The bytes of a profile. Raises Damaged where the core does not take it, ValueError where it is too large."""
    stops, name = stop_slots(head.stop_words), head.name.encode()
    data = struct.pack(
        "<HHHHIIIIHH4x",
        head.scheme,
        head.stream,
        sum(not count & GOES_ON for _, count in head.tables),
        len(head.calibration),
        len(head.components),
        len(head.borders),
        len(stops) // 8,
        head.least_terms,
        len(name),
        len(head.tables),
    )
    data += pad8(name) + stops
    data += pad8(b"".join(struct.pack("<HH", *t) for t in head.tables)) + pad8(b"".join(struct.pack("<HH", *c) for c in head.components))
    data += pad8(struct.pack(f"<{len(head.borders)}i", *head.borders))
    data += pad8(struct.pack(f"<{len(head.calibration)}H", *head.calibration)) + pad8(body)
    if len(data) > MOST_BYTES:
        raise ValueError(f"the profile has {len(data):,} bytes; it may have {MOST_BYTES:,}: choose fewer classes, directions or bins")
    Profile(data, head.name)
    return data


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
        self.components: int = summary.components
        self.fingerprint = f"{summary.profile_fingerprint:016x}"

    def sketch_many(self, texts: bytes, ends: np.ndarray[Any, np.dtype[np.uint64]], identity_bits: int, shared_bits: int = 0) -> Sketches:
        """Sketch the texts that lie one after the other in texts, text i up to byte ends[i]."""
        count = len(ends)
        stride = self.sketch_bytes + (identity_bits + shared_bits) // 8
        sketches = np.zeros((count, stride), np.uint8)
        keys = np.zeros((count, self.tables), np.uint64)
        terms = np.zeros(count, np.uint32)
        status = lib.pocket_sketch_many(
            self._handle,
            texts,
            ffi.from_buffer("uint64_t[]", ends),
            count,
            identity_bits,
            shared_bits,
            ffi.from_buffer("uint8_t[]", sketches, require_writable=True),
            ffi.from_buffer("uint64_t[]", keys, require_writable=True),
            ffi.from_buffer("uint32_t[]", terms, require_writable=True),
        )
        check(status, ffi.new("pocket_error *"), "texts")
        return Sketches(sketches, keys, terms)

    def sketch_texts(self, texts: Sequence[bytes], each: Each = one_by_one) -> Sketches:
        """Sketch texts that lie anywhere, without identity."""

        def sketch(some: Sequence[bytes]) -> Sketches:
            return self.sketch_many(b"".join(some), np.cumsum([len(text) for text in some], dtype=np.uint64), 0)

        none = Sketches(np.zeros((0, self.sketch_bytes), np.uint8), np.zeros((0, self.tables), np.uint64), np.zeros(0, np.uint32))
        parts = [none, *each(sketch, batches(texts))]
        return Sketches(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("records", "keys", "terms")))

    def sketch_all(
        self, texts: Sequence[bytes], each: Each = one_by_one
    ) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.uint8]]]:
        """The numbers of the texts that have a sketch, and their packed sketches (n, sketch bytes)."""
        sketched = self.sketch_texts(texts, each)
        kept = np.flatnonzero(sketched.terms >= self.least_terms)
        return kept, sketched.records[kept]

    def sketch_records(self, texts: Sequence[bytes], each: Each = one_by_one) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The packed sketches of the texts (n, sketch bytes), zeros where there is none."""
        return self.sketch_texts(texts, each).records

    def nearest(self, text: bytes, records: np.ndarray[Any, np.dtype[np.uint8]], count: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """The places of the count records (n, stride) that agree most with a text, best first. Raises TextTooShort's status as an error."""
        places, found = np.zeros(count, np.uint32), ffi.new("uint32_t *", count)
        status = lib.pocket_nearest(
            self._handle,
            text,
            len(text),
            ffi.from_buffer("uint8_t[]", records),
            records.shape[1],
            len(records),
            ffi.from_buffer("uint32_t[]", places, require_writable=True),
            found,
        )
        check(status, ffi.new("pocket_error *"), "text")
        return places[: found[0]]

    def project_many(self, texts: list[bytes]) -> np.ndarray[Any, np.dtype[np.int32]]:
        """What the borders divide, in 16.16: (n, components), for the texts that have a sketch."""
        ends = np.cumsum([len(text) for text in texts], dtype=np.uint64)
        ratios, terms = np.zeros((len(texts), self.components), np.int32), np.zeros(len(texts), np.uint32)
        status = lib.pocket_project_many(
            self._handle,
            b"".join(texts),
            ffi.from_buffer("uint64_t[]", ends),
            len(texts),
            ffi.from_buffer("int32_t[]", ratios, require_writable=True),
            ffi.from_buffer("uint32_t[]", terms, require_writable=True),
        )
        check(status, ffi.new("pocket_error *"), "texts")
        return ratios[terms >= self.least_terms]

    def probe_keys(self, text: bytes, table: int, limit: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The keys that a query with text looks up in a table, best first, at most limit; none where it is too short."""
        keys, count = np.zeros(limit, np.uint64), ffi.new("uint32_t *", limit)
        status = lib.pocket_probe_keys(
            self._handle, text, len(text), table, ffi.from_buffer("uint64_t[]", keys, require_writable=True), count
        )
        if status == lib.POCKET_TEXT_TOO_SHORT:
            return keys[:0]
        check(status, ffi.new("pocket_error *"), "text")
        return keys[: count[0]]

    def probe_steps(
        self, text: bytes, probes: tuple[int, ...], keys: np.ndarray[Any, np.dtype[np.uint64]]
    ) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """With which of the rising numbers of probes a query with text finds texts with these keys (n, tables).

        Places in probes, in the form of keys; len(probes) where none does, or where text is too short.
        """
        steps = np.full(keys.shape, len(probes), np.uint32)
        own = np.ascontiguousarray(keys)
        status = lib.pocket_probe_steps(
            self._handle,
            text,
            len(text),
            list(probes),
            len(probes),
            ffi.from_buffer("uint64_t[]", own),
            len(own),
            ffi.from_buffer("uint32_t[]", steps, require_writable=True),
        )
        if status != lib.POCKET_TEXT_TOO_SHORT:
            check(status, ffi.new("pocket_error *"), "text")
        return steps

    def agreements(self, text: bytes, records: np.ndarray[Any, np.dtype[np.uint8]]) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """The agreement, 0 .. 65536, of a text with each of the records (n, stride). Raises TextTooShort's status as an error."""
        out = np.zeros(len(records), np.uint32)
        status = lib.pocket_agreements(
            self._handle,
            text,
            len(text),
            ffi.from_buffer("uint8_t[]", records),
            records.shape[1],
            len(records),
            ffi.from_buffer("uint32_t[]", out, require_writable=True),
        )
        check(status, ffi.new("pocket_error *"), "text")
        return out


@dataclass(frozen=True)
class Sketches:
    """records: (n, stride), sketches with identity and shared bits; keys: (n, tables), sub-keys; terms: (n,), stop words not counted."""

    records: np.ndarray[Any, np.dtype[np.uint8]]
    keys: np.ndarray[Any, np.dtype[np.uint64]]
    terms: np.ndarray[Any, np.dtype[np.uint32]]
