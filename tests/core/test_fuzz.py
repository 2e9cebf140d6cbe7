"""Files that a fuzzer makes: every one is refused with a status, or answers, and in pieces as it
does whole. Under ASan and UBSan.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled import compiler
from core_sources import SANITIZE, harness, run
from fuzz_seeds import CORPUS, LITTLE
from make_corpus import COVERAGE, fuzzer, write_seeds
from places import GOLDEN

MOST_BYTES = 300_000
SECONDS = 60


def test_the_corpus(tmp_path: Path) -> None:
    files = [*sorted(CORPUS.iterdir()), *sorted(GOLDEN.glob("*.pocket"))]
    replay = harness(
        tmp_path / "replay",
        "fuzz.c",
        *SANITIZE,
        *LITTLE,
        "-O0",
        "-g0",
        compiler=Path(compiler("clang", "gcc")).name,
        more=("replay.c",),
    )
    done = run(replay, *files)

    assert (done.returncode, done.stdout) == (0, f"{len(files)}\n")


def test_the_corpus_is_small() -> None:
    sizes = [path.stat().st_size for path in CORPUS.iterdir()]

    assert 30 < len(sizes) < 150
    assert sum(sizes) < MOST_BYTES


@pytest.mark.slow
def test_a_short_run_of_the_fuzzer(tmp_path: Path) -> None:
    """From all seeds and the corpus; tests/make_corpus.py lets it run for longer."""
    command = fuzzer(tmp_path)
    seeds = tmp_path / "seeds"
    found = tmp_path / "found"
    write_seeds(seeds)
    found.mkdir()
    done = run(
        command,
        f"-max_total_time={SECONDS}",
        f"-artifact_prefix={tmp_path}/",
        *COVERAGE,
        found,
        CORPUS,
        seeds,
    )

    assert done.returncode == 0
    assert "DONE" in done.stderr
