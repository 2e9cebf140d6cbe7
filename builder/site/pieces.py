"""The files of an index: each a script with deflated bytes, whose name tells what it holds."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from pocketindex.builder.inputs.source import needed
from pocketindex.builder.page.shard import ESCAPES, script

FORMAT = 1
LEVEL = 7  # of libdeflate, which takes half as long as zlib for as many bytes
END = b");\n"  # of a file that was written to its end
_NAME_BYTES = 10
_CALL = re.compile(rb'pocketShard\("\w+",\d+,"(.*)"\);\n', re.DOTALL)
_WRITTEN = {escape: sign for sign, escape in ESCAPES}


@dataclass
class Pieces:
    """The files of an index, which nobody reads before the entry names them.

    folder: where they are; files: the names of those that were added; written: how many of these
    were not there.
    """

    folder: Path
    files: set[str] = field(default_factory=set)
    written: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)

    def add(self, letter: str, data: bytes) -> str:
        """Add a piece; returns what tells its name. One that is there is taken as it is."""
        key = name_of(data)
        name = f"{letter}-{key}.js"
        if name not in self.files and not self._has(name):
            packed = needed("deflate", "html", "a website", "its index is deflated")
            self._write(name, script(key, FORMAT, packed.deflate_compress(data, LEVEL)))
        self.files.add(name)
        return key

    def put(self, stem: str, content: bytes) -> str:
        """Add a script under a name that tells its content; returns the name."""
        name = f"{stem}-{name_of(content)}.js"
        if not self._has(name) or (self.folder / name).read_bytes() != content:
            self._write(name, content)
        self.files.add(name)
        return name

    def take(self, names: Iterable[str]) -> bool:
        """Add files of an earlier index, and return True, if all of them are there."""
        own = set(names)
        if not all(map(self._has, own)):
            return False
        self.files |= own
        return True

    def _has(self, name: str) -> bool:
        """Return whether there is a whole file of that name."""
        try:
            with open(os.path.join(self.folder, name), "rb", buffering=0) as file:
                file.seek(-len(END), os.SEEK_END)
                return file.read() == END
        except OSError:
            return False

    def _write(self, name: str, content: bytes) -> None:
        """Write a piece. An incomplete file of this name, or one that another build is writing, is
        overwritten: the name is derived from the content, so both builds write the same bytes.
        """
        path = os.path.join(self.folder, name)
        try:
            file: BinaryIO = open(path, "xb")
        except FileExistsError:
            file = open(path, "r+b")
        with file:
            file.write(content)
            file.truncate()
        self.written += 1


def name_of(data: bytes) -> str:
    """Return the letters that tell bytes from others: of their SHA-256, in base 32."""
    digest = hashlib.sha256(b"%d:" % FORMAT + data).digest()
    return base64.b32encode(digest[:_NAME_BYTES])[:_NAME_BYTES].decode().lower()


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
