"""The measure of pairs and dedup: shared word 5-grams, and that every near pair is found."""

from __future__ import annotations

import tempfile
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder.collections.options import CONTAINMENT, JACCARD
from pocketindex.builder.collections.shingles import join
from pocketindex.builder.collections.shingles.corpus import ShingleCorpus, joining_memory
from pocketindex.builder.collections.shingles.sets import SetsFile, sets_of, similarities
from pocketindex.builder.document import Document
from pocketindex.builder.progress import Progress

NO_PROGRESS = Progress(form="none")


def shingles(text: str) -> set[str]:
    words = text.split()
    return {" ".join(words[i : i + 5]) for i in range(max(len(words) - 4, min(len(words), 1)))}


def share(text: str, other: str, measure: str) -> float:
    one, two = shingles(text), shingles(other)
    whole = min(len(one), len(two)) if measure == CONTAINMENT else len(one | two)
    return len(one & two) / whole if whole else 0.0


def pairs_of(
    texts: list[str], measure: str, least: float, folder: Path
) -> dict[tuple[int, int], float]:
    documents = (Document(str(number), "", text) for number, text in enumerate(texts))
    with ShingleCorpus(documents, folder, measure, least, NO_PROGRESS) as corpus:
        assert corpus.texts == len(set(texts))
        return {
            (other, text): similarity
            for text, found in enumerate(corpus.pairs())
            for other, similarity in zip(*found, strict=True)
        }


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=25).map(" ".join), unique=True, max_size=25),
    st.sampled_from([JACCARD, CONTAINMENT]),
    st.sampled_from([0.05, 0.3, 0.5, 0.8, 1.0]),
)
def test_every_pair_is_found(texts: list[str], measure: str, least: float) -> None:
    texts = [text for text in texts if text]
    expected = {
        (a, b): round(found, 4)
        for a, b in combinations(range(len(texts)), 2)
        if (found := share(texts[a], texts[b], measure)) >= least
    }
    with tempfile.TemporaryDirectory() as folder:
        assert pairs_of(texts, measure, least, Path(folder)) == expected


def made(count: int) -> list[str]:
    """Texts of some kinds, and edits of them."""
    random = Random(5)
    texts = list[str]()
    for number in range(count):
        if number % 3 and texts:
            words = random.choice(texts).split()
            for _ in range(random.randrange(1, 4)):
                words[random.randrange(len(words))] = f"edit{random.randrange(50)}"
        else:
            words = [f"w{random.randrange(300)}" for _ in range(random.randrange(5, 150))]
        texts.append(" ".join(words))
    return list(dict.fromkeys(texts))


@pytest.mark.parametrize("measure", [JACCARD, CONTAINMENT])
def test_what_is_sorted_on_disk_is_the_same(
    measure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for few entries, few texts and few pairs at once, and few counts."""
    texts = made(600)
    found = pairs_of(texts, measure, 0.5, tmp_path)
    assert len(found) > 100

    monkeypatch.setattr(join, "AT_ONCE", 7)
    monkeypatch.setattr(join, "_PAIRS", 3)
    monkeypatch.setattr(join, "_LEAST_BITS", 4)
    file = SetsFile(tmp_path)
    file.add(*sets_of([text.encode() for text in texts]))
    sets = file.sets(np.arange(len(texts)), measure, 0.5)
    found_again = join.SetJoin(sets, tmp_path, 1 << 15, NO_PROGRESS)
    again = {
        (other, text): similarity
        for text, (others, similarities) in enumerate(found_again.pairs())
        for other, similarity in zip(others.tolist(), similarities.tolist(), strict=True)
    }
    found_again.close()
    file.close()
    assert again == found
    assert list(tmp_path.iterdir()) == []


TEN = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        (TEN, TEN.upper().replace(" ", ", "), 1.0),
        (TEN, TEN.replace("five", "5"), 0.0909),  # of six and six the last
        (TEN, TEN + " eleven", 0.8571),
        (TEN, "six seven eight nine ten one two three four five", 0.2),
        ("Ångström über alles in der Welt", "angstrom uber alles in der welt", 1.0),
        ("four words it has", "four words it has", 1.0),
        ("four words it has", "four words it had", 0.0),
        ("four words it has", "four words it has not", 0.0),
        ("a text of five words", "five words of a text", 0.0),
        ("", "", 0.0),
        ("...", "...", 0.0),
        ("東京都は日本の首都", "東京都は日本の首都です", 0.6667),  # pairs: 8 and 10, so 4 and 6
        ("f of x is x+1", "f of x is x-1", 0.3333),
        ("f of x is x + 1", "f of x is x+1", 1.0),
        ("f of (x) is (x) + 1", "f of (x) is (x) - 1", 0.3333),
        ("as he said 1\n> 2 and some more", "as he said 1 2 and some more", 1.0),
        ("a well-known way to go", "a well known way to go", 1.0),
    ],
)
def test_what_two_texts_have_in_common(text: str, other: str, expected: float) -> None:
    assert similarities(text, other)[0] == similarities(other, text)[0] == expected


def test_containment_is_of_the_shorter_text() -> None:
    assert similarities(TEN, f"{TEN} {TEN} eleven")[1] == 1.0
    assert similarities(f"{TEN} {TEN} eleven", TEN)[1] == 1.0


def test_the_collection_does_not_matter(tmp_path: Path) -> None:
    texts = made(300)
    both = texts[:2] + ["x".join(text) for text in texts[2:]]
    alone = pairs_of(texts[:2], JACCARD, 0.05, tmp_path)
    assert {
        (a, b): s for (a, b), s in pairs_of(both, JACCARD, 0.05, tmp_path).items() if b < 2
    } == (alone)


def test_what_is_held_of_each_text_comes_off_the_memory_for_joining() -> None:
    assert joining_memory(1 << 31, 0) == 1 << 30
    assert joining_memory(1 << 31, 1 << 23) == 1 << 29
    assert joining_memory(1 << 31, 1 << 30) == 1 << 28
