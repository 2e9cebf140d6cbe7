"""`build --index documents,passages`: the section has the shingles that winnowing keeps of every
document, whatever the threads, the memory, the order of the documents, and where the build stopped.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pocketindex
import pytest
import test_resume
from core_sources_of import core_sources
from made_up import made_up
from plain import PlainIndex
from plain.passages import Frequent, shingles, winnowed
from plain.terms import every_word
from pocketindex.builder import Settings, build
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.spill.chunks import spool
from test_resume import killed_and_resumed

DOCUMENTS = made_up(300)
TEXTS = {document["id"]: document["text"] for document in DOCUMENTS}
PASSAGES = {"profile": "learn", "index": ("documents", "passages")}
source = test_resume.source


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("passages") / "docs.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return path


def built(source: Path, target: Path, **more: Any) -> PlainIndex:
    build([str(source)], target, Settings(**{**PASSAGES, **more}))
    with pocketindex.open(target) as index:
        index.verify()
    plain = PlainIndex.open(target)
    plain.verify()
    return plain


def keys_of(text: str, size: int, window: int) -> set[int]:
    found = shingles([term.bytes for term in every_word(text.encode())], size)
    return {shingle.hash for shingle in winnowed(found, window)}


@pytest.mark.parametrize(
    ("size", "window", "most", "cells"),
    [(4, 12, 50, 0), (2, 3, 10, 0), (1, 1, 1000, 0), (4, 12, 20, 16)],
)
def test_every_shingle_that_is_kept_has_its_documents(
    documents: Path, tmp_path: Path, size: int, window: int, most: int, cells: int
) -> None:
    """Also where cells reorder them. Of a frequent one there are examples and a count."""
    with built(
        documents,
        tmp_path / "x.pocket",
        run_terms=size,
        run_window=window,
        run_documents=most,
        keys_per_part=200,
        scheme_settings=RffSettings(cells=cells),
    ) as plain:
        ids = [plain.record(number).id for number in range(plain.count)]
        section = plain.passages
        assert section
        hashes = [keys_of(TEXTS[id], size, window) for id in ids]
        kept = [{section.key(hash) for hash in own} for own in hashes]
        counts = Counter(key for own in kept for key in own)
        assert (section.run_terms, section.window, section.run_documents) == (size, window, most)
        many = {key: count for key, count in counts.items() if count > most}
        rare = counts.keys() - many.keys()
        postings = sum(counts[key] for key in rare)
        postings += sum(min(count, 3) + 2 for count in many.values())
        frequent = len(many), sum(many.values())
        assert section.tables.totals == [(len(counts), postings), frequent]
        for number in range(0, plain.count, 17):
            for hash in hashes[number]:
                found, key = section.shingle(hash), section.key(hash)
                if isinstance(found, Frequent):
                    having = [n for n, own in enumerate(kept) if key in own]
                    assert found == (many[key], having[:3])
                else:
                    assert key in rare
                    assert number in found
        assert (ids != list(TEXTS)) == bool(cells)
    if most < 33:
        assert many


def test_a_pasted_passage_is_found(documents: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    built(documents, target).close()
    words = TEXTS["doc-41"].split()[-38:]
    text = " ".join(["Nothing that anybody wrote."] * 3 + words)
    with pocketindex.open(target) as index:
        found = core_sources(index._core, text.encode())
        assert [index.record(s.document).id for s in found.sources] == ["doc-41"]
    assert found.sources[0].coverage > 6000


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_chunks_and_memory_decide_no_byte(
    documents: Path, tmp_path: Path, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = tmp_path / "one.pocket", tmp_path / "other.pocket"
    built(documents, one, run_documents=20).close()
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 30)
    # So little that the files of ten chunks are merged in groups.
    monkeypatch.setattr(Context, "merging", property(lambda _: 1 << 10))
    built(documents, other, run_documents=20, threads=threads).close()

    assert one.read_bytes() == other.read_bytes()


def test_killed_and_resumed(source: Path, tmp_path: Path) -> None:
    killed_and_resumed(source, tmp_path, 31, "--index", "documents,passages")


def test_texts_without_a_shingle(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"d{i}", "text": f"one two w{i}"}) + "\n" for i in range(5))
    )
    settings = RffSettings(least_terms=1)
    with built(path, tmp_path / "x.pocket", scheme_settings=settings) as plain:
        assert plain.passages
        assert plain.passages.tables.totals == [(0, 0)] * 2
        found = plain.sources("one two w1 w2 w3")
        assert found is not None
        assert found.sources == ()


@pytest.mark.parametrize(
    "wrong",
    [{"index": ("passages", "all")}, {"run_terms": 17}, {"run_window": 0}, {"run_documents": 1001}],
)
def test_settings_that_are_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"index has 'all'|it must be between 1 and "):
        Settings(**wrong)


def test_without_the_section(documents: Path, tmp_path: Path) -> None:
    with built(documents, tmp_path / "x.pocket", index=("documents",)) as plain:
        assert plain.passages is None
