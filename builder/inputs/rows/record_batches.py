"""Documents that a program has, many at a time where all are plain: their values are taken column
by column. records.py reads the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from types import NoneType
from typing import Any

import numpy as np
from pocketindex.builder.document import Notice, Skip, most_of_record
from pocketindex.builder.inputs.fields import NUMBERED, OWN_NAMES, Fields
from pocketindex.builder.inputs.rows.records import documents, numbered
from pocketindex.builder.inputs.source import OnBytes, OnSkip, Place, unmeasured
from pocketindex.builder.spill.batches import batches as in_batches
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch, packed_columns
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.errors import TEXT_BYTES

_KINDS = (dict, str, tuple)  # which may be plain
_STRINGS = {str, NoneType}


def batches(
    given: Iterable[Any],
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    each: Each = one_by_one,
) -> Iterator[DocumentBatch]:
    """Yield what records.documents gives, in the same order, and the same skipped."""
    items, place = iter(given), Place()
    begin = list(islice(items, 1))
    items = chain(begin, items)
    if not begin or type(begin[0]) not in _KINDS:
        found = documents(items, skip, measure, fields)
        yield from map(DocumentBatch.of, in_batches(found, lambda document: len(document.text)))
        return
    is_said = False

    def say(notice: Skip | Notice) -> None:
        nonlocal is_said
        if notice.reason != NUMBERED or not is_said:
            is_said = is_said or notice.reason == NUMBERED
            skip(notice)

    for some in in_batches(items, partial(_size, fields.of("text"))):
        plain = _plain(some, place.lines, fields, say)
        if plain is not None:
            place.lines += len(some)
            yield plain
        elif own := list(documents(some, say, measure, fields, place)):
            yield DocumentBatch.of(own)


def _size(name: str, one: Any) -> int:
    """Return the characters of the text of what may be plain; nothing of all else."""
    kind = type(one)
    text = one
    if kind is dict:
        text = one.get(name)
    elif kind is tuple and one:
        text = one[-1]
    return len(text) if type(text) is str else 0


def _plain(some: Sequence[Any], first: int, fields: Fields, skip: OnSkip) -> DocumentBatch | None:
    """Return these items, unless one of them has to be looked at by itself: all are of one kind, no
    text is missing, blank or too long, and nothing has labels or a date. first: the number of the
    first.
    """
    columns = _columns(some, fields)
    if columns is None:
        return None
    texts, ids = columns.pop("text"), columns.pop("id", None) or [None] * len(some)
    if set(map(type, texts)) != {str} or not all(texts) or any(map(str.isspace, texts)):
        return None
    if not set(map(type, ids)) <= {*_STRINGS, int} or (None in ids and fields.id is not None):
        return None
    without = ids.index(None) if None in ids else None
    if not all(set(map(type, column)) <= _STRINGS for column in columns.values()):
        return None
    ids = [str(number if id is None else id) for number, id in enumerate(ids, first)]
    try:
        content = [text.encode() for text in texts]
        parts = {
            part: [value.encode() if value else None for value in column]
            for part, column in columns.items()
        }
        details = packed_columns([id.encode() for id in ids], **parts)
    except UnicodeEncodeError:  # half a surrogate pair
        return None
    ends = np.cumsum([len(text) for text in content], dtype=np.uint64)
    if details is None or max(map(len, content)) > most_of_record(TEXT_BYTES):
        return None
    if without is not None and (notice := numbered(fields, some[without])):
        skip(notice)
    return DocumentBatch.packed(memoryview(b"".join(content)), ends, details)


def _columns(some: Sequence[Any], fields: Fields) -> dict[str, Sequence[Any]] | None:
    """Return the values by part of documents; None where each has to be looked at by itself."""
    kinds = set(map(type, some))
    if kinds == {str}:
        return {"text": some}
    if kinds == {tuple}:
        if fields.named() or set(map(len, some)) != {2}:
            return None
        ids, texts = zip(*some, strict=True)
        return {"id": ids, "text": texts}
    if kinds != {dict} or "date" in fields.named() or "label" in fields.named():
        return None
    if any("." in name for _, name in fields.given):
        return None
    return {part: [one.get(name) for one in some] for part, name in fields.given}
