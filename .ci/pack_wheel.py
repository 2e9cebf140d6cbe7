"""Compress the files of wheels again, with zopfli: the same wheel in 4 % fewer bytes.

    python .ci/pack_wheel.py WHEEL ...

Each wheel is replaced by one that has the same files in the same order, with the same times, and no
entries of folders.
"""

from __future__ import annotations

import os
import struct
import sys
import zipfile
from pathlib import Path
from zlib import crc32

from zopfli.zlib import compress

# Zip's own numbers: the version that a reader needs, and names in UTF-8.
NEEDED, UTF_8, DEFLATED = 20, 0x800, 8


def packed(wheel: Path) -> bytes:
    """Return a wheel with its files compressed by zopfli. The same wheel gives the same bytes."""
    files, directory = bytearray(), bytearray()
    with zipfile.ZipFile(wheel) as old:
        entries = [one for one in old.infolist() if not one.is_dir()]
        for one in entries:
            content, name = old.read(one), one.filename.encode()
            smaller = compress(content)[2:-4]  # without the head and the checksum of zlib's format
            method, data = (DEFLATED, smaller) if len(smaller) < len(content) else (0, content)
            year, month, day, hour, minute, second = one.date_time
            time = hour << 11 | minute << 5 | second // 2
            date = (year - 1980) << 9 | month << 5 | day
            common = struct.pack(
                *("<HHHHHLLLHH", NEEDED, UTF_8, method, time, date, crc32(content)),
                *(len(data), len(content), len(name), 0),
            )
            directory += struct.pack("<4sBB", b"PK\1\2", NEEDED, one.create_system) + common
            directory += struct.pack("<HHHLL", 0, 0, 0, one.external_attr, len(files)) + name
            files += b"PK\3\4" + common + name + data
    count = len(entries)
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, count, count, len(directory), len(files), 0)
    return bytes(files + directory + end)


def main(wheels: list[str]) -> None:
    for name in wheels:
        wheel = Path(name)
        new = wheel.with_name(wheel.name + ".new")
        new.write_bytes(packed(wheel))
        print(f"{wheel.name}: {wheel.stat().st_size:,} -> {new.stat().st_size:,} bytes")
        os.replace(new, wheel)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python .ci/pack_wheel.py WHEEL ...")
    main(sys.argv[1:])
