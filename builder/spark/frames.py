"""What functions on DataFrames are given."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any


def check_frame(frame: Any) -> None:
    """Raise TypeError for what is no DataFrame of a Spark session in this process."""
    kind = type(frame)
    if kind.__module__.startswith("pyspark.sql.connect"):
        raise TypeError(
            "the DataFrame is of Spark Connect, which gives no files and broadcasts to tasks; run "
            "the program where the driver is, by spark-submit"
        )
    if not hasattr(frame, "mapInArrow"):
        raise TypeError(
            f"expected a DataFrame of Spark, found {kind.__module__}.{kind.__qualname__}; what is "
            "not on Spark is for the functions of the same names in pocketindex"
        )
    _check_workers(frame.sparkSession.sparkContext)


def _check_workers(context: Any) -> None:
    """Raise ValueError where a Python worker does not find the package: a task's own error would
    come late, and say so in a traceback of Java and of pickles. The tasks run what is not ours.
    """
    count = max(context.defaultParallelism, 1)
    found = context.parallelize(["pocketindex"] * count, count).map(find_spec).map(bool).collect()
    if not all(found):
        raise ValueError(
            f"the Python of {found.count(False)} of {count} tasks has no package pocketindex; "
            "install it on every worker, or send an environment with --archives, and set "
            "PYSPARK_PYTHON to its Python (docs/spark.md)"
        )
