"""Scheme `plsh`: p-stable hashing (Datar et al. 2004), keys concatenated as there or added up as in
the papers of 2007.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pocketindex.arguments import check_fields
from pocketindex.builder.schemes.profile import IS_SUM, Head, pack
from pocketindex.builder.schemes.rff import body
from pocketindex.builder.schemes.weights import term_weights
from pocketindex.builder.work.threads import Each, one_by_one
from pocketindex.cbits import lib

NUMBER = 3
SPREAD = 65536  # of a direction: what borders divide is in units of it


@dataclass(frozen=True)
class PlshSettings:
    """Choices of scheme `plsh`.

    tables: l; functions: k of a table; form: "concat" or "sum"; width: of an interval, in spreads
    of a direction; intervals: of each function, those beyond count as the last; least_terms:
    shorter texts have no sketch.
    """

    tables: int = 10
    functions: int = 20
    form: str = "concat"
    width: float = 2.0
    intervals: int = 4
    least_terms: int = 5

    def __post_init__(self) -> None:
        check_fields(self)
        for name, value, least, most in (
            ("tables", self.tables, 1, 64),
            ("functions", self.functions, 1, min(256, 1024 // max(self.tables, 1))),
            ("intervals", self.intervals, 2, 16),
            ("least_terms", self.least_terms, 1, 2**32 - 1),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} .. {most}")
        if self.form not in ("concat", "sum"):
            raise ValueError(f"form is {self.form!r}; it must be concat or sum")
        if not 0.01 <= self.width <= 100:
            raise ValueError(f"width is {self.width}; it must be 0.01 .. 100")


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
