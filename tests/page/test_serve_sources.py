"""`pocketindex serve`: the sources of a text, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.page.serving import api
from pocketindex.builder.page.serving.server import Server
from test_serve import ask, refused, started

WORDS = " ".join(made_up(300)[12]["text"].split()[5:50])
TEXT = f"Ωmega 𝒳, something of one's own before it: {WORDS}"


@pytest.fixture(scope="module")
def server(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("sources") / "docs.pocket"
    build([str(collection)], path, Settings(profile="learn", index=("documents", "passages")))
    server, stopped, thread = started(path)
    yield server
    stopped.set()
    thread.join()


@pytest.mark.parametrize("address", ["/api/sources", "/api/0/sources"])
def test_the_sources_of_a_text(address: str, server: Server) -> None:
    posted = ask(server, "POST", address, json.dumps({"text": TEXT, "top": 3}).encode())
    got = ask(server, "GET", f"{address}?{urlencode({'text': TEXT, 'top': 3})}")
    answer = json.loads(posted[2])
    (source,) = answer["sources"]
    ((start, end),) = source["passages"]

    assert posted[0] == got[0] == 200
    assert json.loads(got[2]) == answer
    assert list(answer) == [
        "coverage",
        "terms",
        "capped",
        "total",
        "sources",
        "words_only",
        "frequent",
    ]
    assert (source["rank"], source["id"], source["title"]) == (
        1,
        "doc-12",
        "Document 12 — Übersicht",
    )
    assert source["coverage"] == source["added"] == answer["coverage"] > 0.7
    assert answer["terms"] == len(TEXT.split()) + 1  # one's
    assert answer["capped"] is False
    # In code points: half a window more than what was copied, at most.
    assert TEXT[start:end].endswith(WORDS[-9:])
    assert WORDS[80:] in TEXT[start:end]
    assert start == 0 or TEXT[start - 1] == " "


def test_a_text_without_sources(server: Server) -> None:
    answer = json.loads(ask(server, "GET", "/api/sources?text=nothing+of+it")[2])

    assert answer == {
        "coverage": 0.0,
        "terms": 3,
        "capped": False,
        "total": 0,
        "sources": [],
        "words_only": [],
        "frequent": [],
    }


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("", "expected one text, as in ?text=some+words"),
        ("?text=a&text=b", "expected one text, as in ?text=some+words"),
        ("?text=a&top=0", "top is '0'; it must be 1 .. 1000"),
    ],
)
def test_refusals(question: str, sentence: str, server: Server) -> None:
    assert refused(ask(server, "GET", f"/api/sources{question}")) == (400, sentence)


def test_a_body_says_what_it_may(server: Server) -> None:
    for body in ({"top": 3}, {"text": "a", "probes": 3}, {"text": "a", "top": 0}):
        assert ask(server, "POST", "/api/sources", json.dumps(body).encode())[0] == 400


def test_a_file_without_passages(pocket: Path) -> None:
    server, stopped, thread = started(pocket)
    answer = refused(ask(server, "GET", "/api/sources?text=a"))
    stopped.set()
    thread.join()

    assert answer == (404, api.NO_PASSAGES)


def test_a_question_that_is_too_long_is_answered_with_a_sentence(server: Server) -> None:
    address = ask(server, "GET", f"/api/sources?text={'a+' * 40_000}")
    body = ask(server, "POST", "/api/sources", b" " * ((16 << 20) + 1))

    assert refused(address) == (
        414,
        "the address is too long: expected less than 65536 bytes; send a long text with POST",
    )
    assert refused(body) == (
        413,
        "the question is too long: expected at most 16777216 bytes, found 16777217; give a part "
        "of the text",
    )


def test_a_question_that_takes_too_long_is_answered_with_a_sentence(
    collection: Path, tmp_path: Path
) -> None:
    path = tmp_path / "docs.pocket"
    sections = ("documents", "passages", "words")
    build([str(collection)], path, Settings(profile="learn", index=sections, keep="text"))
    server, stopped, thread = started(path, seconds=1.2)
    texts = " ".join(row["text"] for row in made_up(300))
    long = ask(server, "POST", "/api/sources", json.dumps({"text": 110 * texts}).encode())
    short = ask(server, "POST", "/api/sources", json.dumps({"text": WORDS}).encode())
    stopped.set()
    thread.join()

    assert refused(long) == (
        422,
        "this takes longer than 0.6 seconds, the limit for one question; give a part of the text",
    )
    assert short[0] == 200


def test_a_hundred_sources_are_listed_unless_told(server: Server) -> None:
    texts = [row["text"] for row in made_up(300)[::2]]
    joined = " ".join(" ".join(text.split()[:40]) for text in texts)
    listed = [
        len(
            json.loads(ask(server, "POST", "/api/sources", json.dumps(body).encode())[2])["sources"]
        )
        for body in ({"text": joined}, {"text": joined, "top": 22}, {"text": joined, "top": 102})
    ]
    assert listed == [100, 22, 102]
