"""Every test that a group of .ci/run names is there, under its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from groups import GROUPS, groups_of

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
NAMED = [
    (file, function)
    for files in GROUPS.values()
    for file, functions in files.items()
    for function in functions
]


@pytest.mark.parametrize(("file", "function"), NAMED)
def test_a_test_that_a_group_names_is_there(file: str, function: str) -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob(file)]

    assert any(re.search(rf"^def {function}\(", text, re.M) for text in texts)


def test_what_no_group_names() -> None:
    assert groups_of("test_groups.py", "test_what_no_group_names") == []
    assert groups_of("test_fuzz.py", "test_the_corpus") == ["asan"]
