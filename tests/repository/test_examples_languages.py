"""examples/ in other languages, compiled and run: each answers like the package, errors
included.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from core_sources import run, tool
from places import GOLDEN, ROOT
from test_examples import TEXTS, answer

EXAMPLES = ROOT / "examples"
FILES = [GOLDEN / f"{name}.pocket" for name in ("radix", "hashed", "rff-cells", "empty")]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs make and a C compiler"),
]


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lib")
    command = (tool("make"), "-C", ROOT, "lib", f"LIB={folder}", f"PYTHON={sys.executable}")
    assert run(*command).returncode == 0
    return folder


def rust(lib: Path) -> Path:
    program = lib / "query-rust"
    flags = ("-D", "warnings", "-L", lib, "-l", "static=pocket")
    assert run(tool("rustc"), *flags, EXAMPLES / "query.rs", "-o", program).returncode == 0
    return program


def go(lib: Path) -> Path:
    program = lib / "query-go"
    environment = {
        **os.environ,
        "GOCACHE": str(lib / "go"),
        "GO111MODULE": "off",
        "CGO_ENABLED": "1",
        "CGO_CFLAGS": f"-I{lib}",
        "CGO_LDFLAGS": f"{lib / 'libpocket.a'} -pthread",
    }
    command: list[str | Path] = [tool("go"), "build", "-o", program, EXAMPLES / "query.go"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="module", params=[rust, go], ids=["rust", "go"])
def program(request: pytest.FixtureRequest, lib: Path) -> Path:
    made: Path = request.param(lib)
    return made


def test_programs_answer_like_the_package(program: Path, tmp_path: Path) -> None:
    document = tmp_path / "draft.txt"
    codes = set()
    for path in FILES:
        for text in TEXTS[::2]:
            document.write_bytes(text)
            done = run(program, path, document)
            codes.add(done.returncode)
            assert (done.returncode, done.stdout) == answer(path, text)
    assert codes == {0, 1, 2}


def test_programs_say_what_is_wrong(program: Path, tmp_path: Path) -> None:
    document, missing = tmp_path / "draft.txt", tmp_path / "missing"
    document.write_text("alpha")
    for path, said in (
        (missing, "cannot open the file: No such file or directory"),
        (document, "not a pocket file: expected the first bytes 89 50 43 4b 54 0d 0a 1a; check"),
        (GOLDEN / "hashed.pocket", "the text has 1 term besides stop words; 3 are needed to find"),
    ):
        done = run(program, path, document)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"query: {path}: {said}")
    assert run(program, GOLDEN / "radix.pocket", missing).returncode == 2
    assert run(program).stderr == "usage: query FILE.pocket DOCUMENT\n"


@pytest.fixture(scope="module")
def extension(lib: Path) -> Path:
    made = lib / "pocket-sqlite.so"
    flags = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", f"-I{lib}")
    sources = (EXAMPLES / "sqlite.c", lib / "pocket.c")
    done = run(tool("gcc"), *flags, *sources, "-pthread", "-o", made)
    if "sqlite3ext.h" in done.stderr:
        pytest.skip("needs sqlite3ext.h (Debian: libsqlite3-dev)")
    assert done.returncode == 0
    return made


def quoted(value: str | Path | None) -> str:
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def asked(extension: Path, *statements: str) -> tuple[list[list[str]], str]:
    """The rows of the last statement, and complaints, by the command: few builds of Python load
    extensions.
    """
    loaded = (f".load {extension} sqlite3_pocket_init", ".mode tabs", *statements)
    done = run(tool("sqlite3"), "-batch", ":memory:", *loaded)
    return [line.split("\t") for line in done.stdout.splitlines()], done.stderr


def test_sqlite_answers_like_the_package(extension: Path) -> None:
    for path in FILES:
        for text in TEXTS[::2]:
            if not text.isascii() or b"\0" in text:
                continue  # bytes that are no argument of a command
            rows, complaints = asked(
                extension,
                "SELECT rowid, printf('%.4f', similarity), id, title FROM "
                f"pocket({quoted(path)}, {quoted(text.decode())})",
            )
            shown = "".join("\t".join(row) + "\n" for row in rows)
            assert (shown, complaints) == (answer(path, text)[1], "")


def test_sqlite_joins_a_file_with_a_table(extension: Path) -> None:
    texts = [("a", "alpha beta gamma"), ("b", None), ("c", ""), ("d", "alpha beta gamma")]
    values = ", ".join(f"({quoted(name)}, {quoted(text)})" for name, text in texts)
    rows, complaints = asked(
        extension,
        f"CREATE TABLE drafts(name, text); INSERT INTO drafts VALUES {values}",
        "SELECT drafts.name, hit.id FROM drafts JOIN "
        f"pocket({quoted(GOLDEN / 'radix.pocket')}, drafts.text, 1) AS hit "
        "ON hit.similarity > 0.9",
    )

    assert (rows, complaints) == ([["a", "id 5"], ["d", "id 5"]], "")


def test_sqlite_says_what_is_wrong(extension: Path, tmp_path: Path) -> None:
    good, missing = quoted(GOLDEN / "radix.pocket"), tmp_path / "missing"
    for function, said in (
        ("pocket", "pocket() takes a file and a text: pocket('docs.pocket'"),
        (f"pocket({good})", "pocket() takes a file and a text: pocket('docs.pocket'"),
        (f"pocket({quoted(missing)}, 'x')", f"{missing}: cannot open the file: No such file"),
        (f"pocket({good}, 'x', 0)", "pocket(): expected 1 .. 10000 hits"),
    ):
        rows, complaints = asked(extension, f"SELECT id FROM {function}")
        assert rows == []
        assert said in complaints
