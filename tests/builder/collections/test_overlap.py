"""Which documents of --against are compared at all."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from near_duplicates import write
from pocketindex.builder.collections.corpus import digest_of
from pocketindex.builder.collections.shingles.overlap import Overlap, key_of
from pocketindex.builder.collections.shingles.sets import Sets, sets_of
from run_command import run


def overlap_of(texts: list[str], measure: str, least: float, memory: int = 1 << 20) -> Overlap:
    data = [text.encode() for text in texts]
    hashes, ends, _ = sets_of(data)
    sizes = np.array(ends, np.int64) - np.concatenate([[0], ends[:-1]]).astype(np.int64)
    keys, digests = array("I", map(key_of, data)), b"".join(digest_of(text, 0) for text in texts)
    return Overlap([hashes], sizes, keys, digests, measure, least, memory)


@pytest.mark.parametrize("measure", ["jaccard", "containment"])
@pytest.mark.parametrize("least", [0.3, 0.8, 1.0])
def test_no_text_that_is_near_is_left_out(measure: str, least: float) -> None:
    random = Random(1)
    words = [f"w{number}" for number in range(12)]
    texts = [" ".join(random.choices(words, k=random.randrange(1, 40))) for _ in range(300)]
    few, many = (
        texts[:20],
        [*texts[20:], *(f"{t} and more" for t in texts[:20]), texts[3], "", "...", "a"],
    )
    places, *own = overlap_of(few, measure, least).of_texts([text.encode() for text in many])

    hashes, ends, _ = sets_of([text.encode() for text in few + many])
    starts = np.concatenate([[0], ends[:-1]]).astype(np.uint64)
    sets = Sets(starts, ends, hashes, measure, least)
    near = set()
    for number in range(len(many)):
        pairs = np.arange(len(few), dtype=np.uint32)
        alike = sets.similarities(pairs, np.full(len(few), len(few) + number, np.uint32))
        if (alike >= least).any():
            near.add(number)
    assert near
    assert near <= set(places.tolist())
    kept = [many[place].encode() for place in places.tolist()]
    whole: Any = zip(own, sets_of(kept), strict=True)
    assert all(one.tolist() == other.tolist() for one, other in whole)


def test_most_that_have_nothing_in_common_are_left_out_even_with_little_memory() -> None:
    few = [" ".join(f"a{n}x{i}" for i in range(60)) for n in range(200)]
    many = [" ".join(f"b{n}x{i}" for i in range(60)).encode() for n in range(1_000)]
    for memory in (1 << 20, 1 << 16):
        assert len(overlap_of(few, "jaccard", 0.8, memory).of_texts(many)[0]) < 20


@pytest.mark.parametrize(
    ("text", "other"),
    [("3 + 4 - x = 2", "3 + 4\n- x\n= 2"), ("a\u00a0b  c", "a b\u2003c"), ("é\x1fa\x85b", "é a b")],
)
def test_equal_texts_of_other_white_space_are_compared(text: str, other: str) -> None:
    assert key_of(text.encode()) == key_of(other.encode())
    assert overlap_of([text], "jaccard", 0.8).of_texts([other.encode()])[0].tolist() == [0]


def test_signs_over_lines_of_others_are_exact(tmp_path: Path) -> None:
    old = write(tmp_path / "old.jsonl", [{"id": "o", "text": "1 - 2 - 3 - 4 - 5 - 6 - 7"}])
    new = write(tmp_path / "new.jsonl", [{"id": "n", "text": "1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7"}])
    report = tmp_path / "r.jsonl"
    run("dedup", new, "--against", old, "-o", tmp_path / "o.jsonl", "--report", report)
    (row,) = (json.loads(line) for line in report.read_text().splitlines())
    assert (row["id"], row["kept"], row["kind"]) == ("n", "o", "exact")
