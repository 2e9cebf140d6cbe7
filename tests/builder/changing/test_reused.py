"""What is read back of an old file, damaged and whole, and a disk that is full meanwhile."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
import pytest
from changing_documents import document
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder import Settings
from pocketindex.builder.changing import reused
from pocketindex.builder.changing.old_settings import settings_of
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.spill import journal
from pocketindex.builder.spill.chunks.document_batch import SIZES
from pocketindex.builder.spill.journal import NoSpace
from pocketindex.cbits import ffi, lib

TABLE = bytes([2, 1]) + b"ab" + b"\xfe"  # the symbols "ab" and the end of a field
END, LITERAL = b"\xff", b"\xfe"


def heads(packed: bytes, labels: list[bytes]) -> tuple[int, bytes]:
    """The status, and the heads of as many documents as there are labels."""
    ends = np.cumsum([len(own) for own in labels], dtype=np.uint64)
    size = 8 * len(packed) + 10 * len(labels) + len(b"".join(labels))
    out, out_ends = np.zeros(size, np.uint8), np.zeros(len(labels), np.uint64)
    hashes = np.zeros(len(labels), np.uint64)
    status = lib.pocket_document_heads(
        TABLE,
        2,
        packed,
        len(packed),
        b"".join(labels),
        ffi.from_buffer("uint64_t[]", ends),
        len(labels),
        ffi.from_buffer("uint8_t[]", out),
        ffi.from_buffer("uint64_t[]", out_ends),
        ffi.from_buffer("uint64_t[]", hashes),
    )
    return status, out[: int(out_ends[-1])].tobytes()


def test_a_record_becomes_a_head() -> None:
    packed = b"\0" + b"\1" + LITERAL + b"x" + END + b"\1\0\1" + LITERAL + b"u" + END

    status, found = heads(packed, [b"L", b""])

    assert status == lib.POCKET_OK
    assert found == SIZES.pack(1, 2, 0, 0, 1) + b"xabL" + SIZES.pack(2, 0, 1, 0, 0) + b"abu"


@pytest.mark.parametrize(
    "packed",
    [
        b"\0" + END,  # no id
        b"\0\1" + END,  # an empty one
        b"\0\1\0",  # no end
        b"\0\1\0" + LITERAL + END,
        b"\0\1\0\1\0\1\0" + END,  # four fields
        b"\0\1\2" + END,  # no such symbol
        b"\0\1\0" + END + END,  # a record more
        b"\0\1" + b"\0" * 600 + END,  # an id of 1,200 bytes
    ],
)
def test_what_is_no_record_is_damaged(packed: bytes) -> None:
    assert heads(packed, [b""])[0] == lib.POCKET_DAMAGED_FIELD


@given(st.binary(max_size=60), st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_records_or_damaged(packed: bytes, count: int) -> None:
    assert heads(packed, [b""] * count)[0] in (lib.POCKET_OK, lib.POCKET_DAMAGED_FIELD)


def built(folder: Path, **choices: object) -> Path:
    path = folder / "x.pocket"
    pocketindex.build(map(document, range(1, 300)), path, **choices)  # type: ignore[arg-type]
    return path


def test_the_settings_of_a_file_are_those_of_its_build(tmp_path: Path) -> None:
    path = built(
        tmp_path,
        keep="snippet",
        snippet=50,
        titles=True,
        index="documents,words",
        title_weight=7,
        url_template="https://x/{id}",
        identity_bits=16,
        checksum_bits=8,
        keys_per_part=50,
    )

    with PocketFile(path) as file:
        found = settings_of(file, Settings(strict=True, threads=1), None)
        told = settings_of(file, Settings(), 77)

    assert (found.keep, found.snippet, found.titles) == ("snippet", 50, True)
    assert (found.index, found.title_weight) == (("documents", "words"), 7)
    assert (found.identity_bits, found.checksum_bits) == (16, 8)
    assert (found.url_template, found.profile) == ("https://x/{id}", str(path))
    assert (found.strict, found.threads) == (True, 1)
    assert 40 <= found.keys_per_part <= 50
    assert told.keys_per_part == 77


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = built(tmp_path)
    before = path.read_bytes()

    def write(self: object, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal.Written, "write", write)
    with pytest.raises(NoSpace, match=r"x\.pocket is as it was"):
        pocketindex.update(path, remove=["d1"])

    with pytest.raises(NoSpace, match=r"new\.pocket was not written"):
        pocketindex.update(path, remove=["d1"], output=tmp_path / "new.pocket")

    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["x.pocket"]


@pytest.mark.parametrize("keep", ["none", "text"])
def test_documents_are_taken_over_many_at_a_time(
    keep: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, taken = built(tmp_path, keep=keep), list[int]()
    enter = journal.WorkFolder.enter

    def told(self: journal.WorkFolder, kind: str, *rest: Any, **more: Any) -> journal.Entry:
        if kind == "taken":
            taken.append(more["end"] - more["start"])
        return enter(self, kind, *rest, **more)

    monkeypatch.setattr(journal.WorkFolder, "enter", told)
    pocketindex.update(path, remove=["d1"])
    assert taken == [299]

    taken.clear()
    monkeypatch.setattr(reused, "CHUNK_DOCUMENTS", 100)
    pocketindex.update(path, remove=["d2"])
    assert taken == [100, 100, 98]


@pytest.mark.parametrize("keep", ["none", "text"])
def test_a_range_of_which_nothing_stays(
    keep: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reused, "CHUNK_DOCUMENTS", 100)
    path = built(tmp_path, keep=keep)
    with pocketindex.open(path) as index:
        ids = [index.record(number).id for number in range(len(index))]
    pocketindex.update(path, remove=ids[100:200])
    with pocketindex.open(path) as index:
        index.verify()
        stayed = [index.record(number).id for number in range(len(index))]
        assert stayed == ids[:100] + ids[200:]
        if keep == "text":
            assert [index.text(number) for number in range(len(index))] == [
                document(int(id[1:]))["text"] for id in stayed
            ]
