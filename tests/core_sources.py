"""Which C files make the reading half of the core, and how the harnesses compile them."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from compiled import CORE, HARNESSES

SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def script(path: Path) -> SimpleNamespace:
    """The names of a script that is in no package."""
    return SimpleNamespace(**runpy.run_path(str(path)))


amalgamate = script(CORE / "amalgamate.py")
# Wikitext to text, which the building half has alone.
WIKITEXT = ("wikitext.c", "wikitext_links.c", "wikitext_tags.c", "markup.c", "utf8_repair.c")


def reading_half(folder: Path = CORE, mapping: bool = True) -> list[Path]:
    """The C files of libpocket; mapping: with the adapter that maps a path."""
    files: list[Path] = amalgamate.reading_half(folder)
    return [p for p in files if mapping or p.name not in ("map.c", "memory_wasm.c")]


def tool(name: str) -> str:
    """A command, or a skip that names it."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}")
    return found


def harness(out: Path, name: str, *flags: str, compiler: str = "gcc", folder: Path = CORE, mapping: bool = False) -> Path:
    """tests/c/NAME linked with the reading half (without map.c, unless mapping)."""
    command = [tool(compiler), "-std=c11", "-g", "-O2", *flags, f"-I{folder}", "-o", str(out)]
    command += map(str, [HARNESSES / name, *(p for p in reading_half(folder, mapping))])
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
    return out


def run(*command: str | Path, timeout: float = 1800) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=timeout, errors="replace")
    print(done.stdout[-2000:], done.stderr[-4000:])
    return done
