"""HTML files, and those of other kinds: alone, in a folder, damaged, in wrong encodings, without their libraries."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from made_pdf import made_pdf
from pocketindex.builder.document import Document
from pocketindex.builder.inputs import find
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read

PAGE = """<!DOCTYPE html><html lang=de-AT><head><meta charset=utf-8><title>
 Der  Titel</title><style>p { color: red }</style></head>
<body><nav><a href=/>Startseite</a></nav><main><h1>Überschrift</h1><p>Der Text &amp; mehr.<script>let x = 1</script></main></body></html>"""


def test_a_folder_with_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "b.HTM").write_bytes(b"<p>untitled")
    (tmp_path / "c.pdf").write_bytes(made_pdf(["words"]))
    (tmp_path / "d.md").write_text("# T\nwords")
    documents, skips = read(tmp_path)

    assert [(d.id, d.title, d.lang) for d in documents] == [
        ("a.html", "Der Titel", "de-AT"),
        ("b.HTM", "b", ""),
        ("c.pdf", "c", ""),
        ("d.md", "T", ""),
    ]
    assert brief(skips) == [("a.html", "navigation")]


def test_a_folder_of_other_things(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / ".hidden.txt").write_text("hidden")
    assert read(tmp_path) == ([], [])
    (tmp_path / "data" / "docs.jsonl").write_text("{}")
    (tmp_path / "photo.jpg").write_bytes(b"")
    expected = (
        f"{tmp_path}: none of its 2 files ('data/docs.jsonl' ...) is of a kind that a folder "
    )
    expected += "gives; "
    pattern = tmp_path / "**" / "*.jsonl"
    remedy = f"read such files with: pocketindex build '{pattern}'"
    with pytest.raises(SourceError, match=re.escape(expected + remedy)):
        read(tmp_path)
    (tmp_path / "data" / "docs.jsonl").unlink()
    remedy = 'format="text" reads all of them as texts'
    with pytest.raises(SourceError, match=re.escape(remedy)):
        read(tmp_path)


def test_files_without_suffix_by_their_first_bytes_or_format(tmp_path: Path) -> None:
    (tmp_path / "page").write_text(PAGE, encoding="utf-8")
    (tmp_path / "paper").write_bytes(made_pdf(["words"], "T"))
    (tmp_path / "note").write_text("# H\nwords")

    assert read(tmp_path / "page")[0][0].title == "Der Titel"
    assert read(tmp_path / "paper")[0] == [Document("paper", "T", "words")]
    assert read(tmp_path / "note", "markdown")[0] == [Document("note", "H", "\u2005H\nwords")]
    assert read(tmp_path / "note", "text")[0] == [Document("note", "note", "# H\nwords")]
    assert brief(read(tmp_path / "note", "pdf")[1]) == [("note", "unreadable")]
    with pytest.raises(SourceError, match="name it with format"):
        find(str(tmp_path / "note"))


@pytest.mark.parametrize(
    ("package", "name", "extra"),
    [
        ("resiliparse.parse.html", "a.html", "html"),
        ("resiliparse.parse.html", "a.epub", "html"),
        ("pypdfium2", "a.pdf", "pdf"),
    ],
)
def test_a_missing_package_is_named_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / "0.txt").write_text("words")
    (tmp_path / name).write_bytes(b"%PDF-1.4")
    for source, format in ((tmp_path, None), (tmp_path / name, extra)):
        with pytest.raises(
            SourceError, match=re.escape(f"pip install 'pocketindex[{extra}]'")
        ) as caught:
            read(source, format)
        assert caught.value.source == str(source)
