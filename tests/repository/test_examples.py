"""examples/: the C program, compiled with pocket.c under the sanitizers, and the Python one answer
like the package, errors included.
"""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path

import pocketindex
import pytest
from core_sources import SANITIZE, amalgamate, run, tool
from places import GOLDEN, ROOT
from vectors import load

EXAMPLE = ROOT / "examples" / "query.c"
TEXTS = sorted({bytes.fromhex(case["text"]) for case in load("answers")})
FILES = sorted(GOLDEN.glob("*.pocket"))


def compiled(folder: Path, *flags: str) -> Path:
    amalgamate.write(folder)
    program = folder / "query"
    command = [
        tool("gcc"),
        "-std=c11",
        "-g",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wsign-conversion",
        "-Werror",
        *flags,
        f"-I{folder}",
    ]
    assert run(*command, EXAMPLE, folder / "pocket.c", "-pthread", "-o", program).returncode == 0
    return program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("example"), *SANITIZE)


def answer(path: Path, text: bytes, top: int = 10) -> tuple[int, str]:
    """Exit code and output that the package's answer makes."""
    with pocketindex.open(path) as index:
        try:
            hits = index.query(text, top=top)
        except pocketindex.TextTooShort:
            return 2, ""
    lines = [
        f"{rank}\t{hit.similarity:.4f}\t{hit.id}\t{hit.title}\n" for rank, hit in enumerate(hits, 1)
    ]
    return (0 if hits else 1), "".join(lines)


