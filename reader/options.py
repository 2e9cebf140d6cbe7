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

import dataclasses
import functools
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pocketindex.arguments import check_fields, short
from pocketindex.errors import is_typed

T = TypeVar("T")
COMMON, ALL, SET = "common", "all", "set"  # where the command has an option


def _unreadable(message: str) -> Exception:
    from argparse import ArgumentTypeError  # only for a mistake in a command

    return ArgumentTypeError(message)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _unreadable(f"expected a whole number, found {text!r}") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _unreadable(f"expected a number, found {text!r}") from None


def _truth(text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise _unreadable(f"expected yes or no, found {text!r}")
    return _TRUTH[text.lower()]


def _list(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


_READERS: dict[str, Callable[[str], Any]] = {
    "int": _whole,
    "float": _number,
    "bool": _truth,
    "Sequence[str]": _list,
}
_TRUTH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class OptionError(ValueError):
    """An option has a value that is not allowed.

    text: has {name} for an option and {0}, {1} for values; flags: how the command spells the
    options, by name.
    """

    def __init__(self, text: str, values: Sequence[Any] = (), flags: Mapping[str, str] = {}):
        super().__init__(text, values, flags)
        self._text, self._values, self._flags = text, values, flags

    def __str__(self) -> str:
        names = self._flags if is_typed() else {name: name for name in self._flags}
        return string.Formatter().vformat(self._text, self._values, names)


@dataclass(frozen=True)
class Option:
    """What is known of an option; `option` makes it, `options_of` adds name, kind and default.

    help: a phrase that continues the name of the flag and says what it does, without its default;
    metavar: what stands for its value in help; least, most, above: bounds (above is exclusive);
    allowed: the bounds in words, where numbers would not do; choices: the values that there are;
    only_with: (option, value), where it has no effect unless that option is or has that value;
    shown: COMMON for `--help`, ALL for `--help-all` alone, SET for `--set NAME=VALUE`; decides:
    whether the bytes of an output depend on it; shown_default: the default in words, "" for the
    value itself; parse: makes a value of a string, and raises argparse.ArgumentTypeError; dest: its
    attribute in argparse's namespace; spelling: its flag, where that is not its name with - for _;
    short: a flag of one letter; kind: the annotation.
    """

    help: str
    metavar: str | None = None
    least: float | None = None
    most: float | None = None
    above: float | None = None
    allowed: str = ""
    choices: Sequence[Any] = ()
    only_with: tuple[str, str] | None = None
    shown: str = ALL
    decides: bool = True
    shown_default: str = ""
    parse: Callable[[str], Any] | None = None
    dest: str = ""
    spelling: str = ""
    short: str = ""
    name: str = ""
    kind: str = "str"
    default: Any = None

    @property
    def flag(self) -> str:
        """How the command spells it."""
        if self.shown == SET:
            return f"--set {self.name}"
        return self.spelling or f"--{'no-' * self.is_on}{self.name.replace('_', '-')}"

    @property
    def is_on(self) -> bool:
        """Whether it is on unless its flag, which begins with --no-, turns it off."""
        return self.kind == "bool" and self.default is True

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
            said = short(value) if isinstance(value, int) else f"{value:g}"
            raise self._refused(said, self._bounds(value))

    def _refused(self, value: str, allowed: str) -> OptionError:
        text = f"{{{self.name}}} is {{0}}; it must be {{1}}"
        return OptionError(text, (value, allowed), {self.name: self.flag})

    def _bounds(self, value: float) -> str:
        """Return the bounds in words."""
        if self.allowed:
            return self.allowed
        if self.least is not None and self.most is not None:
            said = f"between {self.least} and {self.most}"
        else:
            low = None if self.least is None else f"at least {self.least}"
            low = low if self.above is None else f"above {self.above}"
            high = None if self.most is None else f"at most {self.most}"
            said = ", ".join(filter(None, (low, high)))
        is_share = self.most == 1 and self.kind.startswith("float")
        return (
            f"{said} (for {value:g} %, write {value / 100:g})"
            if is_share and 1 < value <= 100
            else said
        )

    @property
    def reader(self) -> Callable[[str], Any]:
        """What makes a value of a string of the command line; it raises
        argparse.ArgumentTypeError.
        """
        return self.parse or _READERS.get(self.kind.partition(" | ")[0], str)

    def field(self) -> Any:
        """Return the field that declares it once more, in another table."""
        return dataclasses.field(default=self.default, metadata={"option": self})

    def shown_help(self) -> str:
        """Return the help with the default, for argparse."""
        default = self.shown_default
        if not default and self.default not in (None, "", (), False) and not self.is_on:
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

    A list of strings may be given as one string with commas. Raises TypeError for a value that is
    not of the annotated type, and OptionError for one that is not allowed.
    """

    def __post_init__(self) -> None:
        declared = options_of(self.__class__)
        for name, one in declared.items():
            if one.kind == "Sequence[str]":
                object.__setattr__(self, name, _as_list(getattr(self, name)))
        check_fields(self)
        for name, one in declared.items():
            one.check(getattr(self, name))

    def check_effect(self, given: Iterable[str]) -> None:
        """Raise OptionError where an option has no effect beside the others. given: the names of
        those that the user gave.
        """
        declared = options_of(self.__class__)
        for name in given:
            if name in declared and (belongs := declared[name].only_with):
                other, wanted = belongs
                value = getattr(self, other)
                values = [value] if isinstance(value, str) else value
                if wanted not in (one.partition(":")[0] for one in values):
                    raise self.refused(
                        f"{{{name}}} has no effect unless {{{other}}} {{0}} {wanted}; it is {{1}}",
                        "is" if isinstance(value, str) else "has",
                        ",".join(values),
                    )

    def refused(self, text: str, *values: Any) -> OptionError:
        """Return the error for options that do not go together. text: see OptionError."""
        return OptionError(text, values, flags_of(self.__class__))


def _as_list(value: Any) -> Any:
    """Return a list of strings as a tuple, and what is none as it is."""
    if isinstance(value, str):
        return _list(value)
    return tuple(value) if isinstance(value, Iterable) else value


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
