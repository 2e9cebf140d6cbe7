"""The files of an index: each a script with deflated bytes, whose name tells what it holds."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pocketindex.builder.page.shard import ESCAPES, script

FORMAT = 1
LEVEL = 7  # of deflate: 9 takes longer by a fifth of a build, and saves a thousandth of the bytes
END = b");\n"  # of a file that was written to its end
_NAME_BYTES = 10
_CALL = re.compile(rb'pocketShard\("\w+",\d+,"(.*)"\);\n', re.DOTALL)
_WRITTEN = {escape: sign for sign, escape in ESCAPES}


@dataclass
class Pieces:
    """Files to be written, by name. folder: that of an earlier index, whose files of the same name
    are taken as they are.
    """

    folder: Path | None = None
    files: dict[str, bytes | Path] = field(default_factory=dict)

    def add(self, letter: str, data: bytes) -> str:
        """Add a piece; returns what tells its name."""
        key = name_of(data)
        name = f"{letter}-{key}.js"
        if name not in self.files:
            self.files[name] = self._old(name) or script(key, FORMAT, data, LEVEL)
        return key

    def put(self, stem: str, content: bytes) -> str:
        """Add a script under a name that tells its content; returns the name."""
        name = f"{stem}-{name_of(content)}.js"
        old = self._old(name)
        self.files[name] = old if old and old.read_bytes() == content else content
        return name

    def _old(self, name: str) -> Path | None:
        """Return the file of that name, where there is a whole one."""
        path = self.folder / name if self.folder else None
        if path is None or not path.is_file():
            return None
        with path.open("rb") as file:
            file.seek(-min(len(END), path.stat().st_size), os.SEEK_END)
            return path if file.read() == END else None

    def new(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files that are not there, in the order of their names."""
        for name, content in sorted(self.files.items()):
            if isinstance(content, bytes):
                yield name, content


def name_of(data: bytes) -> str:
    """Return the letters that tell bytes from others: of their SHA-256, in base 32."""
    digest = hashlib.sha256(b"%d:" % FORMAT + data).digest()
    return base64.b32encode(digest)[:_NAME_BYTES].decode().lower()


def content_of(file: bytes) -> bytes:
    """Return what a piece holds. Raises ValueError where it is none."""
    call = _CALL.fullmatch(file)
    if not call:
        raise ValueError("expected a call of pocketShard, found other bytes")
    packed = re.sub(rb"\\.", lambda sign: _WRITTEN[sign[0]], call[1], flags=re.DOTALL)
    try:
        return zlib.decompress(packed, -15)
    except zlib.error as error:
        raise ValueError(f"expected deflated bytes: {error}") from error
