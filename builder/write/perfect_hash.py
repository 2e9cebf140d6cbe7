"""From the keys and postlists of a part to its bytes (docs/format.md, 3.1), by any of the minimal
perfect hashes.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.cbits import ffi, lib
from pocketindex.errors import PocketError

# Name to number in the tables section. pilot is our own; the others are libcmph's, to reproduce the
# system of 2007 and to compare with.
MPHS = {"pilot": 1, "cmph-bmz": 2, "cmph-bdz": 3, "cmph-chd": 4}
QUOTIENT = "quotient"  # of the passages section, whose keys an update reads back
NUMBERS = MPHS | {QUOTIENT: 5}

MOST_KEYS = 65_535

Keys = npt.NDArray[np.uint64]
Starts = npt.NDArray[np.uint64]
Postings = npt.NDArray[np.uint32]

# libcmph draws its seeds from rand(), one for the whole process.
_rand = threading.Lock()


class Effort(NamedTuple):
    """What the hash of a part took: its buckets, evictions and reseeds (zeros for libcmph, which
    does not say).
    """

    buckets: int
    evictions: int
    reseeds: int


def build_part(
    mph: str,
    keys: Keys,
    starts: Starts,
    postings: Postings,
    *,
    checksum_bits: int,
    posting_bits: int,
) -> tuple[bytes, Effort]:
    """Return the bytes of a part, and the effort they took.

    keys: 1 to 65,535 of them, rising; starts: one more; the postlist of keys[i] is
    postings[starts[i]:starts[i + 1]], rising, none empty. Raises ValueError (arguments outside
    these ranges, a key twice, a posting of more than posting_bits), MemoryError, and PocketError
    (libcmph is missing, or no perfect hash was found).
    """
    if mph not in NUMBERS:
        raise ValueError(f"mph: expected one of {', '.join(NUMBERS)}, found {mph!r}")
    if (
        not 1 <= len(keys) <= MOST_KEYS
        or len(starts) != len(keys) + 1
        or int(starts[-1]) > len(postings)
    ):
        raise ValueError(
            f"a part: expected 1 to {MOST_KEYS} keys, one more start and all postings, "
            f"found {len(keys)} keys, {len(starts)} starts and {len(postings)} postings"
        )
    keys = np.ascontiguousarray(keys, np.uint64)
    starts = np.ascontiguousarray(starts, np.uint64)
    postings = np.ascontiguousarray(postings, np.uint32)
    settings = ffi.new("pocket_part_settings *", [NUMBERS[mph], checksum_bits, posting_bits, 0])
    packed, slots = (b"", None) if mph in ("pilot", QUOTIENT) else _cmph_hash(mph, keys)
    out = ffi.new("uint8_t **")
    length = ffi.new("uint64_t *")
    effort = ffi.new("pocket_effort *")
    status = lib.pocket_part_build(
        settings,
        ffi.from_buffer("uint64_t[]", keys),
        len(keys),
        ffi.from_buffer("uint64_t[]", starts),
        ffi.from_buffer("uint32_t[]", postings),
        ffi.NULL if slots is None else ffi.from_buffer("uint8_t[]", packed),
        len(packed),
        ffi.NULL if slots is None else ffi.from_buffer("uint32_t[]", slots),
        out,
        length,
        effort,
    )
    _raise(status, mph, len(keys))
    try:
        return bytes(ffi.buffer(out[0], length[0])), Effort(
            effort.buckets, effort.evictions, effort.reseeds
        )
    finally:
        lib.pocket_release(out[0])


def _cmph_hash(mph: str, keys: Keys) -> tuple[bytes, Postings]:
    """Return libcmph's packed hash of rising keys, and the slot of each.

    The same bytes for the same keys, with the same C library.
    """
    try:
        from pocketindex.cbits import _cmph
    except ImportError as error:
        raise PocketError(
            f"mph {mph} needs libcmph: apt-get install libcmph-dev, and install pocketindex from "
            "its sources with POCKETINDEX_CMPH=1, or use mph pilot"
        ) from error
    slots = np.empty(len(keys), np.uint32)
    out, length = _cmph.ffi.new("uint8_t **"), _cmph.ffi.new("uint64_t *")
    with _rand:
        status = _cmph.lib.pocket_cmph_build(
            MPHS[mph],
            _cmph.ffi.from_buffer("uint64_t[]", keys),
            len(keys),
            out,
            length,
            _cmph.ffi.from_buffer("uint32_t[]", slots),
        )
    _raise(status, mph, len(keys))
    try:
        return bytes(_cmph.ffi.buffer(out[0], length[0])), slots
    finally:
        _cmph.lib.pocket_cmph_release(out[0])


def _raise(status: int, mph: str, keys: int) -> None:
    """Raise what a status of the building side means for a part."""
    if status == lib.POCKET_OK:
        return
    if status == lib.POCKET_NO_MEMORY:
        raise MemoryError(f"memory ran out for a part of {keys} keys; use fewer keys a part")
    if status == lib.POCKET_DUPLICATE_KEY:
        raise ValueError(
            f"a key occurs twice among the {keys} of a part; expected distinct keys, each with "
            "all its postings"
        )
    if status == lib.POCKET_HASH_FAILED:
        raise PocketError(
            f"mph {mph} found no perfect hash for the {keys} keys of a part; use fewer keys a "
            "part or another mph"
        )
    raise ValueError(
        f"a part of {keys} keys: expected rising keys, none without postings, rising postings "
        "within their bits (1 to 32) "
        "and 0, 8, 16 or 32 checksum bits"
    )
