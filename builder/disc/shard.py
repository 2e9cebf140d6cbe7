"""A shard as a classic script: the one kind of file that a page opened from a folder may load."""

from __future__ import annotations

import base64
import zlib


def script(identity: str, number: int, data: bytes) -> bytes:
    """ASCII that hands data, deflated and in base64, to the page's pocketShard.

    identity and number say whose shard it is, so that a page tells one of another edition. The page checks the bytes by the checksums
    of the pocket file.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = packer.compress(data) + packer.flush()
    return b'pocketShard("%s",%d,"%s");\n' % (identity.encode("ascii"), number, base64.b64encode(packed))
