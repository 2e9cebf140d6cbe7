"""The same bits everywhere: 64 and 32 bits, little- and big-endian, and strict C."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from compiled import CORE, HARNESSES, STRICT, core_file
from core_sources import SANITIZE, WIKITEXT, harness, reading_half, run, tool
from places import TESTS
from vectors import expected, questions


def replay(program: Path, tmp_path: Path, *emulator: str) -> None:
    cases = tmp_path / "cases"
    cases.write_text(questions())
    done = run(*emulator, program, cases)

    assert done.returncode == 0
    assert done.stdout == expected()


@pytest.mark.slow
def test_native_under_sanitizers(tmp_path: Path) -> None:
    replay(harness(tmp_path / "answers", "answers.c", *SANITIZE), tmp_path)


@pytest.mark.slow
def test_i686(tmp_path: Path) -> None:
    tool("i686-linux-gnu-gcc")
    replay(
        harness(tmp_path / "answers", "answers.c", "-static", compiler="i686-linux-gnu-gcc"),
        tmp_path,
    )


@pytest.mark.slow
def test_s390x(tmp_path: Path) -> None:
    tool("s390x-linux-gnu-gcc")
    replay(
        harness(tmp_path / "answers", "answers.c", "-static", compiler="s390x-linux-gnu-gcc"),
        tmp_path,
        tool("qemu-s390x"),
    )


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_strict_c(compiler: str, tmp_path: Path) -> None:
    tool(compiler)
    for source in [
        *reading_half(),
        *CORE.glob("build/**/*.c"),
        *(core_file(name) for name in WIKITEXT),
    ]:
        if source.name != "memory_wasm.c":
            command = [compiler, *STRICT, "-fsyntax-only", f"-I{CORE}", str(source)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr[:3000]


def test_the_public_header_stands_alone_in_c_and_in_cpp(tmp_path: Path) -> None:
    for name, compiler, standard in (("a.c", "gcc", "-std=c11"), ("a.cc", "g++", "-std=c++11")):
        source = tmp_path / name
        source.write_text(
            '#include "pocket.h"\nint main(void) { return pocket_sentence(0) == 0; }\n'
        )
        command = [
            tool(compiler),
            standard,
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-fsyntax-only",
            f"-I{CORE}",
            str(source),
        ]
        assert subprocess.run(command, check=False).returncode == 0


def test_the_core_is_c_that_microsofts_compiler_takes(tmp_path: Path) -> None:
    """As far as clang can tell, which reads it with that compiler's macros and without gcc's."""
    flags = [
        *("--target=x86_64-pc-windows-msvc", "-fms-compatibility-version=19.30", "-std=c11"),
        *("-ffreestanding", "-DPOCKET_NO_FILES", "-D__STDC_NO_ATOMICS__", f"-I{CORE}"),
        *("-isystem", str(HARNESSES / "msvc")),
        *("-Wall", "-Wextra", "-Wvla", "-Wno-unused-function", "-Werror", "-fsyntax-only"),
    ]
    macros = tmp_path / "macros.c"
    macros.write_text("#if defined(__GNUC__) || _MSC_VER != 1930\n#error\n#endif\nint x;\n")
    sources = [
        path
        for path in (*reading_half(), *CORE.glob("build/**/*.c"), *CORE.glob("ingest/*.c"))
        if path.name != "memory_wasm.c"
    ]
    command = [tool("clang"), *flags, str(macros), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True)

    assert len(sources) > 100
    assert done.returncode == 0, done.stderr[:3000]


def test_every_harness_is_run_by_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py"))
    for path in HARNESSES.glob("*.c"):
        assert path.name in tests or path.stem in tests, path
