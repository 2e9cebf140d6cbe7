"""The command line of a table of options: its flags, its help, and the table that they make.

>>> from dataclasses import dataclass
>>> from pocketindex.options import Options, option
>>> @dataclass(frozen=True)
... class Search(Options):
...     top: int = option(10, "number of hits to show", least=1, metavar="N")
>>> parser = argparse.ArgumentParser()
>>> add_options(parser, options_of(Search).values())
>>> chosen(Search, parser.parse_args(["--top", "3"]))
Search(top=3)
"""

from __future__ import annotations

import argparse
import difflib
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pocketindex.options import COMMON, SET, Option, options_of

T = TypeVar("T")


class _Store(argparse.Action):
    """Store a value, and that it was given."""

    def __call__(self, _: Any, namespace: argparse.Namespace, values: Any, *__: Any) -> None:
        _give(namespace, self.dest, not self.default if self.nargs == 0 else values)


class _Set(argparse.Action):
    """--set NAME=VALUE."""

    rare: Mapping[str, Option] = {}

    def __call__(self, _: Any, namespace: Any, values: Any, *__: Any) -> None:
        name, sign, text = values.partition("=")
        one = self.rare.get(name.replace("-", "_"))
        if one is None:
            near = difflib.get_close_matches(name.replace("-", "_"), self.rare, 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise argparse.ArgumentError(
                self, f"there is no setting {name!r}{meant} (known: {', '.join(self.rare)})"
            )
        if not sign:
            raise argparse.ArgumentError(self, f"expected {name}=VALUE, found {values!r}")
        try:
            _give(namespace, one.dest or one.name, one.reader(text))
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentError(self, f"{name}: {error}") from None


def _give(namespace: argparse.Namespace, dest: str, value: Any) -> None:
    setattr(namespace, dest, value)
    namespace.given = {*getattr(namespace, "given", ()), dest}


def add_options(to: argparse._ActionsContainer, options: Iterable[Option]) -> None:
    """Add options to a parser, or to a group of one. Those that are SET share the option --set.

    Those that a command describes in its own words are changed before, with dataclasses.replace.
    """
    rare = dict[str, Option]()
    for one in options:
        dest = one.dest or one.name
        if one.shown == SET:
            rare[one.name] = one
            to.set_defaults(**{dest: one.default})
            continue
        more: dict[str, Any] = {"nargs": 0} if one.kind == "bool" else {"metavar": one.metavar}
        if one.choices and not one.parse:
            more["choices"] = list(one.choices)
        if one.kind != "bool":
            more["type"] = one.reader
        to.add_argument(
            *([one.short] if one.short else []),
            one.flag,
            dest=dest,
            action=_Store,
            default=one.default,
            help=one.shown_help().replace("%", "%%"),
            **more,
        )
    if rare:
        action: Any = to._option_string_actions.get("--set") or to.add_argument(
            "--set",
            action=_Set,
            metavar="NAME=VALUE",
            help="change one of the settings that are listed below; may be repeated",
        )
        action.rare = {**action.rare, **rare}


def rare_text(options: Iterable[Option]) -> str:
    """Return a paragraph of help about the options that --set knows; "" where there are none."""
    lines = ["settings of --set NAME=VALUE:"]
    for one in options:
        if one.shown == SET:
            value = "yes" if one.kind == "bool" else one.metavar or "VALUE"
            known = "|".join(map(str, one.choices)) or value
            lines += [f"  {one.name}={known}", *_wrapped(one.shown_help())]
    return "\n".join(lines) + "\n" if len(lines) > 1 else ""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 96, initial_indent=" " * 6, subsequent_indent=" " * 6)


def common_flags(options: Iterable[Option]) -> list[str]:
    """Return the flags of the options that the short help shows."""
    return [one.flag for one in options if one.shown == COMMON]


def given(arguments: argparse.Namespace, name: str) -> bool:
    """Return whether an option was given on the command line, whatever its value."""
    return name in getattr(arguments, "given", ())


def chosen(table: Callable[..., T], arguments: argparse.Namespace, **more: Any) -> T:
    """Return a table with what the command line says, and more. Options that the command does not
    have keep their defaults. Raises as the table does.
    """
    values = {
        name: value
        for name, one in options_of(table).items()
        if (value := getattr(arguments, one.dest or name, None)) is not None
    }
    return table(**{**values, **more})
