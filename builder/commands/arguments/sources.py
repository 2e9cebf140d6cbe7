"""The arguments that say what is read: sources, their format, the names of their fields and what is
left out of their texts.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from pocketindex.builder.inputs import INPUTS, Input, Options, find_all, listed, located, sparing
from pocketindex.builder.inputs.fields import PARTS, FieldNames, Fields
from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.flags import add_options, chosen, given
from pocketindex.options import options_of


def add_source_arguments(
    parser: argparse.ArgumentParser,
    name: str = "SOURCE",
    labels: bool = False,
    needed: bool = True,
) -> None:
    """Add the positional SOURCEs, called name, one at least where they are needed, and --format,
    --encoding, --select, --exclude, --drop, --add, --follow-links, --id, --title and so on; --label
    where labels are of use.
    """
    parser.add_argument(
        "source",
        metavar=name,
        nargs="+" if needed else "*",
        type=located,
        help="file, folder, pattern, address, or - for stdin",
    )
    add_format_arguments(parser)
    add_css_arguments(parser)
    add_drop_argument(parser)
    add_links_argument(parser)
    named = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.named)
    parts = [part for part in PARTS if labels or part != "label"]
    add_field_arguments(parser, f"records ({named})", parts)


def add_field_arguments(
    parser: argparse.ArgumentParser, of: str, parts: Sequence[str] = PARTS
) -> None:
    """Add --id, --title and so on; of: what has the fields; parts: those that the command can
    use.
    """
    group = parser.add_argument_group(f"fields of the {of}")
    add_options(group, [options_of(FieldNames)[part] for part in parts])


def add_format_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --format and --encoding of what is read."""
    _add(parser, "format", "encoding")


def add_encoding_argument(parser: argparse.ArgumentParser) -> None:
    """Add --encoding, for a command that knows the format of what it reads."""
    _add(parser, "encoding")


def formats() -> str:
    """Return the lines of a help that say which formats are read."""
    indent = " " * (max(map(len, INPUTS)) + 4)
    return "\n".join(
        textwrap.fill(
            "; ".join(filter(None, (kind.about, kind.needs))),
            100,
            initial_indent=f"  {name}".ljust(len(indent)),
            subsequent_indent=indent,
            break_on_hyphens=False,
        )
        for name, kind in INPUTS.items()
    )


def _format(name: str) -> str:
    if name not in INPUTS:
        raise argparse.ArgumentTypeError(f"there is no format {name!r}")
    return name


def add_css_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --select and --exclude."""
    _add(parser, "select", "exclude")


def add_drop_argument(parser: argparse.ArgumentParser) -> None:
    """Add --drop and --add."""
    _add(parser, "drop", "add")


def add_links_argument(parser: argparse.ArgumentParser) -> None:
    """Add --follow-links."""
    _add(parser, "follow_links")


def _add(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add options of reading, with what the inputs say of them."""
    declared = dict(options_of(ReadingOptions))
    declared["format"] = replace(declared["format"], choices=sorted(INPUTS), parse=_format)
    for name in "drop", "add":
        help = f"{declared[name].help} ({listed(f'{name}s')})"
        declared[name] = replace(declared[name], help=help)
    add_options(parser, [declared[name] for name in names])


def add_batch_arguments(parser: argparse.ArgumentParser, parts: Sequence[str]) -> None:
    """Add the options that say how a batch is read: --select, --exclude, --drop, --add,
    --follow-links and names of fields.
    """
    add_css_arguments(parser)
    add_drop_argument(parser)
    add_links_argument(parser)
    add_field_arguments(parser, "batch", parts)


def check_batch(arguments: argparse.Namespace, is_given: bool) -> None:
    """Raise ValueError where options for a batch are given without one."""
    flag = _given(arguments, "select", "exclude", "drop", "add", "follow_links")
    if flag and not is_given:
        raise ValueError(f"{flag} says how a batch is read; give --batch DOCS")


def check_read(arguments: argparse.Namespace, instead: str) -> None:
    """Raise ValueError where options for a source are given and none is read.

    instead: ends the message, with why none is read and what to do.
    """
    if flag := _given(arguments, *options_of(ReadingOptions)):
        raise ValueError(f"{flag} says how a SOURCE is read; {instead}")


def _given(arguments: argparse.Namespace, *names: str) -> str:
    """Return the first flag that was given, of names of fields and of these options, or ""."""
    options = [*options_of(FieldNames).values(), *map(options_of(ReadingOptions).get, names)]
    flags = (one.flag for one in options if one and given(arguments, one.dest or one.name))
    return next(flags, "")


def sources(
    arguments: argparse.Namespace, names: Sequence[str] | None = None
) -> list[tuple[str, Input]]:
    """Return each source, those of the arguments if none are given, with the input that reads it.
    What the command writes does not count as a source.

    Raises what inputs.find_all does.
    """
    found = find_all(arguments.source if names is None else names, options(arguments))
    return sparing(found, getattr(arguments, "output", None), getattr(arguments, "skipped", None))


def options(arguments: argparse.Namespace) -> Options:
    """Return the options of reading that the arguments give, and defaults for those that the
    command does not have.
    """
    return chosen(Options, arguments, fields=fields(arguments))


def fields(arguments: argparse.Namespace) -> Fields:
    """Return what the arguments say of fields; of those that the command does not have, nothing."""
    return chosen(Fields, arguments)
