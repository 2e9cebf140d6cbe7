"""What the report calls each row and line, and how it draws it: one colour and marker in every
plot, and no two the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """A name in words; a colour that can be told on white and on black, and a marker for those who
    tell colours apart badly.
    """

    words: str
    colour: str
    marker: str


# By the names in results.json.
LINES: dict[str, Line] = {
    "rff": Line("random fuzzy-fingerprinting", "#1f78c8", "o"),
    "rff, open": Line("random fuzzy-fingerprinting, profile of another collection", "#12a4b8", "P"),
    "rff, exhaustive": Line("random fuzzy-fingerprinting", "#7d8ae0", "x"),
    "ff": Line("fuzzy-fingerprinting", "#d9822b", "s"),
    "ff, published": Line("fuzzy-fingerprinting as published", "#b5a000", "D"),
    "plsh": Line("p-stable hashing, digits joined", "#2f9e44", "^"),
    "plsh-sum": Line("p-stable hashing, digits summed", "#7cb518", "v"),
    "minhash": Line("MinHash", "#a855c7", "<"),
    "wminhash": Line("weighted MinHash", "#e05297", ">"),
    "simhash": Line("SimHash", "#d64545", "p"),
    "scan of sketches": Line("every sketch compared", "#7d8ae0", "x"),
    "linear scan, tf-idf": Line("exact cosine with every document", "#868e96", "*"),
    "Y_SVD": Line("singular value decomposition", "#b08968", "h"),
    "Y_FF": Line("fuzzy-fingerprints", "#d9822b", "s"),
    "Y_LSH": Line("p-stable projections", "#2f9e44", "^"),
    "Y_rff": Line("random fuzzy-fingerprints", "#1f78c8", "o"),
    "Y_xi": Line("threshold-optimum", "#20b387", "d"),
    "this collection": Line("this collection", "#4c6ef5", "8"),
    "synthesised plagiarism": Line("synthesised plagiarism", "#c2255c", "X"),
}


def called(result: dict[str, Any]) -> str:
    """Name a scheme in words, with how it was asked."""
    return f"{LINES[result['scheme']].words}: {result['asked']}"
