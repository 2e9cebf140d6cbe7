"""Keep the golden files of a release: tests/released/VERSION/, which every later version has to read.

    python tests/make_released.py        when a version is released, and never again for it

Beside each file's name stand its checksum and those of what it says of its documents: ids, titles,
addresses, texts, labels. Answers are not kept, because a later version may rank better.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import everywhere  # noqa: F401
import pocketindex
from places import GOLDEN, TESTS

RELEASED = TESTS / "released"


def digest(parts: Iterable[object]) -> str:
    """Return the SHA-256 of values, one JSON value a line."""
    text = "".join(json.dumps(part, ensure_ascii=True) + "\n" for part in parts)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def content(path: Path) -> dict[str, object]:
    """Return what a file says of its documents, as checksums."""
    with pocketindex.open(path) as index:
        index.verify()
        records = [index.record(number) for number in range(len(index))]
        return {
            "documents": len(index),
            "fields": digest([one.id, one.title, one.url] for one in records),
            "texts": digest(index.text(one.number) for one in records)
            if index.kept == "text"
            else None,
            "labels": digest(list(index.labels(one.number)) for one in records)
            if index.has_labels
            else None,
        }


def main() -> int:
    folder = RELEASED / pocketindex.__version__
    if folder.exists():
        sys.exit(f"{folder}: the files of this version are kept already; set the next version")
    folder.mkdir(parents=True)
    known = {}
    for path in sorted(GOLDEN.glob("*.pocket")):
        shutil.copyfile(path, folder / path.name)
        known[path.name] = {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            **content(path),
        }
    text = json.dumps(known, indent=1) + "\n"
    (folder / "content.json").write_text(text, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
