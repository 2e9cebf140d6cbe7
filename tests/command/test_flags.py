"""Flags of all commands: one name has one meaning, and commands that read collections have the
same.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from pocketindex.cli import COMMANDS, make_parser
from run_command import run

# What a flag is of depends on the command: what is written, shown or found. All else is said in the
# same words.
OF_THE_COMMAND = {
    "--output": "what is written",
    "--json": "what has a line, or a report",
    "--top": "what is shown",
    "--min-similarity": "what is compared",
    "--probes": "what is asked",
    "--batch": "what is done with each document",
    "--force": "what is replaced",
    "--keep-going": "what is kept",
}
# Two things of one name, of which the context says which it is: what a build keeps of texts and
# which of near-duplicates stay; whether a build is measured and what texts are compared by; a field
# of records and the heading of a page; a scheme that is built and one that needs no collection.
TWO_THINGS = {"--keep", "--measure", "--title", "--scheme"}
ALLOWED = OF_THE_COMMAND.keys() | TWO_THINGS
FIELDS = {"--id", "--title", "--text", "--url", "--date", "--lang", "--label"}
WORK = {"--threads", "--max-memory", "--progress"}
# A row a line. Some print JSON alone, some a report.
ROWS = {
    *("query", "search", "sources", "classify", "pairs", "check", "diff"),
    *("titles", "get", "verify", "fingerprint"),
}
# What reads many documents, of sources or of files.
READING = {
    *("build", "update", "merge", "profile", "evaluate", "pairs", "dedup", "check"),
    *("query", "classify", "disc"),
}


@pytest.fixture(scope="module")
def flags() -> dict[str, dict[str, argparse.Action]]:
    """By command, by long name."""
    commands = next(
        action
        for action in make_parser(list(COMMANDS))._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return {
        command: {
            name: action
            for action in parser._actions
            for name in action.option_strings
            if name.startswith("--")
        }
        for command, parser in commands.choices.items()
    }


def meaning(action: argparse.Action) -> tuple[object, ...]:
    """What a flag says and takes, but for its default."""
    help = re.sub(r" ?\(default[^()]*\)", "", action.help or "")
    choices = tuple(action.choices) if action.choices else None
    return help, action.metavar, action.dest, choices, action.type, action.nargs


def test_one_name_has_one_meaning(flags: dict[str, dict[str, argparse.Action]]) -> None:
    meanings = defaultdict[str, dict[tuple[object, ...], list[str]]](lambda: defaultdict(list))
    for command, own in flags.items():
        for name, action in own.items():
            meanings[name][meaning(action)].append(command)
    several = {name: dict(found) for name, found in meanings.items() if len(found) > 1}

    assert {name: found for name, found in several.items() if name not in ALLOWED} == {}
    assert set(several) == ALLOWED, "an exception that is none any more"


def test_commands_that_read_many_documents_have_the_same_flags(
    flags: dict[str, dict[str, argparse.Action]],
) -> None:
    assert {command for command, own in flags.items() if own.keys() & WORK} == READING
    for command in READING:
        assert flags[command].keys() >= WORK, command
        assert command == "merge" or flags[command].keys() >= {"--id", "--text"}, command
        assert command in ("merge", "dedup") or flags[command].keys() >= {
            *("--format", "--encoding", "--drop", "--add", "--follow-links"),
            *("--select", "--exclude"),
        }, command


def test_fields_are_named_alike(flags: dict[str, dict[str, argparse.Action]]) -> None:
    for command, own in flags.items():
        if command in ("disc", "serve"):
            continue
        for name in own.keys() & FIELDS:
            assert own[name].dest == f"field_{name[2:]}", (command, name)
            assert own[name].metavar == "FIELD"


def test_rows_are_csv_too(flags: dict[str, dict[str, argparse.Action]]) -> None:
    assert {command for command, own in flags.items() if "--csv" in own} == ROWS
    lines = {v for v, own in flags.items() if "--json" in own and "line" in str(own["--json"].help)}
    assert lines == ROWS


def test_what_writes_a_pocket_file_from_records(
    flags: dict[str, dict[str, argparse.Action]],
) -> None:
    for command in "build", "update":
        assert flags[command].keys() >= {"--strict", "--skipped", "--keep-going", "--resume"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "build SOURCE -o OUT --run-terms 5",
            "--run-terms has no effect unless --index has passages; it is documents",
        ),
        (
            "build SOURCE -o OUT --index documents,words --run-window 5",
            "--run-window has no effect unless --index has passages; it is documents,words",
        ),
        (
            "build SOURCE -o OUT --index documents,passages --set title_weight=0",
            "--set title_weight has no effect unless --index has words; it is documents,passages",
        ),
        (
            "build SOURCE -o OUT --snippet 80",
            "--snippet has no effect unless --keep is snippet; it is none",
        ),
        (
            "build SOURCE -o OUT --tables 0 --bits 9",
            "--bits is 9, but with --tables 0 there are no sub-keys; omit one of them",
        ),
        (
            "build SOURCE -o OUT --profile en --set detect_language=yes",
            "--set detect_language has no effect unless --profile is auto; it is en",
        ),
        ("query FILE SOURCE --threads -3", "--threads is -3; it must be between 1 and 256"),
        ("query FILE --batch SOURCE --threads 0", "--threads is 0; it must be between 1 and 256"),
        (
            "pairs FILE --text body",
            "--text says how a SOURCE is read; FILE is a pocket file, which is already built; "
            "omit it",
        ),
        (
            "update FILE --remove SOURCE --format csv -o OUT",
            "--format says how a SOURCE is read; give one, or omit it",
        ),
        (
            "disc FILE OUT --without-scripts --load-once 9",
            "--load-once applies to what a page loads as scripts; omit it or --without-scripts",
        ),
    ],
)
def test_a_flag_without_effect_is_an_error(
    arguments: str, message: str, pocket: Path, collection: Path, tmp_path: Path
) -> None:
    named = {"FILE": str(pocket), "SOURCE": str(collection), "OUT": str(tmp_path / "out")}
    done = run(*(named.get(word, word) for word in arguments.split()))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"pocketindex: {message.replace('FILE', named['FILE'])}\n"
    assert not (tmp_path / "out").exists()


ROOT = Path(__file__).resolve().parents[2]
# What makes options, whose help spells flags.
OPTIONS = {"option", "_option", "_own", "_field", "replace"}
COMMAND_ALONE = {
    *("reader/cli.py", "reader/flags.py", "reader/mistakes.py", "reader/options.py"),
    *("reader/arguments.py", "reader/errors.py"),  # what spells them, and MissingShard with both
    *("reader/kinds.py", "builder/inputs/pages/office/office.py"),  # remedies are command lines
    *("builder/inputs/finding.py", "builder/spark/frames.py"),
    *(f"builder/page/{name}.py" for name in ("folder", "iso", "links", "originals", "programs")),
    *("builder/page/serving/api.py", "builder/inputs/one_text.py", "builder/inputs/options.py"),
    *("builder/out/answers.py", "builder/out/rows.py", "builder/changing/update.py"),
    *("builder/out/sources_page.py", "builder/evaluate/report.py"),  # style sheets
}
MESSAGE = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def spelled_flags(module: Path) -> Iterator[str]:
    """Yield the flags in the strings of a module, except for docstrings and help of options."""
    tree = ast.parse(module.read_bytes())
    left_out = [one.value for one in ast.walk(tree) if isinstance(one, ast.Expr)]
    left_out += [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Call) and ast.unparse(one.func).rpartition(".")[2] in OPTIONS
    ]
    passed = {id(one) for part in left_out for one in ast.walk(part)}
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in passed:
            yield from MESSAGE.findall(one.value)


def test_only_commands_spell_flags() -> None:
    """Messages of Python functions name arguments, and those of commands flags, by `spelled`."""
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ("reader", "builder")
        for path in (ROOT / room).rglob("*.py")
        if "commands" not in path.parts and any(spelled_flags(path))
    }
    assert found <= COMMAND_ALONE, found - COMMAND_ALONE
