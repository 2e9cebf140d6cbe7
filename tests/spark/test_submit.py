"""The example by spark-submit: on two threads, and on a cluster of which a worker is killed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from spark_cluster import killed_while_it_works, submitted

pytest.importorskip("pyspark", reason="needs pyspark: make test-spark")
if not shutil.which("java"):
    pytest.skip("needs Java: make test-spark", allow_module_level=True)


def written(path: Path, count: int) -> Path:
    """Write documents as JSON Lines, by id."""
    documents = sorted(made_up(count), key=lambda document: document["id"])
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return path


def test_the_example_by_spark_submit(tmp_path: Path) -> None:
    source = written(tmp_path / "docs.jsonl", 500)
    (tmp_path / "out").mkdir()
    one, other = tmp_path / "one.pocket", tmp_path / "out" / "other.pocket"
    pocketindex.build(source, one)

    process = submitted(tmp_path, "local[2]", [source, other, "--partitions", 2], {})
    out, err = process.communicate(timeout=600)

    assert process.returncode == 0, err
    assert "500 read, 500 indexed, 0 skipped" in out
    assert other.read_bytes() == one.read_bytes()
    assert [path.name for path in other.parent.iterdir()] == ["other.pocket"]


@pytest.mark.nightly
def test_a_worker_is_killed(tmp_path: Path) -> None:
    source = written(tmp_path / "docs.jsonl", 20_000)
    (tmp_path / "out").mkdir()
    one, other = tmp_path / "one.pocket", tmp_path / "out" / "other.pocket"
    index = "documents,passages,words"
    pocketindex.build(source, one, index=index)

    arguments = [source, other, "--partitions", 7, "--index", index]
    status, out, err = killed_while_it_works(tmp_path, arguments, {}, after=8)

    assert status == 0, err
    assert "20,000 indexed" in out
    assert "Lost executor" in err
    assert other.read_bytes() == one.read_bytes()
    assert [path.name for path in other.parent.iterdir()] == ["other.pocket"]
