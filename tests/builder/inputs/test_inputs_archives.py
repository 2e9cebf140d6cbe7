"""Archives: whole, cut short, hostile. Nothing of them gets onto the disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pdf import made_pdf
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.archives import archive
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read

FILES = {
    "b.txt": b"plain words",
    "./a/page.html": b"<title>T</title><p>words of a page",
    "a/note.md": b"# The *title*\n\nA [link](https://example.org/x).",
    "a/paper.pdf": made_pdf(["words of a paper"]),
    "a/image.png": b"\x89PNG",
    "a/.hidden/x.txt": b"hidden",
    "empty.txt": b"",
}
EXPECTED = [
    Document("b.txt", "b", "plain words"),
    Document("a/page.html", "T", "words of a page"),
    Document("a/note.md", "The title", "\u2005The title\n\nA link."),
    Document("a/paper.pdf", "paper", "words of a paper"),
]
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes,
    "tar.gz": gzip.compress,
    "tgz": gzip.compress,
    "tar.bz2": bz2.compress,
    "tar.xz": lzma.compress,
    "tar.zst": zstandard.compress,
}


def tar(
    files: dict[str, bytes], *others: tarfile.TarInfo, format: int = tarfile.PAX_FORMAT
) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as members:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            members.addfile(member, io.BytesIO(content))
        for other in others:
            members.addfile(other)
    return out.getvalue()


def zip_(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as members:
        for name, content in files.items():
            members.writestr(name, content)
    return out.getvalue()


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("suffix", [*PACKED, "zip"])
def test_the_files_of_an_archive(tmp_path: Path, suffix: str) -> None:
    content = zip_(FILES) if suffix == "zip" else PACKED[suffix](tar(FILES))
    for path in (tmp_path / f"d.{suffix}", tmp_path / "unnamed"):
        documents, skips = read(put(path, content))
        assert documents == EXPECTED
        assert [
            (skip.place, skip.reason) for skip in skips if skip.reason != "other kind: .png"
        ] == [(f"{path}:empty.txt", "empty")]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([f"d.{suffix}", "unnamed"])


def test_names_that_lead_out(tmp_path: Path) -> None:
    files = dict.fromkeys(
        ("/etc/a.txt", "../b.txt", "c/../../d.txt", "C:\\e.txt", "..\\f.txt", "good/g.txt"),
        b"words",
    )
    for name, content in (("d.tar", tar(files)), ("d.zip", zip_(files))):
        documents, skips = read(put(tmp_path / name, content))
        assert [d.id for d in documents] == ["good/g.txt"]
        assert {skip.reason for skip in skips} == {"unsafe name"}
        assert len(skips) == 5
        assert (
            skips[0].detail
            == "its name leads out of the archive; pack it with names below one folder"
        )


def test_other_kinds_that_lead_out_are_counted(tmp_path: Path) -> None:
    files = {"good.txt": b"words", "../b.png": b"", "c/../../d": b"", "../.e.png": b""}
    for name, content in (("d.tar", tar(files)), ("d.zip", zip_(files))):
        documents, skips = read(put(tmp_path / name, content))
        assert [d.id for d in documents] == ["good.txt"]
        assert [skip.reason for skip in skips] == ["other kind: .png", "other kind: no suffix"]


def test_links_and_devices_with_the_name_of_a_text(tmp_path: Path) -> None:
    others = []
    for name, kind in (
        ("link.txt", tarfile.SYMTYPE),
        ("hard.txt", tarfile.LNKTYPE),
        ("pipe.txt", tarfile.FIFOTYPE),
        ("folder.txt", tarfile.DIRTYPE),
    ):
        other = tarfile.TarInfo(name)
        other.type, other.linkname = kind, "/etc/passwd"
        others.append(other)
    documents, skips = read(put(tmp_path / "d.tar", tar({"a.txt": b"words"}, *others)))

    assert [d.id for d in documents] == ["a.txt"]
    assert brief(skips) == [
        ("d.tar:link.txt", "link"),
        ("d.tar:hard.txt", "link"),
        ("d.tar:pipe.txt", "unreadable"),
    ]


def test_bombs_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a.txt": b"words", "bomb.txt": bytes(80_000_000), "z.txt": b"more words"}
    for name, content in (
        ("d.zip", zip_(files)),
        ("d.tar.xz", lzma.compress(tar(files), preset=0)),
        ("d.tar.gz", gzip.compress(tar(files), 1)),
        ("d.tar.bz2", bz2.compress(tar(files), 1)),
    ):
        documents, skips = read(put(tmp_path / name, content))
        assert [d.id for d in documents] == ["a.txt", "z.txt"]
        assert brief(skips) == [(f"{name}:bomb.txt", "bomb")]
        assert "200 times as many at most are expected of text" in skips[0].detail
    monkeypatch.setattr(archive, "FILE_BYTES", 1000)
    for name in ("d.zip", "d.tar.gz"):
        assert brief(read(tmp_path / name)[1]) == [(f"{name}:bomb.txt", "too long")]


def test_a_text_that_repeats_itself_is_no_bomb(tmp_path: Path) -> None:
    text = b"".join(
        b"line %d of a log that says the same again and again\n" % (i % 1000) for i in range(60_000)
    )
    packed = tar({"a.txt": text})
    for name, content in (
        ("d.zip", zip_({"a.txt": text})),
        ("d.tar.gz", gzip.compress(packed)),
        ("d.tar.bz2", bz2.compress(packed)),
    ):
        assert len(read(put(tmp_path / name, content))[0]) == 1


@pytest.mark.parametrize("suffix", PACKED)
def test_a_tar_archive_cut_short(tmp_path: Path, suffix: str) -> None:
    files = {f"{i}.txt": os.urandom(700).hex().encode() for i in range(50)}
    whole = tar(files)
    cut = [
        whole[:-10240].rstrip(b"\0"),
        whole[: 512 * 8 * 7 - 512],
        whole[: 512 * 8 * 7 + 100],
        whole[: 512 * 8 * 7 + 600],
    ]
    for content in cut:
        with pytest.raises(
            SourceError,
            match=(
                rf"d\.{suffix}: cut short or no tar archive \(.*\) after \d+ files, '\d+\.txt' "
                r"the last, and [\d,]+ bytes"
            ),
        ):
            read(put(tmp_path / f"d.{suffix}", PACKED[suffix](content)))
    packed = PACKED[suffix](whole)
    with pytest.raises(SourceError, match="cut short"):
        read(put(tmp_path / f"d.{suffix}", packed[: len(packed) // 2]))


def test_keep_going_keeps_the_files_before_the_cut(tmp_path: Path) -> None:
    files = {f"{d['id']}.txt": d["text"].encode() for d in made_up(40)}
    whole = tar(files)
    path = put(tmp_path / "d.tar", whole[: whole.index(b"doc-30.txt") + 600])
    report = build([str(path)], tmp_path / "x.pocket", Settings(profile="learn", keep_going=True))

    assert (report.read, report.indexed) == (30, 30)
    assert "(unexpected end of data) after 31 files, 'doc-30.txt' the last" in report.text()


def test_a_tar_archive_damaged_in_the_middle_says_so(tmp_path: Path) -> None:
    whole = bytearray(tar({"a.txt": b"words", "b.txt": b"words", "c.txt": b"words"}))
    whole[1024 + 3] ^= 1  # the name of the second
    with pytest.raises(SourceError, match=r"bad checksum.* after 1 files, 'a.txt' the last"):
        read(put(tmp_path / "d.tar", bytes(whole)))
    with pytest.raises(SourceError, match=r"cut short or no tar archive .* at its beginning"):
        read(put(tmp_path / "e.tar", b"no archive at all" * 100))
    with pytest.raises(SourceError, match="empty file"):
        read(put(tmp_path / "f.tar", b""))


def test_a_header_that_would_fill_the_memory(tmp_path: Path) -> None:
    member = tarfile.TarInfo("a.txt")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 1 << 33
    with pytest.raises(SourceError, match=r"a header of 8,589,934,592 bytes"):
        read(put(tmp_path / "d.tar", member.tobuf(tarfile.GNU_FORMAT)))


def test_bad_zip_archives(tmp_path: Path) -> None:
    whole = zip_(
        {"a.txt": b"words of a", "b.txt": b"words of b", "c.txt": b"words of c"}, zipfile.ZIP_STORED
    )
    for content in (whole[: len(whole) // 2], whole[:-10], b"", b"PK\3\4 and nothing else"):
        with pytest.raises(
            SourceError,
            match=(
                r"d\.zip: cut short, damaged or not a zip archive \(.*\): its directory, which "
                r"is at the end"
            ),
        ):
            read(put(tmp_path / "d.zip", content))
    damaged = whole.replace(b"words of b", b"words of x")
    documents, skips = read(put(tmp_path / "d.zip", damaged))
    assert [d.id for d in documents] == ["a.txt", "c.txt"]
    assert brief(skips) == [("d.zip:b.txt", "unreadable")]
    assert skips[0].detail == "damaged: its checksum (CRC-32) does not match"
    secret = bytearray(whole)
    for magic, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        secret[secret.index(magic) + flags] |= 1
    documents, skips = read(put(tmp_path / "d.zip", bytes(secret)))
    assert (len(documents), "encrypted" in skips[0].detail) == (2, True)


def test_a_zip_directory_with_a_property_cut_short(tmp_path: Path) -> None:
    member = zipfile.ZipInfo("a.txt")
    member.extra = b"\x01\x00\x00\x00"  # sizes of 64 bits, and none
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as members:
        members.writestr(member, b"words")
    content = bytearray(out.getvalue())
    place = content.index(b"PK\1\2")
    content[place + 24 : place + 28] = b"\xff" * 4
    documents, skips = read(put(tmp_path / "d.zip", bytes(content)))
    assert documents == []
    assert brief(skips) == [("d.zip:a.txt", "too long")]


def test_a_file_without_a_name(tmp_path: Path) -> None:
    content = zip_({"a.txt": b"words", "b.txt": b"words"}).replace(b"b.txt", b"\0.txt")
    assert [d.id for d in read(put(tmp_path / "d.zip", content))[0]] == ["a.txt"]


def test_an_archive_of_other_things(tmp_path: Path) -> None:
    for name, content in (
        ("d.tar", tar({"docs.jsonl": b"{}"})),
        ("d.zip", zip_({"docs.jsonl": b"{}"})),
    ):
        with pytest.raises(
            SourceError,
            match=(
                r"its only file \('docs.jsonl'\) is not of a kind that an archive gives; "
                r"unpack it and give what is in it"
            ),
        ):
            read(put(tmp_path / name, content))


def test_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for format, content in (("zip", zip_(FILES)), ("tar", gzip.compress(tar(FILES)))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert read("-", format)[0] == EXPECTED


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["tar", "zip"]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=5),
    st.integers(0, 3_000),
)
def test_damage_is_an_error_or_a_skip(
    tmp_path_factory: pytest.TempPathFactory, kind: str, changes: list[tuple[int, int]], cut: int
) -> None:
    content = bytearray(tar(FILES, format=tarfile.GNU_FORMAT) if kind == "tar" else zip_(FILES))
    for place, value in changes:
        content[place % len(content)] = value
    path = put(
        tmp_path_factory.getbasetemp() / f"damaged.{kind}", bytes(content[: len(content) - cut])
    )
    try:
        documents, skips = read(path)
    except SourceError as error:
        assert error.source == str(path)  # noqa: PT017
    else:
        assert len(documents) + len(skips) <= len(FILES)
