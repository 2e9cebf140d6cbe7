"""The second stage: batches of documents become sketches, keys, shingles and words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.shingle_keys import shingles_of
from pocketindex.builder.passes.words import titles_of, words_of
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.chunks.chunk import Flags, Rows, chosen
from pocketindex.builder.spill.chunks.chunk_words import ChunkWords
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.chunks.repeated_ids import RepeatedIds
from pocketindex.builder.write.texts import kept
from pocketindex.cbits import lib
from pocketindex.spark.reading import Read, batch_of, numbered
from pocketindex.spark.stages import Row, kept_on_disk, stage, streamed

WORDS_OF = 1 << 25  # bytes of the texts of which the words are collected at once

COLUMNS = {
    "part": "int",
    "count": "int",
    "with_sketch": "int",
    "without_text": "int",
    "copies": "binary",  # as in a Sketches
    "records": "binary",  # this, keys and steps: of those with a sketch
    "keys": "binary",
    "hashes": "binary",
    "steps": "binary",
    "details": "binary",
    "detail_ends": "binary",
    "texts": "binary",
    "text_ends": "binary",
    "shingles": "binary",
    "shingle_places": "binary",
    "words": "binary",  # of this batch and of those before it that have none
    "word_sizes": "string",
}


@dataclass(frozen=True)
class Sketched:
    """The documents that are kept, in the order in which they came.

    batches: a DataFrame with a row a batch (COLUMNS); firsts: of each part, the number of its first
    document, and sketch_firsts the same of those with a sketch; count: documents; with_sketch: of
    these; shingles: of terms.
    """

    batches: Any
    firsts: dict[int, int]
    sketch_firsts: dict[int, int]
    count: int
    with_sketch: int
    shingles: int


def sketch(
    read: Read,
    repeated: RepeatedIds,
    profile: Profile,
    steps: bool,
    context: Context,
    stack: ExitStack,
) -> Sketched:
    """Sketch all documents, and report how many there are. steps: whether they are kept."""
    work = _Work(context.settings, profile.data, steps, repeated, read.firsts)
    batches = kept_on_disk(stage(read.batches.drop("said"), work, COLUMNS), stack)
    firsts, sketch_firsts = dict[int, int](), dict[int, int]()
    count = with_sketch = shingles = 0
    counted = ("part", "count", "with_sketch", "without_text", "length(shingles) / 8 shingles")
    for row in batches.selectExpr(*counted).collect():
        firsts.setdefault(row.part, count)
        sketch_firsts.setdefault(row.part, with_sketch)
        own = row["count"]
        count, with_sketch = count + own, with_sketch + row.with_sketch
        shingles += int(row.shingles)
        context.report.index(own, own - row.with_sketch, row.without_text)
    return Sketched(batches, firsts, sketch_firsts, count, with_sketch, shingles)


def words(sketched: Sketched, context: Context) -> list[ChunkWords]:
    """The words of all documents, in files of the driver's work folder."""
    work = context.work
    found = list[ChunkWords]()
    first = 0
    some = sketched.batches.where("word_sizes is not null")
    for row in streamed(some, "words", "word_sizes"):
        name, pieces = f"words-{len(found):06}", json.loads(row.word_sizes)
        with work.file(name) as file:
            file.write(row.words)
        found += ChunkWords.all_of(work.folder / name, pieces, first)
        first = found[-1].first + found[-1].documents
    return found


@dataclass(frozen=True)
class _Work:
    """What a task does to the documents of its part."""

    settings: Settings
    profile: bytes
    steps: bool
    repeated: RepeatedIds
    firsts: dict[int, int]

    def __call__(self, batches: Iterator[Row]) -> Iterator[Row]:
        profile = Profile(self.profile, "the profile")
        words = _Words(self.settings.title_weight, profile.stream)
        waiting: Row | None = None
        for first, row in numbered(self.firsts, batches):
            if waiting:
                yield waiting
            batch = batch_of(row)
            candidates = ~self.repeated.among(first, len(batch))
            waiting, own = self._sketched(row["part"], batch, profile, candidates)
            if self.settings.words is not None:
                words.add(batch, own)
                if words.size >= WORDS_OF:
                    waiting |= words.taken()
                    words = _Words(self.settings.title_weight, profile.stream)
        if waiting:
            yield waiting | (words.taken() if words.size else {})

    def _sketched(
        self, part: int, batch: DocumentBatch, profile: Profile, candidates: Flags
    ) -> tuple[Row, Flags]:
        settings, texts = self.settings, bytes(batch.texts)
        sketches = profile.sketch_many(texts, batch.text_ends, settings.identity_bits, self.steps)
        own, copies = candidates, sketches.copies[candidates]
        sketched = own & (sketches.copies == 0)
        shingles, places = np.zeros(0, np.uint64), np.zeros(0, np.uint32)
        if "passages" in settings.index:
            blocks = [(texts, batch.text_ends)]
            shingles, places = shingles_of(
                blocks, own, profile.stream, settings.run_terms, settings.run_window
            )
        details, detail_ends = chosen(bytes(batch.details), batch.detail_ends, own)
        found = {
            "part": part,
            "count": len(copies),
            "with_sketch": int(np.count_nonzero(sketched)),
            "without_text": int(np.count_nonzero(copies == lib.POCKET_WITHOUT_TEXT)),
            "copies": copies,
            "records": sketches.records[sketched],
            "keys": sketches.keys[sketched].T,
            "hashes": batch.hashes[own],
            "steps": sketches.steps[sketched],
            "details": details,
            "detail_ends": detail_ends,
            "shingles": shingles,
            "shingle_places": places,
            "words": b"",
            "word_sizes": None,
        }
        found["texts"], found["text_ends"] = self._kept(texts, batch.text_ends, own)
        return found, own

    def _kept(self, texts: bytes, ends: Any, own: Flags) -> Rows:
        if self.settings.keep == "none":
            return b"", np.zeros(0, np.uint64)
        starts = np.append(np.uint64(0), ends[:-1])
        some = [
            kept(texts[start:end], self.settings.keep, self.settings.snippet)
            for start, end in zip(starts[own].tolist(), ends[own].tolist(), strict=True)
        ]
        return b"".join(some), np.cumsum([len(text) for text in some], dtype=np.uint64)


class _Words:
    """Collects words of batches. size: bytes of the texts that wait."""

    def __init__(self, title_weight: int, stream: int) -> None:
        self._weight, self._stream = title_weight, stream
        self._blocks = list[Rows]()
        self.size = 0
        self._titles, self._own = list[bytes](), list[Flags]()

    def add(self, batch: DocumentBatch, own: Flags) -> None:
        self._blocks.append((bytes(batch.texts), batch.text_ends))
        self._own.append(own)
        self.size += len(batch.texts)
        if self._weight:
            self._titles += titles_of(bytes(batch.details), batch.detail_ends)

    def taken(self) -> Row:
        """What a row has of them."""
        titles, out = self._titles if self._weight else None, BytesIO()
        found = words_of(
            self._blocks, np.concatenate(self._own), titles, self._weight, self._stream
        )
        pieces = [arrays.write(out) for arrays in found]
        return {"words": out.getvalue(), "word_sizes": json.dumps(pieces)}
