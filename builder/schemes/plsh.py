"""Scheme `plsh`: p-stable hashing (Datar et al. 2004), keys concatenated as there or added up as in the papers of 2007."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pocketindex.builder.profile import IS_SUM, Head, Profile, pack
from pocketindex.builder.schemes.calibration import UNCALIBRATED, calibrate
from pocketindex.builder.schemes.embedding import SCALE_ONE, Embedding, signed_classes, term_weights
from pocketindex.builder.schemes.rff import body
from pocketindex.builder.schemes.term_rows import TermRows
from pocketindex.cbits import lib

NUMBER = 3
ONE = 65536
GAUSSIAN = 1  # how the rotation is
SPREAD = 4 * ONE  # of a Gaussian direction: its entries have variance 16
BINS = 16384  # that terms are hashed into on their way to a class


@dataclass(frozen=True)
class PlshSettings:
    """Choices of scheme `plsh`.

    tables: l; functions: k of a table; form: "concat" or "sum"; width: of an interval, in spreads of a direction; intervals: of each
    function, those beyond count as the last; classes: that terms are hashed into; least_terms: shorter texts have no sketch.
    """

    tables: int = 10
    functions: int = 20
    form: str = "concat"
    width: float = 2.0
    intervals: int = 4
    classes: int = 4096
    least_terms: int = 5

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("tables", self.tables, 1, 64),
            ("functions", self.functions, 1, 1024 // max(self.tables, 1)),
            ("intervals", self.intervals, 2, 16),
            ("classes", self.classes, 2, 4096),
            ("least_terms", self.least_terms, 1, 2**32 - 1),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} .. {most}")
        if self.form not in ("concat", "sum"):
            raise ValueError(f"form is {self.form!r}; it must be concat or sum")
        if not 0.01 <= self.width <= 100:
            raise ValueError(f"width is {self.width}; it must be 0.01 .. 100")


def learn(name: str, texts: list[bytes], documents: int, settings: PlshSettings = PlshSettings()) -> bytes:
    """The bytes of a profile; only the weights of terms, their classes and the calibration are learned."""
    rows = TermRows.of(texts, 0)
    weights = term_weights(rows, whole=len(texts) >= documents)
    classes = signed_classes(rows, weights, BINS, settings.classes)
    embedding = Embedding(0, weights, classes, np.full(settings.classes, SCALE_ONE, np.uint16))
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

    def packed(calibration: list[int]) -> bytes:
        head = Head(NUMBER, name, tables, [(j, settings.intervals) for j in range(functions)], borders, calibration, settings.least_terms)
        return pack(head, body(embedding, SPREAD, b"", functions, 0, GAUSSIAN))

    return packed(calibrate(Profile(packed(UNCALIBRATED), name), texts))
