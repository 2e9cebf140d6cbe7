"""Write the words section (docs/format.md 6.4): the merged words of all chunks, in blocks."""

from __future__ import annotations

import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.chunks.chunk_words import Chunks, ChunkWords, Numbers, WordArrays
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.folding import lacking
from pocketindex.builder.write.forms import BATCH, NONE, Endings, Words, endings_of
from pocketindex.builder.write.stems import COMMONEST, ways_of
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from pocketindex.index import Index

# Bytes of a block, of which a search reads one for each word. Half of it costs .5 bytes a document
# in the directory.
ROOM = 16_384
LENGTHS = (1 << 28) - 1  # bits of a length (cbits/build/pocket_build.h, pocket_chunk_words)


@dataclass(frozen=True)
class TakenWords:
    """Words that are reused from an old file with the same limit of words a document. kept: the
    number of each of its documents in the new file, lib.POCKET_GONE if it is left out; None if only
    the counts of its words are used.
    """

    index: Index
    kept: npt.NDArray[np.uint32] | None


def same_counts(one: Index, other: Index) -> bool:
    """Return whether two files chose the heaviest words of documents by the same counts. Raises
    Damaged.
    """
    same, error = ffi.new("uint32_t *"), ffi.new("pocket_error *")
    check(lib.pocket_words_same_counts(one._core, other._core, same, error), error, other.path)
    return bool(same[0])


