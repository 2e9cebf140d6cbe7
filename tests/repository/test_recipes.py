"""Every recipe of docs/recipes.md is run, where what it imports is installed."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

PAGE = (ROOT / "docs" / "recipes.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
RECIPES = {part.partition("\n")[0]: dict(BLOCK.findall(part)) for part in PAGE.split("\n## ")[1:]}


def modules(code: str) -> set[str]:
    """The packages that a program imports."""
    found = set[str]()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_every_recipe_is_found() -> None:
    assert len(RECIPES) > 5
    assert all(sorted(blocks) == ["python", "text"] for blocks in RECIPES.values())
    assert PAGE.count("```") == 4 * len(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe(name: str, tmp_path: Path) -> None:
    code, shown = RECIPES[name]["python"], RECIPES[name]["text"]
    missing = [one for one in modules(code) if importlib.util.find_spec(one) is None]
    if missing and "POCKETINDEX_RECIPES" in os.environ:  # make test-recipes has installed them
        pytest.fail(f"not installed: {', '.join(sorted(missing))}")
    if missing:
        pytest.skip(f"needs other packages: {', '.join(sorted(missing))}")
    (tmp_path / "recipe.py").write_text(code)
    ran = subprocess.run(
        [sys.executable, "recipe.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == shown
