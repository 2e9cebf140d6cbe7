"""How an index is asked: the options of a query, and the core's call with them."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, TypedDict

from pocketindex.cbits import ffi, lib, query_options
from pocketindex.errors import NeedsTexts
from pocketindex.ffi.status import check
from pocketindex.options import Options, option
from pocketindex.queries.hits import Effort, Found

if TYPE_CHECKING:
    from pocketindex.index import Index

_MEANT = {**dict.fromkeys(("n", "k", "limit", "count"), "top"), "threshold": "min_similarity"}
# of a hit with exact, where nothing else is said: texts that have no more in common are of one
# language
LEAST_COSINE = 0.3
DECIDING = 20  # documents that decide the labels of a text (bench/results/classify.md)
COMPARED = 100  # candidates that a query with exact compares at least: those with the best sketches


class Choices(TypedDict, total=False):
    """The fields of QueryOptions, as keywords of a query."""

    top: int
    probes: int | None
    min_similarity: float | None
    exhaustive: bool
    exact: bool


@dataclass(frozen=True)
class QueryOptions(Options):
    """The options of a query. Raises ValueError for an option that is out of range.

    top: the largest number of hits. probes: the number of keys that are looked up in each table,
    from 1 (the published method) to 65,536; without probes and exhaustive, a file is queried in its
    default way, which info().way tells. min_similarity: the least similarity of a hit (0..1); by
    default, hits that may be due to chance are left out, as Index.min_similarity() and the words
    and texts of the file tell. exhaustive: compare with every stored sketch, in time that grows
    with the collection. exact: compare the text with the texts of the best candidates (100, or top
    if that is more) and order the hits by cosine, to which min_similarity then applies (.3 by
    default); only for files that keep whole texts.
    """

    top: int = option(10, "hits to show", least=1, metavar="N")
    probes: int | None = option(
        None,
        "keys to look up in each table: 1 is the published method, more keys find more",
        least=1,
        most=65_536,
        metavar="N",
        shown_default="the file's",
    )
    min_similarity: float | None = option(
        None,
        "hide hits below S, 0 to 1, with --exact by their cosine",
        least=0,
        most=1,
        metavar="S",
        shown_default="hits that may be coincidental are hidden; `info` shows the limit for the "
        "first hit, and later hits must reach 7/8 of it; with --exact 0.3",
    )
    exhaustive: bool = option(
        False,
        "compare with every sketch instead of looking up keys: misses nothing, and is slow in "
        "large files",
    )
    exact: bool = option(
        False,
        "order the best candidates by the exact cosine of the texts, and show how much of the "
        "wording is shared: for files built with --keep text",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exhaustive and self.probes is not None:
            raise self.refused(
                "{probes} and {exhaustive} exclude each other: an exhaustive query looks up no keys"
            )

    @classmethod
    def of(cls, options: QueryOptions | int | None, choices: Choices) -> QueryOptions:
        """Return the options, a number standing for top, with other choices in their place.

        Raises TypeError for what is neither.
        """
        if not isinstance(options, QueryOptions | Integral | None):
            raise TypeError(
                "expected QueryOptions or a number for top, found a value of type "
                f"{type(options).__name__}"
            )
        for name in choices:
            if name not in cls.__dataclass_fields__:
                from difflib import get_close_matches  # only for a mistake

                near = get_close_matches(_MEANT.get(name, name), cls.__dataclass_fields__, 1)
                meant = f"; did you mean {near[0]!r}?" if near else ""
                raise TypeError(f"query() has no option {name!r}{meant}")
        known = cls(top=int(options)) if isinstance(options, Integral) else options or _DEFAULTS
        return replace(known, **choices) if choices else known

    def ask(self, index: Index, query: bytes | int, documents: int = 0) -> Found:
        """Return the documents that are most similar to a text, or to the document with a number,
        as the core answers. documents: the number of documents in all files that are searched
        together, or 0 for those of this file.

        With exact, at least COMPARED documents are returned, whatever their similarity.
        """
        if self.exact and index.kept != "text":
            raise NeedsTexts(index.path, index.kept)
        handle = index._core
        room = min(max(self.top, COMPARED) if self.exact else self.top, len(index))
        found, count = ffi.new("pocket_hit[]", room + 1), ffi.new("uint32_t *", room)
        report, error = ffi.new("pocket_report *"), ffi.new("pocket_error *")
        probes = (
            lib.POCKET_EXHAUSTIVE
            if self.exhaustive
            else self.probes or (lib.POCKET_COLD if index.cold else 0)
        )
        options = query_options(probes, report, sketches_alone=self.exact)
        if isinstance(query, int):
            status = lib.pocket_query_document(handle, query, options, found, count, error)
        else:
            status = lib.pocket_query(handle, query, len(query), options, found, count, error)
        if status != lib.POCKET_TEXT_TOO_SHORT:
            check(status, error, index.path)
        # By two words it is found as well as any other. Copies of a short text have no sketch.
        short = report.words < 2 and (
            query >= index._sketched
            if isinstance(query, int)
            else report.terms < index.least_terms
            or (count[0] > 0 and found[0].document >= index._sketched)
        )
        effort = Effort(
            report.terms,
            report.probes,
            report.parts,
            report.candidates,
            bool(report.capped),
            short,
            status == lib.POCKET_TEXT_TOO_SHORT,
        )
        if not self.exact and (least := self.min_similarity) is None:
            count[0] = lib.pocket_more_than_chance(
                handle, documents, isinstance(query, int), found, count[0]
            )
        # pocket_hit: two numbers of 32 bits, one of 64, two of 16, one of 32.
        rows = list(struct.iter_unpack("IIQHHI", ffi.buffer(found)[: 24 * count[0]]))
        if not self.exact and least is not None:
            rows = [row for row in rows if row[1] / 10000 >= least]
        return Found(index, effort, *zip(*rows, strict=True))


_DEFAULTS = QueryOptions()
