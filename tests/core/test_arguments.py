"""Wrong arguments of the calls of pocket.h, and what their errors say."""

from __future__ import annotations

from pathlib import Path

import pytest
from core_sources import SANITIZE, harness, run
from places import GOLDEN
from pocketindex.cbits import ffi, lib
from test_sources import golden

BAD_ARGUMENT = 4
TEXT_TOO_LONG = 3
MOST_TEXT = 2**28


@pytest.mark.parametrize("call", [lib.pocket_open, lib.pocket_open_pieces])
def test_no_bytes_at_all(call: object) -> None:
    """NULL is what a program has where the system could not map its file."""
    out, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    assert call(ffi.NULL, 4096, out, error) == BAD_ARGUMENT  # type: ignore[operator]
    assert (error.status, error.expected, error.found) == (BAD_ARGUMENT, 4096, 0)
    assert (ffi.string(error.field), out[0]) == (b"bytes", ffi.NULL)


def test_a_text_that_is_too_long() -> None:
    hits, count = ffi.new("pocket_hit[]", 1), ffi.new("uint32_t *", 1)
    error = ffi.new("pocket_error *")
    with golden("words") as (core, _):
        status = lib.pocket_query(core, b"a", MOST_TEXT + 1, ffi.NULL, hits, count, error)
        assert (status, count[0]) == (TEXT_TOO_LONG, 0)
        assert ffi.string(error.field) == b"text"
        assert (error.expected, error.found) == (MOST_TEXT, MOST_TEXT + 1)


def test_options_of_a_query_of_a_later_version() -> None:
    own = ffi.sizeof("pocket_query_options")
    later = ffi.new("uint64_t[]", own // 8 + 1)
    given = ffi.cast("pocket_query_options *", later)
    given.size = own + 8
    hits, count = ffi.new("pocket_hit[]", 1), ffi.new("uint32_t *", 1)
    error = ffi.new("pocket_error *")
    with golden("words") as (core, _):
        assert lib.pocket_query_document(core, 0, given, hits, count, error) == 0
        assert count[0] == 1
        later[own // 8] = 1
        assert lib.pocket_query_document(core, 0, given, hits, count, error) == BAD_ARGUMENT
        assert (count[0], error.expected, error.found) == (0, own, own + 8)
        assert ffi.string(error.allowed) == b"%, or up to 1024 with zeros behind"


@pytest.mark.parametrize(("call", "file"), [("search", "words"), ("sources", "passages")])
def test_options_of_a_search_of_a_later_version(call: str, file: str) -> None:
    """Members behind those that are known have to be zero (pocket.h)."""
    ask, free = getattr(lib, f"pocket_{call}"), getattr(lib, f"pocket_{call}_free")
    own = ffi.sizeof(f"pocket_{call}_options")
    later = ffi.new("uint32_t[]", own // 4 + 1)
    later[0] = own + 4
    given = ffi.cast(f"pocket_{call}_options *", later)
    with golden(file) as (core, _):
        out, error = ffi.new(f"pocket_{call}_found **"), ffi.new("pocket_error *")
        assert ask(core, b"a", 1, given, out, error) == 0
        free(out[0])
        later[own // 4] = 1
        assert ask(core, b"a", 1, given, out, error) == BAD_ARGUMENT
        assert (error.expected, error.found, out[0]) == (own, own + 4, ffi.NULL)
        assert ffi.string(error.field) == b"size of the options"
        assert ffi.string(error.allowed) == b"%, or up to 1024 with zeros behind"


EMPTY = """
#include "pocket.h"
int main(int count, char **values) {
    pocket_index *index;
    uint64_t places[2];
    uint32_t number, found = 1;
    (void)count;
    if (pocket_open_path(values[1], &index, NULL)) return 1;
    if (pocket_find(index, NULL, 0, &number, NULL) != POCKET_NOT_FOUND) return 2;
    if (pocket_mark_words(NULL, 0, NULL, 0, 0, places, &found) || found) return 3;
    pocket_close(index);
    return 0;
}
"""


@pytest.mark.slow
def test_an_empty_text_may_be_null(tmp_path: Path) -> None:
    """An empty string of another language often has no bytes to point at."""
    source = tmp_path / "empty.c"
    source.write_text(EMPTY, encoding="utf-8")
    flags = [*SANITIZE, "-pthread"]
    program = harness(tmp_path / "empty", str(source), *flags, compiler="clang", mapping=True)
    assert run(program, GOLDEN / "words.pocket").returncode == 0
