"""The terms of a text, as the core sees them (docs/format.md, section 7)."""

from __future__ import annotations

from pocketindex.cbits import ffi, lib


def terms_of(text: bytes, stream: int) -> list[str]:
    """Return the text's terms in a stream (docs/format.md, section 7; 1 `folded`, 2 `interop`; 3,
    in no file: every word), stop words included.
    """
    return written_terms(text, stream).decode().split("\n")[:-1]


def written_terms(text: bytes, stream: int) -> bytes:
    """Return the same, each followed by a line feed."""
    room, size = 2 * len(text) + 64, ffi.new("uint64_t *")
    while True:
        out = bytearray(room)
        lib.pocket_terms_write(text, len(text), stream, ffi.from_buffer(out), room, size)
        if size[0] <= room:
            return bytes(out[: size[0]])
        room = size[0]
