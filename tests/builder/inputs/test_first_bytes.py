"""Files whose names say something else than their content, and texts that are none."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from archived import tarred, zipped
from hypothesis import given
from hypothesis import strategies as st
from made_pdf import made_pdf
from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs import Options, find_all
from pocketindex.builder.inputs.opening.encoding import guessed
from pocketindex.builder.inputs.options import DEFAULTS
from pocketindex.builder.inputs.pages import first_bytes

WORDS = "The quick lantern burned beside the harbour while sailors counted barrels."
PAGE = f"<!DOCTYPE html><html><head><title>Lantern</title></head><body><p>{WORDS}</p></body></html>"
RTF = rf"{{\rtf1\ansi {WORDS}}}"


def read(
    folder: Path, name: str, content: bytes, options: Options = DEFAULTS
) -> tuple[list[Document], list[Skip | Notice]]:
    """What a file of this name in a folder becomes, and what is said of it."""
    (folder / name).write_bytes(content)
    skips = list[Skip | Notice]()
    ((path, kind),) = find_all([str(folder / name)], options)
    return list(kind.documents(path, skips.append)), skips


@pytest.mark.parametrize(
    "name",
    ["a.txt", "a.md", "a.html", "a.txt.gz", "a.eml", "a.docx", "a.pptx.xz", "a.epub", "a.doc"],
)
@pytest.mark.parametrize("content", [made_pdf([WORDS]), RTF.encode()], ids=["pdf", "rtf"])
def test_first_bytes_tell_a_kind_under_another_name(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (found,), skips = read(tmp_path, name, content)
    assert found.text.split() == WORDS.split()
    assert not skips


@pytest.mark.parametrize("name", ["a.pdf", "a.doc", "a.docx", "a.epub", "a.rtf"])
def test_a_page_may_be_named_as_what_it_was_to_be(tmp_path: Path, name: str) -> None:
    (found,), skips = read(tmp_path, name, PAGE.encode())
    assert (found.title, found.text.strip()) == ("Lantern", WORDS)
    assert [skip.reason for skip in skips] == ["navigation"]  # how many words were left out: none


def test_the_source_of_a_page_is_a_text_where_it_is_named_so(tmp_path: Path) -> None:
    (found,), _ = read(tmp_path, "a.txt", PAGE.encode())
    assert found.text == PAGE


def test_a_format_outranks_the_first_bytes(tmp_path: Path) -> None:
    (found,), _ = read(tmp_path, "a.txt", RTF.encode(), Options(format="text"))
    assert found.text == RTF


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
@pytest.mark.parametrize(
    "content",
    [
        random.Random(1).randbytes(3000),
        bytes(range(256)) * 4,
        b"\0" * 700,
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.Random(2).randbytes(300),
        zipped({"a": WORDS * 50}),
        gzip.compress(gzip.compress(random.Random(3).randbytes(900))),
        gzip.compress(tarred({"a.txt": WORDS.encode()})),
    ],
    ids=["random", "all bytes", "zeros", "png", "zip", "packed twice", "tar.gz"],
)
def test_binary_data_is_left_out_with_a_reason(tmp_path: Path, name: str, content: bytes) -> None:
    documents, (skip,) = read(tmp_path, name, content)
    assert not documents
    assert skip.reason == "unreadable"
    assert "binary data" in skip.detail or "an archive" in skip.detail


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_characters_without_a_mark_are_a_guess(
    tmp_path: Path, name: str, encoding: str
) -> None:
    (found,), (notice,) = read(tmp_path, name, WORDS.encode(encoding))
    assert found.text.strip() == WORDS
    assert notice.reason == "wrong encoding"
    assert f"{encoding.upper()} is a guess" in notice.detail


def test_utf_16_that_few_zero_bytes_tell_is_never_silent(tmp_path: Path) -> None:
    text = "Фонарь горел всю ночь, пока матросы считали бочки у тёмной воды."
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        (found,), (notice,) = read(tmp_path, "a.txt", text.encode(encoding))
        assert found.text == text
        assert f"{encoding.upper()} is a guess" in notice.detail
    without = "".join(filter(str.isalpha, text))
    documents, (skip,) = read(tmp_path, "a.txt", without.encode("utf-16-le"))
    assert not documents
    assert "name its encoding, such as" in skip.detail
    (found,), skips = read(
        tmp_path, "a.txt", text.encode("utf-16-le"), Options(encoding="utf-16-le")
    )
    assert (found.text, skips) == (text, [])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_tell_the_encoding(tmp_path: Path, encoding: str) -> None:
    (found,), skips = read(tmp_path, "a.txt", WORDS.encode(encoding))
    assert (found.text, skips) == (WORDS, [])
    (found,), (counted,) = read(tmp_path, "a.html", f"<p>{WORDS}</p>".encode(encoding))
    assert (found.text.strip(), counted.reason) == (WORDS, "navigation")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_page_of_wide_characters_without_a_mark(tmp_path: Path, encoding: str) -> None:
    (found,), (counted,) = read(tmp_path, "a.html", f"<p>{WORDS}</p>".encode(encoding))
    assert (found.text.strip(), counted.reason) == (WORDS, "navigation")


def test_a_text_may_have_some_control_characters(tmp_path: Path) -> None:
    for text in (f"a\0b {WORDS}", f"\x1b[1m{WORDS}\x1b[0m", f"{WORDS}\f{WORDS}", f"{WORDS}\x1a"):
        (found,), skips = read(tmp_path, "a.txt", text.encode())
        assert (found.text, skips) == (text, [])
    (found,), _ = read(tmp_path, "a.txt", WORDS.encode().ljust(4096, b"\0"))
    assert found.text.startswith(WORDS)
    (found,), _ = read(tmp_path, "a.txt", b"\0" * 70_000 + WORDS.encode())
    assert found.text.endswith(WORDS)


@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.pdf", "a.epub", "a.docx", "a.rtf"])
def test_an_empty_file_is_called_so(tmp_path: Path, name: str) -> None:
    documents, (skip,) = read(tmp_path, name, b"")
    assert (documents, skip.reason, skip.detail) == ([], "empty", "the file is empty")


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_what_has_no_control_characters_is_a_text(text: str) -> None:
    first_bytes.check_text(text)
    assert not guessed(text.encode())


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_only_control_characters_make_binary_data(text: str) -> None:
    try:
        first_bytes.check_text(text)
    except Unfit:
        assert any(ord(char) < 32 for char in text)
