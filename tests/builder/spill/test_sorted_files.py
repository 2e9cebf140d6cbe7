"""External sorting: whatever the runs and the memory, all pairs come in order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder.spill import sorted_files
from pocketindex.builder.spill.sorted_files import (
    PAIR_BYTES,
    SortedFile,
    fewer,
    grouped,
    merged,
    sizes,
    sorted_bytes,
)

KEYS = st.lists(
    st.lists(st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1)), max_size=40), max_size=6
)


def written(folder: Path, lists: list[list[int]]) -> list[SortedFile]:
    """A sorted file for each list; a pair's value is its place among all."""
    path = folder / "runs"
    content = b""
    made = []
    first = 0
    for keys in lists:
        made.append(SortedFile(path, len(content), len(keys), first))
        content += sorted_bytes(np.array(keys, np.uint64))
        first += len(keys)
    path.write_bytes(content)
    assert len(content) == PAIR_BYTES * first
    return made


def pairs(found: list[sorted_files.Pairs]) -> list[tuple[int, int]]:
    return [
        (key, value)
        for keys, values in found
        for key, value in zip(keys.tolist(), values.tolist(), strict=True)
    ]


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@given(KEYS, st.integers(1, 9))
@settings(deadline=None)
def test_merged_runs_are_sorted(
    tmp_path_factory: pytest.TempPathFactory, lists: list[list[int]], held: int
) -> None:
    made = written(tmp_path_factory.mktemp("runs"), lists)
    expected = sorted(
        (key, place) for place, key in enumerate(key for keys in lists for key in keys)
    )
    before, sorted_files._LEAST_HELD = sorted_files._LEAST_HELD, held
    try:
        assert pairs(list(merged(made, 0))) == expected
        few = fewer(made, made[0].path.with_name("few") if made else Path(), 0)
        assert len(few) <= 2
        assert pairs(list(merged(few, 0))) == expected
    finally:
        sorted_files._LEAST_HELD = before


@given(KEYS, st.integers(1, 7), st.integers(1, 9))
@settings(deadline=None)
def test_groups_hold_whole_keys(
    tmp_path_factory: pytest.TempPathFactory, lists: list[list[int]], parts: int, held: int
) -> None:
    made = written(tmp_path_factory.mktemp("runs"), lists)
    before, sorted_files._LEAST_HELD = sorted_files._LEAST_HELD, held
    try:
        count, every = sizes(merged(made, 0))
        assert count == len({key for keys in lists for key in keys})
        assert every == sum(map(len, lists))
        parts = min(parts, count)
        own = [(i + 1) * count // parts - i * count // parts for i in range(parts)]
        found = list(grouped(merged(made, 0), own))
    finally:
        sorted_files._LEAST_HELD = before

    assert [len(set(keys.tolist())) for keys, _ in found] == own
    assert pairs(found) == sorted(
        (key, place) for place, key in enumerate(key for keys in lists for key in keys)
    )


def test_a_range_is_near_what_memory_holds(folder: Path) -> None:
    """Many runs do not make many small ranges."""
    chance = np.random.default_rng(7)
    made = written(folder, [chance.integers(0, 2**63, 3000).tolist() for _ in range(20)])
    ranges = [len(keys) for keys, _ in merged(made, 64 * 500 * 20)]

    assert sum(ranges) == 60_000
    assert max(ranges) <= 500 * 20
    assert len(ranges) < 12


def test_a_shortened_run_is_said(folder: Path) -> None:
    made = written(folder, [[3, 1, 2]])
    made[0].path.write_bytes(b"short")
    with pytest.raises(
        OSError, match="runs: a temporary file was shortened while it was needed; build again"
    ):
        list(merged(made, 0))
