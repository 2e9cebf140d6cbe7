"""How a benchmark is called, and where its page of results goes."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser whose help is the script's head, with the option for the page."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("-o", "--output", type=Path, help="the page of results, in Markdown")
    return made


def called() -> str:
    """Return the command as it was given, without folders outside the repository."""
    script = "/".join(Path(sys.argv[0]).resolve().parts[-3:])
    given = [word if word.startswith("bench/") else word.split("/")[-1] for word in sys.argv[1:]]
    return shlex.join(["python", script, *given])


def report(lines: Sequence[str], output: Path | None) -> None:
    """Print the page, and write it."""
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if output:
        output.write_text(text, encoding="utf-8")
