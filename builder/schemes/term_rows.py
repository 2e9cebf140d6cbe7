"""The distinct terms of sampled texts, as hashes with counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.profile import MARKED
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class TermRows:
    """The terms of texts: those of text i, each once, end at ends[i]; murmur of the whole term and
    of its prefix, and how often it occurs.
    """

    ends: Ints
    whole: Hashes
    prefix: Hashes
    counts: Ints

    @classmethod
    def of(cls, texts: Sequence[bytes], prefix: int = 0, stream: int = MARKED) -> TermRows:
        """Count the terms of texts in a stream; prefix: its code points, 0 for the whole term."""
        ends = np.cumsum([len(text) for text in texts], dtype=np.uint64)
        row_ends = np.zeros(len(texts), np.uint64)
        rows = ffi.new("pocket_term_row **")
        status = lib.pocket_count_terms(
            b"".join(texts),
            ffi.cast("uint64_t *", ffi.from_buffer(ends)),
            len(texts),
            stream,
            prefix,
            ffi.cast("uint64_t *", ffi.from_buffer(row_ends)),
            rows,
            lib.pocket_asked,
        )
        check(status, ffi.new("pocket_error *"), "the sample")
        try:
            count = int(row_ends[-1]) if len(texts) else 0
            raw = np.frombuffer(ffi.buffer(rows[0], max(count, 1) * 24), "u8").reshape(-1, 3)[
                :count
            ]
            # Copies, as what they are of goes.
            columns = (
                raw[:, 0].copy(),
                raw[:, 1].copy(),
                (raw[:, 2] & np.uint64(0xFFFFFFFF)).astype(np.int64),
            )
        finally:
            lib.pocket_release(rows[0])
        return cls(row_ends.astype(np.int64), *columns)

    @property
    def texts(self) -> int:
        return len(self.ends)

    @property
    def text_of(self) -> Ints:
        """The text of each row."""
        return np.repeat(np.arange(self.texts), np.diff(self.ends, prepend=0))
