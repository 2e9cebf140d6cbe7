"""The distance between new documents and those that weights were counted in."""

from __future__ import annotations

import random
from pathlib import Path

import pocketindex
import pytest
from pocketindex.builder import Changed
from pocketindex.builder.changing import moved

WORDS = [f"word{number}" for number in range(300)]


def documents(name: str, words: list[str], count: int) -> list[tuple[str, str]]:
    chance = random.Random(name)
    return [(f"{name}{i}", " ".join(chance.choices(words, k=30))) for i in range(count)]


def test_it_is_small_for_the_same_words_and_large_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moved, "FEWEST", 200)
    path, out = tmp_path / "x.pocket", tmp_path / "y.pocket"
    pocketindex.build(documents("a", WORDS, 300), path)
    found = []
    for words in (WORDS, WORDS[150:] + [f"other{i}" for i in range(150)], ["foreign"] * 2):
        report = pocketindex.update(path, documents("b", words, 250), output=out)
        assert report.changed
        found.append(report.changed.moved)
        assert report.as_dict()["changed"]["moved"] == round(report.changed.moved or 0, 4)
    few = pocketindex.update(path, documents("b", WORDS, 150), output=out).changed

    same, half, none = found
    assert same is not None
    assert half is not None
    assert same < 0.1
    assert 0.4 < half < 0.6
    assert none == pytest.approx(1, abs=0.02)
    assert few
    assert few.moved is None


def test_people_are_told_when_to_build_again() -> None:
    near, far = Changed(1, 0, 0, 1, moved=0.1).text(), Changed(1, 0, 0, 1, moved=0.5).text()

    said = "the terms of the new documents are 0.10 from those that the weights were counted in"
    assert said in near
    assert "build again from all texts" not in near
    assert far.endswith("; if most documents are like these, build again from all texts")
    assert "from those" not in Changed(1, 0, 0, 1).text()
