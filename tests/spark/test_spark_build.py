"""A build on Spark gives the bytes and the report of one on a single machine."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.tally import NoDocument, Refused

Documents = list[dict[str, Any]]
SCHEMA = "id string, title string, text string, url string, subject array<string>, rank int"
EVERYTHING: dict[str, Any] = {
    "index": ["documents", "passages", "words"],
    "titles": True,
    "keep": "text",
    "label": "subject",
    "cells": 64,
    "keys_per_part": 300,
}


@pytest.fixture(scope="module")
def documents() -> Documents:
    """Three thousand in an order of chance: two with an id that another has, one without text, one
    that is too short, and one with a title alone.
    """
    own: list[dict[str, Any]] = [dict(document) for document in made_up(3_000)]
    for number, document in enumerate(own):
        document["url"] = f"https://example.org/{number}"
        document["subject"] = ["sea", "land", "sky"][: 1 + number % 3]
    own.append({**own[5], "text": own[6]["text"] + " and a word more"})
    own.append({**own[5], "text": own[7]["text"] + " and a word more"})
    own.append({**own[8], "id": "empty", "title": "", "text": " \n"})
    own.append({**own[8], "id": "title", "text": None})
    own.append({**own[9], "id": "short", "text": "too short"})
    random.Random(3).shuffle(own)
    for number, document in enumerate(own):
        document["rank"] = 7 * number % 1_000
    return own


@pytest.fixture(scope="module")
def frame(spark: Any, documents: Documents) -> Any:
    names = [column.split()[0] for column in SCHEMA.split(", ")]
    rows = [tuple(document[name] for name in names) for document in documents]
    return spark.createDataFrame(rows, SCHEMA).repartition(3)


def in_order(documents: Documents, *first: str) -> Any:
    """A table of the documents as docs/spark.md says that they are sorted."""
    import pyarrow

    def place(document: dict[str, Any]) -> list[Any]:
        return [document[name] for name in (*first, "id", "title", "text")]

    return pyarrow.Table.from_pylist(sorted(documents, key=place))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def counted(report: pocketindex.Report) -> dict[str, Any]:
    """What a report says of the documents."""
    found = report.as_dict()
    said = {name: found[name] for name in ("read", "indexed", "skipped", "examples")}
    return dict(json.loads(json.dumps(said).replace("<table>", "<DataFrame>")))


@pytest.mark.parametrize(
    ("partitions", "choices"),
    [
        (2, {}),
        (7, EVERYTHING),
        (1, {"index": "documents,words:8", "keep": "snippet", "shape": "wide", "titles": True}),
    ],
    ids=["plain", "everything", "words of documents"],
)
def test_the_bytes_are_those_of_one_machine(
    frame: Any, documents: Documents, tmp_path: Path, partitions: int, choices: dict[str, Any]
) -> None:
    one, other = tmp_path / "one.pocket", tmp_path / "other" / "other.pocket"
    other.parent.mkdir()

    expected = pocketindex.build(in_order(documents), one, **choices)
    report = pocketindex.spark.build(frame, other, partitions=partitions, **choices)

    assert sha256(other) == sha256(one)
    assert counted(report) == counted(expected)
    assert report.skipped == {"duplicate id": 2, "empty": 1}
    assert [path.name for path in other.parent.iterdir()] == ["other.pocket"]


def test_the_heaviest_words_by_the_counts_of_a_file(
    frame: Any, documents: Documents, tmp_path: Path
) -> None:
    old, one, other = (tmp_path / f"{name}.pocket" for name in ("old", "one", "other"))
    choices: dict[str, Any] = {"index": "documents,words:8"}
    pocketindex.build(in_order(documents).slice(0, 600), old, **choices)
    choices["profile"] = str(old)

    pocketindex.build(in_order(documents), one, **choices)
    pocketindex.spark.build(frame, other, partitions=3, **choices)

    assert sha256(other) == sha256(one)
    with pocketindex.open(other) as index:
        assert 0 < index.info().words_counted < len(index)


def test_ranges_of_keys_that_parts_go_beyond(
    frame: Any, documents: Documents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pocketindex.spark import keys

    monkeypatch.setattr(keys, "PAIRS", 1_500)  # the tasks' own is as it was: pieces are larger
    monkeypatch.setattr(keys, "APART", 8)
    choices: dict[str, Any] = {"index": "documents,passages", "keys_per_part": 400}
    one, other = tmp_path / "one.pocket", tmp_path / "other.pocket"

    pocketindex.build(in_order(documents), one, **choices)
    pocketindex.spark.build(frame, other, partitions=2, **choices)

    assert sha256(other) == sha256(one)


def test_a_profile_brings_the_shingles_that_it_leaves_out(
    frame: Any, documents: Documents, tmp_path: Path
) -> None:
    choices: dict[str, Any] = {"index": "documents,passages", "cells": 16}
    old, one, other = (tmp_path / f"{name}.pocket" for name in ("old", "one", "other"))
    pocketindex.build(documents[:1_000], old, run_documents=3, **choices)
    with pocketindex.open(old) as index:
        assert index.info().frequent_runs > 0
    choices |= {"profile": str(old), "run_documents": 3, "partitions": 2}
    del choices["cells"]

    pocketindex.spark.build(frame, other, **choices)
    del choices["partitions"]
    pocketindex.build(in_order(documents), one, **choices)

    assert sha256(other) == sha256(one)


def test_a_column_is_the_order(frame: Any, documents: Documents, tmp_path: Path) -> None:
    one, other = tmp_path / "one.pocket", tmp_path / "other.pocket"

    expected = pocketindex.build(in_order(documents, "rank"), one)
    report = pocketindex.spark.build(frame, other, order="rank", partitions=3)

    assert sha256(other) == sha256(one)
    assert counted(report) == counted(expected)
    assert report.skipped["duplicate id"] == 2


def test_a_task_that_fails_once(frame: Any, documents: Documents, tmp_path: Path) -> None:
    def failing(batches: Any) -> Any:
        from pyspark import TaskContext

        context = TaskContext.get()
        for batch in batches:
            if context.partitionId() == 1 and context.attemptNumber() == 0:
                raise OSError("the disk of this executor is gone")
            yield batch

    one, other = tmp_path / "one.pocket", tmp_path / "other.pocket"

    pocketindex.build(in_order(documents), one)
    pocketindex.spark.build(frame.mapInArrow(failing, frame.schema), other, partitions=2)

    assert sha256(other) == sha256(one)


def test_shards(frame: Any, documents: Documents, tmp_path: Path) -> None:
    import pyarrow

    folder = tmp_path / "shards"

    report = pocketindex.spark.build(frame, folder, shards=3, partitions=2, keep="text")

    names = [f"{number:05}.pocket" for number in range(3)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shards"]
    assert sorted(path.name for path in folder.iterdir()) == [*names, "manifest.json"]
    assert report.skipped == {"duplicate id": 2, "empty": 1}
    assert (report.indexed, report.short, report.without_text) == (3_002, 2, 1)
    with pocketindex.open_many(folder) as shards:
        assert sum(map(len, shards.indexes)) == 3_002
    profile = tmp_path / "of.profile"
    with PocketFile(folder / names[1]) as file:
        profile.write_bytes(file.profile)
        ids = {file.index.record(number).id for number in range(len(file))}
    own = [document for document in documents if document["id"] in ids]
    alone = tmp_path / "alone.pocket"
    table = in_order(own)
    assert isinstance(table, pyarrow.Table)
    pocketindex.build(table, alone, profile=str(profile), keep="text")
    assert sha256(alone) == sha256(folder / names[1])


def test_few_documents_have_the_profile_of_their_language(spark: Any, tmp_path: Path) -> None:
    rows = [
        (f"{n}", f"The keeper of lighthouse {n} wrote of the sea at night", "en") for n in "abc"
    ]
    frame = spark.createDataFrame(rows, "id string, text string, lang string")
    one, other = tmp_path / "one.pocket", tmp_path / "other.pocket"

    pocketindex.build([{"id": a, "text": b, "lang": c} for a, b, c in rows], one)
    pocketindex.spark.build(frame, other)

    assert sha256(other) == sha256(one)


def test_what_is_skipped_is_listed(spark: Any, tmp_path: Path) -> None:
    texts = ["", " ", "", "one two", "", "three"]
    rows = [(n, text) for n, text in enumerate(texts)]
    rows += [(n + 10, f"The keeper of lighthouse {n} wrote of the sea") for n in range(3)]
    frame = spark.createDataFrame(rows, "id long, text string")
    listed = tmp_path / "skipped.jsonl"

    report = pocketindex.spark.build(frame, tmp_path / "x.pocket", skipped=listed)

    # as strings: 0, 1, 10, 11, 12, 2, ...
    assert [json.loads(line)["place"] for line in listed.read_text().splitlines()] == [
        "<DataFrame>:0",
        "<DataFrame>:1",
        "<DataFrame>:5",
        "<DataFrame>:7",
    ]
    assert (report.skipped, report.short) == ({"empty": 4}, 2)
    with pytest.raises(Refused, match="<DataFrame>:0: empty: it has neither a text nor a title"):
        pocketindex.spark.build(frame, tmp_path / "x.pocket", strict=True)


def test_complaints(spark: Any, tmp_path: Path) -> None:
    frame = spark.createDataFrame([("a", " ")], "id string, body string")

    def fails(error: type[Exception], message: str, **choices: Any) -> None:
        with pytest.raises(error, match=message):
            pocketindex.spark.build(frame, tmp_path / "x.pocket", **choices)

    fails(ValueError, "order is 'day'; the DataFrame has id, body", text="body", order="day")
    fails(ValueError, "shards is 0; it must be at least 1", shards=0)
    fails(ValueError, "measure is for a build on one machine: omit it", measure=True)
    fails(ValueError, "format is 'csv'; it is for sources", text="body", format="csv")
    fails(
        pocketindex.PocketError,
        '<DataFrame>: no field "text" among "id", "body"; did you mean text="body"',
    )
    fails(NoDocument, "the only record is not a document: 1 empty", text="body")
    assert list(tmp_path.iterdir()) == []


def test_nothing_stays_in_the_executors(spark: Any) -> None:
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == 0
