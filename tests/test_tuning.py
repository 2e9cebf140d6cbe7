"""The default number of probes: chosen by what sampled texts find, said, and the same for the same input."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder.build import Settings, build, plan
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes.rff import RffSettings, learn
from pocketindex.builder.schemes.tuning import FOUND_BY_HALF, PROBES, Search, Target, interval, share, tune
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
def sampled() -> tuple[Profile, list[bytes]]:
    texts = texts_with_neighbours(600)
    return Profile(learn("x", texts, 600, CHOICES), "x"), texts


def test_ranks_say_what_a_file_finds(sampled: tuple[Profile, list[bytes]], tmp_path: Path) -> None:
    """A document of rank T - 1 is found in the built file with T probes, and not with the fewer that were tried."""
    profile, texts = sampled
    search = Search(profile, texts)
    (tmp_path / "x.profile").write_bytes(profile.data)
    source = tmp_path / "x.jsonl"
    source.write_text("".join(json.dumps({"id": str(i), "text": text.decode()}) + "\n" for i, text in enumerate(texts)))
    build([str(source)], tmp_path / "x.pocket", Settings(profile=str(tmp_path / "x.profile")))
    some = np.arange(0, 600, 7)
    with pocketindex.open(tmp_path / "x.pocket") as index:
        for q in (1, 100, 333):
            ranks = search.ranks(texts[q], some)
            for place, probes in enumerate(PROBES[:6]):
                found = {hit.number for hit in index.query(texts[q], top=600, probes=probes)}
                assert all(i in found for i, rank in zip(some, ranks, strict=True) if rank == probes - 1)
                assert not any(i in found for i, rank in zip(some, ranks, strict=True) if rank >= probes), place


def test_a_higher_target_asks_for_more_probes(sampled: tuple[Profile, list[bytes]]) -> None:
    profile, texts = sampled
    expected = [tune(profile, texts, 6000, Target.parse(f"recall={recall}@.7")) for recall in (".5", ".9", "1")]

    assert [e.probes for e in expected] == sorted(e.probes for e in expected)
    assert expected[0].probes < PROBES[-1]
    for e in expected:
        assert (e.halves or 0) >= FOUND_BY_HALF or not e.reached
        assert e.recall[0.7][3] >= 50
        low, mean, high = e.recall[0.7][1], e.recall[0.7][0], e.recall[0.7][2]
        assert low <= mean <= high
    assert expected[0].candidates <= expected[-1].candidates
    assert tune(profile, texts, 6000, Target.parse("recall=.9@.7")) == expected[1]


def test_out_of_reach_is_said(sampled: tuple[Profile, list[bytes]]) -> None:
    _, texts = sampled
    noise = [" ".join(random.Random(i).choices([w for t in texts[:50] for w in t.decode().split()], k=140)).encode() for i in range(300)]
    expected = tune(
        Profile(learn("x", noise, 300, RffSettings(rotation="learned", classes=256, tables=1, bits=40)), "x"),
        noise,
        300,
        Target.parse("recall=1@.7"),
    )

    assert not expected.reached
    assert expected.probes == PROBES[-1]
    assert "below the target: more --tables, or a lower --target" in expected.text()


def test_shares_and_intervals() -> None:
    rows = [[0, 5], [100], [3, 3, 300]]
    assert share(rows, 10) == pytest.approx((1 + 0 + 2 / 3) / 3)
    low, high = interval(rows, 10)
    assert 0 <= low < share(rows, 10) < high <= 1
    assert (share([], 10), interval([], 10)) == (0.0, (0.0, 1.0))


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
    assert build([str(source)], tmp_path / "x.pocket", Settings(profile="learn", probes=7)).expectation is None
