"""How alike unrelated documents of a file look, which `info` says."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pocketindex
import pytest
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.write.sketches import records_of
from pocketindex.commands import info
from pocketindex.constants import SectionKind
from pocketindex.contents import unrelated
from run_command import run

WORDS = [f"word{number}" for number in range(400)]


def documents(name: str, common: list[str], count: int) -> list[tuple[str, str]]:
    """Texts of rare words, with those that all of them have."""
    chance = random.Random(name)
    return [
        (f"{name}{i}", " ".join([*chance.choices(WORDS, k=40), *common * 4])) for i in range(count)
    ]


def look(path: Path) -> float:
    with pocketindex.open(path) as index:
        found = unrelated.unrelated(index._core, index.path)
    assert found is not None
    return found


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path]:
    """A file, the same with documents of which all have words that its weights do not know, and one
    of these documents with weights of their own.
    """
    monkeypatch.setattr(unrelated, "FEWEST", 200)
    old, updated, own = (tmp_path / f"{name}.pocket" for name in ("old", "updated", "own"))
    first, more = documents("a", ["one", "two"], 250), documents("b", ["eins", "zwei", "drei"], 900)
    pocketindex.build(first, old, progress=False)
    pocketindex.update(old, more, output=updated, progress=False)
    pocketindex.build([*first, *more], own, progress=False)
    return old, updated, own


def test_words_that_all_have_make_all_alike(files: tuple[Path, Path, Path]) -> None:
    old, updated, own = map(look, files)

    assert abs(old - own) < 0.1
    assert updated > max(old, own) + 0.15


def test_it_is_what_pairs_of_sketches_say(files: tuple[Path, Path, Path]) -> None:
    with pocketindex.open(files[1]) as index:
        profile = index.info()
    with PocketFile(files[1]) as file:
        part = file[SectionKind.SKETCHES]
        blocks = [part.blocks(block, block + 1) for block in range(len(part))]
        rows = np.concatenate([records_of(part.parameters, block) for block in blocks])
    bits = np.unpackbits(rows[:, : profile.components // 8], axis=1).astype(np.float64)
    equal = (bits @ bits.T + (1 - bits) @ (1 - bits).T)[np.triu_indices(len(bits), 1)].mean()
    equal /= profile.components

    assert look(files[1]) == pytest.approx(np.cos(np.pi * (1 - equal)), abs=1e-6)


def test_info_says_it(files: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    old, updated, _ = files
    shown = run("info", updated).stdout.splitlines()[-1]
    assert shown == (
        f"  weights     two documents drawn at random look {look(updated):.3f} alike; from 0.06 on "
        "they do not fit the collection: build again from all texts"
    )
    monkeypatch.setattr(info, "FAR", 0.99)
    assert run("info", updated).stdout.endswith("below 0.99 they fit the collection\n")
    found = json.loads(run("info", old, "--json").stdout)
    assert found["unrelated"] == round(look(old), 4)


def test_few_documents_say_nothing(tmp_path: Path) -> None:
    pocketindex.build(documents("a", [], 60), tmp_path / "x.pocket", progress=False)

    assert "unrelated" not in json.loads(run("info", tmp_path / "x.pocket", "--json").stdout)
    assert "  weights  " not in run("info", tmp_path / "x.pocket").stdout