def ask(
    program: Path, *arguments: str | Path, text: bytes = b"", emulator: tuple[str, ...] = ()
) -> tuple[int, str, str]:
    """Exit code, output, complaint."""
    done = subprocess.run(
        [*emulator, program, *arguments], input=text, capture_output=True, timeout=600
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_c_program_answers_like_the_package(program: Path, path: Path, tmp_path: Path) -> None:
    document = tmp_path / "draft.txt"
    assert len(TEXTS) > 15
    for text in TEXTS:
        document.write_bytes(text)
        assert ask(program, path, document)[:2] == answer(path, text)
        assert ask(program, "--top", "2", "--memory", path, "-", text=text)[:2] == answer(
            path, text, top=2
        )


def test_it_finds_in_a_larger_file(program: Path, pocket: Path, collection: Path) -> None:
    text = collection.read_bytes().split(b'"text": "')[7].split(b'"}')[0]
    code, out, _ = ask(program, pocket, text=text)

    assert code == 0
    assert out.count("\n") >= 1
    assert (code, out) == answer(pocket, text)


@pytest.mark.parametrize("way", ["--path", "--memory"])
def test_complaints_name_the_file_and_what_to_do(program: Path, way: str, tmp_path: Path) -> None:
    good, text = GOLDEN / "radix.pocket", b"alpha beta gamma"
    options = [way] if way == "--memory" else []
    other = tmp_path / "other.txt"
    empty = tmp_path / "empty.pocket"
    cut = tmp_path / "cut.pocket"
    other.write_text("no pocket file at all")
    empty.write_bytes(b"")
    cut.write_bytes(good.read_bytes()[:-100])
    size = good.stat().st_size
    missing = (
        "cannot open the file: No such file or directory"
        if way == "--path"
        else "cannot open the file; check the path"
    )
    folder = (
        "cannot open the file: Is a directory"
        if way == "--path"
        else "cannot be read; is it a file?"
    )
    not_pocket = (
        "not a pocket file: expected the first bytes 89 50 43 4b 54 0d 0a 1a; check the path"
    )
    again = "copy or download the file again"
    for path, code, complaint in (
        (tmp_path / "missing.pocket", 2, missing),
        (tmp_path, 2, folder),
        (other, 3, not_pocket),
        (empty, 3, not_pocket),
        (cut, 3, f"damaged: header: file size: expected {size}, found {size - 100}; {again}"),
    ):
        assert ask(program, *options, path, text=text) == (
            code,
            "",
            f"pocketquery: {path}: {complaint}\n",
        )
    short = tmp_path / "short.txt"
    for content in (b"", b"alpha"):
        short.write_bytes(content)
        found = len(content.split())
        complaint = (
            f"the text has {found} {'term' if found == 1 else 'terms'} besides stop words; 3 are "
            "needed to find similar documents, and no document has exactly this text; give more "
            "text"
        )
        assert ask(program, *options, GOLDEN / "hashed.pocket", text=content) == (
            2,
            "",
            f"pocketquery: <stdin>: {complaint}\n",
        )
        assert ask(program, *options, GOLDEN / "hashed.pocket", short) == (
            2,
            "",
            f"pocketquery: {short}: {complaint}\n",
        )


def refusal_of(path: Path, text: bytes) -> pocketindex.Damaged | None:
    try:
        answer(path, text)
    except pocketindex.Damaged as error:
        return error
    return None


def test_damage_is_named_as_the_package_names_it(program: Path, tmp_path: Path) -> None:
    """Every 37th byte changed, one at a time: refused in the same words, or the same answer."""
    good = (GOLDEN / "radix.pocket").read_bytes()
    path = tmp_path / "damaged.pocket"
    text = b"alpha beta gamma mu"
    refused = 0
    for at in range(40, len(good), 37):
        path.write_bytes(good[:at] + bytes([good[at] ^ 16]) + good[at + 1 :])
        code, out, complaint = ask(program, path, text=text)
        refusal = refusal_of(path, text)
        refused += refusal is not None
        if refusal is None:
            assert (code, out) == answer(path, text)
        else:
            assert (code, complaint) == (3, f"pocketquery: {refusal}\n")
    assert refused > 20


def test_a_missing_document_and_wrong_arguments(program: Path, tmp_path: Path) -> None:
    good, missing = GOLDEN / "radix.pocket", tmp_path / "missing.txt"
    usage = ask(program, "--help")[1]

    assert usage.startswith("usage: pocketquery ")
    assert ask(program, good, missing) == (
        2,
        "",
        f"pocketquery: {missing}: cannot open the file; check the path\n",
    )
    assert ask(program, good, tmp_path) == (
        2,
        "",
        f"pocketquery: {tmp_path}: cannot be read; is it a file?\n",
    )
    mistaken: list[list[str | Path]] = [
        [],
        [good, "a", "b"],
        ["--top", "0", good],
        ["--top", "-1", good],
        ["--top", "9x", good],
        ["--what", good],
        [good, "--top"],
    ]
    for wrong in mistaken:
        assert ask(program, *wrong) == (2, "", usage)


def test_nothing_similar(program: Path) -> None:
    assert ask(program, GOLDEN / "empty.pocket", text=b"alpha beta gamma mu delta") == (
        1,
        "",
        "nothing similar found\n",
    )


def test_a_title_does_not_steer_the_terminal(program: Path, tmp_path: Path) -> None:
    from pocketindex.builder import Settings, build

    source = tmp_path / "docs.jsonl"
    path = tmp_path / "docs.pocket"
    text = "seven plain words make this short text"
    source.write_text(f'{{"id": "a", "title": "x\\u001b[2Jy\\u009bz\\tü", "text": "{text}"}}\n')
    build([str(source)], path, Settings())

    assert ask(program, path, text=text.encode()) == (0, "1\t1.0000\ta\tx?[2Jy?z?ü\n", "")


def test_the_python_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(ROOT / "examples" / "query.py"))["main"]
    path, document = GOLDEN / "hashed.pocket", tmp_path / "draft.txt"
    for text in TEXTS:
        document.write_bytes(text)
        assert (main([str(path), str(document)]), capsys.readouterr().out) == answer(path, text)
    assert main([str(path), str(tmp_path / "missing")]) == 2
    assert "missing" in capsys.readouterr().err
    assert main([str(document), str(document)]) == 3
    assert "not a pocket file" in capsys.readouterr().err
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage: ")


@pytest.mark.slow
def test_nothing_leaks_under_valgrind(tmp_path: Path) -> None:
    valgrind, program = tool("valgrind"), compiled(tmp_path)
    emulator = (
        valgrind,
        "--quiet",
        "--error-exitcode=99",
        "--leak-check=full",
        "--show-leak-kinds=all",
        "--errors-for-leak-kinds=all",
    )
    broken = tmp_path / "broken.pocket"
    broken.write_bytes((GOLDEN / "radix.pocket").read_bytes()[:-100])
    for path in FILES:
        for text in TEXTS[::5]:
            assert ask(program, path, text=text, emulator=emulator)[:2] == answer(path, text)
            assert ask(program, "--memory", path, text=text, emulator=emulator)[:2] == answer(
                path, text
            )
    for path in (broken, tmp_path / "missing.pocket", tmp_path / "query"):
        assert ask(program, path, text=TEXTS[-1], emulator=emulator)[0] in (2, 3)
