"""What is no DataFrame of Spark, or one of Spark Connect, is refused before anything is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex.spark
import pytest

CALLS: dict[str, Callable[[Any, Path], Any]] = {
    "build": lambda frame, folder: pocketindex.spark.build(frame, folder / "a.pocket"),
    "pairs": lambda frame, folder: pocketindex.spark.pairs(frame),
    "dedup": lambda frame, folder: pocketindex.spark.dedup(frame),
    "check": lambda frame, folder: pocketindex.spark.check(frame, ["a question"]),
    "query": lambda frame, folder: pocketindex.spark.query(frame, folder / "a.pocket"),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_dataframe(name: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError) as raised:
        CALLS[name](["a text"], tmp_path)

    assert str(raised.value) == (
        "expected a DataFrame of Spark, found builtins.list; what is not on Spark is for the "
        "functions of the same names in pocketindex"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", CALLS)
def test_a_dataframe_of_spark_connect(name: str, tmp_path: Path) -> None:
    kind = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})
    with pytest.raises(TypeError, match=r"is of Spark Connect, .* by spark-submit"):
        CALLS[name](kind(), tmp_path)
