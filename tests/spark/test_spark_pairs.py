"""Near-duplicates of a DataFrame are those of a single machine; what very many documents have in
common does not grow with its square.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder.write.manifest import shard_of, write_manifest
from pocketindex.spark.rounds import decide, one_by_one

MANY, LISTED = 2_000, 40  # documents of one text, and how many of them are paired with each other


def near_ones() -> list[tuple[str, str]]:
    """120 documents, some of which are copies with a word or more replaced, or but for white
    space.
    """
    texts = [document["text"] for document in made_up(60)]
    chance = random.Random(5)
    for copied in range(40):
        words = texts[copied % 12].split()
        for _ in range(copied % 5):
            words[chance.randrange(len(words))] = f"word{chance.randrange(1000)}"
        texts.append(("\n" if copied % 2 else "  ").join(words))
    texts += ["too short", "too  short", *texts[20:38]]
    chance.shuffle(texts)
    return [(f"{number:04}", text) for number, text in enumerate(texts)]


COMMON = made_up(300)[299]["text"]


@pytest.fixture(scope="module")
def documents() -> list[tuple[str, str]]:
    return [*near_ones(), *((f"same-{number:04}", COMMON) for number in range(MANY))]


@pytest.fixture(scope="module")
def frame(spark: Any, documents: list[tuple[str, str]]) -> Any:
    """The documents in an order of chance, by tasks that fail the first time."""

    def failing_once(batches: Iterable[Any]) -> Iterator[Any]:  # here, so that it goes along
        from pyspark import TaskContext

        for batch in batches:
            yield batch
            if TaskContext.get().attemptNumber() == 0:
                raise RuntimeError("the first attempt fails")

    rows = random.Random(1).sample(documents, len(documents))
    given = spark.createDataFrame(rows, "id string, text string").coalesce(2)
    return given.mapInArrow(failing_once, "id string, text string")


def test_pairs_are_those_of_one_machine_and_of_a_common_text_few(
    frame: Any, documents: list[tuple[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    some = [one for one in documents if one[0] <= "same-0000"]
    alone = {
        (pair.a, pair.b, pair.similarity, pair.kind)
        for pair in pocketindex.pairs(some, measure="cosine", min_similarity=0.8)
    }
    with pocketindex.spark.pairs(frame, measure="cosine", most_equal=LISTED) as found:
        rows = [tuple(row) for row in found.frame.collect()]
    common = {(a, b) for a, b, *_ in rows if a >= "same" and b >= "same"}

    assert len(rows) == len(set(rows))
    assert {row for row in rows if row[:2] not in common} == alone
    assert {kind for *_, kind in alone} == {"exact", "near"}
    listed = LISTED * (LISTED - 1) // 2 + MANY - LISTED
    assert len(common) == listed
    assert {b for a, b in common if a == "same-0000"} == {
        id for id, _ in documents if id > "same-0000"
    }
    assert found.notes == [
        "1 texts have too few terms for a sketch: only equal ones are found",
        f"1 texts have more than 40 documents, 2,000 in all: of the pairs of equal ones "
        f"{MANY * (MANY - 1) // 2 - listed:,} are not listed, where neither is the first; "
        "most_equal sets it",
    ]
    assert found.notes[1] in [record.getMessage() for record in caplog.records]
    assert found.report.indexed == len(documents)


def test_what_goes_is_what_goes_on_one_machine(
    frame: Any, documents: list[tuple[str, str]]
) -> None:
    alone = pocketindex.dedup(documents, measure="cosine", keep="longest")
    with pocketindex.spark.dedup(frame, measure="cosine", keep="longest") as found:
        gone = sorted(tuple(row) for row in found.frame.collect())
        kept = sorted(row.id for row in found.kept.collect())

    assert gone == sorted((one.id, one.kept, one.similarity, one.kind) for one in alone)
    assert kept == [documents[number][0] for number in alone.kept]
    assert {kind for *_, kind in gone} == {"exact", "near"}


def test_texts_that_go_at_once_are_those_that_go_one_by_one(spark: Any) -> None:
    chance = random.Random(3)
    edges = sorted(
        {tuple(sorted(chance.sample(range(200), 2))) for _ in range(300)}, key=lambda edge: edge[1]
    )
    named = [(bytes([first]), bytes([second]), second) for first, second in edges]
    ordered = spark.createDataFrame(named, "first binary, second binary, second_rank int")
    expected = one_by_one((first, second) for first, second, _ in named)
    with ExitStack() as stack:
        for in_driver in (0, 1_000):
            gone = [bytes(row.second) for row in decide(ordered, stack, in_driver).collect()]
            assert (len(gone), set(gone)) == (len(expected), expected)
    assert 50 < len(expected) < 150


def test_files_are_asked_in_bulk(spark: Any, tmp_path: Path) -> None:
    all_documents = made_up(90)
    pocketindex.build(all_documents, tmp_path / "all.pocket")
    for number in range(3):
        own = all_documents[30 * number : 30 * number + 30]
        pocketindex.build(own, tmp_path / f"{number}.pocket", profile=tmp_path / "all.pocket")
    manifest = write_manifest(
        tmp_path, [shard_of(tmp_path / f"{number}.pocket") for number in range(3)]
    )
    asked = [(number, " ".join(made_up(90)[number]["text"].split()[2:])) for number in (3, 40, 80)]
    frame = spark.createDataFrame([*asked, (9, "too short")], "n int, body string")

    def rows(**choices: Any) -> list[tuple[Any, ...]]:
        hits = pocketindex.spark.query(frame, manifest, id="n", text="body", top=2, **choices)
        return sorted(tuple(row) for row in hits.collect())

    def expected(files: list[int]) -> list[tuple[Any, ...]]:
        paths = [tmp_path / f"{number}.pocket" for number in files]
        with pocketindex.open_many(paths) as many:
            return [
                (str(id), rank, hit.id, hit.title, hit.url, hit.similarity, Path(hit.file).name)
                for id, text in asked
                for rank, hit in enumerate(many.query(text, top=2), 1)
            ]

    assert rows() == sorted(expected([0, 1, 2]))
    (tmp_path / "1.pocket").unlink()
    with pytest.raises(pocketindex.MissingShard, match=r"1\.pocket: missing"):
        rows()
    assert rows(allow_missing=True) == sorted(expected([0, 2]))


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"min_similarity": 0}, "min_similarity is 0; it must be above 0, at most 1"),
        ({"probes": 0}, "probes is 0; it must be between 1 and 65536"),
        ({"measure": "cosine", "most_near": 0}, "most_near is 0; it must be at least 1"),
        ({"most_near": 9}, "most_near has no effect unless measure is cosine; it is jaccard"),
        ({"measure": "dice"}, "measure is 'dice'; it must be"),
        ({"probes": 9}, "probes is of sketches, which measure jaccard does not use"),
    ],
)
def test_a_choice_out_of_range_is_refused(choices: dict[str, Any], said: str) -> None:
    for function in (pocketindex.spark.pairs, pocketindex.spark.dedup):
        with pytest.raises(ValueError, match=said):
            function(None, **choices)
