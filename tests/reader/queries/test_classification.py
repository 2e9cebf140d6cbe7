"""A text gets the labels of the documents that are most similar to it."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from pocketindex.builder import Settings, build
from pocketindex.builder.evaluate.labels import evaluated, wilson
from pocketindex.builder.inputs.fields import Fields
from pocketindex.errors import NeedsLabels
from pocketindex.queries.classification import (
    Classification,
    by_similarity,
    by_words,
    chosen,
    shares_of,
)
from pocketindex.queries.heaviest_words import heaviest_words
from pocketindex.queries.hits import Hit
from pocketindex.queries.word_search import WordHit

SEA = "ship harbour anchor sailor wave tide captain rope mast island storm fish"
SKY = "cloud wing pilot engine runway bird rain wind altitude flight tower landing"
SOIL = "wheat plough barn cattle harvest seed tractor meadow farmer hay orchard fence"
TOPICS = {"sea": SEA.split(), "sky": SKY.split(), "soil": SOIL.split()}
CHOSEN = Settings(fields=Fields(label="topic"))


def text(topic: str, chance: random.Random) -> str:
    return " ".join(chance.choices(TOPICS[topic], k=60))


def documents(count: int, seed: int) -> list[dict[str, object]]:
    chance = random.Random(seed)
    return [
        {"id": f"{topic} {i}", "text": text(topic, chance), "topic": topic}
        for i in range(count)
        for topic in TOPICS
    ]


def file(path: Path, rows: list[dict[str, object]], settings: Settings = CHOSEN) -> Path:
    source = path.with_suffix(".jsonl")
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build(source, path, settings)
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return file(tmp_path_factory.mktemp("labels") / "a.pocket", documents(30, 1))


def hit(labels: tuple[str, ...], similarity: float, cosine: float | None = None) -> Hit:
    return Hit("", "", "", similarity, 0, labels, 0.0, (), False, "sketch", None, cosine, None)


def worded(label: str, score: float) -> WordHit:
    return WordHit("", "", "", score, 1, 0, "", (label,))


def test_texts_of_a_topic(path: Path) -> None:
    chance = random.Random(7)
    with pocketindex.open(path) as index:
        for topic in TOPICS:
            found = index.classify(text(topic, chance))
            assert found.labels == (topic,)
            assert found.verdict == "clear"
            assert found.reason == ""
            assert len(found.hits) == 20
            assert found.hits[0].labels == (topic,)
            assert next(iter(found.shares)) == topic
            assert sum(found.shares.values()) == pytest.approx(1)


def test_by_cosine_where_texts_are_kept(tmp_path: Path) -> None:
    kept = Settings(fields=CHOSEN.fields, keep="text")
    asked = text("sky", random.Random(8))
    with pocketindex.open(file(tmp_path / "a.pocket", documents(10, 2), kept)) as index:
        exact, other = index.classify(asked, top=5), index.classify(asked, top=5, by="sketches")
        assert exact.labels == other.labels == ("sky",)
        assert (exact.way, other.way) == ("texts", "sketches")
        assert [hit.cosine is None for hit in exact.hits if isinstance(hit, Hit)] == 5 * [False]
        assert [hit.cosine is None for hit in other.hits if isinstance(hit, Hit)] == 5 * [True]
        assert len(exact.hits) == 5


def test_by_words_where_the_file_has_them(path: Path, tmp_path: Path) -> None:
    worded = Settings(fields=CHOSEN.fields, index=("documents", "words"))
    file(tmp_path / "a.pocket", documents(30, 2), worded)
    asked = text("sky", random.Random(8))
    with pocketindex.open(tmp_path / "a.pocket") as index:
        found = index.classify(asked, top=5)
        assert (found.way, found.labels, found.verdict) == ("words", ("sky",), "clear")
        assert len(found.hits) == 5
        scores = [one.score for one in found.hits if isinstance(one, WordHit)]
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0
        assert {one.labels for one in found.hits} == {("sky",)}
        assert index.classify(asked, by="sketches").way == "sketches"
        nothing = index.classify("nothing of this was ever said in any of those")
        assert (nothing.labels, nothing.reason) == ((), "no similar document")
    with pocketindex.open_many([path, tmp_path / "a.pocket"]) as both:
        assert both.classify(asked).way == "sketches"
    file(tmp_path / "b.pocket", documents(30, 4), worded)
    with pocketindex.open_many([tmp_path / "a.pocket", tmp_path / "b.pocket"]) as both:
        found = both.classify(asked)
        assert (found.way, found.labels) == ("words", ("sky",))
        assert {Path(one.file).name for one in found.hits if isinstance(one, WordHit)} == {
            "a.pocket",
            "b.pocket",
        }


def test_a_score_that_chance_reaches_is_no_evidence() -> None:
    def found(least: float) -> str:
        return by_words([(worded("a", 8.0), least), (worded("b", 7.0), least)], 9).reason

    assert found(8.0) == ""
    assert found(8.01) == "no similar document"


def test_a_rare_word_tells_more_than_one_that_comes_often(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": str(i), "text": f"all of them have this one{i % 4}"} for i in range(8)
    ]
    rows.append({"id": "rare", "text": "all of them have this and plover"})
    path = file(tmp_path / "a.pocket", rows, replace(CHOSEN, index=("documents", "words")))
    with pocketindex.open(path) as index:
        words = heaviest_words(index, b"this this this all one1 plover unknown")
        assert words == ["plover", "one1"]  # all have "this" and "all", none "unknown"
        many = " ".join(f"one{i % 4}" for i in range(8)) + " plover"
        assert heaviest_words(index, many.encode()) == ["one0", "one1", "one2", "one3", "plover"]


def test_documents_without_labels_decide_nothing(tmp_path: Path) -> None:
    rows = documents(20, 3)
    for row in rows[::2]:
        row["topic"] = None
    with pocketindex.open(file(tmp_path / "a.pocket", rows)) as index:
        found = index.classify(text("soil", random.Random(9)), top=8)
        assert found.labels == ("soil",)
        assert len(found.hits) == 8
        assert all(one.labels for one in found.hits)


def test_too_little_evidence(path: Path) -> None:
    with pocketindex.open(path) as index:
        strange = index.classify("nothing of this was ever said in any of those documents at all")
        short = index.classify("ship")
    for found in (strange, short):
        assert found.labels == ()
        assert found.verdict == "too little evidence"
        assert found.reason == "no similar document"
    assert short.best == ()


def test_errors(path: Path, tmp_path: Path) -> None:
    with pocketindex.open(path) as index:
        with pytest.raises(ValueError, match="top is 0; it must be at least 1"):
            index.classify("some text of any kind", top=0)
        with pytest.raises(pocketindex.NeedsTexts):
            index.classify("some text of any kind", by="texts")
        with pytest.raises(pocketindex.NoWords):
            index.classify("some text of any kind", by="words")
    plain = file(tmp_path / "plain.pocket", documents(3, 4), Settings())
    with pocketindex.open(plain) as index, pytest.raises(NeedsLabels, match=r"plain\.pocket"):
        index.classify("some text")
    with (
        pocketindex.open_many([path, plain]) as both,
        pytest.raises(NeedsLabels, match=r"plain\.pocket: expected documents with labels"),
    ):
        both.classify("some text")


def test_several_files(path: Path, tmp_path: Path) -> None:
    other = file(tmp_path / "other.pocket", documents(30, 5))
    asked = text("sea", random.Random(11))
    with pocketindex.open_many([path, other]) as indexes:
        found = indexes.classify(asked)
        assert found.labels == ("sea",)
        assert {one.file for one in found.hits} == {str(path), str(other)}  # type: ignore[union-attr]


def test_hits_have_labels_in_pickles_too(path: Path) -> None:
    with pocketindex.open(path) as index:
        hits = index.query(text("sea", random.Random(12)), top=3)
        assert pickle.loads(pickle.dumps(hits)) == hits
        assert hits[0].labels == ("sea",)
        assert "labels=('sea',)" in repr(hits[0])
    assert pickle.loads(pickle.dumps(hits))[0].labels == ("sea",)


def test_shares() -> None:
    shares = shares_of([(("a", "b"), 3.0), (("b",), 1.0), (("c",), 4.0)])
    assert shares == {"b": 0.5, "c": 0.5, "a": 0.375}
    assert list(shares) == ["b", "c", "a"]
    assert chosen(shares) == ("b", "c")
    assert chosen({"x": 0.4, "y": 0.3}) == ("x",)
    assert chosen({}) == ()
    assert shares_of([(("a",), 0.0)]) == {}


def test_weights_are_powers_of_similarities() -> None:
    found = by_similarity([hit(("a",), 0.8), hit(("b",), 0.4)], 9, [0.3])
    assert found.shares["b"] == pytest.approx(0.4**4 / (0.4**4 + 0.8**4))
    found = by_similarity([hit(("a",), 0.8, 0.6), hit(("b",), 0.8, 0.3)], 9, [0.3])
    assert found.shares["b"] == pytest.approx(0.3**2 / (0.3**2 + 0.6**2))
    found = by_words([(worded("b", 20.0), 1.0), (worded("a", 60.0), 1.0)], 9)
    assert found.shares["b"] == pytest.approx(20.0**4 / (20.0**4 + 60.0**4))
    assert [one.labels for one in found.hits] == [("a",), ("b",)]


def test_verdicts() -> None:
    def of(*hits: Hit) -> tuple[tuple[str, ...], str]:
        found = by_similarity(hits, 9, [0.5])
        return found.labels, found.reason

    assert of(hit(("a",), 0.5)) == (("a",), "")
    assert of(hit(("a",), 0.4999)) == ((), "no similar document")
    assert of() == ((), "no similar document")
    close = [hit(("a",), 0.6), hit(("b",), 0.595), hit(("c",), 0.5)]
    assert of(*close) == ((), "too close")
    assert of(hit(("a",), 0.6), hit(("b",), 0.5), hit(("c",), 0.5)) == (("a",), "")
    # Two labels of one document are not too close to each other.
    assert of(hit(("a", "b"), 0.6), hit(("a", "b"), 0.6)) == (("a", "b"), "")


def test_evaluated_by_hand() -> None:
    def named(*labels: str, clear: bool = True) -> Classification:
        shares = dict.fromkeys(labels, 0.6)
        return Classification((), labels, shares, "clear" if clear else "too little evidence")

    result = evaluated(
        [
            ({"a"}, named("a")),
            ({"a", "b"}, named("a")),
            ({"b"}, named("c", clear=False)),
            ({"c"}, named("c", clear=False)),
        ]
    )
    assert (result.documents, result.right, result.clear, result.clear_right) == (4, 2, 2, 1)
    assert result.accuracy == 0.5
    # F1: a 1, b 0, c 2/3
    assert result.macro_f1 == pytest.approx((1 + 0 + 2 / 3) / 3)
    assert result.micro_f1 == pytest.approx(2 * 3 / (4 + 5))
    assert result.several
    assert result.interval == wilson(2, 4)
    assert result.as_dict()["interval"] == [0.15, 0.85]
