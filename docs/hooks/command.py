"""The reference of the command, made from the parsers themselves."""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Iterator

from pocketindex import cli

COLUMNS = "100"  # of a usage


def page() -> str:
    """The page as Markdown."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = COLUMNS
    try:
        return "\n".join(
            [*head(), *(line for command in cli.COMMANDS for line in section(command))]
        )
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def head() -> Iterator[str]:
    """The commands in a table, and what holds for all of them."""
    yield "# The command\n"
    yield "This page is made from the command's own parsers. `pocketindex COMMAND --help` says the"
    yield "same.\n"
    yield "| command | |\n|---|---|"
    for command, (_, summary) in cli.COMMANDS.items():
        yield f"| [`{command}`](#{command}) | {cell(summary)} |"
    yield "\n```text"
    yield cli.EPILOG.strip()
    yield "```\n"


def section(command: str) -> Iterator[str]:
    """A command: what it does, its usage, its options, its examples."""
    parser = parser_of(command)
    yield f"## {command}\n"
    yield (parser.description or "").strip() + "\n"
    yield "```text"
    yield usage(parser)
    yield "```\n"
    for group in parser._action_groups:
        shown = [a for a in group._group_actions if a.help is not argparse.SUPPRESS]
        shown = [a for a in shown if not isinstance(a, argparse._HelpAction)]
        if not shown:
            continue
        title = (group.title or "options").replace("positional arguments", "arguments")
        yield f"**{cell(title.capitalize())}**\n"
        yield "| | |\n|---|---|"
        for action in shown:
            yield f"| {named(action)} | {cell(explained(action, parser))} |"
        yield ""
    if parser.epilog:
        yield "```text"
        yield parser.epilog.strip()
        yield "```\n"


def usage(parser: argparse.ArgumentParser) -> str:
    """The command's own usage, or else one without the options that may be left out."""
    if parser.usage:
        return "\n".join(
            line.strip() for line in (parser.usage % {"prog": parser.prog}).splitlines()
        )
    words = [parser.prog, "[options]"]
    formatter = argparse.HelpFormatter("", width=200)
    for action in parser._actions:
        if action.option_strings and action.required:
            words.append(f"{action.option_strings[0]} {action.metavar or action.dest.upper()}")
    for action in parser._actions:
        if not action.option_strings:
            words.append(formatter._format_args(action, action.dest))
    return " ".join(words)


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of a command, as cli.py makes it."""
    module = importlib.import_module(cli.COMMANDS[command][0])
    parser = cli.Parser(prog=f"pocketindex {command}", description=module.__doc__)
    parser.epilog = module.EXAMPLES
    module.add_arguments(parser)
    return parser


def named(action: argparse.Action) -> str:
    """An argument's names, with what it takes."""
    takes = ""
    if action.nargs != 0:
        formatter = argparse.HelpFormatter("")
        takes = formatter._metavar_formatter(action, action.dest)(1)[0]
    if not action.option_strings:
        return f"`{takes}`"
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    return f"{names} `{takes}`" if takes else names


def explained(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """An argument's help, its defaults filled in."""
    return (action.help or "") % (dict(vars(action), prog=parser.prog)) if action.help else ""


def cell(text: str) -> str:
    """Text in a cell of a table."""
    for old, new in ("&", "&amp;"), ("<", "&lt;"), ("|", "&#124;"), ("*", "\\*"), ("\n", " "):
        text = text.replace(old, new)
    return text
