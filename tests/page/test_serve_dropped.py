"""`pocketindex serve` reads files by the readers of a build; what it refuses, it says why."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from made_office import made_docx, paragraph
from made_pdf import made_pdf
from made_up import made_up
from pages import served
from pocketindex.builder.inputs.one_text import text_of

TEXT = made_up(9)[4]["text"]
SHIPS = "A harbour is a place for ships."


@pytest.fixture(scope="module")
def url(pocket: Path) -> Iterator[str]:
    with served(pocket) as url:
        yield url


def post(url: str, name: str, content: bytes) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(f"{url}api/text?name={quote(name)}", content)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


@pytest.mark.parametrize(
    ("name", "content", "package"),
    [
        ("essay.docx", made_docx(paragraph(TEXT) + paragraph("The end.")), "lxml"),
        ("essay.pdf", made_pdf([SHIPS, "A second page."]), "pypdfium2"),
        ("essay.md", f"# Head\n\n{TEXT}".encode(), "markdown_it"),
        ("essay.html", f"<nav>Home</nav><h1>Head</h1><p>{TEXT}".encode(), "resiliparse"),
        ("letter.rtf", rb"{\rtf1\ansi A letter.\par With two lines.}", ""),
        ("notes", TEXT.encode(), ""),
    ],
)
def test_a_file_is_the_text_that_a_build_reads(
    name: str, content: bytes, package: str, url: str, tmp_path: Path
) -> None:
    if package:
        pytest.importorskip(package)
    (tmp_path / name).write_bytes(content)
    status, said = post(url, name, content)
    assert (status, said.get("notes")) == (200, []), said
    assert said["text"].encode() == text_of(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("cut.docx", made_docx(paragraph(TEXT))[:200], "unreadable"),
        ("two.jsonl", b'{"text": "one"}\n{"text": "two"}\n', "expected one document, found more"),
        ("empty.txt", b"", "the file is empty"),
        ("noise", b"\x00\x01" * 99, "unreadable"),
    ],
)
def test_what_is_refused_is_said_with_the_reason(
    name: str, content: bytes, reason: str, url: str
) -> None:
    status, said = post(url, name, content)
    assert status == 422, said
    assert reason in said["error"]
    assert "/tmp" not in said["error"]
    assert "--" not in said["error"]


def test_a_name_leads_nowhere(url: str) -> None:
    for name in ("../../etc/passwd", "/etc/passwd", "a\0b", "-", "http://example.org/a.txt", ""):
        status, said = post(url, name, TEXT.encode())
        assert (status, said.get("text")) == (200, TEXT), name


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(url: str) -> None:
    status, said = post(url, "a.txt", bytes((16 << 20) + 1))
    assert status == 413
    assert "expected at most 16777216 bytes" in said["error"]
