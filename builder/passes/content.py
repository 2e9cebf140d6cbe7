"""What a file is made of, once its documents are sketched and arranged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections.copies import CopyKeys
from pocketindex.builder.work.chunks.chunk import Details, Rows
from pocketindex.builder.work.chunks.chunk_words import ChunkWords
from pocketindex.builder.write.cells import Cells
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.sketches import Records
from pocketindex.builder.write.words import TakenWords


class Arrangement(Protocol):
    """The documents in the order of the file (work/chunks/arranged.py)."""

    count: int
    with_sketch: int
    copy_keys: CopyKeys
    numbers: npt.NDArray[np.uint32] | None

    def sketches(self) -> Iterable[Records]: ...
    def records(self, step: int) -> Iterable[Rows]: ...
    def details(self) -> Iterable[Details]: ...


class Keys(Protocol):
    """What writes the sections that are looked up by keys."""

    def write_tables(self, tables: Section, ids: Section, probes: int) -> None: ...
    def write_passages(self, section: Section) -> None: ...


@dataclass(frozen=True)
class Content:
    """What a file is made of.

    probes: default of the tables. texts: gives what is kept of them. cells: centres and the cell of
    each with a sketch, in the order in which they came, None without cells. words: those of the
    chunks, nothing without words; average: length of a document for them, None to count it;
    counted: the file by whose counts the heaviest are chosen, None to count them; taken: the files
    whose words are taken along.
    """

    profile: Profile
    documents: Arrangement
    texts: Callable[[], Iterable[bytes]]
    probes: int
    cells: Cells | None
    keys: Keys
    words: Sequence[ChunkWords]
    average: int | None = None
    counted: str | None = None
    taken: Sequence[TakenWords] = ()
