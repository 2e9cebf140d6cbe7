"""All pairs of near-duplicates among the rows of a DataFrame."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass
from typing import Any

from pocketindex.builder.collections.options import min_similarity_option, probes_option
from pocketindex.builder.functions.choices import Reading, settings_of
from pocketindex.builder.tally import Tally
from pocketindex.keywords import takes
from pocketindex.options import option
from pocketindex.spark.found import Found
from pocketindex.spark.frames import check_frame
from pocketindex.spark.near import MOST_NEAR, edges_of
from pocketindex.spark.stages import kept_on_disk
from pocketindex.spark.texts import documents_of

MOST_EQUAL = 1_000  # documents of one text that are paired with each other


@dataclass(frozen=True)
class Pairs(Reading):
    """The arguments of pairs."""

    frame: Any
    min_similarity: float = min_similarity_option(0.8)
    _: KW_ONLY
    order: str | None = None
    probes: int | None = probes_option("all sketches are compared")
    most_equal: int = option(
        MOST_EQUAL, "documents of one text that are paired with each other, at most", least=1
    )
    most_near: int = option(MOST_NEAR, "texts that a text is compared with, at most", least=1)


@takes(Pairs)
def pairs(call: Pairs) -> Found:
    """List all pairs of near-duplicates: those of [pairs][pocketindex.pairs] by the measure
    "cosine", of the same documents in the same order.

    frame: a DataFrame with id and text; its documents are in the order of the column order and of
    their ids as strings, or of these alone. min_similarity: of a pair, above 0, at most 1. probes:
    as of pairs. The other arguments are those of [Reading][pocketindex.Reading]; names of
    fields are of columns.

    Two bounds keep what very many documents have in common from growing with its square. Of a text
    that more than most_equal documents have, the first ones are paired with all others and with the
    documents that are near; each further one is paired with the first alone. A text is compared
    with the most_near texts whose sketches are most similar to its own. What they cut is counted
    and said.

    Returns Found: rows a, b (ids, a before b), similarity (0..1), kind ("exact", equal but for
    white space, or "near"). Raises TypeError (no DataFrame of Spark), ValueError, SourceError,
    NoSpace, OSError.

    >>> import pocketindex.spark
    >>> found = pocketindex.spark.pairs(frame)  # doctest: +SKIP
    >>> found.frame.write.parquet("pairs.parquet")  # doctest: +SKIP
    """
    check_frame(call.frame)
    most_equal = call.most_equal
    settings, report = settings_of(call), Tally()
    with ExitStack() as stack:
        given = documents_of(call.frame, settings, report, stack, call.order)
        edges = edges_of(
            given.texts, call.min_similarity, call.probes, call.most_near, settings, stack
        )
        report.index(given.count)
        members = _members(given.documents)
        joined = edges.edges.selectExpr(
            "least(text, other) one", "greatest(text, other) two", "similarity"
        ).distinct()
        rows = _equal(members, most_equal).unionByName(_near(members, joined, most_equal))
        notes = [*edges.notes(), *_notes(members, joined, most_equal, stack)]
        return Found(rows, report, notes, stack.pop_all())


def _members(documents: Any) -> Any:
    """The documents of each text, numbered from 1 in their order."""
    from pyspark.sql import Window, functions

    place = functions.row_number().over(Window.partitionBy("digest").orderBy("number"))
    return documents.select("digest", "number", "id", place.alias("place"))


def _side(members: Any, name: str, text: str) -> Any:
    """Members as one side of a pair: the id has this name, the digest that one."""
    return members.selectExpr(
        f"digest {text}", f"number {name}_number", f"id {name}", f"place {name}_place"
    )


_EXACT = ("a", "b", "cast(1 as double) similarity", "'exact' kind")


def _equal(members: Any, most: int) -> Any:
    """Pairs of documents that have one text."""
    some = members.where(f"place <= {most}")
    among = _side(some, "a", "text").join(_side(some, "b", "text"), "text")
    firsts = _side(members.where("place = 1"), "a", "text")
    further = _side(members.where(f"place > {most}"), "b", "text")
    return (
        among.where("a_place < b_place")
        .selectExpr(*_EXACT)
        .unionByName(firsts.join(further, "text").selectExpr(*_EXACT))
    )


def _near(members: Any, joined: Any, most: int) -> Any:
    """Pairs of documents whose texts are near."""
    some = members.where(f"place <= {most}")
    beside = joined.join(_side(some, "a", "one"), "one").join(_side(some, "b", "two"), "two")
    return beside.selectExpr(
        "if(a_number < b_number, a, b) a",
        "if(a_number < b_number, b, a) b",
        "similarity",
        "'near' kind",
    )


def _notes(members: Any, joined: Any, most: int, stack: ExitStack) -> list[str]:
    """What is not listed of texts that very many documents have."""
    sizes = kept_on_disk(members.groupBy("digest").count().where(f"count > {most}"), stack)
    (texts, documents, left) = sizes.selectExpr(
        "count(*)",
        "sum(count)",
        f"sum((count - {most}) * (count - {most} - 1) div 2 + (count - {most}) * ({most} - 1))",
    ).first()
    notes = []
    if texts:
        notes.append(
            f"{texts:,} texts have more than {most:,} documents, {documents:,} in all: of the "
            f"pairs of equal ones {left:,} are not listed, where neither is the first; most_equal "
            "sets it"
        )
        ends = [
            sizes.selectExpr(f"digest {name}", f"count {name}_count") for name in ("one", "two")
        ]
        large = joined.join(ends[0], "one", "left").join(ends[1], "two", "left")
        hidden = large.where("one_count is not null or two_count is not null").count()
        if hidden:
            notes.append(
                f"{hidden:,} near texts have such a text among them: only its first {most:,} "
                "documents are paired with those of the other"
            )
    return notes
