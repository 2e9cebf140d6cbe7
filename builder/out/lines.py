"""Files of JSON Lines that verbs write beside their output."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pocketindex.builder.inputs import INPUTS

_OTHERS = (".gz", ".bz2", ".xz", ".zst", ".pocket", ".profile")


def check_line_name(path: str | Path, what: str) -> None:
    """Raise ValueError if the name of a file of JSON Lines has the suffix of another format. what:
    the file, for messages.
    """
    name = os.path.basename(path).lower()
    formats = {
        suffix: known
        for known, kind in INPUTS.items()
        if known not in ("jsonl", "folder")  # the suffixes of a folder are those of its files
        for suffix in kind.suffixes
    }
    others_own = (*_OTHERS, *INPUTS["folder"].suffixes)
    wrong = next(filter(name.endswith, (*formats, *others_own)), "")
    if wrong:
        of = f"of the format {formats[wrong]}" if wrong in formats else f"of another kind ({wrong})"
        raise ValueError(
            f"{path}: {what} is plain JSON Lines, and the name is that of a file {of}; give a "
            "name that ends in .jsonl"
        )


def line(fields: dict[str, object]) -> bytes:
    """Write a record as a line.

    Half a surrogate pair, as names of files may have, stays an escape.
    """
    return json.dumps(fields, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
