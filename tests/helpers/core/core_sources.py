"""Which C files make the reading half of the core, and how the harnesses compile them."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from collections.abc import Sequence
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
WIKITEXT = (
    "wikitext.c",
    "wikitext_links.c",
    "wikitext_tags.c",
    "wikitext_templates.c",
    "markup.c",
    "utf8_repair.c",
)


def reading_half(folder: Path = CORE, mapping: bool = True) -> list[Path]:
    """The C files of libpocket; mapping: with the adapter that maps a path."""
    files: list[Path] = amalgamate.reading_half(folder)
    return [p for p in files if mapping or p.name not in ("map.c", "open_path.c", "memory_wasm.c")]


def tool(name: str) -> str:
    """A command, or a skip that names it."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}")
    return found


def harness(
    out: Path,
    name: str,
    *flags: str,
    compiler: str = "gcc",
    folder: Path = CORE,
    more: Sequence[str] = (),
    libraries: Sequence[str] = (),
    mapping: bool = False,
) -> Path:
    """tests/c/NAME, and more of that folder, linked with the reading half (mapping: with map.c)."""
    command = [tool(compiler), "-std=c11", "-g", "-O2", *flags, f"-I{folder}", "-o", str(out)]
    command += map(
        str,
        [*(HARNESSES / one for one in (name, *more)), *reading_half(folder, mapping), *libraries],
    )
    done = subprocess.run(command, capture_output=True, text=True)
    for needed, what in (("libclang_rt.", "clang with its run-time library"), ("zlib.h", "zlib.h")):
        if done.returncode and needed in done.stderr:
            pytest.skip(f"needs {what}")
    assert done.returncode == 0, done.stderr[:4000]
    return out


def run(*command: str | Path, timeout: float = 1800) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=timeout, errors="replace"
    )
    print(done.stdout[-2000:], done.stderr[-4000:])
    return done
