"""A query document is read as a build reads it, whatever its format."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from made_pdf import made_pdf
from made_up import made_up
from pocketindex.builder import build
from pocketindex.builder.inputs.one_text import text_of
from pocketindex.builder.inputs.source import SourceError
from pocketindex.cli import main

TEXT = made_up(1)[0]["text"]
PAGE = (
    f"<!DOCTYPE html><title>t</title><style>p {{}}</style><body><p class='markup of the "
    f"page'>{TEXT}</p>"
)


class Stdin:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.html", PAGE.encode()),
        ("page", PAGE.encode()),
        ("notes.md", f"# A heading\n\n{TEXT}".encode()),
        ("draft.txt", TEXT.encode("utf-16")),
        ("draft.rst", b"\xef\xbb\xbf" + TEXT.encode()),
        ("draft.pdf", made_pdf([TEXT[:60]])),
        ("one.jsonl", json.dumps({"text": TEXT}).encode()),
        ("one.jsonl.gz", gzip.compress(json.dumps({"text": TEXT}).encode())),
        ("one.csv", f"id;text\n1;{TEXT}\n".encode()),
    ],
)
def test_the_text_is_that_of_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    text = text_of(str(path)).decode()

    assert TEXT[:60] in text
    assert "markup" not in text
    assert "\ufffd" not in text
    if name in ("page", "page.html", "draft.pdf", "draft.txt"):
        monkeypatch.setattr("sys.stdin", Stdin(content))
        assert text_of("-", None if name != "draft.txt" else "text").decode() == text
    if name == "one.csv":
        monkeypatch.setattr("sys.stdin", Stdin(content))
        assert text_of("-", "csv").decode() == text


def test_a_page_finds_its_own_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it is built from the page, byte for byte."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for i, document in enumerate(made_up(4)):
        (folder / f"{i}.html").write_text(PAGE.replace(TEXT, document["text"]), encoding="utf-8")
    build(str(folder), tmp_path / "x.pocket")

    assert (
        main(["query", str(tmp_path / "x.pocket"), str(folder / "2.html"), "--json", "--top", "1"])
        == 0
    )
    hit = json.loads(capsys.readouterr().out)
    assert (hit["id"], hit["similarity"]) == ("2.html", 1.0)


def test_another_encoding_is_said_or_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes("Ein Café".encode("latin-1"))

    assert text_of(str(path)).decode() == "Ein Caf\ufffd"
    assert capsys.readouterr().err == (
        f"pocketindex: {path}: expected UTF-8, byte 8 is 0xe9: U+FFFD stands for what cannot be "
        'read; name the encoding, such as encoding="cp1252"\n'
    )
    assert text_of(str(path), encoding="latin-1").decode() == "Ein Café"
    assert capsys.readouterr().err == ""


def test_what_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        text_of(str(tmp_path / "nothing"))
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(
        SourceError, match="there is no document in it; give a document with a text"
    ):
        text_of(str(tmp_path / "empty.jsonl"))
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(SourceError, match="there is no format 'word'; `pocketindex"):
        text_of(str(tmp_path / "a.txt"), "word")


def test_a_fingerprint_is_of_the_text_of_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "page.txt").write_text(text_of(str(tmp_path / "page.html")).decode())
    assert main(["fingerprint", str(tmp_path / "page.html"), str(tmp_path / "page.txt")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split()[0] == second.split()[0]
