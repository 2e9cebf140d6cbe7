"""A table of options: what is checked, what the command makes of it, and a function's signature."""

from __future__ import annotations

import argparse
import inspect
import pickle
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pocketindex.errors import as_typed
from pocketindex.flags import add_options, chosen, common_flags, given, rare_text
from pocketindex.keywords import Keywords, takes
from pocketindex.options import COMMON, SET, OptionError, Options, option, options_of


@dataclass(frozen=True)
class Table(Options):
    top: int = option(10, "number of hits to show", least=1, metavar="N", shown=COMMON)
    share: float = option(0.5, "100% is 1", above=0, most=1, metavar="S")
    order: str = option("score", "order of the hits", choices=("score", "date"))
    parts: Sequence[str] = option(("title",), "parts to ask", metavar="PART,...")
    exact: bool = option(False, "compare whole texts", short="-e")
    least_terms: int | None = option(None, "shorter texts are left out", least=1, most=9)
    keys_per_part: int = option(60_000, "keys of a part", least=1, metavar="N", shown=SET)
    guess: bool = option(False, "guess the language", shown=SET, decides=False)
    lines: bool = option(True, "take a text as one line")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exact and self.keys_per_part == 7:
            raise self.refused("{exact} is of {0}, not of {keys_per_part}", "{top}")


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser, options_of(Table).values())
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("wrong", "python", "typed"),
    [
        ({"top": 0}, "top is 0; it must be at least 1", "--top is 0; it must be at least 1"),
        ({"share": 0}, "share is 0; it must be above 0, at most 1", "--share is 0;"),
        ({"share": 1.5}, "share is 1.5; it must be above 0, at most 1", "--share is 1.5;"),
        ({"share": float("nan")}, "share is nan; it must be above 0, at most 1", "--share is nan"),
        ({"order": "x"}, "order is 'x'; it must be one of score, date", "--order is 'x'"),
        (
            {"least_terms": 10},
            "least_terms is 10; it must be between 1 and 9",
            "--least-terms is 10;",
        ),
        ({"keys_per_part": 0}, "keys_per_part is 0; it must", "--set keys_per_part is 0; it must"),
        (
            {"exact": True, "keys_per_part": 7},
            "exact is of {top}, not of keys_per_part",
            "--exact is of {top}, not of --set keys_per_part",
        ),
    ],
)
def test_an_error_names_an_option_as_it_was_typed(
    wrong: dict[str, Any], python: str, typed: str
) -> None:
    with pytest.raises(OptionError) as caught:
        Table(**wrong)

    assert str(caught.value).startswith(python)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    with as_typed():
        assert str(again).startswith(typed)


@pytest.mark.parametrize("wrong", [{"top": "3"}, {"share": "1"}, {"parts": 3}, {"top": None}])
def test_a_value_of_another_type_is_a_type_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=f"{next(iter(wrong))} is .*; it must be"):
        Table(**wrong)


def test_the_command_makes_the_table() -> None:
    assert chosen(Table, parsed()) == Table()

    words = "--top 3 --share .25 --order date --parts title,text -e --least-terms 2 --no-lines"
    arguments = parsed(*words.split(), "--set", "keys-per-part=7", "--set", "guess=yes")

    assert given(arguments, "top")
    assert not given(parsed(), "top")
    with pytest.raises(OptionError):
        chosen(Table, arguments)
    found = chosen(Table, arguments, exact=False)
    assert found == Table(3, 0.25, "date", ("title", "text"), False, 2, 7, True, lines=False)


def test_an_option_that_a_command_lacks_has_its_default() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, [options_of(Table)["top"]])

    assert chosen(Table, parser.parse_args(["--top", "4"])) == Table(top=4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--top", "x"], "argument --top: expected a whole number, found 'x'"),
        (["--share", "x"], "argument --share: expected a number, found 'x'"),
        (
            ["--set", "keys_per_prat=3"],
            "no setting 'keys_per_prat'; did you mean keys_per_part? (known",
        ),
        (["--set", "top=3"], "no setting 'top' (known: keys_per_part, guess)"),
        (["--set", "guess"], "argument --set: expected guess=VALUE, found 'guess'"),
        (["--set", "guess=3"], "argument --set: guess: expected yes or no, found '3'"),
        (["--set", "keys_per_part="], "keys_per_part: expected a whole number, found ''"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_option(words: list[str], message: str) -> None:
    with pytest.raises(argparse.ArgumentError) as caught:
        parsed(*words)

    assert message in str(caught.value)


def test_help_has_each_option_with_its_default() -> None:
    parser = argparse.ArgumentParser(
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=90)
    )
    add_options(parser, options_of(Table).values())
    text = parser.format_help()

    assert "--top N" in text
    assert "number of hits to show (default: 10)" in text
    assert "100% is 1 (default: 0.5)" in text
    assert re.search(r"--no-lines +take a text as one line\n", text)
    assert "keys of a part" not in text
    assert "keys_per_part=N\n      keys of a part (default: 60000)" in rare_text(
        options_of(Table).values()
    )
    assert common_flags(options_of(Table).values()) == ["--top"]


@dataclass(frozen=True, kw_only=True)
class Call(Keywords):
    text: str = field(kw_only=False)
    top: int = option(10, "number of hits to show", least=1)
    strict: bool = False


@takes(Call)
def find(call: Call) -> list[str]:
    """Find."""
    return [call.text, str(call.top), *call.given]


def test_the_table_of_a_function_is_its_signature() -> None:
    assert str(inspect.signature(find)) == (
        "(text: str, *, top: int = 10, strict: bool = False) -> list[str]"
    )
    assert find.__name__ == "find"
    assert find.__doc__ == "Find.\n\nOptions:\n\n- top: number of hits to show (default: 10)"
    assert find("x") == ["x", "10", "text"]
    assert find(text="x", top=3) == ["x", "3", "text", "top"]


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"tpo": 3}, TypeError, r"no choice 'tpo'; is 'top' meant\? \(known: strict, top\)"),
        ({"top": 0}, OptionError, "top is 0; it must be at least 1"),
        ({"text": "twice"}, TypeError, "multiple values for argument 'text'"),
    ],
)
def test_a_wrong_argument_is_named(
    named: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        find("x", **named)
    with pytest.raises(TypeError, match="missing a required argument: 'text'"):
        find()  # type: ignore[call-arg]
