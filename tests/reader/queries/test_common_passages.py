"""Passages that two texts share are those of comparing everything with everything, and repetition
costs no more than length.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.wording import passages
from pocketindex.wording.passages import LEAST, PLACES


def naive(own: list[str], other: list[str], most: int) -> list[str]:
    """The passages by comparing every place with every other one."""
    runs: dict[int, int] = {}
    for i, j in itertools.product(range(len(own)), range(len(other))):
        size = sum(
            1
            for _ in itertools.takewhile(
                lambda pair: pair[0] == pair[1], zip(own[i:], other[j:], strict=False)
            )
        )
        begins = not i or not j or own[i - 1] != other[j - 1]
        if begins and size >= LEAST:
            runs[i] = max(size, runs.get(i, 0))
    chosen: list[tuple[int, int]] = []
    for i, size in sorted(runs.items(), key=lambda run: (-run[1], run[0])):
        if all(i + size <= start or i >= end for start, end in chosen[:most]):
            chosen.append((i, i + size))
    return [" ".join(own[start:end]) for start, end in chosen[:most]]


@given(
    st.lists(st.sampled_from("abc"), max_size=60),
    st.lists(st.sampled_from("abc"), max_size=PLACES),
    st.integers(1, 4),
)
def test_the_same_as_comparing_everything(own: list[str], other: list[str], most: int) -> None:
    found = passages.passages(" ".join(own), " ".join(other), most)

    assert [p.text for p in found] == naive(own, other, most)


@pytest.mark.parametrize(
    "document", ["a " * 9_000, "a a a a b " * 2_000, ("a " * 90 + "b ") * 100, "a a b " * 3_000]
)
@pytest.mark.parametrize("text", ["a " * 9_000, "a a a a b " * 2_000, "a a b " * 3_000])
def test_repetition_costs_no_more_than_length(
    text: str, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    native, compared = passages._same, list[int]()

    def counted(own: list[str], i: int, other: list[str], j: int) -> int:
        compared.append(native(own, i, other, j))
        return compared[-1]

    monkeypatch.setattr(passages, "_same", counted)
    passages.passages(text, document)
    assert sum(compared) <= PLACES * len(text.split())
