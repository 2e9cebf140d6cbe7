"""Documents of LangChain, LlamaIndex and Haystack: their ids, titles and urls are read from where
they are.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up

TEXTS = [one["text"] for one in made_up(3)]
KNOWN = {"title": "A title", "url": "https://example.org/a", "topic": "sea"}


@dataclass
class LikeLangChain:
    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class LikeLlamaIndex:
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)
    node_id: str = "7"


@dataclass
class LikeHaystack:
    content: str
    meta: dict[str, Any] = field(default_factory=dict)
    id: str = "7"


def library(module: str, name: str) -> Any:
    if importlib.util.find_spec(module.split(".")[0]) is None:
        if "POCKETINDEX_RECIPES" in os.environ:  # make test-recipes has installed it
            pytest.fail(f"not installed: {module}")
        pytest.skip(f"needs {module}")
    return getattr(importlib.import_module(module), name)


def langchain(text: str, id: str, known: dict[str, Any]) -> Any:
    kind = library("langchain_core.documents", "Document")
    return kind(page_content=text, id=id, metadata=known)


def llama_document(text: str, id: str, known: dict[str, Any]) -> Any:
    return library("llama_index.core", "Document")(text=text, id_=id, metadata=known)


def llama_node(text: str, id: str, known: dict[str, Any]) -> Any:
    return library("llama_index.core.schema", "TextNode")(text=text, id_=id, metadata=known)


def haystack(text: str, id: str, known: dict[str, Any]) -> Any:
    return library("haystack", "Document")(content=text, id=id, meta=known)


def like_langchain(text: str, id: str, known: dict[str, Any]) -> Any:
    return LikeLangChain(text, known, id)


def like_llama_index(text: str, id: str, known: dict[str, Any]) -> Any:
    return LikeLlamaIndex(text, known, id)


def like_haystack(text: str, id: str, known: dict[str, Any]) -> Any:
    return LikeHaystack(text, known, id)


KINDS: list[Callable[[str, str, dict[str, Any]], Any]] = [
    like_langchain,
    like_llama_index,
    like_haystack,
    langchain,
    llama_document,
    llama_node,
    haystack,
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def made(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_id_title_url_and_label_are_found(made: Any, tmp_path: Path) -> None:
    documents = [made(TEXTS[0], "first", KNOWN), made(TEXTS[1], "second", {})]
    report = pocketindex.build(
        documents, tmp_path / "a.pocket", label="topic", keep="text", progress=False
    )

    assert (report.indexed, report.left_out, report.notes) == (2, 0, ())
    with pocketindex.open(tmp_path / "a.pocket") as index:
        first, second = index.document("first"), index.document("second")
        assert (first.title, first.url) == ("A title", "https://example.org/a")
        assert (second.title, second.url) == ("second", "")
        assert (index.labels(first), index.labels(second)) == (("sea",), ())
        assert [index.text(one) for one in (first, second)] == TEXTS[:2]


def test_an_update_replaces_by_id(made: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    pocketindex.build([made(TEXTS[0], "first", KNOWN)], path, progress=False)

    report = pocketindex.update(
        path, [made(TEXTS[1], "first", {"title": "Another"})], progress=False
    )

    assert report.changed is not None
    assert (report.changed.replaced, report.changed.added) == (1, 0)
    with pocketindex.open(path) as index:
        assert index.document("first").title == "Another"


def test_pairs_and_dedup_name_the_ids(made: Any) -> None:
    documents = [made(TEXTS[0], "one", {}), made(TEXTS[0], "two", {}), made(TEXTS[1], "three", {})]

    assert [(pair.a, pair.b) for pair in pocketindex.pairs(documents)] == [("one", "two")]
    assert [(one.id, one.kept) for one in pocketindex.dedup(documents)] == [("two", "one")]


def test_a_field_of_the_metadata_may_be_named(made: Any, tmp_path: Path) -> None:
    known = {"headline": "Named", "doc": {"number": 12}}
    pocketindex.build(
        [made(TEXTS[0], "own", known)], tmp_path / "a.pocket", title="headline", id="doc.number",
        progress=False,
    )  # fmt: skip
    with pocketindex.open(tmp_path / "a.pocket") as index:
        assert index.record(0).title == "Named"
        assert index.record(0).id == "12"


def test_a_source_of_langchain_is_a_url_where_it_is_an_address(tmp_path: Path) -> None:
    documents = [
        LikeLangChain(TEXTS[0], {"source": "https://example.org/b"}),
        LikeLangChain(TEXTS[1], {"source": "notes/b.txt"}),
        LikeLangChain(TEXTS[2], {"source": "https://example.org/c", "url": "https://own"}),
    ]
    pocketindex.build(documents, tmp_path / "a.pocket", progress=False)

    with pocketindex.open(tmp_path / "a.pocket") as index:
        urls = [index.record(number).url for number in range(3)]
        assert urls == ["https://example.org/b", "", "https://own"]
        assert [index.record(number).id for number in range(3)] == ["0", "1", "2"]


def test_a_document_without_an_id_cannot_update(tmp_path: Path) -> None:
    pocketindex.build([("a", TEXTS[0])], tmp_path / "a.pocket", progress=False)
    with pytest.raises(pocketindex.SourceError, match="a record has no id"):
        pocketindex.update(tmp_path / "a.pocket", [LikeLangChain(TEXTS[1])], progress=False)


def test_an_object_whose_metadata_is_no_mapping_is_read_by_its_attributes(tmp_path: Path) -> None:
    pocketindex.build([LikeLlamaIndex(TEXTS[0], None)], tmp_path / "a.pocket", progress=False)  # type: ignore[arg-type]
    with pocketindex.open(tmp_path / "a.pocket") as index:
        assert index.record(0).id == "0"
