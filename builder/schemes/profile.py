"""Profiles (docs/format.md, section 2): write their bytes, and open them for sketching before there
is a file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pocketindex.builder.conventions import murmur, pad8
from pocketindex.cbits import ffi, lib
from pocketindex.constants import COARSE_BYTES
from pocketindex.errors import Damaged
from pocketindex.ffi.status import check
from pocketindex.options import option

FOLDED, INTEROP, MARKED = 1, 2, 5
EVERY_WORD = 6  # in no profile: `marked` with every word a term, numbers too
MOST_BYTES = 524_288
_RFF, _TABLES = (
    2,
    64,
)  # the scheme and the number of tables that cells must stay below (docs/format.md 4.2)
GOES_ON, IS_SUM = 1 << 14, 1 << 15  # marks of a row of the tables array

TABLES_HELP = "sub-keys of a document; with scheme rff, 0 makes a file that every query scans"


def least_terms_option() -> int:
    """Declare the option least_terms, which every scheme has."""
    return option(
        5,
        "terms that a text needs to have a sketch; of shorter texts only copies are found",
        least=1,
        most=2**32 - 1,
        metavar="N",
    )


def stop_slots(words: Iterable[str]) -> bytes:
    """Return the stop words' hashes as an open-addressed table, a quarter full at most, so that
    nearly every look-up ends at its first slot.
    """
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

    tables: rows (first component, components) of the sub-keys; to the latter is added GOES_ON in
    the further rows of a sub-key, IS_SUM where it is a sum; components: (source, intervals);
    borders: of all components in a row.
    """

    scheme: int
    name: str
    tables: Sequence[tuple[int, int]]
    components: Sequence[tuple[int, int]]
    borders: Sequence[int]
    least_terms: int
    stop_words: Sequence[str] = ()
    stream: int = MARKED


def pack(head: Head, body: bytes) -> bytes:
    """Return the bytes of a profile.

    Raises Damaged where the core does not take it, ValueError where it is too large.
    """
    stops, name = stop_slots(head.stop_words), head.name.encode()
    data = struct.pack(
        "<HHH2xIIIIHH4x",
        head.scheme,
        head.stream,
        sum(not count & GOES_ON for _, count in head.tables),
        len(head.components),
        len(head.borders),
        len(stops) // 8,
        head.least_terms,
        len(name),
        len(head.tables),
    )
    data += pad8(name) + stops
    data += pad8(b"".join(struct.pack("<HH", *t) for t in head.tables)) + pad8(
        b"".join(struct.pack("<HH", *c) for c in head.components)
    )
    data += pad8(struct.pack(f"<{len(head.borders)}i", *head.borders)) + pad8(body)
    if len(data) > MOST_BYTES:
        raise ValueError(
            f"the profile has {len(data):,} bytes; it may have {MOST_BYTES:,}: choose fewer "
            "components or slots"
        )
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
        self.coarse: int = min(self.components, 8 * COARSE_BYTES)  # components, where all are bits
        borders = int.from_bytes(data[12:16], "little")
        self.scheme: int = summary.scheme
        self.stream: int = summary.stream
        self.takes_cells: bool = (
            summary.scheme == _RFF and borders == self.components and self.tables < _TABLES
        )
        self.fingerprint = f"{summary.profile_fingerprint:016x}"

    def sketch_many(
        self,
        texts: bytes,
        ends: npt.NDArray[np.uint64],
        identity_bits: int,
        steps: bool = False,
    ) -> Sketches:
        """Sketch the texts that lie one after the other in texts, text i up to byte ends[i]; steps:
        whether they are wanted.
        """
        count = len(ends)
        stride = self.sketch_bytes + identity_bits // 8
        sketches = np.zeros((count, stride), np.uint8)
        keys = np.zeros((count, self.tables), np.uint64)
        terms = np.zeros(count, np.uint32)
        own = np.zeros((count, self.coarse if steps else 0), np.int8)
        copies = np.zeros(count, np.uint64)
        status = lib.pocket_sketch_many(
            self._handle,
            texts,
            ffi.from_buffer("uint64_t[]", ends),
            count,
            identity_bits,
            ffi.from_buffer("uint8_t[]", sketches, require_writable=True),
            ffi.from_buffer("uint64_t[]", keys, require_writable=True),
            ffi.from_buffer("uint32_t[]", terms, require_writable=True),
            ffi.from_buffer("int8_t[]", own, require_writable=True) if steps else ffi.NULL,
            ffi.from_buffer("uint64_t[]", copies, require_writable=True),
            lib.pocket_asked,
        )
        check(status, ffi.new("pocket_error *"), "texts")
        return Sketches(sketches, keys, terms, own, copies)

    def keys_of(self, records: npt.NDArray[np.uint8], origin: str) -> npt.NDArray[np.uint64]:
        """Return the sub-keys of stored sketches, (n, stride), as (n, tables). Raises Damaged."""
        keys = np.zeros((len(records), self.tables), np.uint64)
        status = lib.pocket_keys_of_sketches(
            self._handle,
            ffi.from_buffer("uint8_t[]", np.ascontiguousarray(records)),
            records.shape[1],
            len(records),
            ffi.from_buffer("uint64_t[]", keys, require_writable=True),
        )
        if status:
            raise Damaged(origin, "sketches", None, "digit", 0, 0)
        return keys


@dataclass(frozen=True)
class Sketches:
    """The sketches of n documents. records: (n, stride), sketches with identity bits;
    keys: (n, tables), sub-keys; terms: (n,), stop words not counted; steps: (n, components of
    the coarse code), by which cells are found (docs/format.md 4.2), or (n, 0); copies: (n,), 0 for
    a document with a sketch, for a short one POCKET_SHORT and its copy key (4.3), or
    POCKET_WITHOUT_TEXT.
    """

    records: npt.NDArray[np.uint8]
    keys: npt.NDArray[np.uint64]
    terms: npt.NDArray[np.uint32]
    steps: npt.NDArray[np.int8]
    copies: npt.NDArray[np.uint64]
