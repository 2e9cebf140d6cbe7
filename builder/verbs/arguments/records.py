"""The arguments of verbs that write a pocket file from records: what becomes of records that are
left out, of damaged sources, and of what a killed command has left behind.
"""

from __future__ import annotations

import argparse
from typing import Any

from pocketindex.builder.report import ORDINARY
from pocketindex.builder.settings import Settings
from pocketindex.builder.verbs.arguments.sources import add, drop, fields


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --strict, --skipped and --keep-going."""
    parser.add_argument(
        "--strict",
        action="store_true",
        help="the first record that has to be left out is an error, but for what is no document "
        f"by kind ({', '.join(sorted(ORDINARY))})",
    )
    parser.add_argument(
        "--skipped",
        metavar="FILE.jsonl",
        help="every record that is left out, with its place and the reason, a line each; also "
        "when the command ends with an error",
    )
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="keep what was read of a source that is cut short or damaged, read the next, and end "
        "with exit code 2",
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
        format=arguments.format,
        encoding=arguments.encoding,
        fields=fields(arguments),
        drop=drop(arguments),
        add=add(arguments),
        strict=arguments.strict,
        keep_going=arguments.keep_going,
        max_memory=arguments.max_memory,
        threads=arguments.threads,
        **more,
    )
