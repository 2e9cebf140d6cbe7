"""Imports go one way: cbits <- reader <- builder; data holds no code that is imported."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "cbits": "pocketindex.cbits",
    "reader": "pocketindex",
    "builder": "pocketindex.builder",
    "data": "pocketindex.data",
}
FORBIDDEN = {
    "cbits": ("pocketindex.builder", "pocketindex.data", "pocketindex.index", "pocketindex.errors"),
    "reader": ("pocketindex.builder",),
    "builder": (),
    "data": (),
}


def imported(path: Path) -> set[str]:
    """Every module that a file names in an import, wherever it stands."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def breaches(folder: str, path: Path) -> set[str]:
    return {
        name
        for name in imported(path)
        for root in FORBIDDEN[folder]
        if name == root or name.startswith(root + ".")
    }


@pytest.mark.parametrize("folder", sorted(FOLDERS))
def test_no_layer_reaches_back(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.py") if not path.name.startswith("make_")]

    assert files
    assert {str(path): breaches(folder, path) for path in files if breaches(folder, path)} == {}


def test_a_planted_breach_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text("def f():\n    from pocketindex.builder import build\n")

    assert breaches("reader", path) == {"pocketindex.builder", "pocketindex.builder.build"}


def test_the_core_includes_no_python_and_prints_nothing() -> None:
    for path in [*(ROOT / "cbits").glob("*.c"), *(ROOT / "cbits").glob("*.h")]:
        if path.name.startswith("_"):
            continue
        source = path.read_text(encoding="utf-8")
        for word in ("Python.h", "stdio.h", "printf", "getenv", "exit("):
            assert word not in source, f"{path.name} has {word}"
