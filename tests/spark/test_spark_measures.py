"""Pairs and what goes are those of one process, to the row, by what texts have in common."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pocketindex
import pytest
from pocketindex.builder.collections.shingles.sets import slots_of
from pocketindex.spark import candidates, stages

Rows = list[tuple[str, str]]


def reports() -> Rows:
    """Reports of a few forms with figures of their own, corrected ones, copies but for white space,
    parts of others, a chain, very short ones and texts in Japanese.
    """
    chance = random.Random(11)
    words = [f"w{number}" for number in range(4_000)]
    texts = list[str]()
    for form in range(6):
        frame = chance.sample(words, 30)
        for _ in range(60):
            own = [*frame, *(str(chance.randrange(10**6)) for _ in range(form * 3 + 1))]
            texts.append(" ".join(own))
    for _ in range(150):
        own = chance.choices(words, k=chance.randrange(40, 120))
        texts.append(" ".join(own))
        for _ in range(chance.randrange(3)):
            own[chance.randrange(len(own))] = chance.choice(words)
            texts.append(" ".join(own))
        texts.append(" ".join(own[: len(own) // 2]))
    chain = chance.sample(words, 300)
    texts += [" ".join(chain[start : start + 100]) for start in range(0, 200, 3)]
    kana = [chr(0x3042 + chance.randrange(80)) for _ in range(120)]
    texts += ["".join(kana), "".join([*kana[:100], *kana[:1]]), "".join(kana[60:])]
    texts += [chance.choice(texts).replace(" ", "\n\t") for _ in range(60)]
    texts += ["too short", "too  short", "short", "Short", "", "  "]
    chance.shuffle(texts)
    return [(f"{number:04}", text) for number, text in enumerate(texts)]


@pytest.fixture(scope="module")
def documents() -> Rows:
    return reports()


@pytest.fixture(scope="module")
def frame(spark: Any, documents: Rows) -> Any:
    rows = random.Random(2).sample(documents, len(documents))
    return spark.createDataFrame(rows, "id string, text string").repartition(3)


def pairs_of(found: Any) -> set[tuple[Any, ...]]:
    return {(pair.a, pair.b, pair.similarity, pair.kind) for pair in found}


def dropped_of(found: Any) -> list[tuple[Any, ...]]:
    return sorted((one.id, one.kept, one.similarity, one.kind) for one in found)


@pytest.mark.parametrize("measure", ["jaccard", "containment", "records"])
def test_pairs_by_each_measure_are_those_of_one_process(
    frame: Any, documents: Rows, measure: str
) -> None:
    alone = pairs_of(pocketindex.pairs(documents, measure=measure))
    with pocketindex.spark.pairs(frame, measure=measure) as found:
        rows = [tuple(row) for row in found.frame.collect()]

    assert len(rows) == len(set(rows))
    assert set(rows) == alone
    assert {kind for *_, kind in alone} == {"exact", "near"}
    assert found.report.left_out == 2  # without a text


@pytest.mark.parametrize("measure", ["jaccard", "containment", "records"])
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_what_goes_by_each_measure_is_what_goes_in_one_process(
    frame: Any, documents: Rows, measure: str, keep: str
) -> None:
    alone = pocketindex.dedup(documents, measure=measure, keep=keep)
    with pocketindex.spark.dedup(frame, measure=measure, keep=keep) as found:
        gone = sorted(tuple(row) for row in found.frame.collect())
        kept = sorted(row.id for row in found.kept.collect())

    assert gone == dropped_of(alone)
    assert kept == [documents[number][0] for number in alone.kept]
    assert found.notes == list(alone.report.notes)
    assert {kind for *_, kind in gone} == {"exact", "near"}


def test_the_default_is_that_of_the_command(frame: Any) -> None:
    def rows(**choices: Any) -> set[tuple[Any, ...]]:
        with pocketindex.spark.dedup(frame, **choices) as found:
            return {tuple(row) for row in found.frame.collect()}

    assert rows() == rows(measure="jaccard", min_similarity=0.8)


def test_the_newest_is_kept(spark: Any, documents: Rows) -> None:
    dates = ["2024-05-01", "2026-01-31", "1999", "no date", None]
    dated = [(id, text, dates[int(id) % len(dates)]) for id, text in documents]
    given = spark.createDataFrame(dated, "id string, text string, day string")
    alone = pocketindex.dedup(
        [{"id": id, "text": text, "day": day} for id, text, day in dated], keep="newest", date="day"
    )
    with pocketindex.spark.dedup(given, keep="newest", date="day") as found:
        assert sorted(tuple(row) for row in found.frame.collect()) == dropped_of(alone)
    undated = given.selectExpr("id", "text", "'never' day")
    with pytest.raises(ValueError, match="no document has a date"):
        pocketindex.spark.dedup(undated, keep="newest", date="day")


def test_a_column_that_is_preferred_is_refused(frame: Any) -> None:
    with pytest.raises(ValueError, match="prefer is 'text', and on Spark no column is preferred"):
        pocketindex.spark.dedup(frame, prefer="text")


def test_how_it_is_parted_changes_nothing(
    frame: Any, documents: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is counted in many ranges, and the driver gets answers through files on disk."""
    monkeypatch.setattr(candidates, "_RANGE_BITS", 13)
    monkeypatch.setattr(stages, "AT_ONCE", 0)
    with pocketindex.spark.dedup(frame.repartition(7)) as found:
        gone = sorted(tuple(row) for row in found.frame.collect())
    assert gone == dropped_of(pocketindex.dedup(documents))


@pytest.mark.parametrize("call", [pocketindex.spark.pairs, pocketindex.spark.dedup])
@pytest.mark.parametrize("rows", [[], [("1", "a text that is alone among all of these")]])
def test_where_nothing_is_near_there_is_no_row(
    spark: Any, call: Callable[..., Any], rows: Rows
) -> None:
    given = spark.createDataFrame(rows, "id string, text string")
    with call(given) as found:
        assert found.frame.collect() == []
        assert found.report.indexed == len(rows)


def test_slots_are_parts_of_a_table_of_their_hashes() -> None:
    hashes = np.array([0, 1 << 63, (1 << 64) - 1], np.uint64)
    assert slots_of(hashes, 0).tolist() == [0, 0, 0]
    assert slots_of(hashes, 2).tolist() == [0, 2, 3]
    assert slots_of(hashes, 32).tolist() == [0, 1 << 31, (1 << 32) - 1]
