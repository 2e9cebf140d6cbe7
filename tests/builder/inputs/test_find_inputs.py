"""Sources before any record is looked at: compressions, patterns, what cannot be read whole."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import json
import lzma
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pocketindex
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from places import GOLDEN
from pocketindex.builder import Settings, build
from pocketindex.builder.inputs import find_all
from pocketindex.builder.inputs.opening import stream
from pocketindex.builder.inputs.opening.stream import Stream, seekable
from pocketindex.builder.inputs.source import SourceError
from reading import read
from run_command import run

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


@cache
def lines(count: int) -> bytes:
    return "".join(json.dumps(d) + "\n" for d in made_up(count)).encode()


@pytest.mark.parametrize("name", COMPRESSIONS)
def test_compressed_lines(tmp_path: Path, name: str) -> None:
    pack = COMPRESSIONS[name]
    frames = pack(lines(30)) + pack(b"") + pack(b'{"id": "last", "text": "words"}\n')
    if name == "xz":
        frames += bytes(8)  # its padding
    for path in (tmp_path / f"d.jsonl.{name}", tmp_path / "unnamed"):
        path.write_bytes(frames)
        documents, skips = read(path)
        assert [d.id for d in documents] == [*(d["id"] for d in made_up(30)), "last"]
        assert skips == []


@pytest.mark.parametrize("name", COMPRESSIONS)
def test_cut_short_or_followed_by_something_else(tmp_path: Path, name: str) -> None:
    packed = COMPRESSIONS[name](lines(3000))
    path = tmp_path / f"d.jsonl.{name}"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(
        SourceError,
        match=r"cut short: its \w+ data has no end mark, it stops after [\d,]+ (lines|bytes)",
    ):
        read(path)
    path.write_bytes(packed + b"something else")
    with pytest.raises(
        SourceError,
        match=r"(damaged|cut short).*it (cannot be read further than|stops after) 3,000 lines",
    ):
        read(path)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(COMPRESSIONS)), st.integers(0, 10_000), st.integers(1, 255))
def test_one_wrong_byte(
    tmp_path_factory: pytest.TempPathFactory, name: str, place: int, change: int
) -> None:
    packed = bytearray(COMPRESSIONS[name](lines(20)))
    packed[place % len(packed)] ^= change
    path = tmp_path_factory.getbasetemp() / "wrong"
    path.write_bytes(packed)
    with contextlib.suppress(SourceError), Stream(str(path)) as stream:  # and nothing else
        while stream.take(1000):
            pass


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "_BOMB_BYTES", 1 << 20)
    path = tmp_path / "d.jsonl.xz"
    path.write_bytes(lzma.compress(bytes(1 << 24), preset=0))
    with pytest.raises(
        SourceError,
        match=(
            r"bytes have become [\d,]+, which is taken for a decompression bomb; if it is none, "
            r"unpack"
        ),
    ):
        read(path)


def test_patterns_that_the_shell_left(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.txt", "a.txt", "sub/c.txt", "[x].txt"):
        (tmp_path / name).write_text("words of " + name)

    def paths(pattern: str) -> list[str]:
        return [os.path.relpath(path, tmp_path) for path, _ in find_all([str(tmp_path / pattern)])]

    assert paths("*.txt") == ["[x].txt", "a.txt", "b.txt"]
    assert paths("**/*.txt") == ["[x].txt", "a.txt", "b.txt", "sub/c.txt"]
    assert paths("[x].txt") == ["[x].txt"]
    assert paths("[ab].txt") == ["a.txt", "b.txt"]
    with pytest.raises(SourceError, match="none fits it as a pattern; check the path"):
        paths("*.html")


def test_keep_going_keeps_what_was_read(tmp_path: Path) -> None:
    whole = tmp_path / "a.jsonl"
    cut = tmp_path / "b.jsonl.gz"
    target = tmp_path / "x.pocket"
    whole.write_bytes(lines(5))
    packed = gzip.compress(lines(3000).replace(b"doc-", b"other-"))
    cut.write_bytes(packed[: len(packed) // 2])
    sources = [str(cut), str(whole)]
    with pytest.raises(SourceError, match=r"b\.jsonl\.gz: cut short"):
        build(sources, target, Settings(profile="learn"))
    assert not target.exists()

    report = build(sources, target, Settings(profile="learn", keep_going=True))
    assert 500 < report.indexed < 3000
    assert (
        f"not read to the end: {cut}: cut short: its gzip data has no end mark, it stops after "
        in report.text()
    )
    assert report.as_dict()["ended"][0]["source"] == str(cut)
    with pocketindex.open(target) as index:
        assert len(index) == report.indexed
        assert "doc-4" in index
        assert "other-100" in index

    done = run("build", *sources, "-o", target, "--keep-going")
    assert (done.returncode, "not read to the end: " in done.stderr) == (2, True)


def test_keep_going_with_nothing_read_keeps_the_old_file(tmp_path: Path) -> None:
    old = (GOLDEN / "rff.pocket").read_bytes()
    (tmp_path / "x.pocket").write_bytes(old)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines(2))[:20])
    with pytest.raises(
        SourceError,
        match=(
            r"a\.jsonl\.gz: cut short: its gzip data has no end mark, it stops after 0 bytes of "
            r"content"
        ),
    ):
        build([str(tmp_path / "a.jsonl.gz")], tmp_path / "x.pocket", Settings(keep_going=True))
    assert (tmp_path / "x.pocket").read_bytes() == old


def test_fields_and_standard_input_from_the_command_line(tmp_path: Path) -> None:
    rows = "".join(f"{d['id']};{d['text']}\n" for d in made_up(20))
    arguments = [
        "build",
        "-",
        "--format",
        "csv",
        "--id",
        "key",
        "--text",
        "body",
        "-o",
        str(tmp_path / "x.pocket"),
        "--json",
    ]
    done = run(*arguments, stdin="key;body\n" + rows)
    assert json.loads(done.stdout)["indexed"] == 20, done.stderr
    wrong = run(*arguments, stdin="key;words\n" + rows)
    assert (wrong.returncode, wrong.stderr) == (
        2,
        'pocketindex: <stdin>: no field "body" among "key", "words"; name the field that has the '
        "text with --text FIELD\n",
    )


def test_a_profile_of_fields_of_other_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d.csv").write_text(
        "key;body\n" + "".join(f"{d['id']};{d['text']}\n" for d in made_up(30))
    )
    arguments = [
        "profile",
        "d.c?v",
        "--id",
        "key",
        "--text",
        "body",
        "--scheme",
        "ff",
        "-o",
        "it.profile",
    ]
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.returncode, "30 read, 30 indexed, 0 skipped" in done.stderr) == (0, True), (
        done.stderr
    )


def test_inputs_need_no_extra_until_they_are_asked_for() -> None:
    code = "import sys, pocketindex.builder.inputs as i; assert i.INPUTS; "
    code += (
        "print([m for m in ('zstandard', 'pyarrow', 'resiliparse', 'pypdfium2', "
        "'libzim', 'brotli') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        == "[]\n"
    )


def test_a_pipe_is_kept_for_inputs_that_go_back_and_forth(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"0123456789",))
    writer.start()
    with seekable(str(path)) as file:
        file.seek(5)
        assert file.read() == b"56789"
    writer.join()
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        seekable(str(tmp_path / "nothing"))


def test_standard_input_is_read_once() -> None:
    with pytest.raises(
        SourceError, match="standard input is given twice but can be read only once"
    ):
        find_all(["-", "-"])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_a_full_disc_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(3) + lines(3).replace(b"doc-", b"other-"))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pocketindex", "pairs", str(tmp_path / "a.jsonl")],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        )
    assert done.returncode == 2
    assert done.stderr.endswith("pocketindex: standard output: No space left on device\n")
    assert "Exception ignored" not in done.stderr
