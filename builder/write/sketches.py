"""Write the sketches section (docs/format.md, section 4)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from pocketindex.builder.write.container import Section
from pocketindex.constants import COARSE_BYTES

SKETCH_BLOCK = 4_096  # bytes: what one look at a stored sketch has to check

Records = npt.NDArray[np.uint8]


def write_sketches(
    section: Section,
    records: Iterable[Records],
    count: int,
    stride: int,
    identity_bits: int,
) -> None:
    """Write the section. A block has the coarse codes of all its sketches, then the rest of each
    record. records: arrays of shape (n, stride), which have count records in all.
    """
    coarse = min(stride - identity_bits // 8, COARSE_BYTES)
    block = max(1, SKETCH_BLOCK // stride)
    first = 0
    waiting = np.zeros((0, stride), np.uint8)
    section.parameters = np.array([count, stride, identity_bits, block], "<u4").tobytes()
    for some in records:
        waiting = np.concatenate([waiting, some])
        whole = len(waiting) // block * block
        for start in range(0, whole, block):
            section.add(first + start, _apart(waiting[start : start + block], coarse))
        first, waiting = first + whole, waiting[whole:]
    if len(waiting):
        section.add(first, _apart(waiting, coarse))


def _apart(records: Records, coarse: int) -> bytes:
    return records[:, :coarse].tobytes() + records[:, coarse:].tobytes()


def records_of(parameters: bytes, block: memoryview | bytes) -> Records:
    """Return the records of a block, with shape (n, stride). parameters: those of the section."""
    _, stride, identity, _ = np.frombuffer(parameters, "<u4").tolist()
    coarse = min(stride - identity // 8, COARSE_BYTES)
    own = np.frombuffer(block, np.uint8)
    count = len(own) // stride
    end = count * coarse
    rows = own[:end].reshape(count, coarse), own[end:].reshape(count, stride - coarse)
    return np.concatenate(rows, axis=1)
