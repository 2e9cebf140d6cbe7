"""The default number of probes: chosen by what sampled texts find, said, and the same for the same input."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder.build import Settings, build, plan
from pocketindex.builder.schemes.rff import Learned, RffSettings, Shape
from pocketindex.builder.schemes.tuning import (
    BUDGET,
    FEW,
    FOUND_BY_HALF,
    LESS,
    LOWER,
    PROBES,
    PROBES_OF_FEW,
    TABLES_OF_FEW,
    WIDTHS,
    Sampled,
    Search,
    Target,
    choose,
    interval,
    mean,
)
from pocketindex.cli import main

CHOICES = RffSettings(rotation="learned", classes=256)


def texts_with_neighbours(count: int) -> list[bytes]:
    """Every second text is the one before it with a tenth of its words replaced."""
    chance, out = random.Random(2), list[bytes]()
    words = [f"{a}{b}{c}" for a in "bdfgklm" for b in ("an", "el", "ir", "os") for c in ("da", "me", "ti", "ro", "nu")]
    for i in range(count):
        text = chance.choices(words, weights=[1 / (j + 5) for j in range(len(words))], k=80)
        if i % 2:
            text = [chance.choice(words) if chance.random() < 0.1 else word for word in out[-1].decode().split()]
        out.append(" ".join(text).encode())
    return out


@pytest.fixture(scope="module")
def learned() -> Learned:
    return Learned("x", texts_with_neighbours(600), 600, CHOICES)


@pytest.fixture(scope="module")
def sampled(learned: Learned) -> Sampled:
    return Sampled.of(learned, learned.texts)


def test_a_search_finds_what_a_file_finds(learned: Learned, sampled: Sampled, tmp_path: Path) -> None:
    """For two and for three tables, and several numbers of probes: the same share of each query's neighbours."""
    search = Search(learned, sampled, 0.7, 3, 10, PROBES[:5])
    source = tmp_path / "x.jsonl"
    source.write_text("".join(json.dumps({"id": str(i), "text": text.decode()}) + "\n" for i, text in enumerate(learned.texts)))
    (tmp_path / "x.profile").write_bytes(learned.profile(Shape(3, 10, 64)))
    build([str(source)], tmp_path / "x.pocket", Settings(profile=str(tmp_path / "x.profile")))
    with pocketindex.open(tmp_path / "x.pocket") as index:
        for tables, step in ((2, 0), (3, 1), (3, 4)):
            search.take(tables, step)
            expected = []
            for near in search.queries:
                hits = index.query(learned.texts[near.query], top=600, probes=search.probes)
                found = {hit.number for hit in hits if any(key < tables for key in hit.keys)}
                expected.append(sum(int(other) in found for other in near.others) / len(near.others))
            assert len(expected) > 100
            assert search.shares(0.7) == pytest.approx(expected)


def test_neighbours_are_those_of_an_exhaustive_comparison(learned: Learned, sampled: Sampled) -> None:
    """Every text's edited twin, at its exact cosine, is among its nearest others."""
    cosines = {
        (near.query, other): cosine for near in sampled.near for other, cosine in zip(near.others.tolist(), near.cosines, strict=True)
    }
    assert all((i, i ^ 1) in cosines for i in range(600))
    assert min(cosines[i, i ^ 1] for i in range(600)) > 0.7
    assert all(cosines[i, i ^ 1] == pytest.approx(cosines[i ^ 1, i]) for i in range(600))


def test_a_higher_target_costs_more(learned: Learned) -> None:
    found = [choose(learned, learned.texts, Target.parse(f"recall={recall}@.8"))[1] for recall in (".5", ".9", "1")]

    assert [e.bytes for e in found] == sorted(e.bytes for e in found)
    assert found[0].reached
    for e in found:
        mean, low, high, queries = e.recall[0.8]
        assert low <= mean <= high
        assert queries >= 50
        assert (e.halves or 0) >= FOUND_BY_HALF or not e.reached
    assert choose(learned, learned.texts, Target.parse("recall=.9@.8"))[1] == found[1]


def test_what_is_asked_for_is_taken(learned: Learned) -> None:
    texts = learned.texts
    fixed = Learned("x", texts, 600, replace(CHOICES, tables=2, bits=12, components=72))
    data, expected = choose(fixed, texts, Target.parse("recall=.9@.8"), probes=33)

    assert (expected.shape, expected.probes) == (Shape(2, 12, 72), 33)
    plain = fixed.profile(Shape(2, 12, 72))
    assert (data[:6], data[8:16]) == (plain[:6], plain[8:16])


