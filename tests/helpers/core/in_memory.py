"""A file in memory, opened by the core and by the plain reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from plain import PlainIndex
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check


@contextmanager
def opened(data: bytes) -> Iterator[tuple[Any, PlainIndex]]:
    kept = ffi.from_buffer(data)
    out = ffi.new("pocket_index **")
    error = ffi.new("pocket_error *")
    check(lib.pocket_open(kept, len(kept), out, error), error, "x")
    try:
        yield out[0], PlainIndex.open(data)
    finally:
        lib.pocket_close(out[0])
