"""A real collection, whole: the 126,049 articles of wiki_simple."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from plain import PlainIndex
from pocketindex.builder import Document, Settings, build
from pocketindex.builder.inputs import find

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def source(corpora: Path) -> str:
    return str(corpora / "wiki_simple.jsonl.zst")


@pytest.fixture(scope="module")
def wiki(source: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wiki") / "wiki.pocket"
    report = build([source], target)
    assert report.read == 126_049
    assert (report.indexed, report.short) == (126_049, 2_343)
    return target


@pytest.fixture(scope="module")
def sample(source: str) -> list[Document]:
    return random.Random(2007).sample(list(documents(source)), 1_000)


def documents(source: str) -> Iterator[Document]:
    yield from find(source).documents(source, lambda skip: None)


def test_it_verifies(wiki: Path) -> None:
    with pocketindex.open(wiki) as index:
        index.verify()


def test_each_of_1000_documents_finds_itself(wiki: Path, sample: list[Document]) -> None:
    short = 0
    with pocketindex.open(wiki) as index:
        for document in sample:
            # Pages filled from one template are byte-identical: there are more of them than a short
            # list of hits has room for.
            (hits,) = index.query_many([document.text], top=1_000, probes=1)
            if hits.too_short:
                short += 1
                continue
            assert document.id in {hit.id for hit in hits if hit.similarity == 1.0}, document.title
    print(f"{len(sample) - short} found themselves, {short} are too short")
    assert short < 100


def test_answers_are_those_of_the_plain_reader_and_of_every_hash(
    wiki: Path, source: str, sample: list[Document], tmp_path: Path
) -> None:
    pytest.importorskip("pocketindex.cbits._cmph", reason="needs libcmph")
    files = [wiki]
    for mph in ("cmph-bmz", "cmph-bdz", "cmph-chd"):
        files.append(tmp_path / f"{mph}.pocket")
        build([source], files[-1], Settings(mph=mph))
    indexes = [pocketindex.open(path) for path in files]
    plain = PlainIndex.open(str(wiki))
    compared = 0
    for number, document in enumerate(sample):
        text = " ".join(document.text.split()[2:])
        answers: list[list[Any]] = [
            [
                [(hit.id, hit.similarity, hit.keys) for hit in hits],
                hits.terms,
                hits.probes,
                hits.candidates,
                hits.capped,
            ]
            for index in indexes
            for hits in index.query_many([text], top=20, probes=64, min_similarity=0)
        ]
        assert all(answer == answers[0] for answer in answers), document.title
        if number % 20 == 0 and answers[0][0]:
            expected = [
                (hit.id, hit.similarity / 10_000, hit.tables)
                for hit in plain.query(text, top=20, probes=64)
            ]
            assert [
                (id, similarity, sum(1 << key for key in keys))
                for id, similarity, keys in answers[0][0]
            ] == expected
            compared += 1
    assert compared > 20
