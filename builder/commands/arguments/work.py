"""The arguments that say what the work may take, and what is said of it while it goes on; none
decides a byte of what is written.
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
    """Add --max-memory, --threads and --progress."""
    add_options(parser, options_of(WorkOptions).values())
    add_options(parser, options_of(ProgressOption).values())
