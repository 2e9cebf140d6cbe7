"""Files whose scans and nearest cells leave out most documents, and what the plain reader answers:
for all that counts or scans in C.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from pocketindex.builder.build import Settings, build
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.write import cells
from pocketindex.cbits import lib
from pocketindex.plain import PlainIndex
from pocketindex.plain import index as plain_index

SHAPES = [RffSettings(name) for name in ("small", "balanced", "wide")] + [
    RffSettings(components=width) for width in (100, 65, 8)
]
SHAPES += [RffSettings(components=width, tables=1, cells=40) for width in (128, 96, 65)]
LEAST = "-DSCAN_LEAST=8"  # the core that is asked looks closely at fewer


@dataclass(frozen=True)
class Scanned:
    """cases: what the harnesses read; answers: candidates and hits of each by the plain reader."""

    cases: Path
    answers: list[str]


def answers_in(printed: str) -> list[str]:
    """What tests/c/answers.c printed of scans, in the form of Scanned.answers: without how many of
    the hits are more than chance.
    """
    lines = map(str.split, printed.splitlines())
    return [" ".join([fields[-7], *fields[-5:]]) for fields in lines]


def write_scanned(folder: Path) -> Scanned:
    """Write files of several widths, with and without whole words of 64 bits, and questions to
    them.
    """
    lines, answers = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_index, "SCAN_LEAST", 8)
        for number, settings in enumerate(SHAPES):
            chance = random.Random(number)
            # So many documents that blocks end with one, two and three more than fours.
            documents = [
                {"id": str(i), "text": " ".join(chance.choices("abcdefghijklmnop", k=9))}
                for i in range(230 + number)
            ]
            source, path = folder / f"{number}.jsonl", folder / f"{number}.pocket"
            source.write_text(
                "".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8"
            )
            patch.setattr(cells, "ASKED", 9)
            build([str(source)], path, Settings(profile="learn", scheme_settings=settings))
            plain = PlainIndex.open(str(path))
            for document in [*documents[::57], documents[-1]]:
                text = document["text"] + " q"
                scan = not settings.cells
                lines.append(
                    f"q {path} {lib.POCKET_EXHAUSTIVE if scan else 16} {text.encode().hex()}\n"
                )
                hits = plain.query(text, top=5, exhaustive=scan, probes=0 if scan else 16)
                answers.append(
                    " ".join(
                        [
                            str(plain.report.candidates),
                            *(f"{hit.document},{hit.similarity},{hit.tables}" for hit in hits),
                        ]
                    )
                )
    cases = folder / "scans"
    cases.write_text("".join(lines))
    return Scanned(cases, answers)
