"""Imports go one way: cbits <- reader <- builder; data holds no code that is imported."""

from __future__ import annotations

import ast
import graphlib
import re
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


# The rooms of the core: each may include those that are named, and pocket.h where base/ is among
# them and it is not base/ itself.
ROOMS = {
    "base": (),
    "text": ("base",),
    "sketch": ("base", "text"),
    "file": ("base", "text", "sketch"),
    "query": ("base", "text", "sketch", "file"),
    "build": ("base", "text", "sketch", "file"),
    "ingest": ("base",),
    "cmph": ("base", "file"),
}
WITHOUT_POCKET_H = ("base", "text", "ingest", "cmph")
INCLUDE = re.compile(r'^#include "([\w/]+\.h)"', re.MULTILINE)


def includes(path: Path) -> list[str]:
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_of_the_core_reaches_back(room: str) -> None:
    allowed = {room, *ROOMS[room]}
    files = sorted((ROOT / "cbits" / room).glob("*.[ch]"))

    assert files
    for path in files:
        for name in includes(path):
            if name == "pocket.h":
                assert room not in WITHOUT_POCKET_H, f"{path.name} includes {name}"
            else:
                assert name.partition("/")[0] in allowed, f"{path.name} includes {name}"


def test_every_file_of_the_core_is_in_a_room() -> None:
    files = [path for path in (ROOT / "cbits").rglob("*.[ch]") if not path.name.startswith("_")]

    assert {path.parent.name for path in files if path.name != "pocket.h"} == {*ROOMS}
    assert len({path.name for path in files}) == len(files)


def test_the_headers_of_the_core_include_each_other_in_no_circle() -> None:
    headers = {
        path.relative_to(ROOT / "cbits").as_posix(): includes(path)
        for path in (ROOT / "cbits").rglob("*.h")
    }
    tuple(graphlib.TopologicalSorter(headers).static_order())


def test_the_core_includes_no_python_and_prints_nothing() -> None:
    for path in (ROOT / "cbits").rglob("*.[ch]"):
        if path.name.startswith("_"):
            continue
        source = path.read_text(encoding="utf-8")
        for word in ("Python.h", "stdio.h", "printf", "getenv", "exit("):
            assert word not in source, f"{path.name} has {word}"