def test_shared_bits_take_no_width_from_the_sketch(learned: Learned) -> None:
    target = Target.parse("recall=.9@.8")
    (data, expected), (with_bits, more) = (choose(learned, learned.texts, target, shared_bits=bits) for bits in (0, 256))

    assert with_bits == data
    assert more == replace(expected, bytes=expected.bytes + 32)


def test_the_cheapest_that_reaches_the_target(learned: Learned, sampled: Sampled) -> None:
    """No fewer tables, and no fewer probes with as many, would do within the budget."""
    target = Target.parse("recall=.97@.8")
    _, expected = choose(learned, learned.texts, target)
    assert expected.reached
    bits = learned.shape.bits
    for length in (bits, bits + 2):
        search = Search(learned, sampled, target.cosine - LOWER, 4, length, PROBES)
        for tables in range(TABLES_OF_FEW, expected.shape.tables):
            for step in range(PROBES.index(PROBES_OF_FEW), len(PROBES)):
                search.take(tables, step)
                assert not search.reaches(target) or search.cost > BUDGET
        search.take(expected.shape.tables, PROBES.index(expected.probes))
        if length == expected.shape.bits:
            assert mean(search.shares(target.cosine)) >= target.recall
            assert mean(search.shares(target.cosine - LOWER)) >= target.recall - LESS
            assert search.candidates == expected.candidates


def test_a_small_collection_is_not_made_smaller(learned: Learned) -> None:
    """Few bytes would do for these easy texts, too short to be looked for by half; they are saved only where there are many documents."""
    easy, texts = Target.parse("recall=.5@.9"), [b" ".join(text.split()[:45]) for text in learned.texts]
    _, few = choose(Learned("x", texts, FEW - 1, CHOICES), texts, easy)
    _, many = choose(Learned("x", texts, FEW, CHOICES), texts, easy)

    assert (few.shape.tables, few.shape.components, few.probes) == (TABLES_OF_FEW, WIDTHS[-1], PROBES_OF_FEW)
    assert many.shape.tables == 1
    assert many.shape.components < WIDTHS[-1]
    assert many.probes < PROBES_OF_FEW


def test_out_of_reach_is_said() -> None:
    texts = texts_with_neighbours(50)
    noise = [" ".join(random.Random(i).choices([w for t in texts for w in t.decode().split()], k=140)).encode() for i in range(300)]
    learned = Learned("x", noise, 300, RffSettings(rotation="learned", classes=256, tables=1, bits=40))
    _, expected = choose(learned, noise, Target.parse("recall=1@.7"))

    assert not expected.reached
    assert expected.probes == PROBES[-1]
    assert "below the target: more --tables, or a lower --target" in expected.text()


def test_intervals() -> None:
    low, high = interval([1.0, 0.0, 2 / 3])
    assert 0 <= low < mean([1.0, 0.0, 2 / 3]) < high <= 1
    assert (mean([]), interval([])) == (0.0, (0.0, 1.0))


@pytest.mark.parametrize("text", ["recall=.98", "recall=2@.8", "recall=.9@.5", "precision=.9@.8", ""])
def test_targets_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="expected recall=R@C"):
        Settings(target=text)


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text("".join(json.dumps(d) + "\n" for d in made_up(150)))
    before = sorted(tmp_path.iterdir())

    assert main(["build", str(source), "--profile", "learn", "--dry-run", "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)
    assert planned["read"] == 150
    assert planned["expectation"]["probes"] in PROBES
    assert main(["build", str(source), "--profile", "learn", "--dry-run"]) == 0
    assert "expected of what is similar" in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before
    assert main(["build", str(source)]) == 2
    assert "give -o FILE.pocket, or --dry-run" in capsys.readouterr().err


def test_the_file_takes_what_was_expected(tmp_path: Path) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text("".join(json.dumps(d) + "\n" for d in made_up(150)))
    report = build([str(source)], tmp_path / "x.pocket", Settings(profile="learn"))
    assert report.expectation is not None
    assert plan([str(source)], Settings(profile="learn")).expectation == report.expectation
    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert index.info().default_probes == report.expectation.probes
    fixed = build([str(source)], tmp_path / "x.pocket", Settings(profile="learn", probes=7)).expectation
    assert fixed is not None
    assert fixed.probes == 7
