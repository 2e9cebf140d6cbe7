"""Documents from JSON Lines and folders; bad records are skipped with place and
reason.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs import find
from pocketindex.builder.inputs.source import SourceError


def read(source: str | Path, format: str | None = None) -> tuple[list[Document], list[Skip]]:
    skips: list[Any] = []
    return list(find(str(source), format).documents(str(source), skips.append)), skips


def write(path: Path, *lines: object) -> Path:
    path.write_text(
        "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    )
    return path


GOOD = {"id": "a", "title": "A", "text": "some words", "url": "https://example.org/a", "lang": "en"}


def test_a_line_is_a_document(tmp_path: Path) -> None:
    documents, skips = read(write(tmp_path / "d.jsonl", GOOD, "", {"id": 7, "text": "more"}))

    assert documents == [
        Document("a", "A", "some words", "https://example.org/a", "en"),
        Document("7", "7", "more"),
    ]
    assert skips == []


def test_bad_lines_are_skipped_with_place_and_reason(tmp_path: Path) -> None:
    path = write(
        tmp_path / "d.jsonl",
        "{not json",
        "[1]",
        {"text": "x"},
        {"id": "b"},
        {"id": "c", "text": [5]},
        {"id": "d", "text": " "},
        GOOD,
    )
    documents, skips = read(path)

    assert [d.id for d in documents] == ["#3", "a"]
    assert [(s.place.rsplit("/", 1)[-1], s.reason) for s in skips] == [
        ("d.jsonl:1", "bad line"),
        ("d.jsonl:2", "bad line"),
        ("d.jsonl", "numbered"),
        ("d.jsonl:4", "no text"),
        ("d.jsonl:5", "bad line"),
        ("d.jsonl:6", "empty"),
    ]
    assert all(s.detail for s in skips)


def test_compressed_lines_by_their_first_bytes(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="needs zstandard")
    plain = (json.dumps(GOOD) + "\n").encode()
    for name, data in (
        ("d.jsonl.gz", gzip.compress(plain)),
        ("d.jsonl.zst", zstandard.compress(plain)),
        ("d.jsonl", gzip.compress(plain)),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        assert [d.id for d in read(path)[0]] == ["a"]


def test_a_truncated_archive_is_named(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"id": i, "text": os.urandom(60).hex()}) + "\n" for i in range(2000)
    ).encode()
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(lines)[:-5000])
    documents = []
    with pytest.raises(SourceError, match=r"cut\.jsonl\.gz: "):
        for document in find(str(path)).documents(str(path), lambda skip: None):
            documents.append(document)

    assert len(documents) > 500


def test_without_zstandard_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "d.jsonl.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd1234")
    with pytest.raises(SourceError, match=re.escape("pip install 'pocketindex[zst]'")):
        read(path)


def test_byte_order_mark_bad_utf8_and_lone_surrogates(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b'\n{"id": "x", "text": "\\ud800 words"}\n'
    )
    documents, _ = read(path)

    assert [d.id for d in documents] == ["a", "x"]
    assert documents[1].text == "\ufffd words"


def test_fields_too_long() -> None:
    assert len(Document("a", "ä" * 5000, "text").title.encode()) == 8192
    with pytest.raises(Unfit, match=r"too long: the id has 1,025 bytes, expected at most 1,024"):
        Document("i" * 1025, "", "text")


def test_sources_that_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(
        SourceError,
        match=r"nothing: there is no such file or folder; check the path \(`pocketindex build "
        r"--help` says what else",
    ):
        find(str(tmp_path / "nothing"))
    odd = tmp_path / "odd.bin"
    odd.write_bytes(b"\0\1\2")
    with pytest.raises(
        SourceError,
        match=r"odd\.bin: its name and its first bytes do not tell its format; name it with "
        r"format \(`pocketindex build --help-all` lists what is read\)$",
    ):
        find(str(odd))
    with pytest.raises(SourceError, match="there is no format 'xml'"):
        find(str(odd), "xml")


def test_a_folder_in_the_order_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "no.txt").write_text("hidden")
    (tmp_path / "b.txt").write_text("plain words")
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    (tmp_path / "sub" / "a.md").write_text(
        "---\nfront: matter\n---\n# The *title*\n\nA [link](https://example.org/x) and `code`.\n"
    )
    (tmp_path / "sub" / "deep" / "c.txt").write_bytes("Übung".encode("utf-16"))
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    documents, skips = read(tmp_path)

    assert [d.id for d in documents] == ["b.txt", "sub/a.md", "sub/deep/c.txt"]
    assert documents[1].title == "The title"
    assert "example.org" not in documents[1].text
    assert "link" in documents[1].text
    assert documents[2].text == "Übung"
    assert [(Path(s.place).name, s.reason) for s in skips] == [
        ("loop", "link"),
        ("image.png", "other kind: .png"),
    ]
    assert skips[0].detail == "it leads to a folder that was read as '.'"


def test_an_empty_file_is_counted(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")

    assert [(s.place.rsplit("/", 1)[-1], s.reason) for s in read(tmp_path)[1]] == [
        ("empty.txt", "empty")
    ]
