"""Parts of the C core compiled for one test, without the rest."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from places import ROOT, TESTS

CORE = ROOT / "cbits"
HARNESSES = TESTS / "c"
STRICT = (
    "-std=c11",
    "-O2",
    "-g",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wsign-conversion",
    "-Werror",
    "-pedantic",
)


def core_file(name: str) -> Path:
    """Find a file of the core in its room."""
    (found,) = (path for path in CORE.rglob(name) if not path.name.startswith("_"))
    return found


def compiler(*names: str) -> str:
    """The first of these commands that exists; the test is skipped when there is none."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(
            f"needs {names[0]}"
            if len(names) == 1
            else f"needs a C compiler: none of {', '.join(names)} is here"
        )
    return found


def compile_c(out: Path, sources: Sequence[Path], *flags: str, command: str | None = None) -> Path:
    """Compile and link with all warnings as errors."""
    parts = [
        command or compiler("cc", "gcc", "clang"),
        *STRICT,
        f"-I{CORE}",
        "-o",
        str(out),
        *map(str, sources),
        *flags,
    ]
    done = subprocess.run(parts, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
    return out


def compile_fuzzer(out: Path, sources: Sequence[Path], *flags: str) -> Path:
    """Compile and link a target of libFuzzer with sanitizers; the test is skipped where clang has
    no libFuzzer, or zlib.h is missing.
    """
    sanitizers = ("-g", "-O1", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all")
    command = [
        compiler("clang"),
        "-std=c11",
        *sanitizers,
        f"-I{CORE}",
        "-o",
        str(out),
        *map(str, sources),
        *flags,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    for needed, what in (("libclang_rt.fuzzer", "clang with libFuzzer"), ("zlib.h", "zlib.h")):
        if done.returncode and needed in done.stderr:
            pytest.skip(f"needs {what}")
    assert done.returncode == 0, done.stderr[:4000]
    return out
