"""A call of the core that takes long asks its caller whether to go on, and Ctrl-C ends it."""

from __future__ import annotations

import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import plain_layout
import pocketindex
import pytest
from places import GOLDEN
from plain_layout import FF, Section, Settings, Text, assemble, content
from plain_writer import sections
from pocketindex.builder.conventions import crc32c
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.ffi.threads import in_threads
from pocketindex.queries.heaviest_words import heaviest_words
from test_cost import part, profile, rff_body

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
LONG = "alpha beta gamma mu " * 40_000  # more terms than are counted between two questions
MANY = 1_200_000


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of many documents with the same sketch, of which one has a text, and some a title."""
    one = {section.kind: section for section in sections([Text("a", WORDS, "t")], FF(), Settings())}
    titles = (
        struct.pack("<I", 11_000)
        + bytes(11_000 * 21 // 8)
        + bytes(11_000)
        + bytes([1]) * 11_000
        + b"a" * 11_000
    )
    pieces = [(piece, content(bytes(1 << 20))) for piece in range(1, 21)]
    found = tmp_path_factory.mktemp("long") / "x.pocket"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_layout, "crc32c", crc32c)
        file = [
            profile(2, [(0, 64)], [(i, 2) for i in range(64)], rff_body()),
            Section(2, struct.pack("<6IIIQQ", 1, 1, 0, 1, 0, 1, 0, 1, 1, 1), ((0, part(1, 0)),)),
            Section(3, struct.pack("<4I", MANY, 8, 0, MANY), ((0, bytes(8 * MANY)),)),
            Section(4, struct.pack("<I", MANY) + one[4].parameters[4:], one[4].blocks),
            one[5],
            Section(
                6,
                struct.pack("<4I", MANY, 1, 0, 1 << 20),
                (*pieces, (1 << 32, content(b"x"))),
                flags=0,
            ),
            Section(
                7,
                struct.pack("<4I", MANY, MANY, 65_536, 0),
                ((0x61 << 56, content(titles)),) * 4,
                flags=0,
            ),
        ]
        found.write_bytes(assemble(file))
    return found


CALLS: dict[str, Callable[[pocketindex.Index], object]] = {
    "a long text": lambda index: index.query(LONG, probes=1),
    "every sketch": lambda index: index.query(WORDS, exhaustive=True),
    "the explanation of a long text": lambda index: index.explain(LONG, index.record(0)),
    "titles": lambda index: index.titles("b"),
    "a text in pieces": lambda index: index.text(0),
    "verify": lambda index: index.verify(),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_long_call_asks_and_ends(name: str, path: Path) -> None:
    with pocketindex.open(path) as index:
        asked = list[int]()

        @ffi.callback("int(void *)")  # type: ignore[untyped-decorator,unused-ignore]
        def ask(_: Any) -> int:
            asked.append(threading.get_ident())
            return 1

        lib.pocket_on_interrupt(index._core, ask, ffi.NULL)
        with pytest.raises(CancelledError):
            CALLS[name](index)
        assert asked == [threading.get_ident()]


def test_a_call_with_very_many_hits_asks_also_while_it_sorts_them(path: Path) -> None:
    """Never a tenth of a second of the processor passes between two questions."""
    text = WORDS.encode()
    with pocketindex.open(path) as index:
        asked = list[float]()

        @ffi.callback("int(void *)")  # type: ignore[untyped-decorator,unused-ignore]
        def ask(_: Any) -> int:
            asked.append(time.process_time())
            return 0

        lib.pocket_on_interrupt(index._core, ask, ffi.NULL)
        hits, count = ffi.new("pocket_hit[]", MANY), ffi.new("uint32_t *", MANY)
        options, error = query_options(lib.POCKET_EXHAUSTIVE), ffi.new("pocket_error *")
        asked.append(time.process_time())
        assert not lib.pocket_query(index._core, text, len(text), options, hits, count, error)
        asked.append(time.process_time())

    assert count[0] == MANY
    assert max(after - before for before, after in pairwise(asked)) < 0.1


@pytest.mark.parametrize("text", [LONG, "“a b” " * 40_000])
def test_a_search_for_a_long_text_asks_and_ends(text: str) -> None:
    with pocketindex.open(GOLDEN / "words.pocket") as index:
        asked = list[int]()

        @ffi.callback("int(void *)")  # type: ignore[untyped-decorator,unused-ignore]
        def ask(_: Any) -> int:
            asked.append(threading.get_ident())
            return 1

        lib.pocket_on_interrupt(index._core, ask, ffi.NULL)
        with pytest.raises(CancelledError):
            index.search(text)
        with pytest.raises(CancelledError):
            heaviest_words(index, LONG.encode())
        assert set(asked) == {threading.get_ident()}


def test_a_short_call_does_not_ask(path: Path) -> None:
    with pocketindex.open(path) as index:

        @ffi.callback("int(void *)")  # type: ignore[untyped-decorator,unused-ignore]
        def ask(_: Any) -> int:
            return 1

        lib.pocket_on_interrupt(index._core, ask, ffi.NULL)
        assert index.query(WORDS, probes=1).probes == 1
        assert index.document("a").title == "t"


class Enough(BaseException):
    """What a handler of signals raises."""


def enough(number: int, frame: FrameType | None) -> None:
    raise Enough


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("words", [False, True])
def test_a_signal_ends_a_call_within_a_tenth_of_a_second(words: bool, path: Path) -> None:
    """Of the processor's time: after .05 s of what would take a second or more."""
    former = signal.signal(signal.SIGVTALRM, enough)
    text = LONG.encode() * 20
    try:
        with (
            pocketindex.open(path) as index,
            pocketindex.open(GOLDEN / "words.pocket") as worded,
        ):
            start = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
            with pytest.raises(Enough):
                if words:
                    worded.search(text)
                else:
                    index.query(text, probes=1)
            assert time.process_time() - start < 0.05 + 0.1
            assert index.query(WORDS, probes=1).probes == 1
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


def test_an_error_in_one_thread_ends_the_calls_of_the_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Ctrl-C does while query_many waits for its threads."""
    monkeypatch.setattr("pocketindex.ffi.threads.processors", lambda: 4)
    begun, done = list[int](), list[int]()
    with pocketindex.open(path) as index:

        def ask(item: int) -> None:
            begun.append(item)
            if item == 0:
                while len(begun) < 3:
                    time.sleep(0.001)
                raise Enough
            index.query(LONG.encode() * 20, probes=1)
            done.append(item)

        with pytest.raises(Enough):
            in_threads(ask, range(1000))
    assert len(begun) <= 8
    assert not done
