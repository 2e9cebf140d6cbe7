"""Lend an open index the perfect hashes of libcmph (docs/format.md, 3.3)."""

from __future__ import annotations

from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.errors import HASHES, NeedsCmph


def attach(handle: Any, path: str) -> Any:
    """Give the index libcmph's look-up; keep what is returned for as long as the index is open.

    handle: a pocket_index; path: its file, for the message. Raises NeedsCmph when pocketindex was
    built without libcmph.
    """
    try:
        from pocketindex.cbits import _cmph
    except ImportError as error:
        summary = ffi.new("pocket_summary *")
        lib.pocket_summarize(handle, summary)
        raise NeedsCmph(path, HASHES.get(summary.mph, "of libcmph")) from error
    slots = _cmph.ffi.addressof(_cmph.lib, "pocket_cmph_slots")
    # The two modules have types of their own: the function changes sides as a number.
    lib.pocket_attach_mph(handle, ffi.cast("pocket_slots", int(_cmph.ffi.cast("uintptr_t", slots))))
    return _cmph
