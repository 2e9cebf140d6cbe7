"""The command line: pocketindex COMMAND."""

from __future__ import annotations

import argparse
import errno
import importlib
import itertools
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from pocketindex.errors import Damaged, FileChanged, NotAPocketFile, PocketError, TooNew, as_typed
from pocketindex.mistakes import (
    check_dashes,
    check_order,
    expand_patterns,
    no_command,
    unknown_words,
)
from pocketindex.starting import INTERRUPTED, started
from pocketindex.streams import printable, standard_streams

# Each command is a module with add_arguments(parser) and run(arguments) -> exit code. Those that
# read are here, those that build come with pocketindex.builder and are imported only when they are
# asked for.
COMMANDS = {
    "build": (
        "pocketindex.builder.commands.build",
        "turn a collection of documents into a pocket file",
    ),
    "update": (
        "pocketindex.builder.commands.update",
        "bring new documents into a pocket file, and take old ones out",
    ),
    "merge": ("pocketindex.builder.commands.merge", "make one pocket file of several"),
    "diff": (
        "pocketindex.builder.commands.diff",
        "list the documents that are different in two pocket files",
    ),
    "query": ("pocketindex.commands.query", "find the documents most similar to a document"),
    "sources": (
        "pocketindex.commands.sources",
        "find the documents that passages of a text come from",
    ),
    "search": ("pocketindex.commands.search", "find the documents that have a few words"),
    "classify": (
        "pocketindex.builder.commands.classify",
        "name the labels of documents by those of the most similar ones",
    ),
    "pairs": (
        "pocketindex.builder.commands.pairs",
        "list all pairs or clusters of near-duplicate documents",
    ),
    "dedup": (
        "pocketindex.builder.commands.dedup",
        "write a collection without its near-duplicates",
    ),
    "check": (
        "pocketindex.builder.commands.check",
        "find the items of a test set that are in a collection",
    ),
    "info": (
        "pocketindex.commands.info",
        "show what a pocket file holds, and its bytes by section",
    ),
    "verify": ("pocketindex.commands.verify", "read and check every byte of a pocket file"),
    "get": ("pocketindex.commands.get", "show documents by id"),
    "titles": (
        "pocketindex.commands.titles",
        "look documents up by the beginnings of their titles",
    ),
    "disc": (
        "pocketindex.builder.commands.disc",
        "write a folder that a browser opens by a double click",
    ),
    "site": (
        "pocketindex.builder.commands.site",
        "write the search of a website into its built HTML",
    ),
    "serve": (
        "pocketindex.builder.commands.serve",
        "show the same page on this computer, with JSON for programs",
    ),
    "evaluate": (
        "pocketindex.builder.commands.evaluate",
        "measure how well schemes find what is similar in a collection of yours",
    ),
    "fingerprint": (
        "pocketindex.builder.commands.fingerprint",
        "print the simhash of texts, to compare them elsewhere",
    ),
    "profile": (
        "pocketindex.builder.commands.profile",
        "learn a reference profile from a collection",
    ),
}

OK = 0
NOTHING_FOUND = 1
USAGE = 2
DAMAGED = 3

