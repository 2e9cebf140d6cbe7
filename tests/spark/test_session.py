"""The session of these tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pocketindex


def test_a_task_has_the_package(spark: Any) -> None:
    def version(batches: Any) -> Any:
        import pyarrow

        for _ in batches:
            yield pyarrow.record_batch({"version": [pocketindex.__version__]})

    rows = spark.range(1).mapInArrow(version, "version string").collect()

    assert [row.version for row in rows] == [pocketindex.__version__]


def test_workers_without_the_package_are_told(spark: Any, tmp_path: Path) -> None:
    program = """
import pocketindex, pyspark.sql
session = pyspark.sql.SparkSession.builder.master("local[1]").getOrCreate()
frame = session.createDataFrame([("a", "one text"), ("b", "another")], "id string, text string")
try:
    pocketindex.spark.pairs(frame)
except ValueError as error:
    print(error)
"""
    # The interpreter under the environment, which has none of its packages.
    bare = Path(sys.base_prefix) / "bin" / "python3"
    env = {**os.environ, "PYSPARK_PYTHON": str(bare), "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, cwd=tmp_path, capture_output=True, text=True
    )

    assert "the Python of 1 of 1 tasks has no package pocketindex" in done.stdout, done.stderr
    assert "set PYSPARK_PYTHON to its Python" in done.stdout
