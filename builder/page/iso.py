"""The folder as an ISO 9660 image (level 3, with Joliet names), the same bytes for the same folder.

An image has to have dates, and today's would make each one another. pycdlib takes the clock's, so
they are replaced: those of directory records before it writes, those of volume descriptors after.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pocketindex.builder.spill.output import Kind, Output, begins

# The first moment that FAT knows, 1 January 1980. A directory record has year, month, day, hour,
# minute, second and offset from Greenwich (ECMA-119 9.1.5), a volume descriptor digits (8.4.26.1).
RECORD_DATE = bytes((80, 1, 1, 0, 0, 0, 0))
VOLUME_DATE = b"1980010100000000\0"
# Creation, modification and taking effect within a descriptor (ECMA-119 8.4.26 to 8.4.29).
VOLUME_DATES = (813, 830, 864)
SECTOR = 2048
DESCRIPTORS = (16, 17)  # sectors of the primary one and of that with Joliet names
NAMINGS = ("iso_path", "joliet_path")


IMAGE = Kind("an ISO image", lambda path: begins(path, b"CD001", 16 * SECTOR + 1))


def write_iso(folder: Path, output: Output, label: str) -> None:
    """Write the image of folder. Raises OSError."""
    import pycdlib

    image = pycdlib.PyCdlib()
    image.new(interchange_level=3, joliet=3, vol_ident=volume_name(label))
    for path in sorted(folder.rglob("*"), key=lambda p: p.relative_to(folder).as_posix()):
        name = "/" + path.relative_to(folder).as_posix()
        if path.is_dir():
            image.add_directory(name.upper(), joliet_path=name)
        else:
            image.add_file(str(path), f"{name.upper()};1", joliet_path=name)
    set_record_dates(image)
    with output.open() as out:
        image.write_fp(cast(BinaryIO, out))
        set_volume_dates(out)
    image.close()


def set_record_dates(image: Any) -> None:
    """Give every file and folder of an image RECORD_DATE, under both of its names."""
    from pycdlib.dates import DirectoryRecordDate

    date = DirectoryRecordDate()
    date.parse(RECORD_DATE)
    for naming in NAMINGS:
        image.get_record(**{naming: "/"}).date = date
        for folder, _, _ in image.walk(**{naming: "/"}):
            for record in image.list_children(**{naming: folder}):
                record.date = date


def set_volume_dates(out: IO[bytes]) -> None:
    """Overwrite the dates in the volume descriptors of a written image."""
    for sector in DESCRIPTORS:
        for place in VOLUME_DATES:
            out.seek(sector * SECTOR + place)
            out.write(VOLUME_DATE)
    out.seek(0, os.SEEK_END)


def check() -> None:
    """Raise ValueError when pycdlib is missing."""
    if importlib.util.find_spec("pycdlib") is None:
        raise ValueError("--iso needs pycdlib: pip install 'pocketindex[disc]'")


def volume_name(label: str) -> str:
    """Return the letters, digits and _ that a volume's name may have; at most 16, for Joliet."""
    return (
        "".join(c if c.isascii() and c.isalnum() else "_" for c in label.upper())[:16] or "POCKET"
    )
