"""The arguments that say what is read: sources, their format, the names of their fields and what is
left out of their texts.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from typing import Any

from pocketindex.builder.inputs import INPUTS, Input, Options, find_all, listed, located, sparing
from pocketindex.builder.inputs.fields import ONLY_NAMED, PARTS, Fields


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
    parser.add_argument("source", metavar=name, nargs="+" if needed else "*", type=located)
    add_format_arguments(parser)
    add_css_arguments(parser)
    add_drop_argument(parser)
    add_links_argument(parser)
    named = ", ".join(name for name, kind in sorted(INPUTS.items()) if kind.named)
    parts = [part for part in PARTS if labels or part != "label"]
    add_field_arguments(parser, f"records ({named})", parts)


def add_field_arguments(
    parser: argparse.ArgumentParser, of: str, parts: Sequence[str] = PARTS, prefix: str = ""
) -> argparse._ArgumentGroup:
    """Add --id, --title and so on; of: what has the fields; parts: those that the verb can use;
    prefix: what their names begin with. Returns the group that has them.
    """
    group = parser.add_argument_group(f"fields of the {of}")
    for part in parts:
        default = "none" if part in ONLY_NAMED else part
        what = "label, or a list of labels" if part == "label" else part
        group.add_argument(
            f"--{prefix.replace('_', '-')}{part}",
            metavar="FIELD",
            dest=f"{prefix}field_{part}",
            help=f"the one with the {what} (default {default})",
        )
    return group


def add_format_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --format and --encoding of what is read."""
    parser.add_argument(
        "--format",
        type=_format,
        choices=sorted(INPUTS),
        metavar="FORMAT",
        help="of what is read (default: found out by name and first bytes; `pocketindex build "
        "--help-all` lists them)",
    )
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        help=(
            "the encoding of texts and pages, whatever they declare, such as cp1252 or utf-16 "
            "(default: UTF-8, and what pages declare; bytes that do not fit are reported)"
        ),
    )


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
    parser.add_argument(
        "--select",
        default="",
        metavar="CSS",
        help="index only the elements of HTML pages that match, including navigation in them "
        "(default: everything visible except navigation)",
    )
    parser.add_argument(
        "--exclude",
        default="",
        metavar="CSS",
        help="leave out the elements of HTML pages that match",
    )


def add_drop_argument(parser: argparse.ArgumentParser) -> None:
    """Add --drop and --add."""
    parser.add_argument(
        "--drop",
        default="",
        metavar="WHAT,...",
        help=f"parts to leave out of the texts ({listed('drops')})",
    )
    parser.add_argument(
        "--add",
        default="",
        metavar="WHAT,...",
        help=f"parts to add to the texts ({listed('adds')})",
    )


def add_links_argument(parser: argparse.ArgumentParser) -> None:
    """Add --follow-links."""
    parser.add_argument(
        "--follow-links",
        action="store_true",
        help="read symbolic links that lead out of a folder that is a source",
    )


def add_batch_arguments(parser: argparse.ArgumentParser, parts: Sequence[str]) -> None:
    """Add the options that say how a batch is read: --select, --exclude, --drop, --add,
    --follow-links and names of fields.
    """
    add_css_arguments(parser)
    add_drop_argument(parser)
    add_links_argument(parser)
    add_field_arguments(parser, "batch", parts)


def check_batch(arguments: argparse.Namespace, given: bool) -> None:
    """Raise ValueError where options for a batch are given without one."""
    named = [*fields(arguments).named()]
    named += [name for name in ("select", "exclude", "drop", "add") if getattr(arguments, name)]
    named += ["follow-links"] if arguments.follow_links else []
    if named and not given:
        raise ValueError(f"--{named[0]} says how a batch is read; give --batch DOCS")


def check_read(arguments: argparse.Namespace, instead: str) -> None:
    """Raise ValueError where options for a source are given and none is read.

    instead: ends the message, with why none is read and what to do.
    """
    named = [*fields(arguments).named()]
    names = ("format", "encoding", "select", "exclude", "drop", "add", "follow_links")
    named += [name.replace("_", "-") for name in names if getattr(arguments, name)]
    if named:
        raise ValueError(f"--{named[0]} says how a SOURCE is read; {instead}")


def sources(
    arguments: argparse.Namespace, given: Sequence[str] | None = None
) -> list[tuple[str, Input]]:
    """Return each source, those of the arguments if none are given, with the input that reads it.
    What the command writes does not count as a source.

    Raises what inputs.find_all does.
    """
    found = find_all(arguments.source if given is None else given, options(arguments))
    return sparing(found, getattr(arguments, "output", None), getattr(arguments, "skipped", None))


def options(arguments: argparse.Namespace) -> Options:
    """Return the options of reading that the arguments give, and defaults for those that the verb
    does not have.
    """
    return Options(
        format=arguments.format,
        fields=fields(arguments),
        encoding=arguments.encoding,
        select=getattr(arguments, "select", ""),
        exclude=getattr(arguments, "exclude", ""),
        drop=drop(arguments),
        add=add(arguments),
        follow_links=getattr(arguments, "follow_links", False),
    )


def fields(arguments: argparse.Namespace, prefix: str = "") -> Fields:
    """Return what the arguments whose names begin with prefix say of fields; of those that the verb
    does not have, nothing.
    """
    named: dict[str, Any] = {
        part: getattr(arguments, f"{prefix}field_{part}", None) for part in PARTS
    }
    return Fields(**named, prefix=prefix)


def drop(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return what the arguments say is left out of the texts."""
    return tuple(filter(None, arguments.drop.split(",")))


def add(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the parts to add to the texts."""
    return tuple(filter(None, arguments.add.split(",")))