def write_words(
    section: Section,
    chunks: Sequence[ChunkWords],
    documents: int,
    threads: Threads,
    folder: Path,
    *,
    heaviest: int = 0,
    title_weight: int = 0,
    numbers: npt.NDArray[np.uint32] | None = None,
    average: int | None = None,
    counted: Index | None = None,
    taken: Sequence[TakenWords] = (),
    stem: str = "none",
    lemmas: bool = False,
    stated: Callable[[], Counter[str]] = Counter,
    done: Callable[[int], None] = lambda postings: None,
) -> str:
    """Write blocks and parameters; returns the name of what put the words into classes.

    folder: for temporary files; heaviest: words of a document that count, 0 for all; numbers: of
    the documents in the file, None where they are in the order in which they came; average: length
    of a document in 1/256 terms, None for that of these; counted: the file by whose counts of words
    the heaviest are chosen, None to count these; taken: words that come from files; stem, lemmas,
    stated: how words are put into classes (stems.py). done is told the bytes of each block.
    """
    arrays = [chunk.arrays() for chunk in chunks]
    if average is None:
        terms = sum(int((own.lengths & LENGTHS).sum(dtype=np.uint64)) for own in arrays)
        average = max(1, 256 * terms // max(documents, 1))
    of = (_counted_of(counted) if counted else max(1, documents)) if heaviest else 0
    settings = ffi.new("pocket_words_settings *", [documents, average, heaviest, ROOM, of])
    having = _having(chunks, arrays, counted) if heaviest else None
    if counted and not taken:
        taken = [TakenWords(counted, None)]
    if having:
        arrays = _heaviest(chunks, arrays, having, settings, threads, folder)
    core = Chunks(chunks, arrays, having)
    with _writer(core, settings, numbers, taken) as writer:
        names, commonest = _names(writer, folder)
    ways = ways_of(stem, lemmas, commonest, stated)
    if more := lacking(names):
        core = core.with_words(more)
        with _writer(core, settings, numbers, taken) as writer:
            names, _ = _names(writer, folder)
    endings = endings_of(names, ways.ways, ways.rules(names))
    name = ways.name if endings.numbers.any() or ways.language else ""
    endings = endings if name else NONE
    with _writer(core, settings, numbers, taken) as writer:
        _write_blocks(section, writer, endings, done)
    section.parameters = struct.pack(
        "<IIQQIIII",
        *(documents, ROOM, writer.words, writer.postings, heaviest, average, title_weight, of),
    ) + endings.packed(name)
    return name


def _counted_of(index: Index) -> int:
    """Return the number of documents whose words a file has counted."""
    summary = ffi.new("pocket_summary *")
    lib.pocket_summarize(index._core, summary)
    return int(summary.words_counted)


def _having(
    chunks: Sequence[ChunkWords], arrays: Sequence[WordArrays], counted: Index | None
) -> list[Numbers]:
    """Return how many documents have each word of each chunk, by the counts of a file or, without
    one, of the chunks.
    """
    core = Chunks(chunks, arrays)
    having = [np.zeros(len(own.word_ends), np.uint32) for own in arrays]
    pointers = [ffi.from_buffer("uint32_t[]", own) for own in having]
    rows = ffi.new("uint32_t *[]", pointers)
    old, error = counted._core if counted else ffi.NULL, ffi.new("pocket_error *")
    ask = lib.pocket_asked
    status = lib.pocket_words_having(core.core, core.count, old, rows, ask, error)
    check(status, error, counted.path if counted else "words")
    return having


def _heaviest(
    chunks: Sequence[ChunkWords],
    arrays: Sequence[WordArrays],
    having: Sequence[Numbers],
    settings: Any,
    threads: Threads,
    folder: Path,
) -> list[WordArrays]:
    """Return the arrays with only the postings of the heaviest words of each document, in temporary
    files.
    """
    core = Chunks(chunks, arrays, having)

    def one(i: int) -> WordArrays:
        ends, postings = np.empty_like(arrays[i].posting_ends), np.empty_like(arrays[i].postings)
        status = lib.pocket_words_heaviest(
            core.core + i,
            settings,
            ffi.from_buffer("uint32_t[]", ends),
            ffi.from_buffer("uint32_t[]", postings),
            lib.pocket_asked,
        )
        check(status, None, "words")
        left = int(ends[-1]) if len(ends) else 0
        return replace(
            arrays[i],
            posting_ends=_stored(ends, folder),
            postings=_stored(postings[:left], folder),
        )

    return list(threads.map(one, range(len(chunks))))


def _stored(array: Numbers, folder: Path) -> Numbers:
    """Return an array, mapped from an unnamed file."""
    if not len(array):
        return array
    with tempfile.TemporaryFile(dir=folder) as file:
        array.tofile(file)
        file.flush()
        return np.memmap(file, np.uint32, "r")


@dataclass
class _Writer:
    """The core's writer. origin: the file that it takes words of; words, postings: how many there
    were, once it is closed.
    """

    core: Any
    origin: str
    words: int = 0
    postings: int = 0


@contextmanager
def _writer(
    chunks: Chunks,
    settings: Any,
    numbers: npt.NDArray[np.uint32] | None,
    taken: Sequence[TakenWords],
) -> Iterator[_Writer]:
    out = ffi.new("pocket_words_writer **")
    order = ffi.NULL if numbers is None else ffi.from_buffer("uint32_t[]", numbers)
    status = lib.pocket_words_writer_begin(chunks.core, chunks.count, settings, order, out)
    check(status, None, "words")
    writer = _Writer(out[0], taken[0].index.path if taken else "words")
    error, words, postings = ffi.new("pocket_error *"), ffi.new("uint64_t *"), ffi.new("uint64_t *")
    try:
        for own in taken:
            kept = ffi.NULL if own.kept is None else ffi.from_buffer("uint32_t[]", own.kept)
            status = lib.pocket_words_writer_take(writer.core, own.index._core, kept, error)
            check(status, error, own.index.path)
        yield writer
    finally:
        lib.pocket_words_writer_end(writer.core, words, postings)
        writer.words, writer.postings = int(words[0]), int(postings[0])


def _names(writer: _Writer, folder: Path) -> tuple[Words, list[str]]:
    """Return all words, mapped from a file without a name, and the commonest ones."""
    bytes_, ends = ffi.new("uint8_t[]", 128 * BATCH), np.empty(BATCH, np.uint64)
    having, count = np.empty(BATCH, np.uint32), ffi.new("uint32_t *", BATCH)
    found, size = list[npt.NDArray[np.uint64]](), 0
    commonest = list[tuple[int, str]]()
    with tempfile.TemporaryFile(dir=folder) as file:
        while count[0] == BATCH:
            pointers = (ffi.from_buffer("uint64_t[]", ends), ffi.from_buffer("uint32_t[]", having))
            status = lib.pocket_words_writer_names(writer.core, bytes_, *pointers, BATCH, count)
            check(status, None, writer.origin)
            own = ends[: count[0]].tolist()
            data = bytes(ffi.buffer(bytes_, own[-1] if own else 0))
            file.write(data)
            most = np.argsort(-having[: count[0]].astype(np.int64), kind="stable")[:COMMONEST]
            words = [(int(having[i]), data[own[i - 1] if i else 0 : own[i]]) for i in most.tolist()]
            commonest += [(-times, word.decode()) for times, word in words]
            commonest = sorted(commonest)[:COMMONEST]
            found.append(ends[: count[0]] + np.uint64(size))
            size += len(data)
        file.flush()
        content = np.memmap(file, np.uint8, "r") if size else np.zeros(0, np.uint8)
    return Words(content, np.concatenate(found)), [word for _, word in commonest]


def _write_blocks(
    section: Section, writer: _Writer, endings: Endings, done: Callable[[int], None]
) -> None:
    block, error = ffi.new("uint8_t[]", ROOM), ffi.new("pocket_error *")
    length, first = ffi.new("uint64_t *"), ffi.new("uint64_t *")
    if len(endings.numbers):
        numbers = ffi.from_buffer("uint32_t[]", endings.numbers)
        spelled = ffi.from_buffer("uint8_t[]", endings.spelled)
        lib.pocket_words_writer_forms(writer.core, numbers, len(endings.table) + 1, spelled)
    while True:
        status = lib.pocket_words_write(writer.core, block, length, first)
        check(status, error, writer.origin)
        if not length[0]:
            break
        section.add(int(first[0]), bytes(ffi.buffer(block, length[0])))
        done(int(length[0]))
