"""What functions on DataFrames are given."""

from __future__ import annotations

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
