"""Binary file objects of a program are sources, read once and from where they stand."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
from pathlib import Path
from typing import Any

import pocketindex
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_up import made_up
from pocketindex.builder.inputs.source import SourceError

DOCUMENTS = made_up(8)
LINES = "".join(json.dumps(one) + "\n" for one in DOCUMENTS).encode()


class Once(io.RawIOBase):
    """Bytes that come as from a network: once, a few at a time, and not to be sought in."""

    def __init__(self, content: bytes, fails: bool = False) -> None:
        self._file, self._fails, self.given = io.BytesIO(content), fails, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        content = self._file.read(min(len(buffer), 1000))
        if not content and self._fails:
            raise OSError("the line is dead")
        buffer[: len(content)] = content
        self.given += len(content)
        return len(content)


def built(source: Any, path: Path) -> bytes:
    pocketindex.build(source, path, progress=False, force=True)
    return path.read_bytes()


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    path = tmp_path / "docs.jsonl.gz"
    path.write_bytes(gzip.compress(LINES, mtime=0))
    return path


def test_a_file_object_gives_the_bytes_of_its_file(disk: Path, tmp_path: Path) -> None:
    own = built(disk, tmp_path / "disk.pocket")
    packed = disk.read_bytes()
    with disk.open("rb") as file, disk.open("rb", buffering=0) as raw, gzip.open(disk) as unpacked:
        for given in (file, raw, unpacked, io.BytesIO(packed), io.BytesIO(LINES), Once(packed)):
            assert built(given, tmp_path / "given.pocket") == own, given
            assert not given.closed


def test_several_file_objects_and_paths_are_sources_in_order(disk: Path, tmp_path: Path) -> None:
    lines = LINES.splitlines(keepends=True)
    own = built(disk, tmp_path / "disk.pocket")
    parts = (io.BytesIO(b"".join(lines[:3])), Once(b"".join(lines[3:])))
    assert built(list(parts), tmp_path / "given.pocket") == own
    rest = tmp_path / "rest.jsonl"
    rest.write_bytes(b"".join(lines[3:]))
    assert built([io.BytesIO(b"".join(lines[:3])), rest], tmp_path / "given.pocket") == own


def test_a_file_object_is_read_from_where_it_stands(disk: Path, tmp_path: Path) -> None:
    file = io.BytesIO(b"a header of another program" + LINES)
    file.seek(len(b"a header of another program"))
    assert built(file, tmp_path / "given.pocket") == built(disk, tmp_path / "disk.pocket")


def test_what_is_read_at_many_places_or_twice_may_come_once(tmp_path: Path) -> None:
    table, archive = io.BytesIO(), io.BytesIO()
    pq.write_table(pa.Table.from_pylist(DOCUMENTS), table)
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, text in (("a.txt", b"the first"), ("b.txt", b"other"), ("a.txt", b"the last")):
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    for name, content in (
        ("t.parquet", table.getvalue()),
        ("t.parquet.gz", gzip.compress(table.getvalue())),
        ("f.tar", archive.getvalue()),
    ):
        path, once = tmp_path / name, Once(content)
        path.write_bytes(content)
        own = built(path, tmp_path / "disk.pocket")
        assert built(once, tmp_path / "given.pocket") == own
        assert once.given == len(content)


def test_the_name_of_a_file_object_tells_its_kind_and_its_ids(tmp_path: Path) -> None:
    path = tmp_path / "a name.md"
    path.write_text("# A heading\n\nand some words")
    with path.open("rb") as file:
        assert built(file, tmp_path / "given.pocket") == built(path, tmp_path / "disk.pocket")
    nameless = io.BytesIO(b"word,other\n1,2\n")
    with pytest.raises(SourceError, match=r"^<file object>: its name and its first bytes do not"):
        built(nameless, tmp_path / "given.pocket")


def test_a_pipe_is_a_file_object(tmp_path: Path, disk: Path) -> None:
    end, begin = os.pipe()
    os.write(begin, LINES)
    os.close(begin)
    with os.fdopen(end, "rb") as pipe:
        assert built(pipe, tmp_path / "given.pocket") == built(disk, tmp_path / "disk.pocket")


def test_every_function_takes_file_objects(disk: Path, tmp_path: Path) -> None:
    own = built(disk, tmp_path / "disk.pocket")
    index = tmp_path / "o.pocket"
    pocketindex.build([DOCUMENTS[0]], index, progress=False)
    pocketindex.update(index, io.BytesIO(LINES), progress=False)
    with pocketindex.open(index) as changed:
        assert len(changed) == len(DOCUMENTS)
    assert len(pocketindex.dedup(Once(LINES), progress=False).mask) == len(DOCUMENTS)
    assert pocketindex.pairs(io.BytesIO(LINES), progress=False).report.read == len(DOCUMENTS)
    (tmp_path / "c.pocket").write_bytes(own)
    found = pocketindex.check(
        tmp_path / "c.pocket", io.BytesIO(LINES), source=Once(LINES), progress=False
    )
    assert found.counts() == {"copy": len(DOCUMENTS)}


def test_a_file_of_text_is_refused(disk: Path, tmp_path: Path) -> None:
    for given in (io.StringIO("x"), [io.StringIO("x")]):
        with pytest.raises(TypeError, match=r"StringIO, which gives text; open it in binary mode"):
            built(given, tmp_path / "given.pocket")
    with (
        disk.open("rb") as file,
        pytest.raises(TypeError, match="source 1 is of type str; expected"),
    ):
        built([file, "a text"], tmp_path / "given.pocket")


def test_a_file_object_that_fails_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^<file object>: cannot be read further: the line is d"):
        built(Once(LINES, fails=True), tmp_path / "given.pocket")
    closed = io.BytesIO(LINES)
    closed.close()
    with pytest.raises(SourceError, match=r"^<file object>: cannot be read: I/O operation on clo"):
        built(closed, tmp_path / "given.pocket")
