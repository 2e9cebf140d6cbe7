"""The arguments that say what is read: sources, their format and the names of their fields."""

from __future__ import annotations

import argparse

from pocketindex.builder.inputs import INPUTS, Fields
from pocketindex.builder.inputs.fields import PARTS


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """The positional SOURCEs, --format, and --id, --title and so on."""
    parser.add_argument("source", metavar="SOURCE", nargs="+")
    parser.add_argument("--format", choices=sorted(INPUTS), help="of the sources (default: found out by name and first bytes)")
    named = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.named)
    group = parser.add_argument_group(f"fields of the records ({named})")
    for part in PARTS:
        default = "none" if part == "date" else part
        group.add_argument(f"--{part}", metavar="FIELD", dest=f"field_{part}", help=f"the one with the {part} (default {default})")


def fields(arguments: argparse.Namespace) -> Fields:
    """What the arguments say of fields."""
    return Fields(**{part: getattr(arguments, f"field_{part}") for part in PARTS})
