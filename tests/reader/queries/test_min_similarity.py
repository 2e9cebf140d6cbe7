"""Which hits are shown, unless somebody says otherwise: what chance alone reaches is not."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path
from statistics import NormalDist

import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from near_duplicates import write
from places import GOLDEN, ROOT
from plain.index import PlainIndex
from plain.profile import RARE
from pocketindex.builder import Settings, build
from pocketindex.builder.page.serving import api
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.cbits import ffi, lib
from run_command import run

SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu"]
DOCUMENTS = 3_000


def texts_of(seed: int, count: int) -> list[str]:
    """Texts of 60 words that are drawn from 30,000, each alone."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choices(SYLLABLES, k=6)) for _ in range(30_000)]
    return [" ".join(chance.choices(vocabulary, k=60)) for _ in range(count)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("chance")
    source = write(
        folder / "d.jsonl",
        [{"id": str(i), "text": text} for i, text in enumerate(texts_of(1, DOCUMENTS))],
    )
    for shape in ("small", "balanced", "wide"):
        build(
            [str(source)],
            folder / f"{shape}.pocket",
            Settings(profile="learn", scheme_settings=RffSettings(shape=shape)),
        )
    return {shape: folder / f"{shape}.pocket" for shape in ("small", "balanced", "wide")}


def test_hardly_any_unrelated_text_has_a_hit(files: dict[str, Path]) -> None:
    texts = texts_of(1, DOCUMENTS + 400)[
        DOCUMENTS:
    ]  # of the same words: what is left to tell them apart is chance
    least = []
    for file in files.values():
        with pocketindex.open(file) as index:
            least.append(index.min_similarity())
            assert sum(map(bool, index.query_many(texts))) <= 2
            assert all(map(bool, index.query_many(texts, min_similarity=0)))
            halves = [
                (number, texts_of(1, DOCUMENTS)[number].split()[:30]) for number in (3, 500, 2_900)
            ]
            assert all(index.query(" ".join(half))[0].id == str(number) for number, half in halves)
    # Twelve bits of documents; 96, 168 and 256 of a sketch.
    deviation = NormalDist().inv_cdf(1 - 1 / (2**11 * 2**12))
    assert least == pytest.approx(
        [max(0.554, deviation * (3.14159 / 2 / bits) ** 0.5) for bits in (96, 168, 256)], abs=0.08
    )
    assert least == sorted(least, reverse=True)


def test_by_a_stored_document_more_is_chance(files: dict[str, Path]) -> None:
    with pocketindex.open(files["balanced"]) as index:
        assert index.min_similarity() < index.min_similarity(stored=True) < 0.7
        assert sum(bool(index.like(number)) for number in range(200)) <= 2
        assert all(index.like(number, min_similarity=0) for number in range(200))


def test_one_default_everywhere(files: dict[str, Path], tmp_path: Path) -> None:
    texts = texts_of(1, DOCUMENTS + 1)
    text = " ".join([*texts[7].split()[:40], *texts[8].split()[:35], *texts[-1].split()[:20]])
    document = tmp_path / "d.txt"
    document.write_text(text)
    with pocketindex.open_many([files["balanced"]]) as many:
        index = many.indexes[0]
        first = index.min_similarity()
        wanted = [hit.number for hit in index.query(text, min_similarity=first * 7 / 8)]
        assert 1 < len(wanted) < len(index.query(text, min_similarity=0))
        assert index.query(text)[1].similarity < first <= index.query(text)[0].similarity
        assert (
            [hit.number for hit in index.query(text)]
            == [hit.number for hit in many.query(text)]
            == wanted
        )
        assert [
            int(hit["id"]) for hit in api.query(index, json.dumps({"text": text}).encode())["hits"]
        ] == wanted
        assert index.info().min_similarity == index.min_similarity()
        assert index.query_many([text], numbers=True).numbers[0, : len(wanted) + 1].tolist() == [
            *wanted,
            -1,
        ]
        shown = run("query", files["balanced"], document, "--json").stdout.splitlines()
        assert [int(json.loads(line)["id"]) for line in shown] == wanted
        assert (
            f"shown       hits where the first has similarity {index.min_similarity():.3f} or more"
            in run("info", files["balanced"]).stdout
        )


def test_what_is_left_out_is_said(files: dict[str, Path], tmp_path: Path) -> None:
    document = tmp_path / "d.txt"
    document.write_text(texts_of(2, 1)[0])
    done = run("query", files["balanced"], document)
    with pocketindex.open(files["balanced"]) as index:
        (best,) = index.query(document.read_text(), 1, min_similarity=0)
        least = index.min_similarity()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"nothing similar found: the best, at {best.similarity:.3f}, may be chance; among "
        f"3,000 documents it takes {least:.3f} to be more; --min-similarity 0 shows it\n"
    )
    assert (
        run("query", files["balanced"], document, "--min-similarity", ".9").stderr
        == "nothing similar found\n"
    )
    assert run("query", files["balanced"], document, "--min-similarity", "0").returncode == 0


def more_than_chance(index: pocketindex.Index, stored: bool, similarities: list[int]) -> int:
    hits = ffi.new("pocket_hit[]", [(0, each, 0) for each in similarities])
    return int(lib.pocket_more_than_chance(index._core, 0, stored, hits, len(similarities)))


