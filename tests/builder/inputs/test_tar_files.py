"""Tar archives as other programs write them: names, links, sizes, ends."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Notice
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.tally import Refused
from reading import brief, read

PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


def member(name: str, content: bytes = b"", **more: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in more.items():
        setattr(info, key, value)
    return info, content


def link(name: str, target: str, type: bytes = tarfile.LNKTYPE) -> tuple[tarfile.TarInfo, bytes]:
    return member(name, type=type, linkname=target)


def tar(
    *members: tuple[tarfile.TarInfo, bytes],
    format: int = tarfile.PAX_FORMAT,
    encoding: str = "utf-8",
) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format, encoding=encoding) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def texts(path: Path, encoding: str | None = None) -> dict[str, str]:
    documents, _ = read(path, encoding=encoding)
    assert len({document.id for document in documents}) == len(documents)
    return {document.id: document.text for document in documents}


TWICE = tar(
    member("a.txt", b"early words"),
    member("b.txt", b"other words"),
    member("./a.txt", b"late words"),
)


@pytest.mark.parametrize("packing", PACKINGS)
def test_the_later_of_two_files_of_one_name_stays(tmp_path: Path, packing: str) -> None:
    path = put(tmp_path / "d.tar", PACKINGS[packing](TWICE))
    documents, skips = read(path, "tar")
    assert [(d.id, d.text) for d in documents] == [
        ("b.txt", "other words"),
        ("a.txt", "late words"),
    ]
    assert brief(skips) == [("d.tar:a.txt", "replaced")]


def test_a_later_link_or_folder_of_the_name(tmp_path: Path) -> None:
    path = put(
        tmp_path / "d.tar",
        tar(
            member("a.txt", b"early words"),
            member("b.txt", b"other words"),
            link("a.txt", "b.txt", tarfile.SYMTYPE),
            member("b.txt.d", type=tarfile.DIRTYPE),
        ),
    )
    assert texts(path) == {"b.txt": "other words", "a.txt": "other words"}


def test_standard_input_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both files come; a build keeps the first and says so."""
    content = TWICE + tar(link("c.txt", "b.txt"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    documents, skips = read("-", "tar")
    assert [d.text for d in documents] == ["early words", "other words", "late words"]
    assert brief(skips) == [("<stdin>:c.txt", "link")]

    path = tmp_path / "pipe"
    os.mkfifo(path)
    again = [member("a.txt", document["text"].encode()) for document in made_up(2)]
    writer = threading.Thread(target=path.write_bytes, args=(tar(*again),))
    writer.start()
    report = build([path], tmp_path / "x.pocket", Settings(format="tar", profile="en"))
    writer.join()
    assert (report.indexed, report.skipped) == (1, {"duplicate id": 1})


def test_links_are_names_of_their_targets(tmp_path: Path) -> None:
    path = put(
        tmp_path / "d.tar",
        tar(
            link("before.txt", "./in/b.txt"),
            member("in/a.txt", b"words of a"),
            member("in/b.txt", b"words of b"),
            link("hard.md", "in/a.txt"),
            link("in/soft.txt", "../in/./a.txt", tarfile.SYMTYPE),
            link("in/near.txt", "b.txt", tarfile.SYMTYPE),
        ),
    )
    documents, skips = read(path)
    assert [(d.id, d.text) for d in documents] == [
        ("in/a.txt", "words of a"),
        ("hard.md", "words of a"),
        ("in/soft.txt", "words of a"),
        ("in/b.txt", "words of b"),
        ("before.txt", "words of b"),
        ("in/near.txt", "words of b"),
    ]
    assert skips == []


def test_links_to_what_is_no_text_of_the_archive(tmp_path: Path) -> None:
    path = put(
        tmp_path / "d.tar",
        tar(
            member("a.txt", b"words"),
            member("data.bin", b"words"),
            member("two.txt", b"early words"),
            member("two.txt", b"late words"),
            link("1.txt", "/etc/passwd", tarfile.SYMTYPE),
            link("2.txt", "../../outside.txt", tarfile.SYMTYPE),
            link("3.txt", "missing.txt"),
            link("4.txt", "data.bin"),
            link("5.txt", "two.txt"),  # of which one?
            link("6.txt", "7.txt", tarfile.SYMTYPE),
            link("7.txt", "6.txt", tarfile.SYMTYPE),
        ),
    )
    documents, skips = read(path)
    assert [d.text for d in documents] == ["words", "late words"]
    links = [(place, reason) for place, reason in brief(skips) if reason == "link"]
    assert links == [(f"d.tar:{i}.txt", "link") for i in range(1, 8)]
    assert "a link to '/etc/passwd', which is not a text of the archive" in skips[-7].detail


def test_links_are_no_bombs(tmp_path: Path) -> None:
    text = os.urandom(50_000).hex().encode()
    links = [link(f"{i}.txt", "a.txt") for i in range(1_000)]
    documents, skips = read(put(tmp_path / "d.tar", tar(member("a.txt", text), *links)))
    assert {skip.reason for skip in skips} == {"bomb"}
    assert len(documents) + len(skips) == 1_001
    assert len(documents) > 10


@pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_names(tmp_path: Path, format: int) -> None:
    long = "/".join(["folder"] * 20) + "/ü.txt"
    path = put(tmp_path / "d.tar", tar(member(long, b"words"), format=format))
    assert texts(path) == {long: "words"}


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    members = [member(f"gr{letter}n.txt", letter.encode()) for letter in "üö"]
    content = tar(*members, format=tarfile.GNU_FORMAT, encoding="latin-1")
    path = put(tmp_path / "d.tar", content)
    assert texts(path) == {"gr%FCn.txt": "ü", "gr%F6n.txt": "ö"}
    raw = tar(
        *(member(f"gr{letter}n.txt", letter.encode("latin-1")) for letter in "üö"),
        format=tarfile.GNU_FORMAT,
        encoding="latin-1",
    )
    assert texts(put(path, raw), "latin-1") == {"grün.txt": "ü", "grön.txt": "ö"}


def checked(head: bytearray) -> bytes:
    """A head with the checksum that belongs to it."""
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head)


def test_the_first_format_has_no_magic(tmp_path: Path) -> None:
    info, content = member("a.txt", b"words", type=tarfile.AREGTYPE)
    head = bytearray(info.tobuf(tarfile.USTAR_FORMAT))
    head[257:265] = bytes(8)
    whole = checked(head) + content.ljust(512, b"\0") + bytes(1024)
    assert texts(put(tmp_path / "d.tar", whole)) == {"a.txt": "words"}


def sparse(version: str) -> bytes:
    """A file of 3,000 bytes of which only the first and last words are stored."""
    parts = {0: b"first words ", 2990: b"last words"}
    stored = b"".join(parts.values())
    numbers = [number for offset, part in parts.items() for number in (offset, len(part))]
    if version == "old":
        info, _ = member("s.txt", stored, type=tarfile.GNUTYPE_SPARSE)
        head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
        for i, number in enumerate(numbers):
            head[386 + 12 * i : 398 + 12 * i] = b"%011o\0" % number
        head[483:495] = b"%011o\0" % 3000
        return checked(head) + stored.ljust(512, b"\0")
    said = {"GNU.sparse.size": "3000", "GNU.sparse.name": "s.txt"}
    if version == "0.1":
        said["GNU.sparse.map"] = ",".join(map(str, numbers))
    else:
        said |= {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "3000"}
        del said["GNU.sparse.size"]
        lines = "".join(f"{number}\n" for number in (len(parts), *numbers))
        stored = lines.encode().ljust(512, b"\0") + stored
    info, _ = member("x.txt", stored, pax_headers=said)
    return tar((info, stored))


@pytest.mark.parametrize("version", ["old", "0.1", "1.0"])
def test_files_with_holes(tmp_path: Path, version: str) -> None:
    path = put(tmp_path / "d.tar", sparse(version) + bytes(1024))
    (text,) = texts(path).values()
    assert text.startswith("first words \0")
    assert (text.endswith("\0last words"), len(text)) == (True, 3000)


@pytest.mark.parametrize("name", ["huge.txt", "huge.bin"])
@pytest.mark.parametrize("packing", PACKINGS)
def test_a_size_that_is_not_there(tmp_path: Path, name: str, packing: str) -> None:
    info, _ = member(name)
    info.size = 1 << 62
    text = made_up(1)[0]["text"].encode()
    whole = tar(member("a.txt", text))[: 512 + -len(text) % 512 + len(text)]
    whole += info.tobuf(tarfile.GNU_FORMAT) + b"words" * 99
    path = put(tmp_path / "d.tar", PACKINGS[packing](whole))
    with pytest.raises(SourceError, match=rf"unexpected end of data\) after 2 files, '{name}'"):
        read(path, "tar")
    options = Settings(format="tar", profile="en", keep_going=True)
    report = build([path], tmp_path / "x.pocket", options)
    assert (report.indexed, len(report.ended)) == (1, 1)


def test_joined_archives(tmp_path: Path) -> None:
    one, two = tar(member("a.txt", b"words")), tar(member("b.txt", b"words"), member("a.txt", b"x"))
    documents, skips = read(put(tmp_path / "d.tar", one + two))
    assert [(d.id, d.text) for d in documents] == [("b.txt", "words"), ("a.txt", "x")]
    assert brief(skips) == [("d.tar:a.txt", "replaced")]


def test_what_follows_the_end_mark(tmp_path: Path) -> None:
    content = tar(member("a.txt", b"words")) + b"something else" * 99
    path = put(tmp_path / "d.tar", content)
    documents, (notice,) = read(path)
    assert [d.id for d in documents] == ["a.txt"]
    assert (type(notice), notice.reason) == (Notice, "no end mark")
    assert notice.detail == (
        "what follows the end mark at byte 10,240 of the content is not a tar archive, and is not "
        "read"
    )


def test_an_archive_without_an_end_mark(tmp_path: Path) -> None:
    """Some programs write none, and it may be cut between two files: it is read, and said."""
    whole = tar(member("a.txt", b"words of a"), member("b.txt", b"words of b"))
    path = put(tmp_path / "d.tar", whole[:2048])
    documents, (notice,) = read(path)
    assert [d.id for d in documents] == ["a.txt", "b.txt"]
    assert notice.detail.startswith(
        "expected two blocks of zeros at the end, found none; all files"
    )
    with pytest.raises(Refused, match="no end mark"):
        build([path], tmp_path / "x.pocket", Settings(profile="en", strict=True))
    for cut in (2047, 2048 - 512, 2048 - 600):
        with pytest.raises(SourceError, match="cut short"):
            read(put(path, whole[:cut]))


def test_many_heads_in_a_row(tmp_path: Path) -> None:
    """Each is read inside of the one before."""
    info, content = member("x", b"name.txt\0", type=tarfile.GNUTYPE_LONGNAME)
    one = info.tobuf(tarfile.GNU_FORMAT) + content.ljust(512, b"\0")
    with pytest.raises(SourceError, match="cut short or no tar archive"):
        read(put(tmp_path / "d.tar", one * 3000))


def test_files_in_files(tmp_path: Path) -> None:
    inner = tar(member("c.txt", b"words"))
    path = put(
        tmp_path / "d.tar",
        tar(
            member("a.txt.gz", gzip.compress(b"words of a")),
            member("b.html.bz2", bz2.compress(b"<title>B</title><p>words of b")),
            member("c.TXT.XZ", lzma.compress(b"words of c")),
            member("d.md.zst", zstandard.compress(b"# D\n\nwords of d")),
            member("cut.txt.gz", gzip.compress(os.urandom(99))[:-20]),
            member("bomb.txt.gz", gzip.compress(bytes(100_000_000))),
            member("inner.tar", inner),
            member("docs.csv.gz", gzip.compress(b"id,text")),
        ),
    )
    documents, skips = read(path)
    assert [(d.id, d.title, d.text.split()[-1]) for d in documents] == [
        ("a.txt.gz", "a", "a"),
        ("b.html.bz2", "B", "b"),
        ("c.TXT.XZ", "c", "c"),
        ("d.md.zst", "D", "d"),
    ]
    assert brief(skips) == [
        ("d.tar:cut.txt.gz", "unreadable"),
        ("d.tar:bomb.txt.gz", "unreadable"),
        ("d.tar:inner.tar", "other kind: .tar"),
        ("d.tar:docs.csv.gz", "other kind: .csv.gz"),
    ]
    assert "taken for a decompression bomb" in skips[1].detail
    assert skips[2].detail.endswith("if it is a source of its own, unpack it and give it to build")


NAMES = st.sampled_from(["a.txt", "./a.txt", "b.txt", "c/b.txt", "c/./b.txt", "d.bin"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NAMES, st.integers(0, 9)), min_size=1, max_size=8))
def test_what_is_read_is_what_unpacking_gives(
    tmp_path_factory: pytest.TempPathFactory, files: list[tuple[str, int]]
) -> None:
    content = tar(*(member(name, b"words %d" % number) for name, number in files))
    folder = tmp_path_factory.mktemp("unpacked")
    path = put(folder / "d.tar", content)
    (folder / "out").mkdir()
    with tarfile.open(path) as archive:
        archive.extractall(folder / "out", filter="data")
    there = {
        str(file.relative_to(folder / "out")): file.read_text()
        for file in (folder / "out").rglob("*.txt")
    }
    if there:
        assert texts(path) == there


