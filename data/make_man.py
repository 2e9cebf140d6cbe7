"""Write the manual page of the command from its parsers: python data/make_man.py FILE."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pocketindex.cli import COMMANDS, EPILOG, Parser, make_parser


def escaped(text: str) -> str:
    """Return text that roff shows as it is."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def options(parser: argparse.ArgumentParser) -> str:
    """Return the arguments of a parser, a paragraph each."""
    formatter = argparse.HelpFormatter(parser.prog)
    out = ""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        name = formatter._format_action_invocation(action)
        text = formatter._expand_help(action) if action.help else ""
        out += f".TP\n.B {escaped(name)}\n{escaped(text)}\n"
    return out


def preformatted(text: str) -> str:
    """Return text whose lines stay as they are."""
    return f".PP\n.nf\n{escaped(text.rstrip())}\n.fi\n"


def page() -> str:
    """Return the manual page."""
    parser = make_parser(list(COMMANDS))
    commands = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    out = ".TH POCKETINDEX 1\n.SH NAME\npocketindex \\- similar documents from one file\n"
    out += f".SH SYNOPSIS\n.B pocketindex\nVERB ...\n.SH DESCRIPTION\n{parser.description}\n"
    out += preformatted(EPILOG) + ".SH OPTIONS\n" + options(parser)
    for name, child in commands.choices.items():
        assert isinstance(child, Parser)
        out += f".SH {name.upper()}\n{escaped(COMMANDS[name][1])}\n"
        out += options(child)
        out += preformatted("\n".join(filter(None, (child.epilog, child.more))))
    return out


def main(target: str) -> None:
    """Write the page to a file."""
    path = Path(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
