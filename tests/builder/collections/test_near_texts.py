"""What sketches propose for a text: all that a comparison with every sketch finds."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.collections.cosine import near
from pocketindex.builder.collections.cosine.corpus import AHEAD, CosineCorpus
from pocketindex.builder.collections.cosine.near import Near, proposed_from
from pocketindex.builder.collections.dedup import NEAR as GOES
from pocketindex.builder.collections.dedup import decide
from pocketindex.builder.collections.pairs import text_pairs
from pocketindex.builder.document import Document
from pocketindex.builder.progress import Progress

TEXTS = [document["text"] for document in made_up(30)]
WORDS = TEXTS[0].split()
# More than are asked for at first: each without two of the words.
ALIKE = [
    " ".join(word for place, word in enumerate(WORDS) if place not in left_out)
    for left_out in islice(combinations(range(len(WORDS)), 2), 2 * AHEAD)
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pocketindex.Index]:
    folder = tmp_path_factory.mktemp("near")
    rows = [{"id": str(number), "text": text} for number, text in enumerate([*TEXTS, *ALIKE])]
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build([str(source)], folder / "texts.pocket", Settings(profile="learn"))
    with pocketindex.open(folder / "texts.pocket") as index:
        yield index


@pytest.mark.parametrize("least", [0.5, 0.8, 0.95])
def test_all_that_are_so_similar_are_proposed(index: pocketindex.Index, least: float) -> None:
    asked, lowest = Near(index, least), proposed_from(least)
    for text in (*TEXTS[1:5], ALIKE[7]):
        hits = index.query(text, top=len(index), exhaustive=True, min_similarity=lowest)
        found, capped = asked.of_text(text.encode())

        assert set(found.tolist()) == {hit.number for hit in hits}
        assert not capped


@pytest.mark.parametrize(("vocabulary", "least"), [(150, 0.75), (250, 0.7), (400, 0.6)])
def test_hardly_any_is_lost_where_many_are_rather_similar(
    vocabulary: int, least: float, tmp_path: Path
) -> None:
    """More texts than a scan scores at first, a tenth of which are similar enough."""
    random = Random(1)
    words = ["".join(random.choices("bcdfgklmnprst", k=3)) + str(n) for n in range(vocabulary)]
    texts = [" ".join(random.choices(words, k=40)) for _ in range(4_000)]
    lowest, lost, every = proposed_from(least), 0, 0
    corpus = CosineCorpus(
        (Document(str(number), "", text) for number, text in enumerate(texts)),
        tmp_path,
        least,
        Progress(form="none"),
    )
    with corpus:
        index = corpus._near._index
        for text in texts[::200]:
            hits = index.query(text, top=len(index), exhaustive=True, min_similarity=lowest)
            found, capped = corpus._near.of_text(text.encode())
            every += len(hits)
            lost += len(hits) - len(found)
            assert {hit.number for hit in hits} >= set(found.tolist())
            assert not capped

    assert every > 1_000
    assert lost <= 0.003 * every


def test_a_similarity_at_the_threshold_counts(index: pocketindex.Index) -> None:
    """Whatever the threshold is as a binary fraction: ten thousand times .81 is above 8,100."""

    def ask(options: object, hits: Any, count: Any, error: object) -> int:
        count[0] = 1
        hits[0].similarity = 8_100
        return 0

    found = near._asked(index, ask, 0, 0.81, 1)

    assert found.similarities.tolist() == [0.81]


def test_a_text_without_terms_finds_nothing(index: pocketindex.Index) -> None:
    found, capped = Near(index, 0.8).of_text(b"a b")

    assert (found.tolist(), capped) == ([], False)


def test_what_is_beyond_the_room_is_said(
    index: pocketindex.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near, "ROOM", near.FEW)
    found, capped = Near(index, 0.8).of_text(ALIKE[0].encode())

    assert (len(found), capped) == (near.FEW, True)


def test_what_goes_while_others_are_asked_for(tmp_path: Path) -> None:
    """Many are asked for at once, and one of them stands for all others."""
    texts = [TEXTS[1], *ALIKE, TEXTS[2], *TEXTS[1:3], ALIKE[3]]
    documents = (Document(str(number), "", text) for number, text in enumerate(texts))
    progress = Progress(form="none")
    with CosineCorpus(documents, tmp_path, 0.8, progress) as corpus:
        decision = decide(corpus, array("d", [0.0]) * len(texts))
        pairs = sum(1 for _ in text_pairs(corpus))

    assert decision.count(GOES) == len(ALIKE) - 1 + 1
    assert set(decision.keepers) == {0, 1, len(ALIKE) + 1}
    every = (len(ALIKE) + 1) * len(ALIKE) // 2 + 2
    assert 0.999 * every <= pairs <= every  # by sketches a few are below three deviations
