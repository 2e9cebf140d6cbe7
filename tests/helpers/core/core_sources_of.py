"""pocket_sources, called as it is in pocket.h, and its answer as the plain reader gives it."""

from __future__ import annotations

from typing import Any

from plain import PlainPassage, PlainSource, PlainSources
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check


def core_sources(handle: Any, text: bytes, top: int = 10, cold: bool = False) -> PlainSources:
    """Of an open pocket_index. Raises what the status is."""
    out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
    check(lib.pocket_sources(handle, text, len(text), options(top, cold), out, error), error, "x")
    return taken(out[0])


def options(top: int, cold: bool) -> Any:
    size = ffi.sizeof("pocket_sources_options")
    return ffi.new("pocket_sources_options *", (size, top, cold))


def taken(found: Any) -> PlainSources:
    """The answer, freed."""
    try:
        passages = [
            PlainPassage(
                p.start,
                p.end,
                p.first,
                p.last,
                p.document_start,
                p.document_end,
                p.edited,
                p.documents,
                bool(p.verified),
            )
            for p in ffi.unpack(found.passages, found.passage_count)
        ]
        sources = [
            PlainSource(
                s.document,
                s.coverage,
                s.added,
                s.evidence,
                tuple(passages[s.first : s.first + s.count]),
            )
            for s in ffi.unpack(found.sources, found.count)
        ]
        own = found.words_only
        return PlainSources(
            tuple(sources),
            found.all,
            found.terms,
            found.coverage,
            bool(found.capped),
            (own.start, own.end, own.document, own.documents),
        )
    finally:
        lib.pocket_sources_free(found)
