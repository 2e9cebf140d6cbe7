"""Check the types and ranges of arguments, by their names."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from pocketindex.addresses import check_no_address
from pocketindex.errors import spelled

_CHARACTERS = 60  # of a value in a message
STDIO = "-"  # standard input where something is read, standard output where it is written

# What a field of a dataclass may hold, by its annotation.
_KINDS: dict[str, tuple[Any, str]] = {
    "int": (Integral, "a whole number"),
    "float": (Real, "a number"),
    "str": (str, "a string"),
    "Sequence[str]": (list | tuple, "a list of strings"),
}


def check_type(name: str, value: Any, kind: Any, expected: str) -> None:
    """Raise TypeError where a value is not of a kind; expected says which, for people."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {short(value)}; it must be {expected}")


def short(value: Any) -> str:
    """Return a value for a message: a large one by its beginning, bytes by their type."""
    if isinstance(value, bytes | bytearray):
        return f"of type {type(value).__name__}"
    shown = repr(value).removesuffix(".0")
    return shown if len(shown) <= _CHARACTERS else shown[: _CHARACTERS - 1] + "…"


class OutOfRange(ValueError):
    """An argument has a value that is not allowed."""

    def __init__(self, name: str, value: Any, allowed: str) -> None:
        super().__init__(name, value, allowed)
        self._name, self._rest = name, f"is {short(value)}; it must be {allowed}"

    def __str__(self) -> str:
        return f"{spelled(self._name)} {self._rest}"


def check_whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Raise TypeError where a value is no whole number, ValueError where it is out of range."""
    check_type(name, value, Integral, "a whole number")
    if value < least or (most is not None and value > most):
        allowed = f"at least {least}" if most is None else f"between {least} and {most}"
        raise OutOfRange(name, value, allowed)


def check_fields(given: Any) -> None:
    """Raise TypeError where a field of a dataclass is not of the type that its annotation names."""
    for field in dataclasses.fields(given):
        named, _, none = str(field.type).partition(" | ")
        value = getattr(given, field.name)
        if named not in _KINDS or none not in ("", "None") or (none and value is None):
            continue
        kind, expected = _KINDS[named]
        check_type(field.name, value, kind, expected + (" or None" if none else ""))
        if named == "Sequence[str]":
            for one in value:
                check_type(f"one of {field.name}", one, str, "a string")


def is_stdio(path: str | os.PathLike[str]) -> bool:
    """Return whether a path stands for standard input or output: the string "-", and no other.

    A file of that name is given as "./-", or as a pathlib.Path.
    """
    return isinstance(path, str) and path == STDIO


def is_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names a regular file. Standard input is not one, even if a file has the
    name "-".
    """
    return not is_stdio(path) and os.path.isfile(path)


def as_text(path: str | os.PathLike[str]) -> str:
    """Return a path as a string, which means standard input or output only if path does."""
    text = os.fspath(path)
    return os.path.join(os.curdir, text) if text == STDIO and not is_stdio(path) else text


def path_of(name: str, value: str | os.PathLike[str]) -> str:
    """Return a path as a string. Raises TypeError for a value that is no path."""
    check_type(name, value, str | os.PathLike, "a path: a str or an os.PathLike")
    return as_text(value)


def file_of(name: str, value: str | os.PathLike[str], what: str, expected: str) -> str:
    """Return the path of something that cannot be a stream; what, expected: what it is and what it
    has to be, for messages.

    Raises ValueError for "-" and for an address, and TypeError for a value that is not a path.
    """
    check_no_address(value, what, f"give the path of {expected}")
    if is_stdio(value):
        raise ValueError(
            f"-: {what} cannot be standard input or output; give the path of {expected} (a file "
            "named - is given as ./-)"
        )
    return path_of(name, value)


def paths_of(name: str, values: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return paths as strings. Raises TypeError where one is no path, and for a single path."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {short(values)}; it must be a list of paths")
    return [path_of(f"one of {name}", value) for value in values]
