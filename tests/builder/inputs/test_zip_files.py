"""Zip archives as other programs write them, and what is wrong with one file of several."""

from __future__ import annotations

import bz2
import io
import lzma
import stat
import struct
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from made_zip import Entry, extra, made_zip, unicode_path
from pocketindex.builder.document import Skip
from pocketindex.builder.inputs.opening.zip_file import ZipFile
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read

WORDS = b"words of a text that is in an archive"
GOOD = Entry(b"good.txt", WORDS)


def ids(tmp_path: Path, content: bytes, encoding: str | None = None) -> list[str]:
    (tmp_path / "d.zip").write_bytes(content)
    documents, _ = read(tmp_path / "d.zip", encoding=encoding)
    assert {document.text.encode() for document in documents} <= {WORDS}
    return [document.id for document in documents]


def left_out(tmp_path: Path, *entries: Entry) -> Skip:
    """What is said of the one file that is left out, beside another that is not."""
    (tmp_path / "d.zip").write_bytes(made_zip(*entries, GOOD))
    documents, skips = read(tmp_path / "d.zip")
    assert documents[-1].id == "good.txt"
    (skip,) = skips
    assert isinstance(skip, Skip)
    return skip


@pytest.mark.parametrize(
    "property",
    [
        b"\xff\x3a\x77\x37ab",  # longer than what there is
        b"\1",
        b"\1\0\0\0",  # sizes of 64 bits, and none
        extra(0x5455, b"\3abcd") + b"\0\0\0",  # a time, and padding
        b"\0" * 7,
        extra(0x7075, b"\1"),
    ],
)
def test_an_odd_property_is_no_matter(tmp_path: Path, property: bytes) -> None:
    odd = Entry(b"odd.txt", WORDS, extra=property)
    assert ids(tmp_path, made_zip(GOOD, odd)) == ["good.txt", "odd.txt"]


def test_names(tmp_path: Path) -> None:
    raw = "Grüße.txt".encode("cp437")
    other = "Grüße.txt".encode("cp1252")
    german, greek = "Grüße.txt".encode(), "λόγος.txt"
    sjis = "日本.txt".encode("shift_jis")
    for entry, encoding, expected in (
        (Entry(german, WORDS, flags=1 << 11), None, "Grüße.txt"),
        (Entry(german, WORDS), None, "Grüße.txt"),  # without the flag
        (Entry(german, WORDS), "cp1252", "Grüße.txt"),
        (Entry(raw, WORDS), None, "Grüße.txt"),
        (Entry(other, WORDS), "cp1252", "Grüße.txt"),
        (Entry(other, WORDS, flags=1 << 11), "cp1252", "Grüße.txt"),  # the flag is wrong
        (Entry(sjis, WORDS), "shift_jis", "日本.txt"),
        (Entry(b"_.txt", WORDS, extra=unicode_path(b"_.txt", greek)), None, greek),
        # The path is of an older name: the checksum of the name says so.
        (Entry(b"new.txt", WORDS, extra=unicode_path(b"_.txt", greek)), None, "new.txt"),
        (Entry(b"a\\b.txt", WORDS), None, "a/b.txt"),
        (Entry(b"a.txt", WORDS, local_name=b"another.txt"), None, "a.txt"),
        (Entry(b"A.TXT", WORDS), None, "A.TXT"),
    ):
        assert ids(tmp_path, made_zip(entry), encoding) == [expected]


def test_the_later_of_two_files_of_one_name_stays(tmp_path: Path) -> None:
    early, late = Entry(b"./a.txt", b"early words"), Entry(b"a.txt", WORDS)
    assert left_out(tmp_path, early, late) == Skip(
        f"{tmp_path / 'd.zip'}:./a.txt",
        "replaced",
        "a later file of the archive has the same name and takes its place",
    )


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("before", [b"", b"#!/bin/sh\nexit\n" * 9])
@pytest.mark.parametrize(
    "comment",
    [
        b"",
        b"a comment with PK\5\6 in it",
        b"PK\5\6 and words behind it, " * 2,
        b"PK\5\6" + bytes(18),
    ],
)
def test_where_the_directory_is(tmp_path: Path, large: bool, before: bytes, comment: bytes) -> None:
    content = made_zip(GOOD, Entry(b"b.txt", WORDS), before=before, comment=comment, large=large)
    assert ids(tmp_path, content) == ["good.txt", "b.txt"]
    assert ids(tmp_path, content + b"\r\n") == ["good.txt", "b.txt"]  # a mail or an editor
    if not large:
        gap = made_zip(GOOD, gap=b"four")
        assert ids(tmp_path, gap) == ["good.txt"]


def deflated(content: bytes) -> bytes:
    return zlib.compress(content)[2:-4]


def of_lzma(content: bytes) -> bytes:
    whole = lzma.compress(content, lzma.FORMAT_ALONE)
    return b"\x09\x04" + struct.pack("<H", 5) + whole[:5] + whole[13:]


def test_compressions(tmp_path: Path) -> None:
    entries = [
        Entry(b"stored.txt", WORDS),
        Entry(b"deflate.txt", WORDS, deflated(WORDS), 8),
        Entry(b"late.txt", WORDS, deflated(WORDS), 8, descriptor=True),
        Entry(b"bzip2.txt", WORDS, bz2.compress(WORDS), 12),
        Entry(b"lzma.txt", WORDS, of_lzma(WORDS), 14, flags=2),
        Entry(b"zstd.txt", WORDS, zstandard.compress(WORDS), 93),
        Entry(b"xz.txt", WORDS, lzma.compress(WORDS), 95),
    ]
    assert ids(tmp_path, made_zip(*entries)) == [entry.name.decode() for entry in entries]


