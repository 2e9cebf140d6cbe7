"""Declare options once; their checks, the command line (flags.py) and Python's signatures
(keywords.py) come from that.

A table of options is a frozen dataclass whose fields `option` makes:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Search(Options):
...     top: int = option(10, "number of hits to show", least=1, metavar="N")
...     order: str = option("score", "order of the hits", choices=("score", "date"))
>>> Search(top=0)
Traceback (most recent call last):
pocketindex.options.OptionError: top is 0; it must be at least 1
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pocketindex.arguments import check_fields

T = TypeVar("T")
COMMON, ALL, SET = "common", "all", "set"  # where the command has an option
_TRUTH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class OptionError(ValueError):
    """An option has a value that is not allowed.

    str() names the options as Python does, typed as the command does. text: has {name} for an
    option and {0}, {1} for values; flags: how the command spells the options, by name.
    """

    def __init__(self, text: str, values: Sequence[Any] = (), flags: Mapping[str, str] = {}):
        super().__init__(text, values, flags)
        self._text, self._values, self._flags = text, values, flags

    def __str__(self) -> str:
        return self._said({name: name for name in self._flags})

    @property
    def typed(self) -> str:
        """The message for those who use the command."""
        return self._said(self._flags)

    def _said(self, names: Mapping[str, str]) -> str:
        return string.Formatter().vformat(self._text, self._values, names)


@dataclass(frozen=True)
class Option:
    """What is known of an option; `option` makes it, `options_of` adds name, kind and default.

    help: a phrase that continues the name of the option and says what it does, without its default;
    metavar: what stands for its value in help; least, most, above: bounds (above is exclusive);
    allowed: the bounds in words, where numbers would not do; choices: the values that there are;
    shown: COMMON for `--help`, ALL for `--help-all` alone, SET for `--set NAME=VALUE`; decides:
    whether the bytes of an output depend on it; shown_default: the default in words, "" for the
    value itself; parse: makes a value of a string, and raises argparse.ArgumentTypeError; dest: its
    attribute in argparse's namespace; short: a flag of one letter; kind: the annotation.
    """

    help: str
    metavar: str | None = None
    least: float | None = None
    most: float | None = None
    above: float | None = None
    allowed: str = ""
    choices: Sequence[Any] = ()
    shown: str = ALL
    decides: bool = True
    shown_default: str = ""
    parse: Callable[[str], Any] | None = None
    dest: str = ""
    short: str = ""
    name: str = ""
    kind: str = "str"
    default: Any = None

    @property
    def flag(self) -> str:
        """How the command spells it."""
        return f"--set {self.name}" if self.shown == SET else f"--{self.name.replace('_', '-')}"

    def check(self, value: Any) -> None:
        """Raise OptionError for a value outside the bounds or choices. None is always allowed where
        it is the default.
        """
        if value is None and self.default is None:
            return
        if self.choices and value not in self.choices:
            known = ", ".join(map(str, self.choices))
            raise self._refused(repr(value), f"one of {known}")
        if not (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
        ):
            raise self._refused(str(value), self._bounds())

    def _refused(self, value: str, allowed: str) -> OptionError:
        text = f"{{{self.name}}} is {{0}}; it must be {{1}}"
        return OptionError(text, (value, allowed), {self.name: self.flag})

    def _bounds(self) -> str:
        """Return the bounds in words."""
        if self.allowed:
            return self.allowed
        if self.least is not None and self.most is not None:
            return f"{self.least} .. {self.most}"
        low = f"above {self.above}" if self.least is None else f"at least {self.least}"
        high = f"at most {self.most}"
        if self.least is None and self.above is None:
            return high
        return low if self.most is None else f"{low}, {high}"

    def read(self, text: str) -> Any:
        """Return the value of a string, as of the command line. Raises
        argparse.ArgumentTypeError.
        """
        if self.parse:
            return self.parse(text)
        kind = self.kind.partition(" | ")[0]
        if kind == "Sequence[str]":
            return tuple(filter(None, text.split(",")))
        if kind == "bool":
            if text.lower() not in _TRUTH:
                raise argparse.ArgumentTypeError(f"expected yes or no, found {text!r}")
            return _TRUTH[text.lower()]
        for name, number, expected in ("int", int, "a whole number"), ("float", float, "a number"):
            if kind == name:
                try:
                    return number(text)
                except ValueError:
                    raise argparse.ArgumentTypeError(
                        f"expected {expected}, found {text!r}"
                    ) from None
        return text

    def shown_help(self) -> str:
        """Return the help with the default, for argparse."""
        default = self.shown_default
        if not default and self.default not in (None, "", (), False):
            is_list = isinstance(self.default, tuple)
            default = ",".join(map(str, self.default)) if is_list else str(self.default)
        return f"{self.help} (default: {default})" if default else self.help


def option(default: T, help: str, **more: Any) -> T:
    """Declare an option as a field of a dataclass that derives from Options.

    default: its value where it is not given, of the annotated type; help, more: see Option.
    """
    found: Any = dataclasses.field(default=default, metadata={"option": Option(help, **more)})
    return found  # type: ignore[no-any-return]


class Options:
    """A table of options: the base of a frozen dataclass whose fields are made by `option`.

    Raises TypeError for a value that is not of the annotated type, and OptionError for one that is
    not allowed.
    """

    def __post_init__(self) -> None:
        check_fields(self)
        for name, one in options_of(self.__class__).items():
            one.check(getattr(self, name))

    def refused(self, text: str, *values: Any) -> OptionError:
        """Return the error for options that do not go together. text: see OptionError."""
        return OptionError(text, values, flags_of(self.__class__))


def options_of(table: Any) -> Mapping[str, Option]:
    """Return the options that a table declares, by name, in its order."""
    return _options_of(table)


@functools.cache
def _options_of(table: Any) -> Mapping[str, Option]:
    return {
        field.name: replace(
            field.metadata["option"],
            name=field.name,
            kind=str(field.type),
            default=field.default,
        )
        for field in dataclasses.fields(table)
        if "option" in field.metadata
    }


def flags_of(table: type) -> dict[str, str]:
    """Return how the command spells the options of a table, by name."""
    return {name: one.flag for name, one in options_of(table).items()}
