"""Write the files of JSON Lines that commands write beside their output."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pocketindex.builder.inputs.kinds import by_name
from pocketindex.kinds import PACKED

_OTHERS = (".pocket", ".profile")
# Packings that nothing is packed by here.
_UNKNOWN = (".lz4", ".br", ".lzma", ".lz", ".sz", ".snappy", ".z", ".7z", ".rar")


def check_line_name(path: str | Path, what: str) -> None:
    """Raise ValueError if the name of a file of JSON Lines has the suffix of another format. what:
    the file, for messages.
    """
    name = os.path.basename(path)
    kind, end = by_name(name), os.path.splitext(name)[1].lower()
    if end in (*PACKED, *_OTHERS, *_UNKNOWN):
        wrong = f"of another kind ({end})"
    else:
        wrong = f"of the format {kind.name}" if kind and kind.name != "jsonl" else ""
    if wrong:
        raise ValueError(
            f"{path}: {what} is plain JSON Lines, and the name is that of a file {wrong}; give a "
            "name that ends in .jsonl"
        )


def line(fields: dict[str, object]) -> bytes:
    """Return a record as a line. Half of a surrogate pair, which names of files may have, stays an
    escape.
    """
    return json.dumps(fields, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
