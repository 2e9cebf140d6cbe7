"""Answers do not depend on how ones are counted and cells scored: every way of both, at widths with
and without whole words.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from compiled import CORE, HARNESSES, core_file
from core_sources import SANITIZE, reading_half, run, tool
from scanned import LEAST, Scanned, answers_in, write_scanned

COUNTS = ("hamming.c", "cell_scores.c", "registers.c")
WAYS = {
    "the processor's best": (),
    "words": ("-DCOUNTING_MOST=COUNTING_WORDS", "-DREGISTERS_MOST=REGISTERS_PAIRS"),
    "a processor without the instruction": (
        "-DCOUNTING_MOST=COUNTING_ARITHMETIC",
        "-DREGISTERS_MOST=REGISTERS_NONE",
    ),
    "a compiler without it": ("-DPOCKET_ARITHMETIC",),
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Scanned:
    return write_scanned(tmp_path_factory.mktemp("counting"))


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The reader without what counts and multiplies, compiled as fast as can be."""
    folder = tmp_path_factory.mktemp("objects")
    sources = [
        source.resolve() for source in reading_half(mapping=False) if source.name not in COUNTS
    ]
    subprocess.run(
        [tool("gcc"), "-std=c11", "-O0", LEAST, f"-I{CORE}", "-c", *map(str, sources)],
        cwd=folder,
        check=True,
    )
    return sorted(folder.iterdir())


def counting_by(way: str, harness: str, others: list[Path], out: Path, *flags: str) -> Path:
    parts = [*(core_file(name) for name in COUNTS), HARNESSES / harness, *others]
    subprocess.run(
        [
            tool("gcc"),
            "-std=c11",
            "-O2",
            "-g",
            *flags,
            *WAYS[way],
            f"-I{CORE}",
            "-o",
            str(out),
            *map(str, parts),
        ],
        check=True,
    )
    return out


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_counting_gives_the_answers_of_the_plain_reader(
    way: str, asked: Scanned, others: list[Path], tmp_path: Path
) -> None:
    done = run(counting_by(way, "answers.c", others, tmp_path / "answers"), asked.cases)

    assert done.returncode == 0
    assert answers_in(done.stdout) == asked.answers


@pytest.mark.parametrize("way", ["the processor's best", "words"])
def test_no_way_of_counting_reads_beyond_a_block(
    way: str, asked: Scanned, others: list[Path], tmp_path: Path
) -> None:
    """Each block ends where its memory does, under sanitizers."""
    done = run(counting_by(way, "pieces.c", others, tmp_path / "pieces", *SANITIZE), asked.cases)

    assert (done.returncode, done.stdout) == (0, f"{len(asked.answers)}\n")
