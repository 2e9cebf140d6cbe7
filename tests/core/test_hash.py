"""MurmurHash3 of the core is that of the mmh3 package."""

from __future__ import annotations

import mmh3
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.cbits import ffi, lib


def reference(data: bytes) -> int:
    return int(mmh3.hash64(data, 0, signed=False)[0])


@given(st.binary(max_size=300))
def test_random_bytes(data: bytes) -> None:
    assert lib.pocket_murmur(data, len(data)) == reference(data)


def test_every_length() -> None:
    data = bytes(range(1, 80))
    for length in range(80):
        assert lib.pocket_murmur(data, length) == reference(data[:length])


def test_many_at_once() -> None:
    parts = [bytes([i]) * (i % 19) for i in range(100)]
    ends = np.cumsum([len(p) for p in parts], dtype=np.uint64)
    out = np.zeros(100, np.uint64)
    lib.pocket_murmur_many(
        b"".join(parts),
        ffi.from_buffer("uint64_t[]", ends),
        100,
        ffi.from_buffer("uint64_t[]", out, require_writable=True),
    )

    assert out.tolist() == [reference(p) for p in parts]
