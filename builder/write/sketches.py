"""The sketches section (docs/format.md, section 4)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from pocketindex.builder.write.container import Section
from pocketindex.constants import FRONT_BYTES

SKETCH_BLOCK = 4_096  # bytes: what one look at a stored sketch has to check

Records = npt.NDArray[np.uint8]


def write_sketches(
    section: Section,
    records: Iterable[Records],
    count: int,
    stride: int,
    identity_bits: int,
    shared_bits: int,
) -> None:
    """Write the section of count records, which come as arrays of (n, stride): of a block the
    fronts of all sketches, then the rest of each record.
    """
    front = min(stride - (identity_bits + shared_bits) // 8, FRONT_BYTES)
    block = max(1, SKETCH_BLOCK // stride)
    first = 0
    waiting = np.zeros((0, stride), np.uint8)
    beside = [shared_bits, 0] if shared_bits else []
    section.parameters = np.array([count, stride, identity_bits, block, *beside], "<u4").tobytes()
    for some in records:
        waiting = np.concatenate([waiting, some])
        whole = len(waiting) // block * block
        for start in range(0, whole, block):
            section.add(first + start, _apart(waiting[start : start + block], front))
        first, waiting = first + whole, waiting[whole:]
    if len(waiting):
        section.add(first, _apart(waiting, front))


def _apart(records: Records, front: int) -> bytes:
    return records[:, :front].tobytes() + records[:, front:].tobytes()


def records_of(parameters: bytes, block: memoryview | bytes) -> Records:
    """Return the records of a block, (n, stride). parameters: of the section."""
    _, stride, identity, _, *more = np.frombuffer(parameters, "<u4").tolist()
    front = min(stride - (identity + (more[0] if more else 0)) // 8, FRONT_BYTES)
    own = np.frombuffer(block, np.uint8)
    count = len(own) // stride
    end = count * front
    rows = own[:end].reshape(count, front), own[end:].reshape(count, stride - front)
    return np.concatenate(rows, axis=1)
