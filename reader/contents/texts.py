"""What a file keeps of a document's text."""

from __future__ import annotations

from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

KEPT = {0: "none", 1: "text", 2: "snippet"}


def kept(handle: Any) -> str:
    """Return what is kept of texts: `none`, `text` or `snippet`."""
    return KEPT[lib.pocket_text_kept(handle)]


def read_text(handle: Any, path: str, number: int) -> bytes:
    """Return what is kept of a document's text, in UTF-8. Raises LookupError if nothing is, and
    Damaged.
    """
    out, error = ffi.new("pocket_text **"), ffi.new("pocket_error *")
    check(lib.pocket_text_get(handle, number, out, error), error, path)
    try:
        return bytes(ffi.buffer(out[0].bytes, out[0].length))
    finally:
        lib.pocket_text_free(out[0])
