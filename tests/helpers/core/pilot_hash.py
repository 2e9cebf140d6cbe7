"""The core's `pilot` through cffi, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.cbits import ffi, lib

Keys = npt.NDArray[np.uint64]


class Built(NamedTuple):
    status: int
    hash: bytes
    buckets: int
    evictions: int
    reseeds: int


def as_keys(keys: Sequence[int] | Keys) -> Keys:
    return np.ascontiguousarray(keys, np.uint64)


def random_keys(n: int, seed: int, bits: int = 64) -> Keys:
    """n distinct keys of so many bits, not sorted."""
    rng, keys = np.random.default_rng([seed, n, bits]), np.empty(0, np.uint64)
    while len(keys) < n:
        keys = np.unique(np.append(keys, rng.integers(0, 2**bits, n, dtype=np.uint64)))
    return rng.permutation(keys)[:n]


def build(keys: Sequence[int] | Keys, tenths: int = 0) -> Built:
    keys = as_keys(keys)
    out = ffi.new("uint8_t **")
    length = ffi.new("uint64_t *")
    effort = ffi.new("pocket_effort *")
    status = lib.pocket_pilot_build(
        ffi.from_buffer("uint64_t[]", keys), len(keys), tenths, out, length, effort
    )
    data = bytes(ffi.buffer(out[0], length[0])) if out[0] else b""
    lib.pocket_release(out[0])
    return Built(status, data, effort.buckets, effort.evictions, effort.reseeds)


def slots(data: bytes, n: int, keys: Sequence[int] | Keys) -> tuple[int, Any]:
    """The status, and the slots of keys in a hash of n."""
    keys = as_keys(keys)
    found = np.empty(len(keys), np.uint32)
    given = (ffi.from_buffer("uint64_t[]", keys), len(keys), ffi.from_buffer("uint32_t[]", found))
    return lib.pocket_pilot_slots(ffi.from_buffer("uint8_t[]", data), len(data), n, *given), found


def is_bijection(found: Any, n: int) -> bool:
    return len(found) == n and bool(np.array_equal(np.sort(found), np.arange(n)))
