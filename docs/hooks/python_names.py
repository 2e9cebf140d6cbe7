"""The reference of the Python package: every public name, for mkdocstrings to fill in."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType

import pocketindex
from pocketindex import builder


def page() -> str:
    """The page as Markdown."""
    return "\n".join(lines())


def lines() -> Iterator[str]:
    """The page, line by line: functions first, then classes, then errors."""
    yield "# Python\n"
    yield "`import pocketindex` reads files and builds them. What comes with building is imported"
    yield "when it is asked for; [recipes](../recipes.md) show it beside other libraries."
    yield "This page is made from the docstrings.\n"
    public = {name: getattr(pocketindex, name) for name in pocketindex.__all__}
    on_spark = public.pop("spark").__all__
    functions = [name for name, what in public.items() if isinstance(what, FunctionType)]
    builds = [name for name in functions if public[name].__module__.startswith(builder.__name__)]
    functions = [name for name in functions if name not in builds]
    errors = [name for name, what in public.items() if is_error(what)]
    others = {*functions, *builds, *errors}
    classes = [name for name in public if name not in others]
    # Index comes first among the classes: it is where everybody begins.
    classes.sort(key=lambda name: (name != "Index", name))
    yield from section("From documents", [f"pocketindex.{name}" for name in builds])
    yield from section("On Spark", [f"pocketindex.spark.{name}" for name in on_spark])
    yield from section("Open a file", [f"pocketindex.{name}" for name in functions])
    yield from section("What there is then", [f"pocketindex.{name}" for name in classes])
    yield from section("Errors", [f"pocketindex.{name}" for name in errors])
    others = sorted({"build", *builder.__all__} - (set(public) - {"build"}))
    yield from section("From sources", [f"pocketindex.builder.{name}" for name in others])


def section(title: str, names: list[str]) -> Iterator[str]:
    """A heading, and what mkdocstrings puts in."""
    yield f"## {title}\n"
    for name in names:
        # An index has what every open file has; what answers have in common is told once.
        more = "      inherited_members: true\n" if name == "pocketindex.Index" else ""
        yield f"::: {name}\n    options:\n      heading_level: 3\n{more}"


def is_error(what: object) -> bool:
    """Whether this is an exception's class."""
    return isinstance(what, type) and issubclass(what, BaseException)
