"""The help of the command: short for newcomers, whole on demand, for shells and for man."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from core_sources import script
from places import ROOT
from pocketindex.cli import VERBS, Parser, command
from test_cli import run

MANY = ("build", "pairs", "profile")


@pytest.mark.parametrize("verb", MANY)
def test_the_help_of_a_verb_with_many_options_fits_a_screen(verb: str) -> None:
    short = run(verb, "--help").stdout
    whole = run(verb, "--help-all").stdout

    assert len(short.splitlines()) <= 45
    assert "--help-all" in short
    assert "--encoding" not in short
    assert "--encoding" in whole
    assert "--components" in whole or verb == "pairs"


def test_verbs_with_more_than_a_dozen_options_have_a_short_help() -> None:
    parser = command(list(VERBS))
    (verbs,) = (action.choices for action in parser._actions if action.dest == "verb")
    assert verbs is not None
    for name in VERBS:
        child = verbs[name]  # type: ignore[call-overload, index]
        assert isinstance(child, Parser)
        many = sum(bool(action.option_strings) for action in child._actions) > 13
        assert (child.common is not None) == many, name


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_can_complete_every_verb(shell: str) -> None:
    shown = run("--print-completion", shell)

    assert shown.returncode == 0
    for verb in VERBS:
        assert verb in shown.stdout
    if shell == "bash" and shutil.which("bash"):
        subprocess.run(["bash", "-n"], input=shown.stdout, text=True, check=True)


def test_the_manual_page_has_every_verb() -> None:
    page = script(ROOT / "reader" / "make_man.py").page()

    for verb in VERBS:
        assert f"\n.SH {verb.upper()}\n" in page
    assert "\\-\\-shared\\-bits" in page
