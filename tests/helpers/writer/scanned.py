"""Files whose scans and nearest cells leave out most documents, and what the plain reader answers:
for all that counts or scans in C.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from plain import PlainIndex
from plain import index as plain_index
from pocketindex.builder.pipeline import Settings, build
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.write import cells
from pocketindex.cbits import lib

SHAPES = [RffSettings(shape=name) for name in ("small", "balanced", "wide")] + [
    RffSettings(components=width) for width in (100, 65, 8)
]
SHAPES += [RffSettings(components=width, tables=1, cells=40) for width in (128, 96, 65)]
LEAST = "-DSCAN_LEAST=8"  # the core that is asked looks closely at fewer

WAYS = {"scan": lib.POCKET_EXHAUSTIVE, "cold": lib.POCKET_COLD, "probes": 16}


@dataclass(frozen=True)
class Scanned:
    """cases: what the harnesses read; answers: of each by the plain reader how many documents were
    compared, how many of the hits are more than chance, and the hits.
    """

    cases: Path
    answers: list[str]


def answers_in(printed: str) -> list[str]:
    """What tests/c/answers.c printed of scans, in the form of Scanned.answers."""
    lines = map(str.split, printed.splitlines())
    return [" ".join(line[-2 - sum("," in field for field in line) :]) for line in lines]


def answer_of(plain: PlainIndex, text: str, way: str) -> str:
    hits = plain.query(
        text, 5, 16 if way == "probes" else 0, exhaustive=way == "scan", first=way == "cold"
    )
    shown = plain.shown(hits)
    found = [f"{hit.document},{hit.similarity},{hit.tables}" for hit in hits]
    return " ".join([str(plain.report.candidates), str(len(shown)), *found])


def write_scanned(folder: Path) -> Scanned:
    """Write files of several widths, with and without whole words of 64 bits, and questions to
    them.
    """
    lines, answers = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_index, "SCAN_LEAST", 8)
        patch.setattr(cells, "ASKED", 9)
        patch.setattr(cells, "COLD", 9)
        patch.setattr(cells, "MANY", 0)  # first answers from cells within the pruning threshold
        for number, settings in enumerate(SHAPES):
            chance = random.Random(number)
            # So many documents that blocks end with one, two and three more than fours.
            documents = [
                {"id": str(i), "text": " ".join(chance.choices("abcdefghijklmnop", k=9))}
                for i in range(230 + number)
            ]
            asked = [f"{own['text']} {own['text'][0]}" for own in [*documents[::57], documents[-1]]]
            # Ever less of a text of its own words: down to where a first hit is chance.
            words = [f"w{i}" for i in range(20)]
            documents.append({"id": "own", "text": " ".join(words)})
            asked += [" ".join(words[i:]) + " ab cd" * i for i in range(4, 16, 2)]
            source, path = folder / f"{number}.jsonl", folder / f"{number}.pocket"
            source.write_text(
                "".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8"
            )
            build([str(source)], path, Settings(profile="learn", scheme_settings=settings))
            plain = PlainIndex.open(str(path))
            for text, way in product(asked, ("probes", "cold") if settings.cells else ("scan",)):
                lines.append(f"q {path} {WAYS[way]} {text.encode().hex()}\n")
                answers.append(answer_of(plain, text, way))
    cases = folder / "scans"
    cases.write_text("".join(lines))
    return Scanned(cases, answers)
