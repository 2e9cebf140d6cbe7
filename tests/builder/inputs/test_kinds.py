"""The table of kinds: what documents and help say follows from it, a missing package is named for
each, and no kind is known twice.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from places import ROOT
from pocketindex.builder.inputs.kinds import INPUTS, Input, by_begin
from pocketindex.builder.inputs.pages.wiki import wikitext
from pocketindex.builder.inputs.source import NeedsPackage
from pocketindex.kinds import BEGIN, KINDS, PACKED
from reading import read
from run_command import run


def row(kind: Input) -> str:
    names = " ".join(f"`{end}`" for end in kind.suffixes)
    needs = re.sub(r"^\S+", r"`\g<0>`", kind.needs)
    return f"| `{kind.name}` | {names} | {kind.about} | {needs} |\n"


def test_the_page_of_inputs_has_the_table() -> None:
    table = "| format | names | what becomes a document | needs |\n|---|---|---|---|\n"
    table += "".join(map(row, INPUTS.values()))

    assert f"\n\n{table}\n" in (ROOT / "docs/inputs.md").read_text(), f"it should have:\n{table}"


def test_the_help_says_what_is_read_and_what_it_needs() -> None:
    said = " ".join(run("build", "--help-all").stdout.split())

    for name, kind in INPUTS.items():
        assert f"{name} {'; '.join(filter(None, (kind.about, kind.needs)))}" in said


def test_a_name_tells_one_kind() -> None:
    suffixes = Counter(end for kind in INPUTS.values() for end in kind.suffixes)
    suffixes.update(end for unread in KINDS for end in unread.suffixes)
    types = Counter(type for kind in INPUTS.values() for type in kind.media_types)

    assert {
        end for end, count in (suffixes + Counter(PACKED.keys()) + types).items() if count > 1
    } == set()
    assert all(re.fullmatch(r"\.[a-z0-9]+", end) for end in suffixes)


def test_the_parts_that_a_wiki_can_drop_are_those_of_its_reader() -> None:
    assert INPUTS["mediawiki"].drops == tuple(wikitext.DROPS)


@pytest.mark.parametrize(
    ("name", "package"),
    [(name, package) for name, kind in INPUTS.items() for package in kind.packages],
)
def test_a_package_that_is_missing_is_named(
    name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = INPUTS[name]
    source = tmp_path / f"a{kind.suffixes[0]}"
    source.write_text("words")
    monkeypatch.setitem(sys.modules, package, None)

    for place in (source, tmp_path) if kind.in_folder else (source,):
        with pytest.raises(NeedsPackage, match=re.escape(f"'pocketindex[{kind.extra}]'")):
            read(place)
    extras = (ROOT / "pyproject.toml").read_text().partition("[project.optional-dependencies]")[2]
    assert re.search(rf"^{kind.extra} = \[", extras, re.MULTILINE)


# What functions of the builder need whatever is read: what archives and files share, and records.
SHARED = {
    *("archives", "archives.archive", "pages", "pages.first_bytes", "pages.single"),
    *("rows", "rows.arrow", "rows.arrow_batches", "rows.jsonl", "rows.records"),
    *("rows.record_batches", "rows.sharing"),
}


@pytest.mark.parametrize(
    ("asked", "loaded"),
    [
        ("import pocketindex", set[str]()),
        ("import pocketindex.builder", SHARED),
        (
            "import pocketindex.cli; pocketindex.cli.main(['query', *sys.argv[1:]])",
            SHARED | {"pages.broken_words", "pages.text"},
        ),
    ],
    ids=["import", "builder", "query of a text"],
)
def test_what_reads_other_kinds_is_not_loaded(asked: str, loaded: set[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("some words of a text")
    program = f"import sys; {asked}; print(*sys.modules)"
    golden = ROOT / "tests/golden/text.pocket"
    done = subprocess.run(
        [sys.executable, "-c", program, golden, tmp_path / "a.txt"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    modules = done.stdout.splitlines()[-1].split()
    inputs = "pocketindex.builder.inputs."
    rooms = tuple(inputs + room for room in ("pages", "rows", "archives", "folder"))
    found = {name.removeprefix(inputs) for name in modules if name.startswith(rooms)}

    assert "pocketindex" in modules
    assert found <= loaded
    libraries = {"email", "tarfile", "zipfile", "lxml", "pyarrow", "resiliparse", "markdown_it"}
    assert not libraries & set(modules)


def test_a_kind_that_is_unknown_gets_one_sentence_without_a_list(tmp_path: Path) -> None:
    (tmp_path / "odd.bin").write_bytes(bytes(range(256)))
    (tmp_path / "a.txt").write_text("words")
    for arguments, said in (
        (["odd.bin"], "odd.bin: its name and its first bytes do not tell its format; name it with"),
        (
            ["a.txt", "--format", "word"],
            "there is no format 'word'; see `pocketindex build --help`",
        ),
    ):
        source, *more = arguments
        done = run("build", tmp_path / source, *more, "-o", tmp_path / "n.pocket")
        assert done.returncode == 2
        assert said in done.stderr
        assert sum(name in done.stderr for name in INPUTS if name != "word") < 3


@pytest.mark.parametrize(
    "unit", [b" ", b"\n", b"<", b"<!--", b"<?xml ", b"[", b"PK\x03\x04", b"From a\n"]
)
def test_first_bytes_tell_a_kind_in_time(unit: bytes) -> None:
    """An expression in proportion to the square takes seconds."""
    began = time.process_time()
    by_begin(unit * (BEGIN // len(unit)))
    assert time.process_time() - began < 1
