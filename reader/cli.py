"""The command: pocketindex VERB."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import signal
import sys
from typing import NoReturn

from pocketindex.errors import Damaged, FileChanged, NotAPocketFile, PocketError, TooNew

# Each verb is a module with add_arguments(parser) and run(arguments) -> exit code. Those that read
# are here, those that build come with pocketindex.builder and are imported only when they are asked
# for.
VERBS = {
    "build": (
        "pocketindex.builder.verbs.build",
        "turn a collection of documents into a pocket file",
    ),
    "query": ("pocketindex.builder.verbs.query", "find the documents most similar to a document"),
    "pairs": (
        "pocketindex.builder.verbs.pairs",
        "list all pairs or clusters of near-duplicate documents",
    ),
    "dedup": ("pocketindex.builder.verbs.dedup", "write a collection without its near-duplicates"),
    "check": (
        "pocketindex.builder.verbs.check",
        "tell which items of a test set are in a collection",
    ),
    "info": ("pocketindex.verbs.info", "show what a pocket file holds, and its bytes by section"),
    "verify": ("pocketindex.verbs.verify", "read and check every byte of a pocket file"),
    "get": ("pocketindex.verbs.get", "show documents by id"),
    "titles": ("pocketindex.verbs.titles", "look documents up by the beginnings of their titles"),
    "disc": (
        "pocketindex.builder.verbs.disc",
        "write a folder that a browser opens by a double click",
    ),
    "serve": (
        "pocketindex.builder.verbs.serve",
        "show the same page on this computer, with JSON for programs",
    ),
    "evaluate": (
        "pocketindex.builder.verbs.evaluate",
        "measure how well schemes find what is similar in a collection of yours",
    ),
    "fingerprint": (
        "pocketindex.builder.verbs.fingerprint",
        "print the simhash of texts, to compare them elsewhere",
    ),
    "profile": ("pocketindex.builder.verbs.profile", "learn a reference profile from a collection"),
}

OK, NOTHING_FOUND, USAGE, DAMAGED, INTERRUPTED = 0, 1, 2, 3, 130

EPILOG = """\
exit codes: 0 found or done, 1 nothing found, 2 usage or input/output error, 3 damaged or no pocket file, 130 interrupted

  pocketindex build docs.jsonl.gz -o docs.pocket
  pocketindex query docs.pocket draft.txt
  pocketindex VERB --help
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if hasattr(signal, "SIGPIPE"):
        # A reader such as head that has seen enough ends us quietly.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        code = dispatch(arguments)
        _flush()
        return code
    except KeyboardInterrupt:
        print("pocketindex: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (Damaged, FileChanged, NotAPocketFile, TooNew) as error:
        return _complain(error, DAMAGED)
    except (PocketError, OSError, ValueError, MemoryError) as error:
        return _complain(error, USAGE)


class Parser(argparse.ArgumentParser):
    """Says a mistake in one line: the usage of a verb with many options takes twenty, and hides it."""

    def error(self, message: str) -> NoReturn:
        for kind, meaning in ("int", "a whole number"), ("float", "a number"):
            message = message.replace(f"invalid {kind} value: ", f"expected {meaning}, found ")
        self.exit(USAGE, f"{self.prog}: {message}; `{self.prog} --help` tells the options\n")


def dispatch(arguments: list[str]) -> int:
    """Parse and run."""
    parser = Parser(
        prog="pocketindex",
        description="A whole document in, its near-duplicates out, from one read-only file.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pocketindex {_version()}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    asked = next((a for a in arguments if not a.startswith("-")), None)
    for name, (module, summary) in VERBS.items():
        child = verbs.add_parser(
            name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == asked:
            verb = importlib.import_module(module)
            child.description, child.epilog = verb.__doc__, verb.EXAMPLES
            verb.add_arguments(child)
            child.set_defaults(run=verb.run)
    parsed = parser.parse_args(arguments)
    return int(parsed.run(parsed))


def _flush() -> None:
    """Write what is printed: what cannot be written is an error now, and not once more when the
    interpreter ends.
    """
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise


def _version() -> str:
    from pocketindex import __version__

    return __version__


def _complain(error: BaseException, code: int) -> int:
    message = str(error)
    if isinstance(error, OSError) and error.strerror and error.filename:
        message = f"{os.fsdecode(error.filename)}: {error.strerror}"
    elif isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        message = (
            f"{error.strerror}; free space where the output and the temporary files go "
            "(TMPDIR names another place for the latter)"
        )
    print(f"pocketindex: {message or type(error).__name__}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
