"""What titles are looked up by."""

from __future__ import annotations

from pocketindex.cbits import ffi, lib

KEY_BYTES = 255  # at most, of a key (docs/format.md 6.2)


def title_key(text: bytes) -> bytes:
    """Return the key of a title, or of the beginning of one: its words without case, accents and
    points. Empty where there is no word.
    """
    key = ffi.new("uint8_t[]", KEY_BYTES)
    return bytes(ffi.buffer(key, lib.pocket_title_key(text, len(text), key)))
