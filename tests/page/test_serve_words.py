"""`pocketindex serve`: documents that have a few words, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pocketindex
import pytest
from pocketindex.builder import Settings, build
from pocketindex.builder.page.serving.server import Server
from test_serve import ask, refused, started


@pytest.fixture(scope="module")
def path(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("words") / "docs.pocket"
    build([str(collection)], path, Settings(profile="learn", index=("documents", "words")))
    return path


@pytest.fixture(scope="module")
def server(path: Path) -> Iterator[Server]:
    server, stopped, thread = started(path)
    yield server
    stopped.set()
    thread.join()


@pytest.mark.parametrize("address", ["/api/search", "/api/0/search"])
@pytest.mark.parametrize("choices", [{}, {"group": 1, "top": 3}, {"prefix": 1}])
def test_the_documents_that_have_words(
    address: str, choices: dict[str, int], path: Path, server: Server
) -> None:
    words = "lighthouse colo -archive"
    status, _, body = ask(server, "GET", f"{address}?{urlencode({'q': words} | choices)}")
    answer = json.loads(body)
    with pocketindex.open(path) as index:
        found = index.search(
            words,
            choices.get("top", 10),
            prefix="prefix" in choices,
            group="group" in choices,
        )

    assert status == 200
    assert [(row["rank"], row["id"]) for row in answer["hits"]] == [
        (rank, hit.id) for rank, hit in enumerate(found, 1)
    ]
    assert len(answer["hits"]) == choices.get("top", 10)
    assert [row["score"] for row in answer["hits"]] == [round(hit.score, 4) for hit in found]
    assert [len(row.get("like", [])) for row in answer["hits"]] == [len(hit.like) for hit in found]
    assert (answer["all"], answer["any"]) == (found.all, found.any)
    assert answer["notes"] == found.notes
    assert [word["word"] for word in answer["words"]] == ["lighthouse", "colo", "archive"]
    assert [word["excluded"] for word in answer["words"]] == [False, False, True]
    assert {row.get("file") for row in answer["hits"]} == {None if "/0/" in address else 0}
    assert str(path) not in body.decode()


def test_what_is_refused(server: Server) -> None:
    for address, status, sentence in (
        ("/api/search", 400, "expected one q, as in ?q=volcano+iceland"),
        ("/api/search?q=a&q=b", 400, "expected one q, as in ?q=volcano+iceland"),
        ("/api/search?q=a&top=0", 400, "top is '0'; it must be 1 .. 1000"),
        ("/api/search?q=a&group=yes", 400, "group: expected 0 or 1, found 'yes'"),
        ("/api/7/search?q=a", 404, "there is 1 file, counted from 0"),
    ):
        assert refused(ask(server, "GET", address)) == (status, sentence)


def test_a_file_without_words(pocket: Path) -> None:
    server, stopped, thread = started(pocket)
    answer = refused(ask(server, "GET", "/api/search?q=lighthouse"))
    stopped.set()
    thread.join()

    assert answer == (404, "no file has words; build it with --index documents,words")