def test_copies_and_what_is_behind_a_first_hit_are_shown(files: dict[str, Path]) -> None:
    with pocketindex.open(files["balanced"]) as index:
        first = round(index.min_similarity() * 10_000)
        rest = first - first // 8
        for similarities, shown in (
            ([], 0),
            ([10_000], 1),
            ([first - 1, rest], 0),
            ([first, rest, rest - 1], 2),
            ([10_000, 10_000, first - 1], 2),  # a copy says nothing of others
            ([10_000, first, rest, rest - 1], 3),
        ):
            assert more_than_chance(index, False, similarities) == shown, similarities


@given(st.lists(st.integers(0, 10_000), max_size=12), st.booleans())
def test_the_plain_reader_shows_the_same(similarities: list[int], stored: bool) -> None:
    ordered = sorted(similarities, reverse=True)
    path = GOLDEN / "rff.pocket"
    with pocketindex.open(path) as index, PlainIndex.open(str(path)) as plain:
        shown = plain.profile.more_than_chance(ordered, plain.count, not stored)
        assert shown == ordered[: more_than_chance(index, stored, ordered)]


def test_deviations_for_each_number_of_documents() -> None:
    """Those of the core: a Gaussian exceeds them once in 2,048 * 2^bits."""
    (table,) = re.findall(
        r"RARE\[33\] = \{([^}]*)\}", (ROOT / "cbits" / "sketch" / "score.c").read_text()
    )
    assert [int(each) for each in table.split(",")] == RARE
    for bits, rare in enumerate(RARE):
        assert math.erfc(rare / 1000 / math.sqrt(2)) / 2 == pytest.approx(
            2 ** -(11 + bits), rel=0.01
        )


def test_every_way_of_asking_shows_the_same(files: dict[str, Path], tmp_path: Path) -> None:
    """One file, several, and each option show the copy, the first hit and those behind it."""
    text = texts_of(1, DOCUMENTS)[7]
    document = tmp_path / "text.txt"
    document.write_text(text)
    for path in files.values():
        with pocketindex.open(path) as index, pocketindex.open_many([path, path]) as many:
            every = [hit.similarity for hit in index.query(text, 200, min_similarity=0)]
            with PlainIndex.open(str(path)) as plain:
                ordered = [round(each * 10_000) for each in every]
                shown, of_many = (
                    [each / 10_000 for each in plain.profile.more_than_chance(ordered, documents)]
                    for documents in (plain.count, 2 * plain.count)
                )
            assert 1.0 in of_many
            assert len(of_many) <= len(shown) < len(every)
            for options in ({}, {"exhaustive": True}):
                assert [hit.similarity for hit in index.query(text, 200, **options)] == shown
                found = many.query(text, 200, **options)
                assert [hit.similarity for hit in found] == [each for each in of_many for _ in "ab"]
            (row,) = index.query_many([text], 200, numbers=True).similarities.tolist()
            assert row[: len(shown)] == shown
            assert set(row[len(shown) :]) <= {0}
            (row,) = many.query_many([text], 400, numbers=True).similarities.tolist()
            assert row[: 2 * len(of_many)] == [each for each in of_many for _ in "ab"]
            lines = run("query", path, document, "--json", "--top", "200").stdout.splitlines()
            assert [json.loads(line)["similarity"] for line in lines] == shown


def test_the_plain_reader_agrees() -> None:
    seen = set()
    for path in sorted((GOLDEN).glob("*.pocket")):
        with pocketindex.open(path) as index, PlainIndex.open(str(path)) as plain:
            for stored in (False, True):
                found = lib.pocket_min_similarity(index._core, 0, stored)
                assert found == plain.profile.min_similarity(plain.count, not stored), path
                seen.add(found)
    assert len(seen) > 3


def test_several_files_are_one_collection(files: dict[str, Path]) -> None:
    """The best of all their documents is what a first hit is compared with."""
    path, texts = files["small"], texts_of(1, DOCUMENTS + 40)
    with pocketindex.open_many([path]) as one, pocketindex.open_many([path, path]) as two:
        index = one.indexes[0]
        least, of_two = index.min_similarity(), index.min_similarity(documents=len(two))
        assert least < of_two
        between = [
            text
            for words in range(15, 40)
            for number in range(8)
            # A word that comes often is most of the text, so that no second look is enough.
            for text in [" ".join([*texts[number].split()[:words], *4 * ["haha"]])]
            if least <= index.query(text, 1, min_similarity=0)[0].similarity < of_two
        ]
        assert between
        for text in between:
            assert one.query(text)
            assert not two.query(text)
            assert (two.query_many([text], numbers=True).numbers == -1).all()
            assert len(two.query(text, min_similarity=least)) >= 2


@pytest.mark.parametrize(
    ("name", "said"),
    [("rff", "below, it may be chance"), ("simhash", "which unrelated texts may have, too")],
)
def test_info_says_what_the_least_similarity_is(name: str, said: str) -> None:
    lines = run("info", GOLDEN / f"{name}.pocket").stdout.splitlines()

    (shown,) = (line for line in lines if line.startswith("  shown "))
    assert shown.endswith(said)
