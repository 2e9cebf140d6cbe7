"""What a command loads: asking an index with plain text needs neither the builder nor numpy, and
the text is the one that the builder would have read.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import made_up
from pocketindex.builder import inputs
from pocketindex.builder.inputs import INPUTS
from pocketindex.builder.inputs.one_text import text_of
from pocketindex.given import plain_text
from pocketindex.kinds import KINDS

LOADED = """
import sys
from pocketindex.cli import main
code = main(sys.argv[1:])
loaded = [name for name in sys.modules if name.startswith(("pocketindex", "numpy"))]
print(code, *loaded, file=sys.stderr)
"""


def loaded(*arguments: str | Path, stdin: bytes = b"") -> list[str]:
    """Run the command; return the modules of ours and of numpy that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *map(str, arguments)], input=stdin, capture_output=True
    )
    code, *modules = done.stderr.decode().splitlines()[-1].split()
    assert code == "0", done.stderr.decode()
    return modules


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An index with everything in it, and a text."""
    folder = tmp_path_factory.mktemp("loaded")
    index, text = folder / "all.pocket", folder / "draft.txt"
    documents = made_up(60)
    pocketindex.build(
        documents, index, index=("documents", "passages", "words"), titles=True, progress=False
    )
    text.write_text(documents[11]["text"], encoding="utf-8")
    return index, text


@pytest.mark.parametrize(
    "command", ["query", "sources", "info", "search", "get", "titles", "verify"]
)
def test_a_command_that_asks_loads_nothing_of_the_builder(
    files: tuple[Path, Path], command: str
) -> None:
    index, text = files
    more: dict[str, list[str | Path]] = {
        "query": [text, "--top", "3", "--json"],
        "sources": [text, "--csv"],
        "search": ["Document"],
        "get": ["doc-4"],
        "titles": ["Document"],
    }
    modules = loaded(command, index, *more.get(command, []))

    assert "pocketindex.commands" in modules
    assert [name for name in modules if name.startswith(("pocketindex.builder", "numpy"))] == []
    assert len(modules) <= 56


def test_plain_text_of_standard_input_loads_nothing_of_the_builder(
    files: tuple[Path, Path],
) -> None:
    index, text = files
    modules = loaded("query", index, "-", stdin=text.read_bytes())

    assert [name for name in modules if name.startswith("pocketindex.builder")] == []


def test_a_page_loads_the_builder(files: tuple[Path, Path], tmp_path: Path) -> None:
    index, text = files
    page = tmp_path / "page.html"
    page.write_text(f"<html><p>{text.read_text()}")

    assert "pocketindex.builder.inputs" in loaded("query", index, page)
    assert "pocketindex.builder.inputs" in loaded("query", index, "-", stdin=page.read_bytes())
    assert "pocketindex.builder.inputs" in loaded("query", index, text, "--format", "text")


@pytest.mark.parametrize("package", [pocketindex, inputs], ids=["pocketindex", "inputs"])
def test_each_name_of_a_package_is_there_when_it_is_asked_for(package: ModuleType) -> None:
    assert all(hasattr(package, name) for name in package.__all__ if name != "spark")
    assert not hasattr(package, "nothing")


BEGINS = [
    *(b"", b" ", b"\n", b"\xef\xbb\xbf", b"\xff\xfe", b"<html>", b"<mediawiki ", b"{\\rtf1 "),
    *(b'{"text": "', b'[{"text": "', b"%PDF-1.4\n", b"WARC/1.0\r\n", b"warc/1.0\r\n", b"PAR1"),
    *(b"ARROW1", b"From a@b.c Thu\nSubject: x\n", b"PK\x03\x04", b"ZIM\x04", b"BZh9", b"\x1f\x8b"),
    *(b"a" * 257 + b"ustar", b"---\ntitle: a\n---\n", b"# heading\n", b"SQLite format 3\0"),
    b"filedesc://x",
]  # fmt: skip


@given(
    begin=st.sampled_from(BEGINS),
    text=st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")),
        st.text("ab-\n \u00ad\r\t\f.<\0é", max_size=60).map(str.encode),
    ),
    suffix=st.sampled_from([".txt", ".TEXT", "", ".log", ".md", ".html", ".jsonl", ".csv"]),
)
def test_plain_text_is_the_text_that_the_inputs_give(
    tmp_path_factory: pytest.TempPathFactory, begin: bytes, text: bytes, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"a{suffix}"
    path.write_bytes(begin + text)
    found = plain_text(str(path))

    assert found is None or found == text_of(str(path))


def test_what_begins_as_another_format_is_not_plain_text(tmp_path: Path) -> None:
    """BEGINS has each beginning by which a format is known, but for those of binary formats."""
    for begin in BEGINS:
        path = tmp_path / "a"
        path.write_bytes(begin + b" and more")
        known = [
            *(kind.magic for kind in INPUTS.values()),
            *(kind.begin for kind in KINDS),
        ]
        if any(one and one.match(begin + b" and more") for one in known):
            assert plain_text(str(path)) is None, begin
    assert plain_text(str(tmp_path / "none")) is None
    path.write_bytes(b"Only words.")
    assert plain_text(str(path)) == b"Only words."
    assert re.match(rb"[\w ]+", b"Only words.")
