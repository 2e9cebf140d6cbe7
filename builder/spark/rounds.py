"""Which texts go when each stays that is near to none that is preferred, by edges between texts in
a DataFrame: how dedup decides by the cosine.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from pocketindex.spark.stages import kept_on_disk

IN_DRIVER = 1 << 22  # edges that the driver goes through one by one


def decided(documents: Any, edges: Any, stack: ExitStack) -> Any:
    """Return each document (id, kept, similarity, kind); kept is the one that stays for it, null
    where it stays itself. documents, edges: as texts.py and near.py have them.
    """
    best = _best(documents)
    ordered = kept_on_disk(_ordered(edges, best), stack)
    keepers = _keepers(ordered, decide(ordered, stack))
    return kept_on_disk(_decided(documents, best, keepers), stack)


def _best(documents: Any) -> Any:
    """The document of each text that is preferred: rank (preference, number), id."""
    from pyspark.sql import functions

    one = functions.expr("min(struct(preference, number, id))").alias("best")
    best = documents.groupBy("digest").agg(one)
    return best.selectExpr("digest", "struct(best.preference, best.number) rank", "best.id id")


def _ordered(edges: Any, best: Any) -> Any:
    """A row for two texts of which one has found the other: the one that is preferred, first, and
    whether it has found the other, second.
    """
    ends = [
        best.selectExpr(f"digest {name}", f"rank {name}_rank", f"id {name}_id")
        for name in ("text", "other")
    ]
    both = edges.join(ends[0], "text").join(ends[1], "other")
    forth = "text_rank < other_rank"
    return (
        both.selectExpr(
            f"if({forth}, text, other) first",
            f"if({forth}, other, text) second",
            f"if({forth}, text_rank, other_rank) rank",
            f"if({forth}, other_rank, text_rank) second_rank",
            f"if({forth}, text_id, other_id) id",
            "similarity",
            f"{forth} forth",
        )
        .groupBy("first", "second", "rank", "second_rank", "id", "similarity")
        .agg({"forth": "bool_or"})
        .withColumnRenamed("bool_or(forth)", "forth")
    )


def decide(ordered: Any, stack: ExitStack, in_driver: int = IN_DRIVER) -> Any:
    """The texts that go, a DataFrame with the column second.

    A text that is near to none that is preferred and still undecided stays, and what is near to it
    goes: all such texts at once, again and again. So the same go as when they are taken one by one.
    The last edges the driver goes through in order.
    """
    session = ordered.sparkSession
    left = ordered.select("first", "second", "second_rank")
    gone = list[Any]()
    while left.count() > in_driver:
        seconds = left.select("second").distinct()
        roots = left.select("first").distinct().join(seconds.toDF("first"), "first", "left_anti")
        going = kept_on_disk(left.join(roots, "first").select("second").distinct(), stack)
        gone.append(going)
        left = left.join(going, "second", "left_anti")
        left = kept_on_disk(left.join(going.toDF("first"), "first", "left_anti"), stack)
    rows = left.orderBy("second_rank").select("first", "second").toLocalIterator()
    last = session.createDataFrame([(one,) for one in one_by_one(rows)], "second binary")
    for going in gone:
        last = last.unionByName(going)
    return last


def one_by_one(edges: Iterable[tuple[bytes, bytes]]) -> set[bytes]:
    """The texts that go. edges: the preferred text and the other, in the order of the latter."""
    gone = set[bytes]()
    for first, second in edges:
        if bytes(first) not in gone:
            gone.add(bytes(second))
    return gone


def _keepers(ordered: Any, gone: Any) -> Any:
    """For each text that goes the document that is kept for it, and the similarity of their texts:
    the one that is preferred of those that have found it, else the most similar one that it found.
    """
    staying = ordered.join(gone, "second").join(gone.toDF("first"), "first", "left_anti")
    rule = (
        "min_by(struct(id kept, similarity), if(forth, "
        "struct(0 own, rank.preference by, rank), "
        "struct(1 own, -similarity by, rank))) keeper"
    )
    from pyspark.sql import functions

    found = staying.groupBy("second").agg(functions.expr(rule))
    return found.selectExpr("second digest", "keeper.kept near", "keeper.similarity")


def _decided(documents: Any, best: Any, keepers: Any) -> Any:
    """Return each document with the one that is kept instead, or null if it stays."""
    own = best.selectExpr("digest", "rank.number best", "id best_id")
    beside = documents.join(own, "digest").join(keepers, "digest", "left")
    return beside.selectExpr(
        "id",
        "coalesce(near, if(number = best, null, best_id)) kept",
        "coalesce(similarity, 1) similarity",
        "if(near is null, 'exact', 'near') kind",
    )