EPILOG = """\
Lists show characters that steer a terminal, or turn the order of letters, as escapes such as
\\u202e. What --json, --csv and -o write is exact, except on a terminal.

exit codes: 0 found or done, 1 nothing found, 2 usage or input/output error, 3 damaged or no pocket
file, 130 interrupted

  pocketindex build docs.jsonl.gz -o docs.pocket
  pocketindex query docs.pocket draft.txt
  pocketindex COMMAND --help
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    with as_typed(), standard_streams() as out:
        try:
            started()
            code = _run(arguments)
        except KeyboardInterrupt:
            print("pocketindex: interrupted", file=sys.stderr)
            return INTERRUPTED
        except (PocketError, OSError, ValueError, MemoryError) as error:
            code = complain(error) if not out.broken else USAGE
    if out.broken and hasattr(signal, "SIGPIPE"):
        # A reader such as head has seen enough: end quietly, as other commands do.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    return code


def _run(arguments: list[str]) -> int:
    """Parse, run, and write what is printed; return the exit code."""
    try:
        code = dispatch(arguments)
    except SystemExit:  # of --help and the like
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return code


class Parser(argparse.ArgumentParser):
    """A parser that reports a mistake in one line, and shows a short help for commands with many
    options.

    common: the options that the short help shows, None for all; more: text that only --help-all
    shows.
    """

    common: Sequence[str] | None = None
    more = ""

    def error(self, message: str) -> NoReturn:
        """Report a mistake in one line and exit. The usage of a large command would take twenty."""
        for kind, meaning in ("int", "a whole number"), ("float", "a number"):
            message = message.replace(f"invalid {kind} value: ", f"expected {meaning}, found ")
        message = printable(message)
        self.exit(USAGE, f"{self.prog}: {message}; see `{self.prog} --help`\n")

    @property
    def commands(self) -> Mapping[str, Parser]:
        """The parsers of the commands."""
        found: Mapping[str, Parser] = next(
            action for action in self._actions if isinstance(action, argparse._SubParsersAction)
        ).choices
        return found

    @property
    def known(self) -> Mapping[str, argparse.Action]:
        """The options, by the way that they are written."""
        return self._option_string_actions

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a message; the base class passes over one that cannot be written."""
        (file or sys.stderr).write(message)

    def has_unknown(self, words: Sequence[str]) -> bool:
        """Return whether a word is an option that this parser does not have, or asks for help."""
        known = self.known.keys() - {"-h", "--help"}
        return any(
            word[:1] == "-" != word and word.partition("=")[0] not in known for word in words
        )

    @staticmethod
    def has_option(words: Sequence[str]) -> bool:
        """Return whether a word is written as an option, and has no -- before it."""
        before = itertools.takewhile(lambda word: word != "--", words)
        return any(word[:1] == "-" != word for word in before)

    def help_all(self) -> str:
        """Return the help with every option."""
        return super().format_help() + ("\n" + self.more if self.more else "")

    def format_help(self) -> str:
        """Return the help; for a command with many options, only its common ones."""
        if self.common is None:
            return self.help_all()
        short = self._get_formatter()
        shown = [
            action
            for action in self._actions
            if not action.option_strings or set(action.option_strings) & set(self.common)
        ]
        needed = [action for action in shown if action.required]
        short.add_usage(f"{self._short_usage(needed)} [options]", needed, [])
        short.add_text(self.description)
        for title, actions in (
            ("arguments", [action for action in shown if not action.option_strings]),
            ("options", [action for action in shown if action.option_strings]),
        ):
            short.start_section(title)
            short.add_arguments(actions)
            short.end_section()
        short.add_text(self.epilog)
        return short.format_help()

    def _short_usage(self, needed: Sequence[argparse.Action]) -> str:
        """Return the usage of what has to be given."""
        given = [self.prog]
        for action in needed:
            name = f"{action.metavar}{'...' if action.nargs == '+' else ''}"
            given.append(f"{action.option_strings[0]} {name}" if action.option_strings else name)
        return " ".join(given)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """A formatter that knows the width without shutil, which takes long to load: argparse makes a
    formatter for each argument.
    """

    def __init__(self, prog: str) -> None:
        width = os.environ.get("COLUMNS", "")
        if not width.isdigit():
            try:
                stream: Any = sys.__stdout__  # None without one
                width = str(os.get_terminal_size(stream.fileno()).columns)
            except (AttributeError, ValueError, OSError):
                width = ""
        super().__init__(prog, width=(int(width or 0) or 80) - 2)


