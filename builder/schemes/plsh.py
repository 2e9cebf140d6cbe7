"""Scheme `plsh`: p-stable hashing (Datar et al. 2004), keys concatenated as there or added up as in
the papers of 2007.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pocketindex.builder.schemes.profile import IS_SUM, TABLES_HELP, Head, least_terms_option, pack
from pocketindex.builder.schemes.rff import body
from pocketindex.builder.schemes.weights import term_weights
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.cbits import lib
from pocketindex.options import SET, Options, option

NUMBER = 3
SPREAD = 65536  # of a direction: what borders divide is in units of it


@dataclass(frozen=True, kw_only=True)
class PlshSettings(Options):
    """Choices of scheme `plsh`."""

    tables: int = option(10, TABLES_HELP, least=1, most=64, metavar="N")
    functions: int = option(
        20, "hash functions of a sub-key", least=1, most=256, metavar="N", shown=SET
    )
    form: str = option(
        "concat",
        "how the functions of a sub-key are combined: concatenated, or added up",
        choices=("concat", "sum"),
        shown=SET,
    )
    width: float = option(
        2.0,
        "width of an interval, in spreads of a direction",
        least=0.01,
        most=100,
        metavar="X",
        shown=SET,
    )
    intervals: int = option(
        4,
        "intervals of a function; values beyond them count as the last",
        least=2,
        most=16,
        metavar="N",
        shown=SET,
    )
    least_terms: int = least_terms_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.functions * self.tables > 1024:
            raise self.refused(
                "{functions} is {0}; with {tables} {1} it must be at most {2}",
                self.functions,
                self.tables,
                1024 // self.tables,
            )


def learn(
    name: str,
    texts: Iterable[bytes],
    documents: int | None,
    settings: PlshSettings = PlshSettings(),
    each: Each = one_by_one,
) -> bytes:
    """Make the bytes of a profile; only the weights of terms are learned."""
    weights, _ = term_weights(texts, documents, each)
    functions = settings.tables * settings.functions
    w = round(settings.width * SPREAD)
    borders = []
    for j in range(functions):
        # b is drawn from [0, w); the intervals lie evenly about 0.
        b = lib.pocket_murmur(j.to_bytes(8, "little"), 8) * w >> 64
        middle = (settings.intervals - 1) // 2
        borders += [(i - middle) * w + b - w // 2 for i in range(settings.intervals - 1)]
    form = IS_SUM if settings.form == "sum" else 0
    tables = [(t * settings.functions, settings.functions | form) for t in range(settings.tables)]
    components = [(j, settings.intervals) for j in range(functions)]
    return pack(
        Head(NUMBER, name, tables, components, borders, settings.least_terms),
        body(weights, functions),
    )
