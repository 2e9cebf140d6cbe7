"""Builds from dumps of a MediaWiki: what is dropped, counted and kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pocketindex.builder import Settings, build
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.tally import Refused
from reading import read
from run_command import run
from test_mediawiki import HEAD, PAGES, TAIL, many, page, streams, write


def test_build_with_drop(tmp_path: Path) -> None:
    table = "{|\n| " + " ".join(f"cell{i}" for i in range(50)) + "\n|}\n"
    pages = [
        page(i, f"T{i}", f"{table} words number {i} " + " ".join(f"w{i}x{j}" for j in range(30)))
        for i in range(1, 20)
    ]
    path = streams(tmp_path, pages, index=True)
    report = build([str(path)], tmp_path / "d.pocket", Settings(profile="en", drop=("tables",)))

    assert (report.read, report.indexed) == (19, 19)
    assert "cell1" in read(path)[0][0].text
    assert "cell1" not in "".join(d.text for d in read(path, drop=("tables",))[0])
    lines = write(tmp_path / "d.jsonl", '{"id": 1, "text": "x"}')
    with pytest.raises(
        SourceError,
        match=r"d\.jsonl: its texts have no 'tables' to leave out with drop; these formats "
        r"have: mediawiki: tables, references",
    ):
        build([str(lines)], tmp_path / "d.pocket", Settings(drop=("tables",)))
    with pytest.raises(SourceError, match="its texts have no 'pictures' to leave out"):
        read(path, drop=("tables", "pictures"))


def test_drop_on_the_command_line(tmp_path: Path) -> None:
    path = write(tmp_path / "d.xml", HEAD + "".join(many(30)) + TAIL)
    for command in (
        ["build", "-o", str(tmp_path / "d.pocket")],
        ["profile", "--scheme", "ff", "-o", str(tmp_path / "d.profile")],
    ):
        assert run(*command, path, "--drop", "tables,references").returncode == 0
        wrong = run(*command, path, "--drop", "pictures")
        assert wrong.returncode == 2
        assert "'pictures' to leave out with --drop" in wrong.stderr


def test_redirects_and_other_name_spaces_are_no_errors_of_a_strict_build(tmp_path: Path) -> None:
    ordinary, empty = PAGES[1:4], PAGES[4].replace("Leer", " ")
    path = write(tmp_path / "d.xml", HEAD + "".join(ordinary + many(30)[20:]) + TAIL)
    report = build([str(path)], tmp_path / "d.pocket", Settings(profile="en", strict=True))

    assert (report.read, report.indexed, report.skipped) == (
        13,
        10,
        {"other name space": 1, "redirect": 2},
    )
    write(path, HEAD + "".join([*ordinary, empty]) + TAIL)
    with pytest.raises(
        Refused,
        match=r"d\.xml:page 11: empty: it has neither a text nor a title of its own; correct it, "
        r"or run without strict",
    ):
        build([str(path)], tmp_path / "d.pocket", Settings(profile="en", strict=True))


def test_keep_going_keeps_the_pages_before_the_end(tmp_path: Path) -> None:
    pages = many(200)
    path = streams(tmp_path, pages, index=False)
    whole = path.read_bytes()
    starts = [m.start() for m in re.finditer(rb"BZh91AY&SY", whole)]
    damaged = bytearray(whole)
    damaged[starts[15] + 300] ^= 0x10
    # The first stream is the head, and the fifteenth has pages 131 to 140.
    cases = (
        (whole[: starts[15] + 500], "cut short: its bzip2 data has no end mark, it stops after "),
        (whole[: starts[15]], "not well-formed XML: line "),
        (bytes(damaged), f"damaged (the bzip2 stream that begins at byte {starts[15]:,}: "),
    )
    for content, problem in cases:
        write(path, content)
        with pytest.raises(SourceError, match=re.escape(problem)):
            build([str(path)], tmp_path / "d.pocket", Settings(profile="en"))
        report = build([str(path)], tmp_path / "d.pocket", Settings(profile="en", keep_going=True))
        assert (report.read, report.indexed) == (140, 140)
        assert f"not read to the end: {path}: {problem}" in report.text()
    plain = write(
        tmp_path / "d.xml",
        (HEAD + "".join(pages) + TAIL).encode()[: len(HEAD) + sum(map(len, pages[:99])) + 50],
    )
    report = build([str(plain)], tmp_path / "d.pocket", Settings(profile="en", keep_going=True))
    assert report.indexed == 99
