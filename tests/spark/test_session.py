"""The session of these tests."""

from __future__ import annotations

from typing import Any

import pocketindex


def test_a_task_has_the_package(spark: Any) -> None:
    def version(batches: Any) -> Any:
        import pyarrow

        for _ in batches:
            yield pyarrow.record_batch({"version": [pocketindex.__version__]})

    rows = spark.range(1).mapInArrow(version, "version string").collect()

    assert [row.version for row in rows] == [pocketindex.__version__]
