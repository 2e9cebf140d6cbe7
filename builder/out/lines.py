"""Files of JSON Lines that verbs write beside their output."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from pocketindex.builder.inputs import INPUTS

_OTHERS = (".gz", ".bz2", ".xz", ".zst", ".pocket", ".profile")


def check_name(path: Path, what: str, others: Sequence[str], form: str = "json") -> None:
    """Raise ValueError where a file of JSON Lines does not belong: under the name of another
    format, or of one of others.

    what: the file for messages; form: one of rows.py, whose name tells it, if it is not JSON
    Lines. Raises OSError where its folder is not there, or it is one.
    """
    name = path.name.lower()
    formats = {
        suffix: known
        for known, kind in INPUTS.items()
        if known not in ("jsonl", "folder")  # the suffixes of a folder are those of its files
        for suffix in kind.suffixes
    }
    others_own = (*_OTHERS, *INPUTS["folder"].suffixes)
    wrong = next(filter(name.endswith, (*formats, *others_own)), "")
    if wrong and form == "json":
        of = f"of the format {formats[wrong]}" if wrong in formats else f"of another kind ({wrong})"
        raise ValueError(
            f"{path}: {what} is plain JSON Lines, and the name is that of a file {of}; give a "
            "name that ends in .jsonl"
        )
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "the folder of the output does not exist", str(path.parent))
    if path.is_dir():
        raise IsADirectoryError(
            21, "the output is a folder; give the name of a file in it", str(path)
        )
    check_spares(path, what, others)


def check_spares(path: Path, what: str, others: Iterable[str]) -> None:
    """Raise ValueError where path is one of others, which what is written there would replace."""
    for other in others:
        if os.path.abspath(other) == os.path.abspath(path) or (
            path.exists() and os.path.exists(other) and os.path.samefile(other, path)
        ):
            raise ValueError(
                f"{path}: {what} would replace {other}, which is read or written, too; give it "
                "another name"
            )


def line(fields: dict[str, object]) -> bytes:
    """Write a record as a line.

    Half a surrogate pair, as names of files may have, stays an escape.
    """
    return json.dumps(fields, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
