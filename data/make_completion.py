"""Write what completes the command in shells from its parsers: python data/make_completion.py."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import shtab
from pocketindex.builder.inputs import INPUTS
from pocketindex.cli import COMMANDS, make_parser

FOLDER = Path(__file__).resolve().parent / "shell"
FILES = {"bash": "pocketindex", "zsh": "_pocketindex"}  # as the shells look for them
# Where an index is expected, indexes and folders come first, else any file.
_INDEXES = {"bash": "_pocketindex_indexes", "zsh": "_files -g '*.pocket'"}
_PREAMBLE = {
    "bash": """\
_pocketindex_indexes() {
  local found=$(compgen -f -X '!*.pocket' -- "$1"; compgen -d -- "$1")
  if [ -n "$found" ]; then echo "$found"; else compgen -f -- "$1"; fi
}
""",
    "zsh": "",
}
_A_FILE = re.compile(
    r"FILE|SOURCE|DOC|TESTSET|SPLIT|TEXT\Z|OUT|PROFILE|FOLDER|REPORT|IDS|\.[a-z]+\Z|NEW"
)
# What has values of its own, besides choices.
VALUES = {
    **dict.fromkeys(("--format", "--source-format"), sorted(INPUTS)),
    "--index": (["documents", "documents,passages", "documents,words", "documents,passages,words"]),
    "--profile": ["auto", "learn", "en", "de"],
    "--shape": ["small", "balanced", "wide"],
}


def _completed(action: argparse.Action) -> None:
    """Say what completes the value of an argument."""
    values = next((VALUES[name] for name in action.option_strings if name in VALUES), None)
    if values:
        words = " ".join(values)
        made = {"bash": f"_pocketindex_{action.dest}", "zsh": f"({words})"}
        files = '; compgen -f -- "$1"' if action.dest == "profile" else ""
        own = f"_pocketindex_{action.dest}() {{\n  compgen -W '{words}' -- \"$1\"{files}\n}}\n"
        if own not in _PREAMBLE["bash"]:
            _PREAMBLE["bash"] += own
        action.complete = made  # type: ignore[attr-defined]
    elif action.nargs != 0 and not action.choices and action.metavar:
        if action.metavar == "FILE.pocket" and not action.option_strings:
            action.complete = _INDEXES  # type: ignore[attr-defined]
        elif _A_FILE.search(str(action.metavar)):
            action.complete = shtab.FILE  # type: ignore[attr-defined]


def content(shell: str) -> str:
    """Return the script for a shell: bash or zsh."""
    parser = make_parser(list(COMMANDS))
    for child in parser.commands.values():
        for action in child._actions:
            _completed(action)
    return str(shtab.complete(parser, shell=shell, preamble=_PREAMBLE[shell])) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for shell, name in FILES.items():
        (FOLDER / name).write_text(content(shell), encoding="utf-8")


if __name__ == "__main__":
    main()
