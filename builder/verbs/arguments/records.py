"""The arguments of verbs that write a pocket file from records: what becomes of records that are
left out, of damaged sources, and of what a killed command has left behind.
"""

from __future__ import annotations

import argparse
from typing import Any

from pocketindex.builder.report import ORDINARY
from pocketindex.builder.settings import Settings
from pocketindex.builder.verbs.arguments.sources import options


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --strict, --skipped, --keep-going and --force."""
    add_force_argument(parser)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="the first record that has to be left out is an error, but for what is no document "
        f"by kind ({', '.join(sorted(ORDINARY))})",
    )
    parser.add_argument(
        "--skipped",
        metavar="FILE.jsonl",
        help="list every record that is left out or not read exactly as it is, and every page that "
        "loses more than a fifth of its words, one per line with place and reason, also when the "
        "command ends with an error",
    )
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="keep what was read of a source that is cut short or damaged, read the next, and end "
        "with exit code 2; also write what is left if most records are bad",
    )


def add_force_argument(parser: argparse.ArgumentParser) -> None:
    """Add --force."""
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace an existing file of any kind (default: only one of the same kind)",
    )


def add_keep_going_argument(parser: argparse.ArgumentParser) -> None:
    """Add --keep-going of a verb that reads all sources to their ends."""
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="write what is left even if most records are bad (default: write nothing)",
    )


def add_resume_argument(parser: argparse.ArgumentParser) -> None:
    """Add --resume."""
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on from where the same command has left off when it was killed; the same bytes",
    )


def add_keys_per_part_argument(
    parser: argparse.ArgumentParser, default: int | None, said: str
) -> None:
    """Add --keys-per-part; said: the default for people."""
    parser.add_argument(
        "--keys-per-part",
        type=int,
        default=default,
        metavar="N",
        help=f"~60000 for a file in memory, ~2000 for cold media (default {said})",
    )


def settings(arguments: argparse.Namespace, **more: Any) -> Settings:
    """Return what the arguments say of sources, records and work, and more, as settings."""
    return Settings(
        **vars(options(arguments)),
        strict=arguments.strict,
        keep_going=arguments.keep_going,
        force=arguments.force,
        max_memory=arguments.max_memory,
        threads=arguments.threads,
        **more,
    )
