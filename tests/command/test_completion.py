"""What shells complete and the manual page, which are given out as the parsers make them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from core_sources import script
from places import ROOT
from run_command import run

COMPLETED = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_shtab_pocketindex > /dev/null 2>&1
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["qu"], {"query"}),
        (["query", "docs.po"], {"docs.pocket"}),
        (["query", "docs.pocket", "d"], {"docs.pocket", "docs.jsonl", "draft.txt"}),
        (["query", "docs.pocket", "draft.txt", "--min"], {"--min-similarity"}),
        (["query", "docs.pocket", "--batch", "docs.j"], {"docs.jsonl"}),
        (["info", ""], {"docs.pocket", "all.pocket", "notes"}),
        (["titles", "d"], {"docs.pocket"}),
        (["titles", "draft"], {"draft.txt"}),
        (["build", "docs"], {"docs.pocket", "docs.jsonl"}),
        (["build", "docs.jsonl", "-o", "a"], {"all.pocket"}),
        (["build", "docs.jsonl", "--shape", ""], {"small", "balanced", "wide"}),
        (["build", "docs.jsonl", "--index", "documents,w"], {"documents,words"}),
        (["build", "docs.jsonl", "--profile", "le"], {"learn"}),
        (["build", "docs.jsonl", "--profile", "own"], {"own.profile"}),
        (["build", "docs.jsonl", "--format", "cs"], {"csv"}),
    ],
)
def test_bash_completes(words: list[str], expected: set[str], tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("there is no bash")
    for name in ("docs.pocket", "all.pocket", "docs.jsonl", "draft.txt", "own.profile"):
        (tmp_path / name).touch()
    (tmp_path / "notes").mkdir()
    completion = ROOT / "data" / "shell" / "pocketindex"
    done = subprocess.run(
        ["bash", "-c", COMPLETED, "bash", completion, "pocketindex", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert set(done.stdout.split("\n")) - {""} == expected


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_completion_is_that_of_the_parsers(shell: str) -> None:
    """`make man` makes it again."""
    made = script(ROOT / "data" / "make_completion.py")
    text = (made.FOLDER / made.FILES[shell]).read_text(encoding="utf-8")

    assert text == made.content(shell)
    assert run("--print-completion", shell).stdout == text


def test_the_manual_page_is_that_of_the_parsers() -> None:
    """`make man` makes it again."""
    text = (ROOT / "data" / "shell" / "pocketindex.1").read_text(encoding="utf-8")

    assert text == script(ROOT / "data" / "make_man.py").page()
