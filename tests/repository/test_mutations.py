"""The changes of tests/mutate.py, and whether they are noticed."""

from __future__ import annotations

import ast
from pathlib import Path

import mutate
import pytest
from mutations import Mutation, mutations_of
from places import ROOT

SOURCE = '''\
"""Not a place for changes, 1 < 2."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    MOST = 7

LEAST = 3


def f(a: "int" = 5, ß="größer") -> int:
    """Return 1 or 2."""
    if not a or a < LEAST:
        raise ValueError(f"{a + 1} is wrong")
    while a:
        a += g(
            a,
            True,
        )
        break
    print("ß", -a * 2)
    return "a" + ß


class C:
    size = 1
'''


def changes(folder: Path, source: str) -> list[Mutation]:
    path = folder / "changed.py"
    path.write_text(source, encoding="utf-8")
    return list(mutations_of(path))


def test_what_may_change(tmp_path: Path) -> None:
    found = {
        (one.line, one.kind, "".join(sorted(new.difference(old))).strip())
        for one in changes(tmp_path, SOURCE)
        for old, new in [(set(SOURCE.splitlines()), set(one.changed.decode("utf-8").splitlines()))]
    }

    assert found == {
        (8, "constant", "LEAST = 4"),
        (11, "constant", 'def f(a: "int" = 6, ß="größer") -> int:'),
        (13, "and, or", "if (not a and a < LEAST):"),
        (13, "not", "if (a) or a < LEAST:"),
        (13, "comparison", "if not a or (a <= LEAST):"),
        (14, "removed", "pass"),
        (15, "not", "while (not (a)):"),
        (16, "removed", "pass"),
        (18, "constant", "False,"),
        (20, "removed", "pass"),
        (21, "removed", "pass"),
        (21, "arithmetic", 'print("ß", (-a // 2))'),
        (21, "constant", 'print("ß", -a * 3)'),
        (22, "return", "return None"),
        (26, "constant", "size = 2"),
    }


def test_a_test_meets_a_change_where_it_executes_the_statement(tmp_path: Path) -> None:
    lines = {(one.line, one.kind): one.lines for one in changes(tmp_path, SOURCE)}

    assert lines[13, "comparison"] == range(13, 14)
    assert lines[18, "constant"] == range(16, 20)
    # A default is there once the function is, and counts where its body is executed.
    assert lines[11, "constant"] == range(12, 23)
    assert lines[8, "constant"] == lines[26, "constant"] == range(1, 28)


def test_every_change_of_a_file_is_code() -> None:
    path = ROOT / "reader" / "queries" / "sources.py"
    own = ast.dump(ast.parse(path.read_bytes()))
    found = list(mutations_of(path))

    assert len(found) > 50
    assert all(ast.dump(ast.parse(one.changed)) != own for one in found)


@pytest.mark.slow
def test_a_change_is_noticed_by_a_test_that_fails() -> None:
    old, new = b"reason in ORDINARY or", b"(reason not in ORDINARY) or"
    changes = mutations_of(ROOT / "builder" / "tally.py")
    (change,) = (one for one in changes if one.changed == one.source.replace(old, new))
    test = "tests/builder/test_report.py::test_strict"

    assert mutate.try_out(change, [test], 20).startswith(f"FAILED {test}")
    assert (
        mutate.try_out(change, ["tests/builder/test_report.py::test_counts_and_examples"], 20) == ""
    )
    assert mutate.try_out(change, [], 20) == ""
    assert "+    return (reason not in ORDINARY) or" in mutate.described(change)
