"""Shingles as they stand in the passages section, and read back from it."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder import Settings, build
from pocketindex.builder.passes.shingle_keys import keys_of_texts
from pocketindex.builder.schemes.profile import MARKED
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.sections.shingle_numbers import least_hashes, shingle_numbers
from pocketindex.builder.sections.shingles import key_range_of, shingles_of
from pocketindex.builder.spill.sorted_files import Pairs
from pocketindex.builder.write.passages import (
    Numbered,
    ShingleLists,
    range_for,
    rest_bits_for,
    shingles_maker,
)

PAIRS = st.lists(
    st.tuples(st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1)), st.integers(0, 9)),
    max_size=40,
)


def in_pieces(pairs: list[tuple[int, int]], size: int) -> list[Pairs]:
    """Sorted by whole key, a few pairs at a time."""
    pairs = sorted(pairs)
    return [
        (
            np.array([key for key, _ in pairs[at : at + size]], np.uint64),
            np.array([value for _, value in pairs[at : at + size]], np.uint32),
        )
        for at in range(0, len(pairs), size)
    ]


@given(PAIRS, st.integers(1, 4), st.integers(1, 9), st.sampled_from([1, 20, 2**32 - 1]))
@settings(deadline=None)
def test_frequent_keys_have_a_count_and_examples_and_a_table_of_their_own(
    pairs: list[tuple[int, int]], most: int, size: int, key_range: int
) -> None:
    """Of ten documents, whose numbers in the file fall. Their number, 10, stands before a count,
    which is 11 more than it will be.
    """
    numbered, falling = Numbered(in_pieces(pairs, size), key_range), np.arange(9, -1, -1)
    every, frequent = (
        ShingleLists(numbered, most, 10, frequent=which, numbers=falling.astype(np.uint32))
        for which in (False, True)
    )

    of_key = defaultdict[int, set[int]](set)
    for key, value in pairs:
        of_key[key * 256 * key_range >> 64].add(9 - value)
    lists = {key: sorted(of_key[key]) for key in sorted(of_key)}
    many = {key: own for key, own in lists.items() if len(own) > most}
    summed_up = {key: [*own[:3], 10, 11 + len(own)] for key, own in many.items()}
    for _ in range(2):
        shown = lists | summed_up
        assert flat(every) == [(key, one) for key, own in shown.items() for one in own]
        assert flat(frequent) == [(key, one) for key, own in many.items() for one in own]


def flat(lists: ShingleLists) -> list[tuple[int, int]]:
    return [
        pair for keys, values in lists for pair in zip(keys.tolist(), values.tolist(), strict=True)
    ]


@given(st.sets(st.integers(0, 2**64 - 1), min_size=1), st.integers(1, 2**32 - 1))
def test_a_key_has_a_least_hash(hashes: set[int], key_range: int) -> None:
    own = np.array(sorted(hashes), np.uint64)
    keys = shingle_numbers(own, key_range)
    least = least_hashes(keys, key_range)

    assert keys.tolist() == [hash * 256 * key_range >> 64 for hash in own.tolist()]
    assert (least <= own).all()
    assert np.array_equal(shingle_numbers(least, key_range), keys)
    above = least[least > 0] - np.uint64(1)
    assert (shingle_numbers(above, key_range) < keys[least > 0]).all()


@pytest.mark.parametrize("keys", [1, 10, 1_000, 5_000])
@pytest.mark.parametrize("key_range", [1 << 13, 1 << 20, 2**32 - 1])
def test_a_part_is_small_however_long_the_keys_of_a_profile(keys: int, key_range: int) -> None:
    drawn = np.random.default_rng(keys).integers(0, 2**64, keys, np.uint64, endpoint=False)
    own = np.unique(shingle_numbers(drawn, key_range))
    part = shingles_maker(len(own), key_range, 100)((own, np.zeros(len(own), np.uint32)))

    least_bits = max(8, np.log2(256 * key_range / len(own)))
    assert len(part.content) < 60 + len(own) * (least_bits + 15) / 8


def test_a_range_is_that_of_the_shingles() -> None:
    assert [range_for(shingles) for shingles in (0, 1, 9, 1 << 40)] == [1, 1, 9, 2**32 - 1]
    assert [rest_bits_for(keys, 1 << 22) for keys in (1 << 22, 1 << 18, 1 << 10, 10)] == [
        8,
        16,
        24,
        24,
    ]


def test_a_file_says_the_keys_of_its_documents(tmp_path: Path) -> None:
    own = [" ".join(f"w{n * i % 97}" for i in range(40)) for n in range(1, 30)]
    texts = [text + " which many others say, too, in their last twelve words" for text in own]
    source = tmp_path / "x.jsonl"
    source.write_text("".join(json.dumps({"id": text[:9], "text": text}) + "\n" for text in texts))
    path = tmp_path / "x.pocket"
    chosen = Settings(index=("documents", "passages"), run_terms=2, run_documents=3)
    build([source], path, chosen)
    ends = np.cumsum([len(text) for text in texts]).astype(np.uint64)
    keys, key_ends = keys_of_texts("".join(texts).encode(), ends, MARKED, 2, chosen.run_window)

    with PocketFile(path) as file:
        key_range = key_range_of(file)
        rare, frequent = (
            {
                (int(key), int(document))
                for keys_, documents in shingles_of(file, which)
                for key, document in zip(keys_, documents, strict=True)
            }
            for which in (False, True)
        )
    of_key = defaultdict[int, set[int]](set)
    owners = np.searchsorted(key_ends, np.arange(len(keys)), "right")
    for key, owner in zip(shingle_numbers(keys, key_range), owners.tolist(), strict=True):
        of_key[int(key)].add(owner)
    many = {key for key, own in of_key.items() if len(own) > 3}
    assert many
    assert rare == {(k, v) for k, own in of_key.items() if k not in many for v in own}
    assert frequent == {(k, v) for k in many for v in of_key[k]}
