"""Texts that are looked for in documents which go by."""

from __future__ import annotations

from collections.abc import Iterator

import pocketindex
import pytest
from essays import essays
from pocketindex.builder.collections.given_texts import GivenTexts
from pocketindex.builder.document import Document

TEXTS = list(essays()[0].values())[12:32]
SENTENCES = [text.replace("\n\n", " ").strip().split(". ") for text in TEXTS]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pocketindex.Index]:
    path = tmp_path_factory.mktemp("given") / "a.pocket"
    index = ("documents", "passages", "words")
    documents = [(f"d{number}", text) for number, text in enumerate(TEXTS)]
    pocketindex.build(documents, path, index=index, keep="text", progress=False)
    with pocketindex.open(path) as opened:
        yield opened


def given(index: pocketindex.Index, *texts: str) -> GivenTexts:
    """Return what looks for texts, and has looked into all documents."""
    found = GivenTexts(index, texts)
    for number, text in enumerate(TEXTS):
        found.look("some", Document(f"d{number}", f"Title {number}", text, f"u/{number}"))
    return found


def test_it_names_what_an_index_with_the_texts_names(index: pocketindex.Index) -> None:
    items = [f"{own[3]}. {own[4]}." for own in SENTENCES]
    looked = given(index, *items)
    for number, item in enumerate(items):
        expected, found = index.sources(item), looked.found(number, 10)
        assert [one.id for one in found] == [one.id for one in expected] == [f"d{number}"]
        assert [one.passages for one in found] == [one.passages for one in expected]
        assert found[0].common == expected[0].common
        assert (found.coverage, found.total) == (expected.coverage, expected.total)


def test_a_document_is_named_with_its_source(index: pocketindex.Index) -> None:
    (one,) = given(index, f"{SENTENCES[5][2]}.").found(0, 10)

    assert (one.id, one.title, one.url, one.file) == ("d5", "Title 5", "u/5", "some")
    assert one.verified


def test_places_in_a_document_are_code_points(index: pocketindex.Index) -> None:
    sentence = f"{SENTENCES[7][1]}."
    looked = GivenTexts(index, [f"Größe 東京. {sentence}"])
    text = f"Ünïcode 😀 göes first. {sentence} Ände."
    looked.look("some", Document("one", "", text))
    ((common,),) = [one.common for one in looked.found(0, 10)]

    assert text[common.document_start : common.document_end] == sentence[:-1]
    assert f"Größe 東京. {sentence}"[common.start : common.end] == sentence[:-1]


def test_documents_that_have_nothing_are_not_held(index: pocketindex.Index) -> None:
    looked = given(index, f"{SENTENCES[9][3]}.", "nothing of this stands there", "")

    assert 1 <= len(looked._places) < 5
    assert [[one.id for one in looked.found(text, 10)] for text in range(3)] == [["d9"], [], []]
    assert looked.found(2, 10).terms == 0


def test_a_piece_of_few_words_is_a_phrase(index: pocketindex.Index) -> None:
    words = " ".join(max(SENTENCES[11], key=len).split()[1:8])
    (one,) = given(index, words).found(0, 10)

    assert (one.id, one.phrases_only, one.common[0].edited) == ("d11", True, 0)


def test_without_texts_or_documents_nothing_is_found(index: pocketindex.Index) -> None:
    assert list(GivenTexts(index, ["a text of some words"]).found(0, 10)) == []
    GivenTexts(index, []).close()
