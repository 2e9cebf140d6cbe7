"""Sources that are known and not read, and files that are no index: one sentence, one remedy."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sqlite3
import zipfile
from pathlib import Path

import pocketindex
import pytest
import zstandard
from made_up import made_up
from pocketindex.builder.inputs.source import SourceError
from pocketindex.kinds import KINDS
from reading import read
from run_command import run


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "docs.pocket"
    pocketindex.build(made_up(12), path, progress=False)
    return path


def zipped(path: Path, *names: str, stored: str = "") -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, stored or "<x/>")


def make(path: Path, kind: str) -> None:
    types = "[Content_Types].xml"
    if kind == "a SQLite database":
        with sqlite3.connect(path) as connection:
            connection.execute("create table t (id, text)")
        connection.close()
    elif kind == "an Excel workbook":
        zipped(path, types, "_rels/.rels", "xl/workbook.xml")
    elif kind == "an OpenDocument spreadsheet":
        zipped(path, "mimetype", stored="application/vnd.oasis.opendocument.spreadsheet")
    else:
        path.write_bytes(
            {
                "an ARC file": b"filedesc://x.arc 0.0.0.0 20010101000000 text/plain 76\n",
                "a 7z archive": b"7z\xbc\xaf\x27\x1c\0\4",
                "a RAR archive": b"Rar!\x1a\x07\x01\0",
                "a file of saved shingles": b"\x89PCKS\r\n\x1a",
            }[kind]
            + bytes(600)
        )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.source and kind.begin])
@pytest.mark.parametrize("name", ["a file", "a.csv", ""])
def test_kinds_by_their_first_bytes(
    kind: pocketindex.kinds.Kind, name: str, index: Path, tmp_path: Path
) -> None:
    path = tmp_path / (name or f"a{(kind.suffixes or ('.db',))[0]}")
    make(path, kind.what)
    path.write_bytes(
        gzip.compress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    )
    done = run("build", path, "-o", tmp_path / "n.pocket")
    remedy = kind.source.replace("{}", f"'{path}'" if " " in str(path) else str(path))
    assert (done.returncode, done.stderr) == (
        2,
        f"pocketindex: {path}: it is {kind.what}; {remedy}\n",
    )
    assert not (tmp_path / "n.pocket").exists()
    done = run("query", index, path)
    assert (done.returncode, kind.what in done.stderr) == (2, True)


def test_a_wacz_and_a_profile_by_their_names(index: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs.jsonl"
    docs.write_text("".join(json.dumps(one) + "\n" for one in made_up(30)))
    zipped(tmp_path / "a.wacz", "datapackage.json", "archive/a.warc.gz")
    with pytest.raises(
        SourceError, match=r"a\.wacz: it is a WACZ file; unpack it and give its WARC"
    ):
        read(tmp_path / "a.wacz")
    done = run("profile", docs, "-o", tmp_path / "p.profile", "--scheme", "ff")
    assert done.returncode == 0, done.stderr
    with pytest.raises(SourceError, match=r"it is a profile; use it with --profile /"):
        read(tmp_path / "p.profile")
    done = run("info", tmp_path / "p.profile")
    assert (done.returncode, done.stderr) == (
        3,
        f"pocketindex: {tmp_path}/p.profile: not a pocket file: it is a profile; use it with build "
        f"--profile {tmp_path}/p.profile\n",
    )


def test_zip_archives_of_files_are_still_read(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", "xl/notes.txt", stored="some words")
    assert [one.text for one in read(tmp_path / "a.zip")[0]] == ["some words"]


@pytest.mark.parametrize(
    ("suffix", "pack", "program", "unpack"),
    [
        (".gz", gzip.compress, "gzip", "gunzip"),
        (".bz2", bz2.compress, "bzip2", "bunzip2"),
        (".xz", lzma.compress, "xz", "unxz"),
        (".zst", zstandard.compress, "zstd", "unzstd"),
    ],
)
def test_a_packed_index(
    suffix: str, pack: object, program: str, unpack: str, index: Path, tmp_path: Path
) -> None:
    assert callable(pack)
    (tmp_path / "draft.txt").write_text(made_up(1)[0]["text"])
    for name in (f"docs.pocket{suffix}", "docs.pocket"):
        path = tmp_path / name
        path.write_bytes(pack(index.read_bytes()))
        for arguments in (("info", path), ("query", path, tmp_path / "draft.txt"), ("serve", path)):
            done = run(*arguments)
            assert (done.returncode, done.stderr) == (
                3,
                f"pocketindex: {path}: not a pocket file: it is compressed with {program}; "
                f"unpack it first: {unpack} {path}\n",
            )
        done = run("build", path, "-o", tmp_path / "n.pocket")
        assert (done.returncode, "found a pocket file, which is already built" in done.stderr) == (
            2,
            True,
        )


def test_a_packed_collection_in_place_of_an_index(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": "a", "text": "words"}\n'))
    done = run("query", path, "words")
    assert (done.returncode, done.stderr) == (
        3,
        f"pocketindex: {path}: not a pocket file: if it is a collection, build an index first: "
        f"pocketindex build {path} -o docs.pocket\n",
    )


def test_what_is_given_for_an_index(index: Path, tmp_path: Path, monkeypatch: object) -> None:
    assert isinstance(monkeypatch, pytest.MonkeyPatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.pocket").touch()
    (tmp_path / "odd.pocket").write_bytes(b"something else")
    (tmp_path / "my docs.jsonl").write_text('{"id": 1, "text": "words"}\n')
    for name, said in (
        ("empty.pocket", "it is empty (0 bytes); copy or download it again"),
        ("odd.pocket", "its first bytes are wrong; check the path, or copy or download it again"),
        (
            "my docs.jsonl",
            "if it is a collection, build an index first: pocketindex build 'my docs.jsonl' -o "
            "'my docs.pocket'",
        ),
    ):
        for arguments in (("info", name), ("check", name, "my docs.jsonl"), ("verify", name)):
            done = run(*arguments)
            assert (done.returncode, done.stderr) == (
                3,
                f"pocketindex: {name}: not a pocket file: {said}\n",
            )
    done = run("info", "none.pocket")
    assert (done.returncode, done.stderr.startswith("pocketindex: none.pocket: ")) == (2, True)


def test_a_disc_for_an_index(index: Path, tmp_path: Path, monkeypatch: object) -> None:
    assert isinstance(monkeypatch, pytest.MonkeyPatch)
    monkeypatch.chdir(tmp_path)
    assert run("disc", index, "OUT").returncode == 0
    (tmp_path / "draft.txt").write_text("words")
    for arguments in (("serve", "OUT"), ("query", "OUT", "draft.txt"), ("info", "OUT/")):
        done = run(*arguments)
        assert (done.returncode, done.stderr) == (
            2,
            "pocketindex: OUT is a disc; open OUT/index.html in a browser\n",
        )


def test_an_unknown_kind_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "odd.bin").write_bytes(bytes(range(256)))
    done = run("build", tmp_path / "odd.bin", "-o", tmp_path / "n.pocket")
    assert (done.returncode, len(done.stderr) - len(str(tmp_path)) < 200) == (2, True)


def test_what_is_not_read_in_a_folder_says_what_to_do(tmp_path: Path) -> None:
    for name in ("a.txt", "sheet.xlsx", "table.ods.gz", "crawl.arc", "photo.jpg"):
        (tmp_path / name).write_text("words")
    details = {skip.place.rpartition("/")[2]: skip.detail for skip in read(tmp_path)[1]}
    assert details == {
        "sheet.xlsx": "it is an Excel workbook; save the sheet as CSV",
        "table.ods.gz": "it is an OpenDocument spreadsheet; unpack it, then save the sheet as CSV",
        "crawl.arc": "it is an ARC file; convert it to WARC: warcio recompress "
        f"{tmp_path}/crawl.arc out.warc.gz",
        "photo.jpg": 'files of this kind are not read from a folder; format="text" reads all of '
        "its files as texts",
    }


def test_an_office_file_for_an_index_is_a_collection(tmp_path: Path) -> None:
    zipped(tmp_path / "a.docx", "[Content_Types].xml", "word/document.xml")
    done = run("info", tmp_path / "a.docx")
    remedy = "if it is a collection, build an index first: pocketindex build "
    assert (done.returncode, remedy in done.stderr) == (3, True)


def test_a_packed_database_is_unpacked_first(tmp_path: Path) -> None:
    make(tmp_path / "a.db", "a SQLite database")
    (tmp_path / "b.db.gz").write_bytes(gzip.compress((tmp_path / "a.db").read_bytes()))
    with pytest.raises(SourceError) as caught:
        read(tmp_path / "b.db.gz")
    said = "it is a SQLite database; unpack it, then export it: sqlite3 -json "
    assert caught.value.problem.startswith(f"{said}{tmp_path}/b.db 'select")
