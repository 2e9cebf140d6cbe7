"""The arguments of commands that write a pocket file from records: how to treat records that cannot
be read, damaged sources, an output that exists, and a build that was killed.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from pocketindex.builder.commands.arguments.sources import fields
from pocketindex.builder.functions.choices import Resumed, Skipped
from pocketindex.builder.options import ForceOption, RecordOptions
from pocketindex.builder.settings import Settings
from pocketindex.flags import add_options, chosen
from pocketindex.options import options_of


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options --strict, --skipped, --keep-going and --force to a parser."""
    add_options(parser, options_of(RecordOptions).values())
    add_options(parser, options_of(Skipped).values())


def add_force_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option --force to a parser."""
    add_options(parser, options_of(ForceOption).values())


def add_bad_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options --strict and --keep-going, for a command that reads all sources to their
    ends.
    """
    own = options_of(RecordOptions)
    help = "write the output even if most records are bad; without it, nothing is written"
    add_options(parser, [own["strict"], replace(own["keep_going"], help=help)])


def add_report_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option --report, for a command that drops records of its sources."""
    parser.add_argument(
        "--report",
        metavar="FILE",
        help="write the dropped records and the reasons to this file: .jsonl, .csv, .parquet or "
        ".arrow",
    )


def add_resume_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option --resume to a parser."""
    add_options(parser, options_of(Resumed).values())


def settings(arguments: argparse.Namespace, **more: Any) -> Settings:
    """Return what the arguments say, and more, as settings."""
    return chosen(Settings, arguments, **{"fields": fields(arguments), **more})
