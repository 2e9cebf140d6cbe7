"""What a single task makes of a small DataFrame is what several stages make of it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex
import pyarrow
import pytest
from pocketindex.spark.alone import one_task
from pyarrow import parquet
from test_spark_measures import Rows, dropped_of, pairs_of, reports

CALLS = [pocketindex.spark.pairs, pocketindex.spark.dedup]
MEASURES = ["jaccard", "containment", "records"]


@pytest.fixture(scope="module")
def documents() -> Rows:
    return reports()


def written(spark: Any, folder: Path, rows: list[tuple[Any, ...]], *names: str) -> Any:
    """A DataFrame of Parquet files, in another order."""
    columns = [list(column)[::-1] for column in zip(*rows, strict=True)]
    table = pyarrow.table(columns, names=list(names))
    folder.mkdir()
    half = len(rows) // 2
    for number, some in enumerate((table[:half], table[half:])):
        parquet.write_table(some, folder / f"{number}.parquet")
    return spark.read.parquet(str(folder))


@pytest.fixture(scope="module")
def frame(spark: Any, documents: Rows, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return written(spark, tmp_path_factory.mktemp("rows") / "parquet", documents, "id", "text")


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether calls were done by one task."""
    found = list[bool]()

    def seen(*arguments: Any) -> Any:
        answer = one_task.in_one_task(*arguments)
        found.append(answer is not None)
        return answer

    for name in ("pairs", "dedup"):
        module = importlib.import_module(f"pocketindex.spark.{name}")
        monkeypatch.setattr(module, "in_one_task", seen)
    return found


def all_of(call: Callable[..., Any], frame: Any, **choices: Any) -> tuple[Any, ...]:
    with call(frame, **choices) as found:
        kept = [row.id for row in found.kept.collect()] if hasattr(found, "kept") else []
        rows = sorted(tuple(row) for row in found.frame.collect())
        return found.frame.columns, rows, sorted(kept), found.notes, found.report.as_dict()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("measure", MEASURES)
def test_both_ways_give_the_same(
    frame: Any,
    call: Callable[..., Any],
    measure: str,
    ways: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = all_of(call, frame, measure=measure)
    monkeypatch.setattr(one_task, "SMALL", -1)
    assert all_of(call, frame, measure=measure) == alone
    assert ways == [True, False]
    assert {row[-1] for row in alone[1]} == {"exact", "near"}


@pytest.mark.parametrize("call", CALLS)
def test_rows_are_those_of_one_process(
    frame: Any, documents: Rows, call: Callable[..., Any]
) -> None:
    columns, rows, kept, _, report = all_of(call, frame)
    if call is pocketindex.spark.pairs:
        assert columns == ["a", "b", "similarity", "kind"]
        assert set(rows) == pairs_of(pocketindex.pairs(documents))
    else:
        alone = pocketindex.dedup(documents)
        assert columns == ["id", "kept", "similarity", "kind"]
        assert (rows, kept) == (dropped_of(alone), [documents[n][0] for n in alone.kept])
    assert report["skipped"] == {"empty": 2}


def test_pairs_of_a_text_of_many_documents_are_cut_by_both_ways(
    spark: Any, tmp_path: Path, ways: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(f"w{number}" for number in range(60))
    rows = [(f"{number:03}", text if number % 3 else f"{text} last") for number in range(90)]
    frame = written(spark, tmp_path / "rows", rows, "id", "text")
    alone = all_of(pocketindex.spark.pairs, frame, most_equal=7)
    monkeypatch.setattr(one_task, "SMALL", -1)
    assert all_of(pocketindex.spark.pairs, frame, most_equal=7) == alone
    assert ways == [True, False]
    assert len(alone[1]) == 2 * 7 * 6 // 2 + (60 - 7) + (30 - 7) + 7 * 7
    assert alone[3] == [
        "2 texts have more than 7 documents, 90 in all: of the pairs of equal ones 2,087 are not "
        "listed, where neither is the first; most_equal sets it",
        "1 near texts have such a text among them: only its first 7 documents are paired with "
        "those of the other",
    ]


def test_the_newest_is_kept_by_both_ways(
    spark: Any,
    documents: Rows,
    tmp_path: Path,
    ways: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dates = ["2024-05-01", "2026-01-31", "1999", "no date", None]
    dated = [(id, text, dates[int(id) % len(dates)]) for id, text in documents]
    given = written(spark, tmp_path / "rows", dated, "id", "text", "day")
    how: dict[str, Any] = {"keep": "newest", "date": "day"}
    alone = all_of(pocketindex.spark.dedup, given, **how)
    never = given.selectExpr("id", "text", "'never' day")
    for small in (one_task.SMALL, -1):
        monkeypatch.setattr(one_task, "SMALL", small)
        assert all_of(pocketindex.spark.dedup, given, **how) == alone
        with pytest.raises(ValueError, match="no document has a date"):
            pocketindex.spark.dedup(never, **how)
    assert ways == [True, True, True, False, False]


@pytest.mark.parametrize("call", CALLS)
def test_without_a_row_there_is_nothing(
    spark: Any, call: Callable[..., Any], ways: list[bool]
) -> None:
    text = pyarrow.string()
    table = pyarrow.table({"id": pyarrow.array([], text), "text": pyarrow.array([], text)})
    assert all_of(call, spark.createDataFrame(table))[1:4] == ([], [], [])
    assert ways == [False]


def test_files_that_turn_out_to_be_large_are_compared_in_stages(
    spark: Any, tmp_path: Path, ways: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(f"{number}", f"the same words {number % 9} " * 5_000) for number in range(40)]
    frame = written(spark, tmp_path / "rows", rows, "id", "text")
    alone = all_of(pocketindex.spark.dedup, frame)
    monkeypatch.setattr(one_task, "SMALL", sum(f.stat().st_size for f in tmp_path.glob("rows/*")))
    assert all_of(pocketindex.spark.dedup, frame) == alone
    assert ways == [True, False]


def test_of_rows_that_a_program_has_no_size_is_known(spark: Any, ways: list[bool]) -> None:
    given = spark.createDataFrame([("1", "a text"), ("2", "a text")], "id string, text string")
    assert all_of(pocketindex.spark.dedup, given)[1] == [("2", "1", 1.0, "exact")]
    assert ways == [False]
