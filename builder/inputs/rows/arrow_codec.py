"""How the batches of an Arrow file are compressed, which pyarrow reads and does not tell.

Each message is four bytes FF, the size of its metadata (a FlatBuffer), the metadata and a body
(https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format; Message.fbs and
Schema.fbs have the fields, by their numbers).
"""

from __future__ import annotations

import struct
from typing import IO

_BATCH = 3  # the kind of a message that is a record batch
_MOST = 1 << 24  # bytes of metadata
_CODECS = ("lz4", "zstd")


def codec_of(file: IO[bytes], start: int) -> str | None:
    """Return the codec of the first record batch of a file whose first message is at start, or None
    if the batch is not compressed or the file is damaged.
    """
    try:
        file.seek(start)
        while (head := file.read(8)).startswith(b"\xff\xff\xff\xff"):
            size = int.from_bytes(head[4:], "little")
            if not 0 < size <= _MOST:
                return None
            metadata = file.read(size)
            message = _at(metadata, 0)
            if metadata[_field(metadata, message, 1)] == _BATCH:
                batch = _at(metadata, _field(metadata, message, 2))
                place = _field(metadata, batch, 3)
                if not place:
                    return None
                codec = _field(metadata, _at(metadata, place), 0)
                return _CODECS[metadata[codec] if codec else 0]
            if place := _field(metadata, message, 3):
                file.seek(max(*struct.unpack_from("<q", metadata, place), 0), 1)
    except (struct.error, IndexError, OSError, ValueError, OverflowError):
        pass
    return None


def _at(data: bytes, place: int) -> int:
    """Return where the table begins that an offset at place is of."""
    (offset,) = struct.unpack_from("<I", data, place)
    return place + int(offset)


def _field(data: bytes, table: int, number: int) -> int:
    """Return where a field of a table is, 0 if it has its default."""
    (back,) = struct.unpack_from("<i", data, table)
    names = table - int(back)
    (size,) = struct.unpack_from("<H", data, names)
    slot = 4 + 2 * number
    if slot >= size:
        return 0
    (offset,) = struct.unpack_from("<H", data, names + slot)
    return table + int(offset) if offset else 0
