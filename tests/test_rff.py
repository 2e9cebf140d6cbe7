"""Scheme rff: core and plain reader agree, and learning depends on the collection alone."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pocketindex
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from made_up import made_up
from pocketindex.builder.build import Settings, build
from pocketindex.builder.profile import Profile
from pocketindex.builder.schemes.calibration import POINTS, table
from pocketindex.builder.schemes.rff import RffSettings, learn
from pocketindex.cbits import ffi, lib
from pocketindex.plain import PlainIndex

SMALL = RffSettings(bits=11, components=48, classes=128, bins=512)


def write(path: Path, documents: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module", params=["learned", "neutral", "prefix"])
def pocket(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rff")
    choices = {"learned": replace(SMALL, rotation="learned"), "neutral": SMALL, "prefix": replace(SMALL, prefix=3, tables=3, bits=16)}
    source = write(folder / "docs.jsonl", made_up(300))
    build([source], folder / "x.pocket", Settings(profile="learn", scheme_settings=choices[request.param], keys_per_part=40))
    return folder / "x.pocket"


def test_core_and_plain_reader_agree(pocket: Path) -> None:
    plain = PlainIndex.open(str(pocket))
    plain.verify()
    with pocketindex.open(pocket) as index:
        index.verify()
        for document in made_up(300)[::37]:
            text = document["text"][30:]
            for probes in (1, 2, 100, 1000):
                expected = [(h.document, h.similarity, h.tables) for h in plain.query(text, top=30, probes=probes)]
                hits = index.query(text, top=30, probes=probes)

                assert [(h.number, round(h.similarity * 10000), sum(1 << k for k in h.keys)) for h in hits] == expected
                assert (hits.probes, hits.parts, hits.candidates) == (plain.report.probes, plain.report.parts, plain.report.candidates)


def test_an_exhaustive_query_ranks_every_document(pocket: Path) -> None:
    plain = PlainIndex.open(str(pocket))
    with pocketindex.open(pocket) as index:
        text = made_up(300)[8]["text"][:-30]
        hits = index.query(text, top=1000, exhaustive=True)

        assert [(h.number, round(h.similarity * 10000)) for h in hits] == [
            (h.document, h.similarity) for h in plain.query(text, top=1000, exhaustive=True)
        ]
        assert (len(hits), hits.candidates, hits.probes) == (300, 300, 0)
        assert {h.keys for h in hits} == {()}
        found = index.query(text, top=1000, probes=100)
        assert [h for h in hits if h.number in {f.number for f in found}] == [replace(h, keys=()) for h in found]
        with pytest.raises(ValueError, match="exclude each other"):
            index.query(text, probes=5, exhaustive=True)


def test_no_hit_is_below_the_least_similarity(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        text = made_up(300)[8]["text"]
        everything = index.query(text, top=300, exhaustive=True)
        middle = everything[len(everything) // 2].similarity

        assert index.query(text, top=300, exhaustive=True, min_similarity=middle) == [h for h in everything if h.similarity >= middle]
        assert [h.id for h in index.query(text, min_similarity=1)] == ["doc-8"]
        with pytest.raises(ValueError, match="min_similarity"):
            index.query(text, min_similarity=1.5)


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("abc dé 東京 zzz αβ हि 12")), st.integers(1, 4000))
def test_any_text_is_sketched_alike(text: str, repeats: int) -> None:
    """Also where a class holds much more than in any real text."""
    data, plain = _golden()
    encoded = (text + " ") * (1 + repeats % 7) + "word " * repeats
    try:
        digits, weights, keys = plain.sketch(encoded)
    except pocketindex.TextTooShort:
        return
    info = data.info()
    own, margins, sub_keys = (
        ffi.new("uint8_t[]", info.components),
        ffi.new("uint32_t[]", info.components),
        ffi.new("uint64_t[]", len(info.tables)),
    )
    assert lib.pocket_sketch(data.handle, encoded.encode(), len(encoded.encode()), own, margins, sub_keys, ffi.NULL) == 0
    assert (list(own), list(margins), list(sub_keys)) == (digits, weights, keys)


@cache
def _golden() -> tuple[pocketindex.Index, PlainIndex]:
    path = Path(__file__).parent / "golden" / "rff-learned.pocket"
    return pocketindex.open(path), PlainIndex.open(str(path))


def test_the_order_of_the_input_decides_nothing(tmp_path: Path) -> None:
    documents = made_up(120)
    shuffled = random.Random(1).sample(documents, 120)
    choices = Settings(profile="learn", scheme_settings=replace(SMALL, rotation="learned"))
    for name, order in (("a", documents), ("b", shuffled)):
        build([write(tmp_path / f"{name}.jsonl", order)], tmp_path / f"{name}.pocket", choices)
    with pocketindex.open(tmp_path / "a.pocket") as a, pocketindex.open(tmp_path / "b.pocket") as b:
        assert a.info().profile_fingerprint == b.info().profile_fingerprint
        text = documents[5]["text"]
        # Only ties are told by the order of the input.
        assert sorted((h.id, h.similarity) for h in a.query(text, top=120)) == sorted((h.id, h.similarity) for h in b.query(text, top=120))


def test_a_learned_rotation_halves_the_sample() -> None:
    texts = [d["text"].encode() for d in made_up(400)]
    profile = Profile(learn("x", texts, 400, replace(SMALL, rotation="learned")), "x")
    _, records = profile.sketch_all(texts)
    ones = sum(int(byte).bit_count() for byte in records.reshape(-1))

    assert abs(ones / (len(records) * SMALL.components) - 0.5) < 0.01


@pytest.mark.parametrize("texts", [[], [b"one two three four five six"], [b"", b""], [b"a b c d e"] * 5])
def test_learning_from_next_to_nothing(texts: list[bytes]) -> None:
    for rotation in ("auto", "learned"):
        Profile(learn("x", texts, len(texts), replace(SMALL, rotation=rotation)), "x")


def test_calibration_rises_and_keeps_the_mean() -> None:
    import numpy as np

    chance = np.random.default_rng(1)
    agreements = chance.integers(30_000, 65_536, 5_000).astype(float)
    cosines = np.clip((agreements - 40_000) / 25_000 + chance.normal(0, 0.1, 5_000), 0, 1)
    points = table(agreements, cosines, np.ones(5_000))

    assert len(points) == POINTS
    assert points == sorted(points)
    assert points[-1] == 9999
    for agreement, expected in ((45_000, 0.2), (52_500, 0.5), (60_000, 0.8)):
        assert abs(points[round(agreement * (POINTS - 1) / 65_536)] / 10_000 - expected) < 0.05
