"""A damaged or hostile file is refused with a named error or answers as before; it never crashes
the reader. Under ASan and UBSan.
"""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from core_sources import SANITIZE, harness, run
from fuzz_seeds import LITTLE
from places import GOLDEN
from pocketindex.builder import Settings, build
from python_documentation import python_documentation
from small import write_small


@pytest.fixture(scope="module")
def attack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return harness(tmp_path_factory.mktemp("attack") / "attack", "attack.c", *SANITIZE, *LITTLE)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("small") / "small.pocket")


@pytest.mark.slow
def test_every_flipped_bit_and_every_truncation(attack: Path, small: Path) -> None:
    done = run(attack, "flips", small)

    assert done.returncode == 0
    assert f"flips: {9 * small.stat().st_size} cases" in done.stdout


@pytest.mark.slow
def test_boundary_values_in_many_fields(attack: Path, small: Path) -> None:
    """1, 2, 4 and 8 bytes wide at every fifth place of the file, checksums sealed anew."""
    assert run(attack, "fields", small, "5").returncode == 0


@pytest.mark.slow
def test_boundary_values_in_pairs_of_fields(attack: Path, small: Path) -> None:
    for seed in ("1", "2"):
        assert run(attack, "pairs", small, "60000", seed).returncode == 0


@pytest.mark.slow
def test_random_flips_and_truncations_of_a_larger_file(attack: Path, tmp_path: Path) -> None:
    """10,000 of each, on the documentation of Python's own library."""
    target = tmp_path / "large.pocket"
    source = python_documentation(tmp_path / "python.jsonl")
    build(source, target, Settings(profile="learn", keys_per_part=1000))
    assert target.stat().st_size > 300_000
    plain = harness(tmp_path / "attack", "attack.c", "-DMAX_CANDIDATES=4096")

    assert run(plain, "random", target, "10000", "2007").returncode == 0
    assert run(attack, "random", target, "300", "7").returncode == 0


@pytest.mark.slow
def test_threads_that_open_ask_and_close_while_another_process_overwrites_the_file(
    small: Path, tmp_path: Path
) -> None:
    threads = harness(
        tmp_path / "threads", "threads.c", "-fsanitize=thread", "-pthread", *LITTLE, mapping=True
    )

    assert run(threads, small, "10").returncode == 0

    # In place, by a process, one of another length: what comes of it is checked by
    # tests/reader/damage/test_overwrite.py.
    other = tmp_path / "other.pocket"
    other.write_bytes((GOLDEN / "titles.pocket").read_bytes())
    live = tmp_path / "live.pocket"
    live.write_bytes(small.read_bytes())
    assert run(threads, live, "30", other).returncode == 0


@pytest.mark.slow
def test_every_failing_allocation_is_reported_and_nothing_leaks(
    small: Path, tmp_path: Path
) -> None:
    exhausted = harness(
        tmp_path / "exhausted",
        "exhausted.c",
        *SANITIZE,
        "-Dmalloc=failing_malloc",
        "-include",
        "stdlib.h",
        *LITTLE,
    )

    assert run(exhausted, small).returncode == 0


def test_a_flip_that_python_meets_names_the_place(tmp_path: Path, pocket: Path) -> None:
    content = bytearray(pocket.read_bytes())
    with pocketindex.open(pocket) as index:
        sections = index.info().sections
    start = len(content) - sections["ids"] - 8
    for at in (40, 300, start - 200, len(content) - 3):
        changed = bytearray(content)
        changed[at] ^= 16
        path = tmp_path / "flipped.pocket"
        path.write_bytes(changed)
        with (
            pytest.raises(
                pocketindex.PocketError,
                match=r"flipped\.pocket: (damaged: (header|section \w+(, block \d+)?)|too new): ",
            ) as caught,
            pocketindex.open(path) as index,
        ):
            index.verify()
        assert "; " in str(caught.value)
