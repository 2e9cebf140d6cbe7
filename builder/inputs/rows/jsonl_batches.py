"""JSON Lines, many lines at a time: the core reads those that are plain, and needs no Python for
it; jsonl.py reads the others.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields, value_at
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING
from pocketindex.builder.inputs.opening.json_values import as_lines
from pocketindex.builder.inputs.opening.stream import Lines, Stream, line_feeds
from pocketindex.builder.inputs.rows import jsonl
from pocketindex.builder.inputs.rows.jsonl import LINE_BYTES, Unseen, is_blank, parsed, too_long
from pocketindex.builder.inputs.source import OnBytes, OnSkip, Place, unmeasured
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.cbits import ffi, lib

BYTES = 1 << 20  # read at once
_PARTS = ("id", "title", "text", "url", "lang", "date", "label")  # as the core has them


@dataclass(slots=True)
class _Found:
    """What so many lines gave, of so many bytes; notice: what is wrong with it; parts: of documents
    that some record has; numbered: the fields of a record without an id, None where all have one.
    """

    what: DocumentBatch | Document | Skip | None
    size: int
    lines: int
    notice: Notice | None = None
    parts: Collection[str] = ()
    numbered: Collection[str] | None = None


def batches(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    place: Place | None = None,
    each: Each = one_by_one,
    encoding: str | None = None,
) -> Iterator[Document | DocumentBatch]:
    """Yield what jsonl.documents gives, in the same order, and the same skipped.

    each: for the work of threads.
    """
    if any("." in name for _, name in fields.given):  # the core looks into no field
        yield from jsonl.documents(source, skip, measure, fields, place, encoding)
        return
    place = place or Place()
    unseen, is_said = Unseen(fields, place), False
    with Stream(source, encoding=encoding) as stream:
        stream.guess(skip, place)
        number_is, has_ids = as_lines(stream, fields.of("id"))
        own = fields.apart(has_ids)
        stream.go(place)
        for some in each(
            lambda lines: list(_read(lines, own, stream.name)), stream.blocks(BYTES, LINE_BYTES)
        ):
            for found in some:
                place.offset, place.lines = place.offset + found.size, place.lines + found.lines
                unseen.parts.difference_update(found.parts)
                if found.numbered is not None and not is_said:
                    skip(own.numbered(stream.name, number_is, found.numbered))
                    is_said = True
                if found.notice:
                    skip(found.notice)
                if isinstance(found.what, Skip):
                    skip(found.what)
                elif found.what is not None:
                    yield found.what
            measure(stream.read, stream.total)
        unseen.tell(skip, stream.name)


def _read(lines: Lines, fields: Fields, name: str) -> Iterator[_Found]:
    if lines.content is None:
        yield _one(None, lines.size, lines.first, fields, name)
        return
    core = _Core(lines.content, fields, lines.first)
    while True:
        plain = core.read()
        if plain.size:
            yield plain
        if core.at == lines.size:
            return
        line = lines.content[core.at : lines.content.find(b"\n", core.at) + 1 or None]
        yield _one(line, len(line), lines.first + core.lines, fields, name)
        core.go(len(line))


def _one(line: bytes | None, size: int, number: int, fields: Fields, name: str) -> _Found:
    """Return what a line gives that is not plain."""
    if line is not None and is_blank(line):
        return _Found(None, size, 1)
    place = f"{name}:{number}"
    try:
        if line is None:
            raise too_long(size)
        found = parsed(line, number, fields, name)
    except Unfit as unfit:
        return _Found(Skip(place, unfit.reason, unfit.detail), size, 1)
    notice = Notice(place, WRONG_ENCODING, found.problem) if found.problem else None
    return _Found(
        found.document,
        size,
        1,
        notice,
        [part for part, field in fields.given if value_at(found.fields, field) is not None],
        found.fields if found.numbered else None,
    )


class _Core:
    """Lines, and the core that reads on in them. at, lines: bytes and lines passed."""

    def __init__(self, content: bytes, fields: Fields, first: int) -> None:
        """first: the number of the first line."""
        count = line_feeds(content) + 1
        self._content = content
        self._texts = np.empty(len(content), np.uint8)
        self._heads = np.empty(min(4 * len(content) + 128 * count, count << 18), np.uint8)
        self._numbers = np.empty((3, count), np.uint64)
        self._held = [
            ffi.from_buffer("uint8_t[]", data) for data in (content, self._texts, self._heads)
        ]
        self._held += [ffi.from_buffer("uint64_t[]", row) for row in self._numbers]
        self._state = ffi.new("pocket_json_lines *", {"length": len(content)})
        before = ffi.from_buffer("uint8_t[]", fields.before.encode())
        self._held.append(before)
        state = self._state
        state.first, state.before, state.before_length = first, before, len(before)
        state.needs_id = fields.id is not None
        state.bytes, state.texts, state.heads, state.text_ends, state.head_ends, state.hashes = (
            self._held[:6]
        )
        for i, part in enumerate(_PARTS):
            name = ffi.from_buffer("uint8_t[]", fields.of(part).encode(errors="surrogatepass"))
            self._held.append(name)
            state.names[i], state.name_lengths[i] = name, len(name)

    @property
    def at(self) -> int:
        return int(self._state.at)

    @property
    def lines(self) -> int:
        return int(self._state.lines)

    def read(self) -> _Found:
        """Return the plain lines that come next."""
        state = self._state
        at = state.at
        lines = state.lines
        count = state.count
        texts = state.texts_length
        heads = state.heads_length
        state.numbered = 0
        lib.pocket_read_json_lines(state)
        text_ends, head_ends, hashes = self._numbers[:, count : state.count]
        content = self._texts.data[texts : state.texts_length]
        if 4 * len(content) < 3 * len(self._texts):
            content = memoryview(
                bytes(content)
            )  # which does not hold the whole block, when batches are kept
        batch = DocumentBatch(
            content,
            self._heads.data[heads : state.heads_length],
            text_ends - np.uint64(texts),
            head_ends - np.uint64(heads),
            hashes,
        )
        parts = [part for i, part in enumerate(_PARTS) if state.parts >> i & 1]
        return _Found(
            batch if len(batch) else None,
            state.at - at,
            state.lines - lines,
            parts=parts,
            numbered=self._fields_at(state.numbered - 1) if state.numbered else None,
        )

    def _fields_at(self, start: int) -> Collection[str]:
        """Return the fields of the line that begins there."""
        line = self._content[start : self._content.find(b"\n", start) + 1 or None]
        return list(json.loads(line))

    def go(self, size: int) -> None:
        """Pass a line of so many bytes."""
        self._state.at += size
        self._state.lines += 1
