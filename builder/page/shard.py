"""A shard as a classic script: the one kind of file that a page opened from a folder may load."""

from __future__ import annotations

import zlib

# What a string of a script cannot hold as it is.
ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"))


def deflated(data: bytes) -> bytes:
    """Return data as a raw deflate stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return packer.compress(data) + packer.flush()


def script(identity: str, number: int, packed: bytes) -> bytes:
    """Return a call that hands packed, a raw deflate stream, to the page's pocketShard, byte by
    byte as a character of x-user-defined: the page's script tag asks for that encoding, and over
    HTTP the page takes the bytes themselves (docs/disc.md).

    identity and number say whose shard it is, so that a page tells one of another edition. The page
    checks the bytes by the checksums of the pocket file.
    """
    for byte, escape in ESCAPES:
        packed = packed.replace(byte, escape)
    return b'pocketShard("%s",%d,"%s");\n' % (identity.encode("ascii"), number, packed)
