"""Sources in C, with sanitizers: of a file, and of the same documents as given ones."""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from core_sources import SANITIZE, harness, run
from traced_texts import FORM, traced_texts


def written(folder: Path) -> tuple[list[Path], Path, int]:
    """Returns files with and without texts, the texts that are asked, and how many documents."""
    documents, asked = traced_texts()
    named = [{"id": str(n), "text": text} for n, text in enumerate(documents)]
    files = []
    for keep in ("text", "none"):
        path = folder / f"{keep}.pocket"
        pocketindex.build(named, path, index="documents,passages,words", keep=keep)
        files.append(path)
    texts = folder / "texts"
    texts.write_bytes(b"".join(text.encode() + b"\0" for text in asked))
    return files, texts, len(documents)


@pytest.mark.slow
def test_documents_are_their_own_sources_both_ways(tmp_path: Path) -> None:
    files, texts, count = written(tmp_path)
    traced = harness(tmp_path / "traced", "traced.c", *SANITIZE)
    documents, asked = traced_texts()
    done = run(traced, files[0], texts, str(count), timeout=120)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    lines = [[int(n) for n in line.split()] for line in done.stdout.split("\n") if line]
    assert len(lines) == len(asked)
    for number, (text, line) in enumerate(zip(documents, lines, strict=False)):
        _, own, coverage, _, _, given, given_coverage, _ = line
        if len(text.split()) >= 5 and FORM not in text:
            assert text in documents[own], number
            assert text in documents[given], number
            assert coverage == given_coverage == 10000, number
