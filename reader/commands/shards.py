"""Open the files that a command names, which may be manifests of shards."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import pocketindex
from pocketindex.joint_index import JointIndex


def add_shard_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option that says what becomes of shards that are not there."""
    parser.add_argument(
        "--allow-missing",
        action="store_true",
        help="ask the shards of a manifest that are there, and say which are not",
    )


def opened(paths: Sequence[str], arguments: argparse.Namespace) -> JointIndex:
    """Open pocket files as one, and say on standard error what is not asked."""
    indexes = pocketindex.open_many(paths, allow_missing=arguments.allow_missing)
    for note in indexes.notes:
        print(f"pocketindex: {note}", file=sys.stderr)
    return indexes
