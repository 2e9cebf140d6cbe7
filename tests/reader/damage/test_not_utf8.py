"""Strings that are not UTF-8, under checksums that agree with them: both readers refuse to hand
them out, wherever a file has strings.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pocketindex
import pytest
from core_sources import run, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from optional_sections import entries_block
from places import ROOT, TESTS
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, content, varint
from plain_writer import sections
from pocketindex.errors import Damaged

TEXTS = [Text("a", "alpha beta gamma", "beginning", labels=("b",))]
GOOD = sections(
    TEXTS, FF(), Settings(keep="text", room=4096, titles=1, labels=(1, 1), template="http://a/{id}")
)
NAMES = ("profile", "tables", "sketches", "documents", "ids", "texts", "titles", "labels")

# No code point has these bytes: Unicode, table 3-7.
WRONG = {
    "byte that goes on": b"\x80",
    "never in UTF-8": b"\xfd",
    "overlong in two": b"\xc1\xbf",
    "overlong in three": b"\xe0\x9f\xbf",
    "overlong in four": b"\xf0\x8f\xbf\xbf",
    "first surrogate": b"\xed\xa0\x80",
    "last surrogate": b"\xed\xbf\xbf",
    "beyond the last": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "cut": b"\xe2\x82",
    "cut by a letter": b"\xf0\x9f\x99a",
    "late, behind eight of ASCII": b"abcdefgh\xc3",
    "late, within eight": b"abcdefghij\xe9klmnop",
}


@dataclass(frozen=True)
class Place:
    """Where a string lies, how a file has another one there, and how readers are asked for it."""

    section: str
    made: Callable[[bytes], bytes]
    core: Callable[[pocketindex.Index], object]
    plain: Callable[[PlainIndex], object]


def block(data: bytes) -> bytes:
    """A block of documents with one record, every byte of it a literal."""
    return b"".join(bytes([254, byte]) for byte in data) + b"\xff"


PLACES = {
    "id": Place(
        "documents", lambda s: block(b"t\xfe" + s), lambda x: x.record(0), lambda x: x.record(0)
    ),
    "title": Place(
        "documents", lambda s: block(s + b"\xfea"), lambda x: x.record(0), lambda x: x.record(0)
    ),
    "url": Place(
        "documents",
        lambda s: block(b"t\xfea\xfe" + s),
        lambda x: x.record(0),
        lambda x: x.record(0),
    ),
    "text": Place(
        "texts", lambda s: content(varint(len(s)) + s), lambda x: x.text(0), lambda x: x.text(0)
    ),
    "title in order": Place(
        "titles",
        lambda s: content(entries_block([(0, b"beginning" + s)], 1)),
        lambda x: x.titles("b"),
        lambda x: x.titled("b"),
    ),
    "label": Place(
        "labels",
        lambda s: content(varint(len(s)) + s),
        lambda x: x.labels(0),
        lambda x: x.labels(0),
    ),
}


def with_string(place: Place, string: bytes) -> bytes:
    made = list[Section]()
    for section, name in zip(GOOD, NAMES, strict=True):
        if name == place.section:
            first, _ = section.blocks[0]
            section = replace(section, blocks=((first, place.made(string)), *section.blocks[1:]))
        made.append(section)
    return assemble(made)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("where", PLACES)
def test_no_reader_hands_it_out(where: str, wrong: str, tmp_path: Path) -> None:
    place = PLACES[where]
    path = tmp_path / "a.pocket"
    path.write_bytes(with_string(place, WRONG[wrong]))

    with pocketindex.open(path) as index:
        for ask in (place.core, lambda index: index.verify()):
            with pytest.raises(Damaged, match=f"section {place.section}, block 0: UTF-8"):
                ask(index)
    with PlainIndex.open(path) as plain:
        for look in (place.plain, lambda plain: plain.verify()):
            with pytest.raises(Damaged, match="expected UTF-8") as caught:
                look(plain)
            assert (caught.value.section, caught.value.block) == (place.section, 0)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.one_of(
            st.text(st.characters(codec="utf-8"), max_size=12).map(str.encode),
            st.binary(max_size=4),
            st.sampled_from(sorted(WRONG.values())),
        ),
        min_size=1,
        max_size=6,
    ).map(b"".join)
)
def test_the_core_says_what_is_utf8_as_python_does(string: bytes) -> None:
    place = PLACES["text"]
    try:
        expected: str | None = string.decode()
    except UnicodeDecodeError:
        expected = None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.pocket"
        path.write_bytes(with_string(place, string))
        with pocketindex.open(path) as index:
            try:
                found = index.text(0)
            except Damaged:
                found = None

    assert found == expected


@pytest.mark.parametrize("where", ["id", "title", "text"])
def test_nor_does_the_core_of_a_page(where: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(with_string(PLACES[where], b"\xed\xa0\x80"))
    done = run(tool("node"), TESTS / "wasm" / "documents.mjs", ROOT / "data" / "pocket.wasm", path)

    assert done.stdout == "1\n"
    assert "A field has a value that the format does not allow" in done.stderr