def test_digits_without_end_in_a_header_take_no_minutes(tmp_path: Path) -> None:
    """Versions of Python that are in use look for a number from each digit of a header."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as members:
        member = tarfile.TarInfo("a.txt")
        member.size, member.pax_headers = 5, {"comment": "1" * 500_000, "mtime": "1.5"}
        members.addfile(member, io.BytesIO(b"words"))
        member = tarfile.TarInfo("b.txt")
        member.size = 2_000
        members.addfile(member, io.BytesIO(b"1" * 2_000))
    (tmp_path / "d.tar").write_bytes(archive.getvalue())
    began = time.process_time()
    documents, skips = read(tmp_path / "d.tar")
    assert time.process_time() - began < 4
    assert [(one.id, one.text) for one in documents] == [("a.txt", "words"), ("b.txt", "1" * 2_000)]
    assert skips == []


def test_the_first_name_may_begin_as_a_text_with_a_mark_does(tmp_path: Path) -> None:
    """What says the encoding of a text is a part of the name here."""
    for encoding, mark in (("utf-8", "\ufeff"), ("latin-1", "ÿþ"), ("latin-1", "þÿ")):
        archive = tar(
            member(f"{mark}a.txt", b"words"), format=tarfile.GNU_FORMAT, encoding=encoding
        )
        path = put(tmp_path / "a.tar", archive)
        assert list(texts(path, None if encoding == "utf-8" else encoding).values()) == ["words"]
