"""build --measure: what is said of a finished file, with a known number of neighbours."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from near_duplicates import write
from pocketindex.builder import Settings, build
from pocketindex.builder.commands.build import _of_the_shape
from pocketindex.builder.measured import MeanError, Measured, wilson
from pocketindex.builder.passes import measuring
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.schemes.shapes import SHAPES, Found
from pocketindex.builder.spill.chunks import spool
from pocketindex.cli import main

SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "ke",
    "li",
    "mo",
    "nu",
    "pa",
    "qua",
    "re",
    "si",
    "to",
    "vu",
]


def planted(lonely: int, pairs: int, copies: int = 0) -> list[dict[str, Any]]:
    """Make texts of words of their own beside some that all have; of each pair one lacks a word;
    copies are of the first lonely one.
    """
    random = Random(7)

    def text() -> str:
        return " ".join(
            ["the", "of", *("".join(random.choices(SYLLABLES, k=4)) for _ in range(40))]
        )

    alone = [text() for _ in range(lonely)]
    near = [text() for _ in range(pairs)]
    texts = [*alone, *near, *(one.rsplit(" ", 1)[0] for one in near), *alone[:1] * copies]
    return [{"id": f"d{i}", "text": one} for i, one in enumerate(texts)]


def measured(tmp_path: Path, documents: list[dict[str, Any]], **settings: Any) -> Measured:
    source = write(tmp_path / "docs.jsonl", documents)
    found = build(
        [str(source)], tmp_path / "docs.pocket", Settings(measure=True, **settings)
    ).measured
    assert found is not None
    return found


def test_planted_neighbours_are_counted(tmp_path: Path) -> None:
    found = measured(tmp_path, planted(100, 40))

    assert (found.asked, found.queries, found.wanted, found.found, found.recall) == (
        180,
        80,
        80,
        80,
        1.0,
    )
    assert found.error
    assert found.error.known
    assert found.error.mean < 0.1
    assert found.error_of_all
    assert found.error_of_all.hits == 1800


def test_byte_identical_texts_count_nowhere(tmp_path: Path) -> None:
    found = measured(tmp_path, planted(100, 40, copies=30))

    assert (found.asked, found.queries, found.wanted, found.found) == (180, 80, 80, 80)
    assert found.error_of_all
    assert found.error_of_all.hits == 1800


def test_what_a_file_misses_is_said(tmp_path: Path) -> None:
    found = measured(
        tmp_path,
        planted(100, 40),
        scheme_settings=RffSettings(tables=1, bits=32, components=32),
        probes=1,
    )

    assert (found.queries, found.wanted) == (80, 80)
    assert found.recall == found.found / 80


@pytest.mark.parametrize("common", [2, 1024])
def test_cosines_are_those_of_all_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, common: int
) -> None:
    """By an independent path: terms cut by Python, every pair multiplied by scipy.

    Both ways of multiplying, in small pieces.
    """
    from pocketindex.builder.evaluate.truth import Truth

    monkeypatch.setattr(measuring, "COMMON", common)
    monkeypatch.setattr(measuring, "PRODUCTS", 50)
    seen: list[tuple[Any, Any, Any, Any]] = []
    compare = measuring.Truth.compare

    def spied(self: measuring.Truth, texts: Any, documents: Any) -> Any:
        out = compare(self, texts, documents)
        seen.append((texts, documents, *out))
        return out

    monkeypatch.setattr(measuring.Truth, "compare", spied)
    random, words = Random(3), ["".join(Random(i).choices(SYLLABLES, k=3)) for i in range(60)]
    documents = [
        {"id": f"d{i}", "text": " ".join(random.choices(words, k=random.randint(10, 60)))}
        for i in range(200)
    ]
    measured(tmp_path, documents)
    texts_of = [d["text"] for d in documents]
    exact = Truth(texts_of).rows
    every = (exact @ exact.T).toarray()
    ((texts, numbers, neighbours, cosines),) = seen
    # Which document a text is: the one that is a copy of it.
    asked = {
        int(text): int(number)
        for text, number, cosine in zip(texts, numbers, cosines, strict=True)
        if cosine == -1
    }

    assert len(asked) == 200
    for text, own in asked.items():
        assert neighbours[text] == (every[own] >= 0.7).sum() - 1
    for text, number, cosine in zip(
        texts.tolist(), numbers.tolist(), cosines.tolist(), strict=True
    ):
        assert cosine == -1 or cosine == pytest.approx(every[asked[text], number], abs=1e-5)


def test_few_queries_are_unknown(tmp_path: Path) -> None:
    found = measured(tmp_path, planted(60, 14))

    assert (found.queries, found.wanted, found.found, found.recall) == (28, 28, 28, None)
    assert "recall@10 is unknown: it takes 30 such documents to say" in found.text()
    assert found.as_dict()["recall@10"] == {
        "found": 28,
        "wanted": 28,
        "mean": None,
        "interval": None,
    }
    assert found.error
    assert not found.error.known
    assert (
        "the error of similarity over hits at 0.5 or more is unknown: 28 documents have some, it "
        "takes 30" in found.text()
    )


def test_other_schemes_estimate_no_cosine(tmp_path: Path) -> None:
    found = measured(tmp_path, planted(100, 40), scheme="simhash")

    assert found.queries == 80
    assert (found.error, found.error_of_all) == (None, None)
    assert "similarity" not in found.text()


def test_nothing_to_ask(tmp_path: Path) -> None:
    assert measured(tmp_path, planted(1, 0)).asked == 1
    assert (
        measured(tmp_path, [*planted(1, 0), {"id": "short", "text": "basket candle"}]).as_dict()[
            "asked"
        ]
        == 1
    )


def test_the_same_bytes_with_and_without(tmp_path: Path) -> None:
    source = write(tmp_path / "docs.jsonl", planted(100, 40, copies=2))
    files = [tmp_path / f"{measure}.pocket" for measure in (False, True)]
    reports = [
        build([str(source)], path, Settings(measure=measure))
        for measure, path in zip((False, True), files, strict=True)
    ]

    assert files[0].read_bytes() == files[1].read_bytes()
    assert [report.measured is None for report in reports] == [True, False]
    assert Settings().deciding() == Settings(measure=True).deciding()


def test_the_same_whatever_chunks_and_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = planted(1_300, 40)  # more than a batch
    for place in (
        0,
        700,
        1_340,
    ):  # what is left out of the file moves the numbers of what comes after it
        documents[place:place] = [
            {"id": "short", "text": "basket candle"},
            {**documents[5], "text": documents[9]["text"]},
        ]
    once = measured(tmp_path, documents, threads=1)
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 300)

    assert measured(tmp_path, documents, threads=3).as_dict() == once.as_dict()
    assert once.asked == 999  # two have the same text
    assert once.recall == 1.0


def test_in_json_and_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "docs.jsonl", planted(100, 40))
    command = ["build", str(source), "-o", str(tmp_path / "docs.pocket"), "--measure"]

    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["measured"]
    assert list(found) == ["asked", "cosine", "queries", "recall@10", "similarity_error"]
    assert found["recall@10"] == {"found": 80, "wanted": 80, "mean": 1.0, "interval": [0.9542, 1.0]}
    assert found["similarity_error"]["all"]["hits"] == 1800
    assert found["similarity_error"]["from_0.5"]["queries"] >= 80

    assert main(command) == 0
    shown = capsys.readouterr().err
    assert "measured: 80 of 180 sampled documents have a neighbour at cosine 0.7 or more\n" in shown
    assert (
        "  recall@10 is 1.000 (0.954 to 1.000): 80 of their 80 nearest ones are among the first "
        "10 hits\n" in shown
    )
    assert "hits at 0.5 or more" in shown

    assert main([*command[:-1], "--json"]) == 0
    assert "measured" not in json.loads(capsys.readouterr().out)


def test_intervals() -> None:
    """As in Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for found, of, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(found / of, of) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_thousands_and_intervals_for_people() -> None:
    text = (
        Measured(
            1_000, 303, 1_657, 1_548, MeanError(300, 3_493, 0.07), MeanError(999, 9_990, 0.226)
        )
        .text()
        .splitlines()
    )

    assert (
        text[1]
        == "  recall@10 is 0.934 (0.901 to 0.957): 1,548 of their 1,657 nearest ones are among "
        "the first 10 hits"
    )
    assert (
        text[2]
        == "  similarity is 0.070 (0.062 to 0.079) off the exact cosine, on average over the "
        "3,493 hits at 0.5 or more"
    )
    assert (
        text[3]
        == "  similarity is 0.226 (0.218 to 0.234) off the exact cosine, on average over the "
        "9,990 hits, however low"
    )


def test_what_a_shape_found_is_said_of_that_shape_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (SHAPES["balanced"].found is None) == (_of_the_shape(Settings()) == "")
    monkeypatch.setitem(
        SHAPES, "balanced", replace(SHAPES["balanced"], found=Found(0.5, 0.75, 12.25))
    )

    assert _of_the_shape(Settings()) == (
        "the shape balanced found 0.500 to 0.750 of what lies at cosine .7 or more among the "
        "first ten hits on the collections of the "
        "bench, in 12.2 bytes a document at 126,000"
    )
    others: list[dict[str, Any]] = [{"scheme": "ff"}, {"probes": 7}, {"identity_bits": 16}]
    for other in [*others, {"scheme_settings": RffSettings(tables=1)}]:
        assert _of_the_shape(Settings(**other)) == ""
