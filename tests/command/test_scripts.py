"""The Universal Declaration of Human Rights in 388 languages: edited in any script, a text finds
its original.
"""

from __future__ import annotations

import random
from pathlib import Path

import pocketindex
import pytest
from pocketindex.builder import build
from pocketindex.builder.inputs import find

# One of each script and habit of writing that the term stream treats apart; none of which there is
# a variant a few words away.
ASKED = (
    "cmn_hans",
    "cmn_hant",
    "jpn",
    "tha",
    "arb",
    "rus",
    "hin",
    "tam",
    "kor",
    "heb",
    "khm",
    "amh",
)


def edited(text: str, share: float, chance: random.Random) -> str:
    """A share of the characters replaced by others of the text."""
    return "".join(
        chance.choice(text) if chance.random() < share else character for character in text
    )


@pytest.fixture(scope="module")
def declarations(corpora: Path) -> list[tuple[str, str]]:
    source = str(corpora / "udhr2.jsonl.zst")
    return [(d.id, d.text) for d in find(source).documents(source, lambda skip: None)]


@pytest.fixture(scope="module")
def index(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("scripts") / "udhr.pocket"
    build([str(corpora / "udhr2.jsonl.zst")], target)
    return target


@pytest.mark.parametrize("language", ASKED)
def test_five_of_a_hundred_characters_edited(
    language: str, index: Path, declarations: list[tuple[str, str]]
) -> None:
    text, chance = dict(declarations)[language], random.Random(language)
    with pocketindex.open(index) as opened:
        for _ in range(3):
            hits = opened.query(edited(text, 0.05, chance), top=1)
            assert [hit.id for hit in hits] == [language]


def test_of_all_languages(index: Path, declarations: list[tuple[str, str]]) -> None:
    """Two variants of a language may change places, so the original is among three."""
    chance, found = random.Random(5), 0
    with pocketindex.open(index) as opened:
        for id, text in declarations:
            found += id in [hit.id for hit in opened.query(edited(text, 0.05, chance), top=3)]
    assert found >= 0.99 * len(declarations)