@pytest.mark.parametrize(
    ("entry", "detail"),
    [
        (
            Entry(b"a.txt", WORDS, method=9),
            "compression is not supported: Deflate64 (method 9); unpack",
        ),
        (Entry(b"a.txt", WORDS, method=98), "compression is not supported: PPMd (method 98)"),
        (Entry(b"a.txt", WORDS, method=77), "an unknown one (method 77)"),
        (Entry(b"a.txt", WORDS, flags=1), "it is encrypted; unpack it with its password"),
        (Entry(b"a.txt", WORDS, method=99, flags=1), "it is encrypted"),
        (Entry(b"a.txt", WORDS, crc=1), "damaged: its checksum (CRC-32) does not match"),
        (Entry(b"a.txt", WORDS, b"\xff" * 9, 8), "damaged: Error -3"),
        (Entry(b"a.txt", WORDS, deflated(WORDS)[:9], 8), "damaged: expected 37 bytes, found"),
        (Entry(b"a.txt", WORDS, bz2.compress(WORDS)[:-30], 12), "damaged: expected 37 bytes"),
        (Entry(b"a.txt", WORDS, b"no zstd", 93), "damaged: "),
        (Entry(b"a.txt", WORDS, b"", 14), "damaged: "),
    ],
)
def test_what_is_wrong_with_one_file(tmp_path: Path, entry: Entry, detail: str) -> None:
    skip = left_out(tmp_path, entry)
    assert (skip.place, skip.reason) == (f"{tmp_path / 'd.zip'}:a.txt", "unreadable")
    assert detail in skip.detail


def test_zstd_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    skip = left_out(tmp_path, Entry(b"a.txt", WORDS, zstandard.compress(WORDS), 93))
    assert skip.detail.endswith("pip install 'pocketindex[zst]'")


def test_the_target_of_a_link_is_no_text(tmp_path: Path) -> None:
    mode = (stat.S_IFLNK | 0o777) << 16
    link = Entry(b"link.txt", b"../other.txt", made_by=3 << 8, attributes=mode)
    assert left_out(tmp_path, link).reason == "link"
    # The same number means something else on another system.
    assert ids(tmp_path, made_zip(Entry(b"a.txt", WORDS, attributes=mode))) == ["a.txt"]


def test_files_that_lie_one_over_the_other(tmp_path: Path) -> None:
    entries = [Entry(f"{i}.txt".encode(), WORDS * 100) for i in range(9)]
    content = bytearray(made_zip(*entries))
    place = 0
    while (place := content.find(b"PK\1\2", place) + 1) > 0:
        content[place + 41 : place + 45] = bytes(4)  # all begin where the first does
    del content[len(content) // 3 : content.index(b"PK\1\2")]
    content[-6:-2] = struct.pack("<L", content.index(b"PK\1\2"))
    (tmp_path / "d.zip").write_bytes(content)
    documents, skips = read(tmp_path / "d.zip")
    assert 0 < len(documents) < 9
    assert {skip.reason for skip in skips} == {"bomb"}


def test_a_directory_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "d.zip"
    path.write_bytes(made_zip(GOOD, count=3))
    documents, skips = read(path)
    assert [document.id for document in documents] == ["good.txt"]
    assert brief(skips) == [("d.zip", "odd directory")]
    assert skips[0].detail == "its directory has 1 files and declares 3"

    content = bytearray(made_zip(GOOD, Entry(b"b.txt", WORDS)))
    content[content.rindex(b"PK\1\2")] ^= 1
    path.write_bytes(content)
    documents, skips = read(path)
    assert [document.id for document in documents] == ["good.txt"]
    assert skips[0].detail == "its directory cannot be read after file 1"

    content = bytearray(made_zip(GOOD))
    content[-18] = 1  # the number of this part
    path.write_bytes(content)
    with pytest.raises(
        SourceError, match=r"d\.zip: it is one of the files of a split archive; join them with zip"
    ):
        read(path)


def test_a_file_of_65536_files_counts_them_again(tmp_path: Path) -> None:
    entries = [Entry(b"%d" % i, b"") for i in range(65_536)]
    (tmp_path / "d.zip").write_bytes(made_zip(*entries, GOOD, count=1))
    documents, skips = read(tmp_path / "d.zip")
    assert [document.id for document in documents] == ["good.txt"]
    assert len(skips) == 65_536


METHODS = st.sampled_from(
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
FILES = st.lists(
    st.tuples(
        st.text("aü漢 .", min_size=1, max_size=6),
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
        METHODS,
    ),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(FILES, st.binary(max_size=99), st.binary(max_size=99))
def test_what_zipfile_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[tuple[str, str, int]],
    before: bytes,
    comment: bytes,
) -> None:
    path = tmp_path_factory.getbasetemp() / "written.zip"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.comment = comment
        for number, (name, text, method) in enumerate(files):
            archive.writestr(f"{number}{name}.txt", text.encode(), method)
    path.write_bytes(before + out.getvalue())
    with path.open("rb") as file:
        members = ZipFile(file)
        found = [(one.name(), members.content(one).decode()) for one in members.members()]
    assert found == [(f"{i}{name}.txt", text) for i, (name, text, _) in enumerate(files)]
    assert members.problem == ""
