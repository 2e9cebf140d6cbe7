"""Answers do not depend on how the ones of a distance are counted: every way of cbits/hamming.c, at widths with and without whole words."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from compiled import CORE, HARNESSES
from core_sources import SANITIZE, reading_half, run, tool
from pocketindex.builder.build import Settings, build
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.cbits import lib
from pocketindex.plain import PlainIndex
from pocketindex.plain import index as plain_index

SHAPES = [RffSettings(name) for name in ("small", "balanced", "wide")] + [RffSettings(components=width) for width in (100, 65, 8)]
LEAST = "-DSCAN_LEAST=8"  # of a few hundred documents nearly all are too far
WAYS = {
    "the processor's best": (),
    "words": ("-DCOUNTING_MOST=COUNTING_WORDS",),
    "a processor without the instruction": ("-DCOUNTING_MOST=COUNTING_ARITHMETIC",),
    "a compiler without it": ("-DPOCKET_ARITHMETIC",),
}


@dataclass(frozen=True)
class Asked:
    """cases: what the harnesses read; answers: the hits of each by the plain reader."""

    cases: Path
    answers: list[str]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder, lines, answers = tmp_path_factory.mktemp("counting"), [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_index, "SCAN_LEAST", 8)
        for number, settings in enumerate(SHAPES):
            chance = random.Random(number)
            # So many documents that blocks end with one, two and three more than fours.
            documents = [{"id": str(i), "text": " ".join(chance.choices("abcdefghijklmnop", k=9))} for i in range(230 + number)]
            source, path = folder / f"{number}.jsonl", folder / f"{number}.pocket"
            source.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
            build([str(source)], path, Settings(profile="learn", scheme_settings=settings))
            plain = PlainIndex.open(str(path))
            for document in [*documents[::57], documents[-1]]:
                text = document["text"] + " q"
                lines.append(f"q {path} {lib.POCKET_EXHAUSTIVE} {text.encode().hex()}\n")
                hits = plain.query(text, top=5, exhaustive=True)
                answers.append(" ".join(f"{hit.document},{hit.similarity},0" for hit in hits))
    cases = folder / "cases"
    cases.write_text("".join(lines))
    return Asked(cases, answers)


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The reader without hamming.c."""
    folder = tmp_path_factory.mktemp("objects")
    sources = [source.resolve() for source in reading_half(mapping=False) if source.name != "hamming.c"]
    subprocess.run([tool("gcc"), "-std=c11", "-O1", LEAST, f"-I{CORE}", "-c", *map(str, sources)], cwd=folder, check=True)
    return sorted(folder.iterdir())


def counting_by(way: str, harness: str, others: list[Path], out: Path, *flags: str) -> Path:
    parts = [CORE / "hamming.c", HARNESSES / harness, *others]
    subprocess.run([tool("gcc"), "-std=c11", "-O2", "-g", *flags, *WAYS[way], f"-I{CORE}", "-o", str(out), *map(str, parts)], check=True)
    return out


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_counting_gives_the_answers_of_the_plain_reader(way: str, asked: Asked, others: list[Path], tmp_path: Path) -> None:
    done = run(counting_by(way, "answers.c", others, tmp_path / "answers"), asked.cases)

    assert done.returncode == 0
    assert [" ".join(line.split()[-5:]) for line in done.stdout.splitlines()] == asked.answers


@pytest.mark.parametrize("way", ["the processor's best", "words"])
def test_no_way_of_counting_reads_beyond_a_block(way: str, asked: Asked, others: list[Path], tmp_path: Path) -> None:
    """Each block ends where its memory does, under sanitizers."""
    done = run(counting_by(way, "pieces.c", others, tmp_path / "pieces", *SANITIZE), asked.cases)

    assert (done.returncode, done.stdout) == (0, f"{len(asked.answers)}\n")
