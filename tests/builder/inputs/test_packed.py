"""A packed file is read as what is in it, whatever its kind, wherever it is."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pocketindex
import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from archived import tarred, zipped
from made_epub import made_epub
from made_office import made_docx, made_odf, made_pptx, paragraph, shape
from made_pdf import made_pdf
from made_warc import http, warc
from pocketindex.builder.inputs import INPUTS, find_all
from pocketindex.builder.inputs.kinds import by_name
from pocketindex.builder.inputs.opening import stream
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read
from run_command import run

WORDS = "The quick lantern burned beside the harbour."
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}


def rows() -> bytes:
    made = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"id": ["a"], "text": [WORDS]}), made)
    return made.getvalue()


MAIL = f"From: Ada <ada@example.org>\nSubject: Lantern\n\n{WORDS}\n".encode()
FILES = {
    "a.jsonl": json.dumps({"id": "a", "text": WORDS}).encode(),
    "a.csv": f"id,text\na,{WORDS}\n".encode(),
    "a.tsv": f"id\ttext\na\t{WORDS}\n".encode(),
    "a.parquet": rows(),
    "a.md": f"# Lantern\n\n{WORDS}\n".encode(),
    "a.html": f"<!DOCTYPE html><title>Lantern</title><p>{WORDS}".encode(),
    "a.epub": made_epub({"a.xhtml": f"<p>{WORDS}</p>"}, ["a.xhtml"]),
    "a.pdf": made_pdf([WORDS]),
    "a.docx": made_docx(paragraph(WORDS)),
    "a.pptx": made_pptx([shape(WORDS)]),
    "a.odt": made_odf(f"<text:p>{WORDS}</text:p>"),
    "a.rtf": rf"{{\rtf1 {WORDS}}}".encode(),
    "a.eml": MAIL,
    "a.mbox": b"From ada@example.org Thu Jan  1 00:00:00 1970\n" + MAIL,
    "a.tar": tarred({"b.txt": WORDS.encode()}),
    "a.zip": zipped({"b.txt": WORDS.encode()}),
    "a.warc": warc(http(f"<p>{WORDS}</p>".encode())),
    "a.xml": (
        "<mediawiki><siteinfo/><page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id>"
        f"<text>{WORDS}</text></revision></page></mediawiki>"
    ).encode(),
}
# A text without marks is one in every kind of markup.
FILES |= {
    f"a{kind.suffixes[0]}": WORDS.encode()
    for kind in INPUTS.values()
    if kind.one and kind.is_text and kind.name not in ("html", "mail", "markdown")
}


def texts(source: Path) -> list[str]:
    documents, skips = read(source)
    assert [one for one in brief(skips) if one[1] != "navigation"] == []
    return [one.text for one in documents]


def test_every_kind_but_two_is_tried() -> None:
    assert {kind.name for name in FILES if (kind := by_name(name))} == {*INPUTS} - {"folder", "zim"}


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("name", FILES)
def test_a_packed_source(name: str, suffix: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    packed = PACK[suffix](FILES[name])
    for packed_name in (name + suffix, name + suffix.upper(), f"packed-{name}"):
        (tmp_path / packed_name).write_bytes(packed)
        whole = texts(tmp_path / name)
        assert texts(tmp_path / packed_name) == whole
        assert WORDS in " ".join(whole[0].split())


NAMED = {name for name in FILES if (kind := by_name(name)) and not kind.magic}


@pytest.mark.parametrize("name", sorted({*FILES} - NAMED))
def test_a_packed_source_without_a_name_is_told_by_its_content(name: str, tmp_path: Path) -> None:
    (tmp_path / "unnamed").write_bytes(gzip.compress(FILES[name]))
    ((_, kind),) = find_all([str(tmp_path / "unnamed")])
    known = by_name(name)
    assert known
    assert kind.name == known.name


def test_packed_files_of_a_folder_and_of_archives(tmp_path: Path) -> None:
    given = {name: content for name, content in FILES.items() if INPUTS[kind_of(name)].in_folder}
    packed = {
        f"{kind_of(name)}{number}{name[1:]}{suffix}": PACK[suffix](content)
        for number, (name, content) in enumerate(given.items())
        for suffix in PACK
    }
    (tmp_path / "folder").mkdir()
    for name, content in packed.items():
        (tmp_path / "folder" / name).write_bytes(content)
    found = texts(tmp_path / "folder")
    assert len(found) == len(packed)
    assert all(WORDS in " ".join(text.split()) for text in found)
    ones = {name: content for name, content in packed.items() if INPUTS[kind_of(name)].one}
    assert len(ones) == len(packed) - 3 * len(PACK)
    for name, archive in (("a.zip", zipped(ones)), ("a.tar", tarred(ones))):
        (tmp_path / name).write_bytes(archive)
        assert sorted(texts(tmp_path / name)) == sorted(
            text for text, file in zip(found, sorted(packed), strict=True) if file in ones
        )


def kind_of(name: str) -> str:
    kind = by_name(name)
    assert kind
    return kind.name


@pytest.mark.parametrize("name", ["a.docx", "a.zip", "a.parquet"])
def test_packed_standard_input(name: str, tmp_path: Path) -> None:
    target, packed = tmp_path / "x.pocket", gzip.compress(FILES[name])
    done = run("build", "-", "-o", target, "--keep", "text", stdin=packed)
    assert done.returncode == 0, done.stderr
    with pocketindex.open(target) as index:
        assert (index.text(0) or "").strip() == WORDS


@pytest.mark.parametrize("name", ["a.zip", "a.parquet"])
def test_a_bomb_is_not_unpacked_to_its_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "_BOMB_BYTES", 1 << 20)
    (tmp_path / f"{name}.xz").write_bytes(lzma.compress(bytes(1 << 24), preset=0))
    with pytest.raises(SourceError, match="which is taken for a decompression bomb"):
        read(tmp_path / f"{name}.xz")


def test_a_bomb_in_a_folder_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "_BOMB_BYTES", 1 << 20)
    for name in ("a.docx.xz", "a.zip.xz"):
        (tmp_path / name).write_bytes(lzma.compress(bytes(1 << 24), preset=0))
    (tmp_path / "b.txt").write_text(WORDS)
    documents, skips = read(tmp_path)
    assert [one.id for one in documents] == ["b.txt"]
    assert brief(skips) == [("a.docx.xz", "unreadable"), ("a.zip.xz", "unreadable")]


def test_a_packed_zim_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.zim.gz"
    path.write_bytes(gzip.compress(b"ZIM\x04"))
    with pytest.raises(SourceError) as caught:
        read(path)
    assert caught.value.problem == (
        "it is a ZIM file that is compressed with gzip, and is read at many places; unpack it "
        f"first: gunzip {path}"
    )


@pytest.mark.parametrize("name", ["a.xlsx.gz", "unnamed"])
def test_what_is_not_read_is_not_read_packed(name: str, tmp_path: Path) -> None:
    content = zipped({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"})
    (tmp_path / name).write_bytes(gzip.compress(content))
    with pytest.raises(
        SourceError, match=r"it is an Excel workbook; (unpack it, then )?save the sheet"
    ):
        read(tmp_path / name)
