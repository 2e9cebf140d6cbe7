"""The arguments that limit the memory and threads of a command, and that choose how it shows its
progress. None of them changes a byte of the output.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pocketindex.builder.options import WorkOptions
from pocketindex.flags import add_options
from pocketindex.options import Options, option, options_of


@dataclass(frozen=True, kw_only=True)
class ProgressOption(Options):
    """How progress is shown."""

    progress: str = option(
        "auto",
        "how to show progress on standard error: as a bar on a terminal (auto), as JSON objects, "
        "one per line, or not at all",
        choices=("auto", "json", "none"),
    )


def add_work_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options --max-memory, --threads and --progress to a parser."""
    add_options(parser, options_of(WorkOptions).values())
    add_options(parser, options_of(ProgressOption).values())
