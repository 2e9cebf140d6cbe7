"""The help of the command: short for newcomers, whole on demand, for shells and for man."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from core_sources import script
from places import ROOT
from pocketindex.cli import VERBS, Parser, make_parser
from run_command import run

MANY = ("build", "evaluate", "pairs", "profile", "update")
COLLECTIONS = ("build", "evaluate", "pairs", "profile", "update")
PARTS = ["id", "title", "text", "url", "date", "lang"]


def parsers() -> dict[str, Parser]:
    """Map each verb to its parser."""
    (verbs,) = (a.choices for a in make_parser(list(VERBS))._actions if a.dest == "verb")
    found = dict(verbs)  # type: ignore[arg-type]
    assert all(isinstance(child, Parser) for child in found.values())
    return found


def flags(verb: str, group: str) -> list[tuple[str, str | None]]:
    """List the options of a verb and their help, in the group whose title begins so."""
    (found,) = (
        one for one in parsers()[verb]._action_groups if (one.title or "").startswith(group)
    )
    return [(action.option_strings[0], action.help) for action in found._group_actions]


def test_every_verb_that_reads_collections_has_the_same_flags() -> None:
    expected = [(f"--{p}", f"field that holds the {p} (default: {p})") for p in PARTS]
    expected[PARTS.index("date")] = ("--date", "field that holds the date (default: none)")
    expected[PARTS.index("lang")] = ("--lang", "field that holds the language (default: lang)")
    label = ("--label", "field that holds the label, or a list of labels (default: none)")

    for verb in COLLECTIONS:
        # Of labels only a file is made.
        more = [label] if verb in ("build", "update") else []
        assert flags(verb, "fields of the records (csv, jsonl, parquet, tsv)") == expected + more
        own = parsers()[verb]._option_string_actions
        of_build = parsers()["build"]._option_string_actions
        for option in ("--format", "--encoding", "--drop", "--add"):
            assert own[option].help == of_build[option].help
    # What reads JSON Lines alone has those that it can use.
    assert flags("dedup", "fields of the lines") == [expected[0], expected[2], expected[4]]
    assert flags("check", "fields of the items") == [expected[0], expected[2]]
    assert flags("query", "fields of the batch") == [expected[0], expected[2]]
    assert flags("classify", "fields of the batch") == [expected[0], expected[2], label]
    with_fields = {verb for verb, child in parsers().items() if "--id" in child.help_all()}
    assert with_fields == {*COLLECTIONS, "check", "classify", "dedup", "query"}


@pytest.mark.parametrize("verb", MANY)
def test_the_help_of_a_verb_with_many_options_fits_a_screen(verb: str) -> None:
    short = run(verb, "--help").stdout
    whole = run(verb, "--help-all").stdout

    assert len(short.splitlines()) <= 45
    assert "--help-all" in short
    assert "--encoding" not in short
    assert "--encoding" in whole
    assert "--components" in whole or verb not in ("build", "profile")


def test_verbs_with_more_than_a_dozen_options_have_a_short_help() -> None:
    for name, child in parsers().items():
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
    assert "\\-\\-least\\-terms" in page


def test_the_manual_page_begins_as_manual_pages_do() -> None:
    page = script(ROOT / "reader" / "make_man.py").page()
    sections = re.findall(r"^\.SH (.+)\n(.+)$", page, re.MULTILINE)

    assert page.startswith(".TH POCKETINDEX 1\n")
    assert [name for name, _ in sections[:4]] == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"]
    assert sections[0][1] == "pocketindex \\- similar documents from one file"
    assert sections[1][1] == ".B pocketindex"
    assert all(text for _, text in sections)
