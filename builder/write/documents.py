"""Write the documents section (docs/format.md, section 5): packed titles, ids and urls."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from pocketindex.builder.spill.chunks.chunk import Ends, Rows
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.builder.write.container import Section
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

# A reader passes over half of a block, and checks all of it at its first touch; its directory entry
# has 20 bytes (docs/decisions.md, 26).
BLOCK_BYTES = 2_048
_PACKED, _PACKED_BYTES = 16_384, 1 << 21  # records at once, some milliseconds
_SAMPLE = 4_096  # records to learn symbols from: four times as many save at most 1 %
_SAMPLE_BYTES = 1 << 25  # of them: ids alone have at most an eighth of it
_TABLE = 254 * 9


def write_documents(
    section: Section,
    records: Callable[[int], Iterable[Rows]],
    count: int,
    url_template: str,
    each: Each = one_by_one,
    done: Callable[[int], None] = lambda count: None,
) -> None:
    """Write count records, in the order of the documents' numbers.

    records: takes a step and yields every step-th record. Symbols are learned from a sample before
    any record is packed. done: called with the number of records after each write.
    """
    # Of every so many records, so that only the collection decides.
    table, symbols = learn(records(max(1, count // _SAMPLE)))
    template = url_template.encode()
    section.parameters = struct.pack("<IIII", count, len(template), symbols, 0) + template + table
    waiting, first = (b"", np.zeros(0, np.uint64)), 0
    for packed in each(partial(pack, table, symbols), _in_pieces(records(1))):
        waiting, first = _add_blocks(section, _joined([waiting, packed]), first)
        done(len(packed[1]))
    if waiting[0]:
        section.add(first, waiting[0])


def learn(records: Iterable[Rows]) -> tuple[bytes, int]:
    """Learn symbols from records. Returns their lengths, their bytes, and their number."""
    content, ends = _joined(_first(records, _SAMPLE_BYTES))
    table, symbols = ffi.new("uint8_t[]", _TABLE), ffi.new("uint32_t *")
    check(
        lib.pocket_symbols_learn(content, _uint64(ends), len(ends), table, symbols),
        ffi.new("pocket_error *"),
        "documents",
    )
    lengths = bytes(ffi.buffer(table)[: symbols[0]])
    return bytes(ffi.buffer(table)[: symbols[0] + sum(lengths)]), symbols[0]


def _first(records: Iterable[Rows], size: int) -> Iterator[Rows]:
    """Yield the first records, until they have size bytes."""
    for content, ends in records:
        count = int(np.searchsorted(ends, np.uint64(size))) + 1
        end = int(ends[min(count, len(ends)) - 1])
        yield content[:end], ends[:count]
        size -= end
        if size <= 0:
            return


def _in_pieces(records: Iterable[Rows]) -> Iterator[Rows]:
    for content, ends in records:
        start = first = 0
        while first < len(ends):
            most = int(np.searchsorted(ends, np.uint64(start + _PACKED_BYTES), "right"))
            own = ends[first : max(first + 1, min(first + _PACKED, most))]
            end = int(own[-1])
            yield content[start:end], own - np.uint64(start)
            start, first = end, first + len(own)


def _joined(some: Iterable[tuple[bytes, Any]]) -> Rows:
    contents = []
    ends = [np.zeros(0, np.uint64)]
    size = 0
    for content, their_ends in some:
        contents.append(content)
        ends.append(np.asarray(their_ends, np.uint64) + np.uint64(size))
        size += len(content)
    return b"".join(contents), np.concatenate(ends)


def pack(table: bytes, symbols: int, records: Rows) -> Rows:
    content, ends = records
    out, out_ends = np.empty(2 * len(content) + len(ends), np.uint8), np.empty(len(ends), np.uint64)
    status = lib.pocket_records_pack(
        table,
        symbols,
        content,
        _uint64(ends),
        len(ends),
        ffi.from_buffer("uint8_t[]", out),
        _uint64(out_ends),
    )
    check(status, ffi.new("pocket_error *"), "documents")
    return out[: int(out_ends[-1]) if len(out_ends) else 0].tobytes(), out_ends


def _add_blocks(section: Section, packed: Rows, first: int) -> tuple[Rows, int]:
    """Add all blocks but the last one, which further records may continue. Returns the content of
    the last one, and the number of its first record.
    """
    (content, ends), start, done = packed, 0, 0
    while (
        last := max(int(np.searchsorted(ends, np.uint64(start + BLOCK_BYTES), "right")), done + 1)
    ) < len(ends):
        section.add(first + done, content[start : (end := int(ends[last - 1]))])
        start, done = end, last
    return (content[start:], ends[done:] - np.uint64(start)), first + done


def _uint64(numbers: Ends) -> Any:
    return ffi.from_buffer("uint64_t[]", numbers)
