"""What a file keeps of a document's text."""

from __future__ import annotations

from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

WHOLE = 2**32 - 1  # bytes; no text is as long
KEPT = {0: "none", 1: "text", 2: "snippet"}


def kept(handle: Any) -> str:
    """Return what is kept of texts: `none`, `text` or `snippet`."""
    return KEPT[lib.pocket_text_kept(handle)]


def read_text(handle: Any, path: str, number: int, least: int = WHOLE) -> bytes:
    """Return what is kept of document number, in UTF-8. LookupError where nothing is; Damaged.

    least: bytes that are wanted; those behind them may be left out, from a whole code point on.
    """
    out, error = ffi.new("pocket_text **"), ffi.new("pocket_error *")
    check(lib.pocket_text_beginning(handle, number, least, out, error), error, path)
    try:
        return bytes(ffi.buffer(out[0].bytes, out[0].length))
    finally:
        lib.pocket_text_free(out[0])
