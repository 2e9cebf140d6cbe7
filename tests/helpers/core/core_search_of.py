"""pocket_search, called as it is in pocket.h, and its answer in the form of the plain reader's."""

from __future__ import annotations

from typing import Any, NamedTuple

from plain.search import PlainFound
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check


class Found(NamedTuple):
    """words: start, end, documents, flags; hits: document, words, score; filters: start, end,
    documents, flags, labels, and near labels.
    """

    words: list[list[int]]
    hits: list[list[int]]
    all: int
    any: int
    capped: bool
    unchecked: bool
    ignored: bool
    pieces: bool
    instead: str
    replacements: list[list[int]]
    allowed: int
    unlabelled: int
    filters: list[list[int]]


def options(
    top: int,
    prefix: bool = False,
    cold: bool = False,
    titles: bool = False,
    replace: int = 0,
    exact: bool = False,
    filters: Any = ffi.NULL,
) -> Any:
    size = ffi.sizeof("pocket_search_options")
    length = len(filters) if filters else 0
    how = (size, top, prefix, cold, exact, titles, replace, ffi.NULL, 0, filters, length)
    return ffi.new("pocket_search_options *", how)


def core_search(
    handle: Any,
    text: bytes,
    top: int = 10,
    prefix: bool = False,
    cold: bool = False,
    titles: bool = False,
    replace: int = 0,
    exact: bool = False,
    *,
    filters: bytes = b"",
) -> Found:
    """Of an open pocket_index. Raises what the status is."""
    out, error = ffi.new("pocket_search_found **"), ffi.new("pocket_error *")
    given = ffi.from_buffer("uint8_t[]", filters)
    asked = options(top, prefix, cold, titles, replace, exact, given)
    check(lib.pocket_search(handle, text, len(text), asked, out, error), error, "x")
    return taken(out[0])


def taken(found: Any) -> Found:
    """The answer, freed."""
    try:
        return Found(
            [
                [w.start, w.end, w.documents, w.flags]
                for w in ffi.unpack(found.words, found.word_count)
            ],
            [[h.document, h.words, h.score] for h in ffi.unpack(found.hits, found.count)],
            found.all,
            found.any,
            bool(found.capped),
            bool(found.unchecked),
            bool(found.ignored),
            bool(found.pieces),
            ffi.unpack(found.text, found.text_length).hex() if found.text else "",
            [
                [r.start, r.end, r.new_end - r.new_start, r.how]
                for r in ffi.unpack(found.replacements, found.replacement_count)
            ],
            found.allowed,
            found.unlabelled,
            [
                [
                    *(f.start, f.end, f.documents, f.flags, f.labels),
                    *(f.near_labels[0 : f.near_count] if not f.labels else ()),
                ]
                for f in ffi.unpack(found.filters, found.filter_count)
            ],
        )
    finally:
        lib.pocket_search_free(found)


def plain_found(found: PlainFound | None) -> Found:
    assert found
    return Found(
        [
            [
                w.start,
                w.end,
                w.documents,
                (w.role != 0) * 1 | w.quoted * 2 | w.prefix * 4 | w.partial * 8 | w.forms * 16,
            ]
            for w in found.words
        ],
        [[h.document, h.words, h.score] for h in found.hits],
        found.all,
        found.any,
        found.capped,
        found.unchecked,
        found.ignored,
        found.pieces,
        found.text.hex(),
        [[r.start, r.end, len(r.text), r.how] for r in found.replacements],
        found.allowed,
        found.unlabelled,
        [
            [
                *(f.value_start, f.value_start + len(f.value), f.documents),
                f.excluded * 1 | f.language * 2 | f.given * 4,
                *(len(f.labels), *f.near),
            ]
            for f in found.filters
        ],
    )
