"""JSON Lines that are packed as the name of their file says."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
from collections.abc import Iterator
from typing import IO

from pocketindex.builder.inputs.source import needed

PACKINGS = (".gz", ".bz2", ".xz", ".zst")


def packing(name: str) -> str:
    """Return the suffix by which a file is packed, "" for one that is not."""
    end = os.path.splitext(name)[1].lower()
    return end if end in PACKINGS else ""


@contextlib.contextmanager
def packed(out: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """Yield a file that compresses what is written to it, as the suffix of name says.

    The same bytes give the same file. Raises SourceError if the package of a codec is missing.
    """
    end = packing(name)
    if not end:
        yield out
        return
    if end == ".zst":
        zstandard = needed("zstandard", "zst", name, "it is to be compressed with zstd")
        with zstandard.ZstdCompressor().stream_writer(out, closefd=False) as writer:
            yield writer
        return
    opened: IO[bytes] = (
        gzip.GzipFile("", "wb", fileobj=out, mtime=0)  # type: ignore[assignment]
        if end == ".gz"
        else bz2.BZ2File(out, "wb")
        if end == ".bz2"
        else lzma.LZMAFile(out, "wb")
    )
    with opened:
        yield opened
