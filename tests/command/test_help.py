"""The help of the command: short for newcomers, whole on demand, for shells and for man."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from core_sources import script
from places import ROOT
from pocketindex.cli import COMMANDS, Parser, make_parser
from run_command import run

MANY = ("build", "disc", "evaluate", "pairs", "profile", "update")
COLLECTIONS = ("build", "evaluate", "pairs", "profile", "update")
PARTS = ["id", "title", "text", "url", "date", "lang"]


def parsers() -> dict[str, Parser]:
    """Map each command to its parser."""
    (commands,) = (a.choices for a in make_parser(list(COMMANDS))._actions if a.dest == "command")
    found = dict(commands)  # type: ignore[arg-type]
    assert all(isinstance(child, Parser) for child in found.values())
    return found


def flags(command: str, group: str) -> list[tuple[str, str | None]]:
    """List the options of a command and their help, in the group whose title begins so."""
    (found,) = (
        one for one in parsers()[command]._action_groups if (one.title or "").startswith(group)
    )
    return [(action.option_strings[0], action.help) for action in found._group_actions]


def test_every_command_that_reads_collections_has_the_same_flags() -> None:
    expected = [(f"--{p}", f"field that holds the {p} (default: {p})") for p in PARTS]
    expected[PARTS.index("date")] = ("--date", "field that holds the date (default: none)")
    expected[PARTS.index("lang")] = ("--lang", "field that holds the language (default: lang)")
    label = ("--label", "field that holds the label, or a list of labels (default: none)")

    for command in COLLECTIONS:
        # Of labels only a file is made.
        more = [label] if command in ("build", "update") else []
        assert flags(command, "fields of the records (csv, jsonl, parquet, tsv)") == expected + more
        own = parsers()[command]._option_string_actions
        of_build = parsers()["build"]._option_string_actions
        for option in ("--format", "--encoding", "--drop", "--add"):
            assert own[option].help == of_build[option].help
    # What reads JSON Lines alone has those that it can use.
    assert flags("dedup", "fields of the lines") == [expected[0], expected[2], expected[4]]
    assert flags("check", "fields of the items") == [expected[0], expected[2]]
    assert flags("query", "fields of the batch") == [expected[0], expected[2]]
    assert flags("classify", "fields of the batch") == [expected[0], expected[2], label]
    with_fields = {command for command, child in parsers().items() if "--id" in child.help_all()}
    assert with_fields == {*COLLECTIONS, "check", "classify", "dedup", "disc", "query"}


@pytest.mark.parametrize("command", MANY)
def test_the_help_of_a_command_with_many_options_fits_a_screen(command: str) -> None:
    short = run(command, "--help").stdout
    whole = run(command, "--help-all").stdout

    assert len(short.splitlines()) <= 45
    assert "--help-all" in short
    assert "--encoding" not in short
    assert "--encoding" in whole
    assert "--components" in whole or command not in ("build", "profile")


def test_commands_with_more_than_a_dozen_options_have_a_short_help() -> None:
    for name, child in parsers().items():
        many = sum(bool(action.option_strings) for action in child._actions) > 13
        assert (child.common is not None) == many, name


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_can_complete_every_command(shell: str) -> None:
    shown = run("--print-completion", shell)

    assert shown.returncode == 0
    for command in COMMANDS:
        assert command in shown.stdout
    if shell == "bash" and shutil.which("bash"):
        subprocess.run(["bash", "-n"], input=shown.stdout, text=True, check=True)


def test_the_manual_page_has_every_command() -> None:
    page = script(ROOT / "data" / "make_man.py").page()

    for command in COMMANDS:
        assert f"\n.SH {command.upper()}\n" in page
    assert "\\-\\-least\\-terms" in page


def test_the_manual_page_begins_as_manual_pages_do() -> None:
    page = script(ROOT / "data" / "make_man.py").page()
    sections = re.findall(r"^\.SH (.+)\n(.+)$", page, re.MULTILINE)

    assert page.startswith(".TH POCKETINDEX 1\n")
    assert [name for name, _ in sections[:4]] == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"]
    assert sections[0][1] == "pocketindex \\- similar documents from one file"
    assert sections[1][1] == ".B pocketindex"
    assert all(text for _, text in sections)
