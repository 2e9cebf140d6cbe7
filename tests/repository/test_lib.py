"""What `make lib` gives: the two files for an application, the libraries, the pkg-config file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pocketindex
import pytest
from compiled import HARNESSES, STRICT
from core_sources import SANITIZE, WIKITEXT, amalgamate, run, tool
from places import GOLDEN, ROOT
from vectors import expected, questions

SWITCHES: tuple[list[str], ...] = ([], ["-DPOCKET_NO_FILES"], ["-DPOCKET_PORTABLE"])


def declared(header: str) -> set[str]:
    """The functions of pocket.h."""
    return set(
        re.findall(
            r"^(?:pocket_status|uint32_t|uint64_t|void|const (?:char|pocket_span) \*)\s*\*?"
            r"(pocket_\w+)\(",
            header,
            re.M,
        )
    )


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool("gcc")
    folder = tmp_path_factory.mktemp("lib")
    done = run(
        tool("make"),
        "-C",
        ROOT,
        "lib",
        f"LIB={folder}",
        f"PYTHON={sys.executable}",
        "CFLAGS=-O1 -Werror",
    )
    assert done.returncode == 0
    return folder


def defined(*command: str | Path) -> set[str]:
    """The names that nm lists as defined and global."""
    listed = run("nm", "--defined-only", *command).stdout
    return {
        line.split()[-1]
        for line in listed.splitlines()
        if len(line.split()) == 3 and line.split()[1] in "TDBRVW"
    }


def test_it_gives_the_same_bytes_in_any_order(lib: Path, tmp_path: Path) -> None:
    """Python draws the seed of its hashes for `make lib`; this run has seed 1."""
    subprocess.run(
        [sys.executable, ROOT / "cbits" / "amalgamate.py", tmp_path],
        env={**os.environ, "PYTHONHASHSEED": "1", "LC_ALL": "C"},
        check=True,
    )
    for name in ("pocket.c", "pocket.h"):
        assert (tmp_path / name).read_bytes() == (lib / name).read_bytes()


def test_nothing_of_the_building_half_is_in_it() -> None:
    names = {path.name for path in amalgamate.reading_half()}

    assert {"map.c", "query.c", "verify.c", "memory_wasm.c"} <= names
    assert not names & {
        "hashes.c",
        "sketch_many.c",
        "count_terms.c",
        "json_lines.c",
        "pack_records.c",
        "part_build.c",
        "pilot_build.c",
        "terms_write.c",
        "word_places.c",
        "cmph_adapter.c",
        *WIKITEXT,
    }
    assert not any(name.startswith("_") for name in names)


@pytest.mark.parametrize("switches", SWITCHES, ids=["all", "no files", "portable"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_two_files_compile_without_a_warning(
    lib: Path, compiler: str, switches: list[str]
) -> None:
    done = run(tool(compiler), *STRICT, *switches, "-fsyntax-only", lib / "pocket.c")

    assert done.returncode == 0
    assert "warning" not in done.stderr


def test_it_compiles_without_a_c_library(lib: Path) -> None:
    done = run(
        tool("clang"),
        *("--target=wasm32", "-std=c11", "-DPOCKET_FREESTANDING", "-Wall", "-Wextra", "-Werror"),
        *("-fsyntax-only", lib / "pocket.c"),
    )

    assert done.returncode == 0, done.stderr


def test_the_header_stands_alone_in_cpp(lib: Path, tmp_path: Path) -> None:
    (tmp_path / "pocket.h").write_bytes((lib / "pocket.h").read_bytes())
    (tmp_path / "app.cc").write_text(
        '#include "pocket.h"\nint main() { return pocket_sentence(POCKET_OK) == nullptr; }\n'
    )
    program = tmp_path / "app"
    flags = ("-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic")
    done = run(
        tool("g++"), *flags, tmp_path / "app.cc", lib / "libpocket.a", "-pthread", "-o", program
    )

    assert done.returncode == 0
    assert run(program).returncode == 0


def test_only_the_public_functions_reach_the_linker(lib: Path) -> None:
    header = (lib / "pocket.h").read_text(encoding="utf-8")
    public = declared(header)

    assert public >= {"pocket_open", "pocket_query", "pocket_close"}
    assert declared(header.split("cdef: begin")[1].split("cdef: end")[0]) == public
    assert defined("-g", lib / "libpocket.a") == public
    assert defined("-D", lib / "libpocket.so") == public


def test_the_shared_library_has_its_number(lib: Path) -> None:
    assert "libpocket.so.1]" in run("readelf", "-d", lib / "libpocket.so").stdout
    assert (lib / "libpocket.so").resolve().name == "libpocket.so.1"


def test_sizes_and_places_are_those_of_the_number(lib: Path, tmp_path: Path) -> None:
    assert (
        run(
            tool("gcc"), "-std=c11", f"-I{lib}", HARNESSES / "abi.c", "-o", tmp_path / "abi"
        ).returncode
        == 0
    )


def test_the_library_is_small(lib: Path, tmp_path: Path) -> None:
    """Stripped, and with -O1, which gives as much as -O2 (docs/embedding.md, "Size")."""
    small = tmp_path / "small.so"
    assert run(tool("strip"), "-o", small, lib / "libpocket.so").returncode == 0

    assert 100_000 < small.stat().st_size <= 347_000


def test_sources_take_little_memory(lib: Path, tmp_path: Path) -> None:
    """Beside the file: on opening its profile and its directories, and a MB while a call lasts."""
    program = tmp_path / "memory"
    text = tmp_path / "text"
    golden = GOLDEN / "passages.pocket"
    flags = ("-std=c11", f"-I{lib}", "-Wl,--wrap=malloc,--wrap=free", "-pthread")
    done = run(tool("gcc"), *flags, HARNESSES / "resident.c", lib / "libpocket.a", "-o", program)
    assert done.returncode == 0, done.stderr
    with pocketindex.open(golden) as index:
        profile = index.info().sections["profile"]
        words = " ".join(index.record(number).title for number in range(len(index)))
    text.write_text(" ".join([f"{words} word{i}" for i in range(2000 // len(words.split()))]))
    opened, most, _ = map(int, run(program, golden, text).stdout.split())

    assert profile < opened < profile + 100_000
    assert opened < most < profile + 1_000_000


@pytest.mark.slow
def test_the_one_file_answers_as_the_many(lib: Path, tmp_path: Path) -> None:
    program, cases = tmp_path / "answers", tmp_path / "cases"
    cases.write_text(questions())
    # Its names are its own, so a harness that looks inside has to become part of it.
    done = run(
        tool("gcc"),
        "-std=c11",
        "-g",
        "-O1",
        *SANITIZE,
        "-include",
        lib / "pocket.c",
        HARNESSES / "answers.c",
        "-pthread",
        "-o",
        program,
    )
    assert done.returncode == 0

    replayed = run(program, cases)
    assert replayed.returncode == 0
    assert replayed.stdout == expected()


def installed_in(prefix: Path, lib: Path) -> None:
    command = (tool("make"), "-C", ROOT, "install-lib", f"LIB={lib}", f"PREFIX={prefix}")
    assert run(*command, f"PYTHON={sys.executable}").returncode == 0


def answers(program: Path, folder: Path) -> None:
    """A program made of examples/query.c finds what it should."""
    text = folder / "text"
    text.write_text("alpha beta gamma")
    done = run(program, GOLDEN / "radix.pocket", text)
    assert done.returncode == 0
    assert done.stdout.startswith("1\t")


@pytest.mark.parametrize("installed", [False, True], ids=["where it was made", "installed"])
@pytest.mark.parametrize("linking", ["shared", "static"])
def test_a_program_by_pkg_config(lib: Path, tmp_path: Path, linking: str, installed: bool) -> None:
    folder, files = lib, lib
    if installed:
        prefix = tmp_path / "prefix"
        installed_in(prefix, lib)
        folder, files = prefix / "lib" / "pkgconfig", prefix / "lib"
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder)}

    def asked(*words: str) -> str:
        command = [tool("pkg-config"), *words, "pocket"]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    static = linking == "static"
    flags = asked("--cflags", "--libs", *(["--static"] if static else [])).split()
    flags += ["-static"] if static else [f"-Wl,-rpath,{files}"]
    program = tmp_path / "query"
    built = run(tool("gcc"), "-std=c11", ROOT / "examples" / "query.c", *flags, "-o", program)

    assert built.returncode == 0
    assert asked("--modversion") == amalgamate.version()
    answers(program, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("installed", [False, True], ids=["where it was made", "installed"])
@pytest.mark.parametrize("target", ["pocket", "static"])
def test_a_program_by_cmake(lib: Path, tmp_path: Path, target: str, installed: bool) -> None:
    cmake, prefix = tool("cmake"), lib
    if installed:
        prefix = tmp_path / "moved"
        installed_in(tmp_path / "prefix", lib)
        (tmp_path / "prefix").rename(prefix)  # nothing in it names the place
    app = tmp_path / "app"
    app.mkdir()
    (app / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(app C)\nset(CMAKE_C_STANDARD 11)\n"
        f"find_package(pocket {amalgamate.version().split('.')[0]} REQUIRED)\n"
        f"add_executable(app {ROOT / 'examples' / 'query.c'})\n"
        f"target_link_libraries(app PRIVATE pocket::{target})\n"
    )
    made = run(cmake, "-S", app, "-B", app / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert made.returncode == 0
    assert run(cmake, "--build", app / "build").returncode == 0
    answers(app / "build" / "app", tmp_path)

    other = (
        (app / "CMakeLists.txt")
        .read_text()
        .replace("find_package(pocket ", "find_package(pocket 9")
    )
    (app / "CMakeLists.txt").write_text(other)
    refused = run(cmake, "-S", app, "-B", app / "other", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert refused.returncode != 0
    assert "pocket" in refused.stderr
