"""Scheme rff: core and plain reader agree, weights depend on the collection alone, and similarity
estimates the cosine.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from math import log2, sqrt
from pathlib import Path

import pocketindex
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from made_up import made_up
from places import GOLDEN
from plain import PlainIndex
from pocketindex.builder.pipeline import Settings, build
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.schemes.rff import RffSettings, learn
from pocketindex.builder.schemes.weights import EMPTY, term_weights
from pocketindex.cbits import ffi, lib

SMALL = RffSettings(bits=11, components=48)


def write(path: Path, documents: list[dict[str, str]]) -> str:
    path.write_text(
        "".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8"
    )
    return str(path)


CHOICES = {
    "few": SMALL,
    "odd": replace(SMALL, components=85, tables=3, bits=13),
    "small": RffSettings(shape="small"),
    "wide": RffSettings(shape="wide"),
}


@pytest.fixture(scope="module", params=CHOICES)
def pocket(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rff")
    source = write(folder / "docs.jsonl", made_up(300))
    build(
        [source],
        folder / "x.pocket",
        Settings(profile="learn", scheme_settings=CHOICES[request.param], keys_per_part=40),
    )
    return folder / "x.pocket"


def test_core_and_plain_reader_agree(pocket: Path) -> None:
    plain = PlainIndex.open(str(pocket))
    plain.verify()
    with pocketindex.open(pocket) as index:
        index.verify()
        for document in made_up(300)[::75]:
            text = document["text"][30:]
            for probes in (1, 2, 100, 1000):
                expected = [
                    (h.document, h.similarity, h.tables)
                    for h in plain.query(text, top=30, probes=probes)
                ]
                hits = index.query(text, top=30, probes=probes, min_similarity=0)

                assert [
                    (h.number, round(h.similarity * 10000), sum(1 << k for k in h.keys))
                    for h in hits
                ] == expected
                assert (hits.probes, hits.parts, hits.candidates) == (
                    plain.report.probes,
                    plain.report.parts,
                    plain.report.candidates,
                )


def test_an_exhaustive_query_ranks_every_document(pocket: Path) -> None:
    plain = PlainIndex.open(str(pocket))
    with pocketindex.open(pocket) as index:
        text = made_up(300)[8]["text"][:-30]
        hits = index.query(text, top=1000, exhaustive=True, min_similarity=0)

        assert [(h.number, round(h.similarity * 10000)) for h in hits] == [
            (h.document, h.similarity) for h in plain.query(text, top=1000, exhaustive=True)
        ]
        assert (len(hits), hits.candidates, hits.probes) == (300, 300, 0)
        assert {h.keys for h in hits} == {()}
        found = index.query(text, top=1000, probes=100, min_similarity=0)
        both = {hit.number for hit in found}
        assert [(h.number, h.similarity) for h in hits if h.number in both] == [
            (h.number, h.similarity) for h in found
        ]
        with pytest.raises(ValueError, match="exclude each other"):
            index.query(text, probes=5, exhaustive=True)


def test_no_hit_is_below_the_least_similarity(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        text = made_up(300)[8]["text"]
        everything = index.query(text, top=300, exhaustive=True, min_similarity=0)
        assert len({hit.similarity for hit in everything}) > 30
        for least in {hit.similarity for hit in everything[::7]}:
            assert list(index.query(text, top=300, exhaustive=True, min_similarity=least)) == [
                h for h in everything if h.similarity >= least
            ]
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
    own = ffi.new("uint8_t[]", info.components)
    margins = ffi.new("uint32_t[]", info.components)
    sub_keys = ffi.new("uint64_t[]", len(info.tables))
    assert (
        lib.pocket_sketch(
            data._core, encoded.encode(), len(encoded.encode()), own, margins, sub_keys, ffi.NULL
        )
        == 0
    )
    assert (list(own), list(margins), list(sub_keys)) == (digits, weights, keys)


@cache
def _golden() -> tuple[pocketindex.Index, PlainIndex]:
    path = GOLDEN / "rff-wide.pocket"
    return pocketindex.open(path), PlainIndex.open(str(path))


def test_the_order_of_the_input_decides_nothing(tmp_path: Path) -> None:
    documents = made_up(120)
    shuffled = random.Random(1).sample(documents, 120)
    choices = Settings(profile="learn", scheme_settings=SMALL)
    for name, order in (("a", documents), ("b", shuffled)):
        build([write(tmp_path / f"{name}.jsonl", order)], tmp_path / f"{name}.pocket", choices)
    with pocketindex.open(tmp_path / "a.pocket") as a, pocketindex.open(tmp_path / "b.pocket") as b:
        assert a.info().profile_fingerprint == b.info().profile_fingerprint
        text = documents[5]["text"]
        # Only ties are told by the order of the input.
        assert sorted((h.id, h.similarity) for h in a.query(text, top=120)) == sorted(
            (h.id, h.similarity) for h in b.query(text, top=120)
        )


@pytest.mark.parametrize(
    "texts", [[], [b"one two three four five six"], [b"", b""], [b"a b c d e"] * 5]
)
def test_weights_of_next_to_nothing(texts: list[bytes]) -> None:
    Profile(learn("x", texts, len(texts), SMALL), "x")


def test_weights_are_logarithms_of_rarity() -> None:
    texts = [b"everywhere half" if i % 2 else b"everywhere" for i in range(8)]
    weights, count = term_weights(texts)

    def weight(term: bytes) -> int:
        return int(weights[lib.pocket_murmur(term, len(term)) >> 32 & len(weights) - 1])

    assert count == 8
    assert weight(b"everywhere") == int(16 * log2((8 + EMPTY) / 8))
    assert weight(b"half") == int(16 * log2((8 + EMPTY) / 4))
    # As if half a document had it, and half of that.
    assert weight(b"nowhere") == int(16 * log2((8 + EMPTY) / 0.5)) // 2


def test_what_no_text_has_weighs_half_of_what_it_weighs_in_a_sample() -> None:
    """What one text of a sample has is as rare as what none has."""
    texts = [b"everywhere once"] + [b"everywhere twice"] * 2 + [b"everywhere"] * 5
    rarest = int(16 * log2((8 + EMPTY) / 0.5))
    whole, sample = (
        {
            term: int(weights[lib.pocket_murmur(term, len(term)) >> 32 & len(weights) - 1])
            for term in (b"once", b"twice", b"nowhere")
        }
        for weights in (term_weights(texts)[0], term_weights(texts, documents=9)[0])
    )

    assert whole == {
        b"once": int(16 * log2(8 + EMPTY)),
        b"twice": int(16 * log2((8 + EMPTY) / 2)),
        b"nowhere": rarest // 2,
    }
    assert sample == {
        b"once": rarest,
        b"twice": int(16 * log2((8 + EMPTY) / 2)),
        b"nowhere": rarest,
    }


def test_the_only_two_documents_find_each_other(tmp_path: Path) -> None:
    """All terms are in all documents, and still count."""
    text = "one two three four five six seven"
    build(
        [
            write(
                tmp_path / "two.jsonl",
                [{"id": "a", "text": text}, {"id": "b", "text": text + " eight"}],
            )
        ],
        tmp_path / "x.pocket",
    )
    with pocketindex.open(tmp_path / "x.pocket") as index:
        hits = index.query(text, min_similarity=0)

        assert [hit.id for hit in hits] == ["a", "b"]
        assert hits[1].similarity > 0.6


def test_similarity_estimates_the_cosine(tmp_path: Path) -> None:
    """Texts of terms of one weight, of which a known share is in common: s has the cosine as its
    mean, and the error that it says.
    """
    share, words = 0.75, 80
    pairs = []
    for i in range(120):
        common = [f"c{i}x{j}" for j in range(int(share * words))]
        pairs.append(
            [
                " ".join([*common, *(f"o{i}{side}x{j}" for j in range(words - len(common)))])
                for side in "ab"
            ]
        )
    source = write(
        tmp_path / "d.jsonl", [{"id": str(i), "text": b} for i, (_, b) in enumerate(pairs)]
    )
    build(
        [source], tmp_path / "x.pocket", Settings(profile="learn", sample=1)
    )  # every term is one that the sample has not
    with pocketindex.open(tmp_path / "x.pocket") as index:
        found = [index.query(a, top=1, min_similarity=0)[0] for a, _ in pairs]
        assert [hit.id for hit in found] == [str(i) for i in range(len(pairs))]
    errors = [hit.similarity - share for hit in found]
    spread = sqrt(sum(e * e for e in errors) / len(errors))

    assert abs(sum(errors) / len(errors)) < 3 * spread / sqrt(len(errors)) + 0.01
    assert 0.7 < spread / found[0].similarity_error < 1.4


def test_a_scan_looks_closely_at_the_nearest(tmp_path: Path) -> None:
    """A scan takes the nearest sketches by Hamming distance, of equal ones the first: more
    documents than it looks at closely.
    """
    chance = random.Random(4)
    documents = [
        {"id": str(i), "text": " ".join(chance.choices("abcdefghijklmnop", k=8))}
        for i in range(1_400)
    ]
    build(
        [write(tmp_path / "d.jsonl", documents)], tmp_path / "x.pocket", Settings(profile="learn")
    )
    plain = PlainIndex.open(str(tmp_path / "x.pocket"))
    with pocketindex.open(tmp_path / "x.pocket") as index:
        for document in documents[::700]:
            for top in (1, 300):
                hits = index.query(
                    document["text"] + " q", top=top, exhaustive=True, min_similarity=0
                )
                expected = plain.query(document["text"] + " q", top=top, exhaustive=True)

                assert [(h.number, round(h.similarity * 10000)) for h in hits] == [
                    (h.document, h.similarity) for h in expected
                ]
                assert hits.candidates == plain.report.candidates == max(512, 4 * top)


def test_a_file_without_tables_is_scanned(tmp_path: Path) -> None:
    source = write(tmp_path / "d.jsonl", made_up(60))
    build(
        [source],
        tmp_path / "x.pocket",
        Settings(profile="learn", scheme_settings=RffSettings(tables=0)),
    )
    with pocketindex.open(tmp_path / "x.pocket") as index:
        index.verify()
        assert index.info().way == "scan"
        assert index.info().keys == 0
        assert index.query(made_up(60)[3]["text"])[0].id == "doc-3"
        with pytest.raises(ValueError, match="without tables"):
            index.query(made_up(60)[3]["text"], probes=1)
    PlainIndex.open(str(tmp_path / "x.pocket")).verify()


@pytest.mark.parametrize(
    ("choices", "message"),
    [({"shape": "round"}, "small, balanced, wide"), ({"tables": 3, "bits": 60}, "tables x bits")],
)
def test_shapes_that_are_none(choices: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RffSettings(**choices)  # type: ignore[arg-type]
