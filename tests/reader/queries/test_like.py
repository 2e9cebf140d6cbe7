"""Queries by a stored document: no text, no margins."""

from __future__ import annotations

import json
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from plain import PlainIndex
from pocketindex.builder import Settings, build


@pytest.fixture(scope="module")
def revised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """200 documents, and the same with two words taken out of each."""
    path = tmp_path_factory.mktemp("revised") / "docs.jsonl"
    documents = made_up(200)
    documents += [
        {
            **d,
            "id": d["id"] + "-b",
            "text": " ".join(w for i, w in enumerate(d["text"].split()) if i not in (5, 30)),
        }
        for d in made_up(200)
    ]
    path.write_text("".join(json.dumps(d) + "\n" for d in documents))
    return path


@pytest.mark.parametrize("scheme", ["rff", "ff", "plsh", "minhash", "wminhash"])
def test_answers_are_those_of_the_plain_reader(revised: Path, tmp_path: Path, scheme: str) -> None:
    target = tmp_path / "x.pocket"
    build([str(revised)], target, Settings(scheme=scheme, profile="learn"))
    plain = PlainIndex.open(str(target))
    with pocketindex.open(target) as index:
        for number in range(0, 400, 37):
            for probes in (1, 200):
                hits = index.like(number, top=30, probes=probes, min_similarity=0)
                expected = [
                    (h.document, h.similarity, h.tables)
                    for h in plain.query_document(number, 31, probes)
                    if h.document != number
                ]
                assert [
                    (h.number, round(h.similarity * 10000), sum(1 << k for k in h.keys))
                    for h in hits
                ] == expected[:30]
                assert (hits.probes, hits.candidates, hits.terms) == (
                    plain.report.probes,
                    plain.report.candidates,
                    0,
                )


def test_a_revision_is_found_without_its_text(revised: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    build([str(revised)], target, Settings(profile="learn"))
    with pocketindex.open(target) as index:
        best = [
            index.like(index.document(f"doc-{i}"), top=1, probes=500, min_similarity=0)
            for i in range(200)
        ]
        by_text = [index.query(d["text"], top=2, min_similarity=0)[1] for d in made_up(200)]

        assert sum(hits[0].id == f"doc-{i}-b" for i, hits in enumerate(best)) >= 195
        off = [
            abs(hits[0].similarity - hit.similarity)
            for hits, hit in zip(best, by_text, strict=True)
            if hits[0].id == hit.id
        ]
        assert sum(off) / len(off) < 0.1


def test_a_document_is_not_its_own_hit_but_its_copy_is(tmp_path: Path) -> None:
    source, target = tmp_path / "d.jsonl", tmp_path / "d.pocket"
    documents = [*made_up(5), {**made_up(5)[3], "id": "copy"}]
    source.write_text("".join(json.dumps(d) + "\n" for d in documents))
    build([str(source)], target)
    with pocketindex.open(target) as index:
        hits = index.like(3, top=1, min_similarity=0)

        assert [(hit.id, hit.similarity) for hit in hits] == [("copy", 1.0)]
        assert [hit.id for hit in index.like(hits[0], exhaustive=True, min_similarity=1.0)] == [
            "doc-3"
        ]


def test_wrong_choices_are_refused(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        with pytest.raises(IndexError, match="no document number 300; there are 300"):
            index.like(300)
        with pytest.raises(ValueError, match="top is 0; it must be at least 1"):
            index.like(1, top=0)
