"""Where the sections of an open file lie (docs/format.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pocketindex.cbits import ffi, lib
from pocketindex.constants import SectionKind

# What is read to find similar documents; the others have what is shown of them, or answer
# questions of their own.
LOOK_UP = (SectionKind.TABLES, SectionKind.SKETCHES, SectionKind.CELLS, SectionKind.COPIES)


@dataclass(frozen=True, slots=True)
class Section:
    """A section. kind: its number in docs/format.md; offset, length: its bytes in the file;
    parameters: bytes of these; blocks: how many.
    """

    kind: int
    offset: int
    length: int
    parameters: int
    blocks: int


def sections_of(handle: Any) -> Iterator[Section]:
    """Yield the sections of an open file in their order; the core has checked their bounds."""
    own = ffi.new("pocket_section *")
    for number in range(lib.pocket_section_count(handle)):
        lib.pocket_section_get(handle, number, own)
        yield Section(own.kind, own.offset, own.length, own.parameters, own.blocks)
