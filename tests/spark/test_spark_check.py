"""Of a DataFrame those documents alone are looked at that have something of an item; what is found
is what a single machine finds.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pocketindex
from made_up import made_up

NOTICE = (
    "All rights are reserved by the printers of this almanac and no part of any page may be "
    "copied, lent, sold or read aloud without the written consent of the printers of it"
)


def collection() -> list[tuple[str, str]]:
    """80 documents; 30 of them have a notice."""
    texts = [document["text"] for document in made_up(80)]
    texts[50:] = [f"{text}\n\n{NOTICE}" for text in texts[50:]]
    return [(f"{number:03}", text) for number, text in enumerate(texts)]


def items() -> list[tuple[str, str]]:
    """A document, one that is near to one, one with a part of one, one with the notice, others."""
    texts = [text for _, text in collection()]
    other = [document["text"] for document in made_up(200)[190:]]
    return [
        ("whole", texts[3]),
        ("near", " ".join(texts[5].split()[3:])),
        ("part", f"{other[0]}\n\n{' '.join(texts[7].split()[:25])}\n\n{other[1]}"),
        ("notice", f"{other[2]}\n\n{NOTICE}"),
        ("none", "A sentence that nobody has written before stands here alone by itself today."),
        ("short", "basket"),
    ]


def test_findings_are_those_of_one_machine(spark: Any, tmp_path: Path) -> None:
    documents = collection()
    rows = random.Random(1).sample(documents, len(documents))
    frame = spark.createDataFrame(rows, "id string, text string").coalesce(2)
    asked = spark.createDataFrame(items(), "id string, text string").coalesce(1)
    file = tmp_path / "collection.pocket"
    pocketindex.build(documents, file)
    alone = pocketindex.check(file, items(), source=documents, top=50)

    def shown(rows: Any) -> list[tuple[Any, ...]]:
        return [
            (
                row.id,
                row.verdict,
                row.coverage,
                list(row.looked),
                [
                    (one.kind, one.id, one.similarity, one.cosine, one.coverage, one.passage)
                    for one in row.evidence
                ],
            )
            for row in rows
        ]

    with pocketindex.spark.check(frame, asked, top=50) as found:
        assert shown(found.frame.orderBy("number").collect()) == shown(alone)
        assert found.notes == []
    verdicts = {row.id: row.verdict for row in alone}
    assert verdicts["whole"] == "copy"
    assert verdicts["notice"] == "passage"
    assert verdicts["none"] == "not found"

    with pocketindex.spark.check(frame, items(), index=file, top=50, most_shared=10) as found:
        (note,) = found.notes
        cut = {row.id: row for row in found.frame.collect()}
    assert cut["notice"].coverage == next(row.coverage for row in alone if row.id == "notice")
    # Some of the thirty share sentences with other items.
    said = re.fullmatch(
        r"29 shingles of the items are in more than 10 documents; (\d+) documents that have no "
        "other part of an item were not compared; most_shared sets this limit",
        note,
    )
    assert said is not None
    assert 0 < int(said[1]) <= 20