class _HelpAll(argparse.Action):
    """--help-all."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        sys.stdout.write(parser.help_all())
        raise SystemExit(OK)


class _Completion(argparse.Action):
    """--print-completion."""

    def __call__(self, *given: Any, **_: Any) -> NoReturn:
        from importlib.resources import files

        name = {"bash": "pocketindex", "zsh": "_pocketindex"}[given[2]]
        folder = files("pocketindex.data")
        sys.stdout.write((folder / "shell" / name).read_text(encoding="utf-8"))
        raise SystemExit(OK)


def make_parser(with_arguments: Iterable[str], words: Sequence[str] | None = None) -> Parser:
    """Return the parser of the command line.

    with_arguments: the commands that get their arguments. words: the words to parse; arguments
    that need the builder to be loaded are left out if none of them is among these.
    """
    parser = Parser(
        prog="pocketindex",
        description="A whole document in, its near-duplicates out, from one read-only file.",
        epilog=EPILOG,
        formatter_class=_Formatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"pocketindex {_version()}")
    parser.add_argument(
        "--print-completion",
        action=_Completion,
        choices=["bash", "zsh"],
        help="print what a shell needs to complete the command, and end",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    wanted = set(with_arguments)
    # A parser that nobody asks takes a millisecond.
    is_alone = words is not None and words[:1] == [*wanted] and wanted <= COMMANDS.keys()
    for name, (module, summary) in COMMANDS.items():
        if is_alone and name not in wanted:
            continue
        child = commands.add_parser(name, help=summary, formatter_class=_Formatter)
        if name in wanted:
            command = importlib.import_module(module)
            child.description, child.epilog = command.__doc__, command.EXAMPLES
            command.add_arguments(child)
            more = getattr(command, "add_more_arguments", None)
            if more and (words is None or child.has_unknown(words)):
                more(child)
            child.set_defaults(run=command.run)
            child.common = getattr(command, "COMMON", None)
            if child.common:
                child.more = command.MORE
                child.add_argument(
                    "--help-all", action=_HelpAll, nargs=0, help="show every option, and end"
                )
    return parser


def dispatch(arguments: list[str]) -> int:
    """Parse and run; return the exit code."""
    check_dashes(arguments)
    asked = next((one for one in arguments if not one.startswith("-")), "")
    if asked and asked not in COMMANDS and arguments[0] == asked:
        raise ValueError(no_command(asked, COMMANDS))
    parser = make_parser([asked], arguments)
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    child = parser.commands.get(asked)
    if child and "--version" in options and "--version" not in child.known:
        arguments = ["--version"]
    elif child and child.common is None:  # --help shows all that there is
        arguments = ["--help" if word == "--help-all" else word for word in arguments]
    parsed, unknown = parser.parse_known_args(arguments)
    assert child
    if unknown and not child.has_option(unknown):
        # Options stand between them: the parser gave the first ones all places.
        words = arguments[arguments.index(asked) + 1 :]
        parsed, unknown = child.parse_known_intermixed_args(words)
    if unknown:
        raise ValueError(unknown_words(asked, unknown, arguments, child.known))
    expand_patterns(child, parsed)
    check_order(asked, child, parsed)
    return int(parsed.run(parsed))


def _version() -> str:
    from pocketindex import __version__

    return __version__


def complain(error: BaseException) -> int:
    """Print what is wrong; return the exit code."""
    print(f"pocketindex: {printable(message_of(error), lines=True)}", file=sys.stderr)
    damaged = isinstance(error, Damaged | FileChanged | NotAPocketFile | TooNew)
    return DAMAGED if damaged else USAGE


def message_of(error: BaseException) -> str:
    """Return what is wrong, for people."""
    message = str(error)
    if isinstance(error, OSError) and error.strerror and error.filename:
        message = f"{os.fsdecode(error.filename)}: {error.strerror}"
    elif isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        message = (
            f"{error.strerror}; free space where the output and the temporary files go "
            "(TMPDIR names another place for the latter)"
        )
    return message or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
