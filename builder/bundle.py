"""Many documents at once, as the spool keeps them: what the core makes of plain records, with no object for each."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

HEAD = struct.Struct("<HHHH")  # bytes of id, title, url, language: the bounds of builder/document.py fit
LANGUAGE = 35  # characters: enough for any tag

Numbers = np.ndarray[Any, np.dtype[np.uint64]]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Texts one after the other, heads the same (a HEAD, and what it has the sizes of), where each ends, and the hashes of the ids."""

    texts: memoryview
    heads: memoryview
    text_ends: Numbers
    head_ends: Numbers
    hashes: Numbers

    def __len__(self) -> int:
        return len(self.hashes)
