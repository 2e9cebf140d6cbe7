"""Inputs that cost more than they say: each costs a bounded time and memory, and the document or
the source is named.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from made_pdf import made_pdf
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.archives.http_response import Head, body
from pocketindex.builder.inputs.opening import stream as streams
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read

HALF, MEGABYTE = 0.5, 1 << 20
linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")


def refusal(what: str, content: bytes = b"words") -> tuple[str, str]:
    with pytest.raises(Unfit) as caught:
        apart.read("costly_reader", content, what)
    return caught.value.reason, caught.value.detail


# ---- a process of its own ----


def test_what_comes_back() -> None:
    for content in (b"", b"one\ntwo\0\r", "Übersicht 𝄞".encode(), b"\xff", b"x" * 3 * MEGABYTE):
        assert apart.read("costly_reader", content, "é\n") == [
            content.decode("utf-8", "surrogateescape"),
            "é\n",
        ]
    assert apart.read("costly_reader", b"words", "print") == ["words", "print"]
    assert refusal("unfit") == ("empty", "nothing here")
    assert refusal("fail") == ("unreadable", "its reader failed: ValueError: no such thing")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_time_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "SECONDS", 0.1)
    assert refusal("for ever", bytes(400_000)) == (
        "unreadable",
        "its reader needed more than 0.5 s",
    )
    assert apart.read("costly_reader", b"next", "one") == ["next", "one"]


@linux
def test_memory_has_an_end() -> None:
    assert refusal("much") == ("unreadable", "its reader needed more than 512 MB")
    assert apart.read("costly_reader", b"next", "one") == ["next", "one"]


def test_a_crash_costs_one_document() -> None:
    for what, code in (("crash", "SIGABRT"), ("end", "exit code 0")):
        assert refusal(what) == (
            "unreadable",
            f"its reader crashed ({code}) or needed more than 5.0 s or 512 MB",
        )
        assert apart.read("costly_reader", b"next", "one") == ["next", "one"]


def test_one_that_was_killed_is_replaced() -> None:
    apart.read("costly_reader", b"first", "one")
    assert apart._process
    apart._process._process.kill()
    apart._process._process.wait()
    assert apart.read("costly_reader", b"next", "one") == ["next", "one"]


def test_an_interrupted_question_is_not_answered_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Any, request: dict[str, Any], content: bytes) -> bytes:
        self._process.stdin.write(
            json.dumps({**request, "size": len(content)}).encode() + b"\n" + content
        )
        self._process.stdin.flush()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(apart._Process, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            apart.read("costly_reader", b"first", "one")
    assert apart.read("costly_reader", b"second", "two") == ["second", "two"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX signals")
def test_the_current_folder_holds_no_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "pypdfium2", "signal"):
        (tmp_path / f"{name}.py").write_text("import os; os._exit(7)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    apart._end()
    assert apart.read("costly_reader", b"words", "one") == ["words", "one"]


# ---- HTML and PDF ----


def shared_stream(pages: int, size: int) -> bytes:
    """A PDF whose pages all draw the same packed stream of so many bytes."""
    drawn = zlib.compress(b"BT /F1 12 Tf 50 750 Td " + b"(ab) Tj " * (size // 8) + b"ET", 9)
    place = b"/Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%b] /Count %d >>"
        % (b" ".join(b"%d 0 R" % (5 + i) for i in range(pages)), pages),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        *[b"<< /Type /Page %b /Contents 4 0 R >>" % place] * pages,
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    return (
        out
        + head
        + table
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, len(out))
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_documents_that_take_minutes_are_skipped_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "SECONDS", HALF)
    monkeypatch.setattr(apart, "SECONDS_A_BYTE", 0)
    (tmp_path / "a.pdf").write_bytes(shared_stream(1, 800))
    (tmp_path / "attributes.html").write_text(
        "<p " + " ".join(f"a{i}=1" for i in range(80_000)) + ">words"
    )
    (tmp_path / "shared.pdf").write_bytes(shared_stream(300, 1 << 21))
    (tmp_path / "z.html").write_text("<p>words")
    (tmp_path / "z.pdf").write_bytes(made_pdf(["words"]))
    documents, skips = read(tmp_path)

    assert [document.id for document in documents] == ["a.pdf", "z.html", "z.pdf"]
    assert documents[1:] == [Document("z.html", "z", "words"), Document("z.pdf", "z", "words")]
    assert brief(skips) == [(name, "unreadable") for name in ("attributes.html", "shared.pdf")]
    assert [skip.place for skip in skips] == [
        str(tmp_path / name) for name in ("attributes.html", "shared.pdf")
    ]
    assert {skip.detail for skip in skips} == {"its reader needed more than 0.5 s"}


# ---- compressed sources ----

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda content: gzip.compress(content, 6),
    "bz2": lambda content: bz2.compress(content, 1),
    "xz": lambda content: lzma.compress(content, preset=0),
    "zst": zstandard.compress,
}


@pytest.mark.parametrize("kind", PACKERS)
def test_one_line_that_expands_is_refused_early(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long before it is in memory, whether it is read as a line or as a file."""
    monkeypatch.setattr(streams, "_BOMB_RECORD", MEGABYTE)
    monkeypatch.setattr(streams, "_STEP", MEGABYTE >> 2)
    monkeypatch.setattr(streams, "EXPANSION", 4)
    path = tmp_path / f"d.jsonl.{kind}"
    path.write_bytes(PACKERS[kind](b'{"text": "' + b"a " * (2 * MEGABYTE) + b'"}\n'))
    for way in ("line", "take", "blocks"):
        with Stream(str(path)) as stream:
            with pytest.raises(
                SourceError,
                match=(
                    r"bytes have become [\d,]+, which is taken for a decompression bomb; if it "
                    r"is none, unpack"
                ),
            ):
                list(stream.blocks(1 << 16, 1 << 30)) if way == "blocks" else getattr(stream, way)(
                    1 << 30
                )
            assert stream.tell() < 3 * MEGABYTE


