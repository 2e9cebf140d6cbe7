"""The folder as an ISO 9660 image (level 3, with Joliet names), the same bytes for the same folder."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO, cast
from unittest.mock import patch

from pocketindex.builder.work.replace import replacing

# The first moment that FAT knows: an image has to have a date, and today's would make each one
# another.
MOMENT = time.gmtime(315_532_800)


def write_iso(folder: Path, target: Path, label: str) -> None:
    """Write the image of folder to target. Raises OSError."""
    import pycdlib
    from pycdlib import dates, utils

    clock = SimpleNamespace(localtime=lambda seconds: MOMENT, strftime=time.strftime)
    with (
        patch.object(dates, "time", clock),
        patch.object(utils, "gmtoffset_from_tm", lambda seconds, local: 0),
    ):
        image = pycdlib.PyCdlib()
        image.new(interchange_level=3, joliet=3, vol_ident=volume_name(label))
        for path in sorted(folder.rglob("*"), key=lambda p: p.relative_to(folder).as_posix()):
            name = "/" + path.relative_to(folder).as_posix()
            if path.is_dir():
                image.add_directory(name.upper(), joliet_path=name)
            else:
                image.add_file(str(path), f"{name.upper()};1", joliet_path=name)
        with replacing(target) as out:
            image.write_fp(cast(BinaryIO, out))
        image.close()


def check() -> None:
    """Raises ValueError when pycdlib is missing."""
    if importlib.util.find_spec("pycdlib") is None:
        raise ValueError("--iso needs pycdlib: pip install 'pocketindex[disc]'")


def volume_name(label: str) -> str:
    """The letters, digits and _ that a volume's name may have; at most 16, for Joliet."""
    return (
        "".join(c if c.isascii() and c.isalnum() else "_" for c in label.upper())[:16] or "POCKET"
    )