@pytest.mark.parametrize("kind", PACKERS)
def test_many_copies_of_a_line_are_no_bomb(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_BOMB_RECORD", MEGABYTE)
    path = tmp_path / f"d.jsonl.{kind}"
    line = json.dumps({"id": "a", "text": "many words " * 3_000}).encode() + b"\n"
    path.write_bytes(PACKERS[kind](line * 100))
    with Stream(str(path)) as stream:
        assert sum(
            len(block.content or b"") for block in stream.blocks(1 << 16, 1 << 30)
        ) == 100 * len(line)


def test_xz_that_asks_for_memory_is_refused(tmp_path: Path) -> None:
    packed = bytearray(lzma.compress(b"words"))
    size = (
        4 * (packed[12] + 1)
        # of the block's header: size, flags, filter, size of its properties, dictionary, zeros,
        # checksum
    )
    assert packed[14:16] == b"\x21\x01"
    packed[16] = 37  # 1.5 GiB
    packed[8 + size : 12 + size] = zlib.crc32(packed[12 : 8 + size]).to_bytes(4, "little")
    (tmp_path / "d.jsonl.xz").write_bytes(packed)
    with pytest.raises(SourceError) as caught:
        read(tmp_path / "d.jsonl.xz")
    assert str(caught.value) == (
        f"{tmp_path / 'd.jsonl.xz'}: cannot be unpacked here (Memory usage limit exceeded); "
        "unpack it yourself and give what was in it"
    )


def test_a_packed_page_is_no_longer_than_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from pocketindex.builder.inputs.archives import archive, http_response

    monkeypatch.setattr(http_response, "FILE_BYTES", MEGABYTE)
    monkeypatch.setattr(archive, "FILE_BYTES", MEGABYTE)
    page = os.urandom(2_000) * 600
    with pytest.raises(Unfit) as caught:
        body(Head(200, {"content-encoding": "gzip"}, 0), gzip.compress(page), "s")
    assert (caught.value.reason, caught.value.detail) == (
        "too long",
        f"the file has {MEGABYTE + 1:,} bytes, expected at most {MEGABYTE:,}",
    )
