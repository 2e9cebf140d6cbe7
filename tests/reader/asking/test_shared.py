"""Shared bits: how much text two documents have in common, the same in the core and in the plain
reader.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count as count_from
from itertools import islice
from pathlib import Path

import mmh3
import numpy as np
import numpy.typing as npt
import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import SYLLABLES, made_up
from plain import PlainIndex
from plain.interop import tokens
from plain.shared import shared_bits, shared_estimate
from plain.terms import terms
from plain_layout import FF, Text
from plain_layout import Settings as Layout
from plain_writer import write
from pocketindex.builder.build import Settings, build
from pocketindex.builder.schemes.minhash import MinHashSettings, learn_minhash
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.schemes.simhash import SimHashSettings
from pocketindex.builder.schemes.simhash import learn as learn_simhash
from pocketindex.cbits import ffi, lib
from pocketindex.cli import main

FOLDED = Profile(learn_minhash("t", [], 0, MinHashSettings(least_terms=1)), "t")
INTEROP = Profile(learn_simhash("t", [], 0, SimHashSettings(least_terms=1)), "t")


def core_bits(text: bytes, bits: int, profile: Profile = FOLDED) -> int | None:
    """What the builder writes; None for a text without a sketch."""
    sketched = profile.sketch_many(text, np.array([len(text)], np.uint64), 0, bits)
    return (
        int.from_bytes(sketched.records[0, profile.sketch_bytes :].tobytes(), "little")
        if sketched.terms[0]
        else None
    )


def of_words(words: Sequence[str], bits: int) -> int:
    found = core_bits(" ".join(words).encode(), bits)
    assert found is not None
    return found


@pytest.mark.parametrize("text", ["alpha", "alpha beta", "Alpha, beta: gamma!"])
def test_by_hand_of_one_shingle(text: str) -> None:
    """Bit j is the lowest bit of function j of it."""
    words = re.findall("[a-z]+", text.lower())
    whole = mmh3.hash64(
        b"".join(
            mmh3.hash64(word.encode())[0].to_bytes(8, "little", signed=True) for word in words
        ),
        signed=False,
    )[0]
    expected = 0
    for j in range(64):
        x = (whole + 0x243F6A8885A308D3 + (j + 1) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        for _ in range(2):
            x = ((x ^ (x >> 32)) * 0xD6E8FEB86659FD93) & 0xFFFFFFFFFFFFFFFF
        expected |= ((x ^ (x >> 32)) & 1) << j

    assert core_bits(text.encode(), 64) == expected
    assert shared_bits(list(terms(text.encode())), 64) == expected


def test_the_numbers_themselves() -> None:
    """Written down once: they may never change."""
    assert f"{core_bits(b'alpha beta gamma', 64):016x}" == "ede7ce9538089945"
    assert f"{core_bits(b'alpha beta gamma delta', 64):016x}" == "e9c5ec1530d89bc7"


def test_ten_thousandths_by_hand() -> None:
    assert shared_estimate(0, 0, 64) == 10_000
    assert shared_estimate(0, 0b111, 64) == 9_062  # 61 of 64 agree: 58 / 64 is .90625
    assert shared_estimate(0, 2**32 - 1, 64) == 0
    assert shared_estimate(0, 2**64 - 1, 64) == 0
    assert shared_estimate(1, 0, 256) == 9_921  # 254 / 256 is .9921875


@pytest.mark.parametrize(
    ("profile", "stream"), [(FOLDED, terms), (INTEROP, tokens)], ids=["folded", "interop"]
)
@settings(deadline=None)
@given(
    text=st.one_of(st.text(max_size=60), st.text(alphabet="ab 東é", max_size=60)),
    bits=st.sampled_from([64, 128, 256]),
)
def test_core_and_plain_reader_give_the_same_bits(
    profile: Profile, stream: Callable[[bytes], Iterator[bytes]], text: str, bits: int
) -> None:
    data = text.encode()
    words = list(stream(data))

    assert core_bits(data, bits, profile) == (shared_bits(words, bits) if words else None)


def test_more_bits_begin_with_the_fewer() -> None:
    text = made_up(1)[0]["text"].encode()
    found = core_bits(text, 256)

    assert found is not None
    assert [found % 2**64, found % 2**128] == [core_bits(text, 64), core_bits(text, 128)]


def test_stop_words_of_the_profile_change_nothing() -> None:
    """The same texts with and without a stop list: other sketches, the same shared bits."""
    documents = [Text(f"{i}", f"the cat of {i} and the dog beta{i} of the house") for i in range(5)]
    stored = []
    for profile in (FF(), FF(stops=(), stop_slots=0)):
        index = PlainIndex.open(write(documents, profile, Layout(shared_bits=64)))
        stored.append([index.sketches.record(i)[2] for i in range(5)])

    assert stored[0] == stored[1] == [core_bits(d.text.encode(), 64) for d in documents]


def pairs_of(sizes: tuple[int, int, int], count: int, bits: int) -> npt.NDArray[np.float64]:
    """2 a / B - 1 for count pairs of texts with so many shingles of the first only, of both, of the
    second only.
    """
    first, both, second = sizes
    chance, out = random.Random(f"{sizes} {bits}"), []
    for _ in range(count):
        # No word comes twice, so n + 2 words in a row are n shingles, and m words behind them m
        # more.
        word = (f"{''.join(chance.choices(SYLLABLES, k=4))}{i}" for i in count_from(0))
        common = list(islice(word, both + 2))
        one, other = ([*common, *islice(word, more)] for more in (first, second))
        agreeing = bits - (of_words(one, bits) ^ of_words(other, bits)).bit_count()
        out.append(2 * agreeing / bits - 1)
    return np.array(out)


@pytest.mark.parametrize("bits", [64, 256])
@pytest.mark.parametrize(
    "sizes",
    [(50, 0, 50), (40, 20, 40), (25, 50, 25), (0, 30, 90), (5, 90, 5), (1, 1, 1), (0, 50, 0)],
)
def test_it_is_an_unbiased_estimate_of_jaccard(sizes: tuple[int, int, int], bits: int) -> None:
    """Over 400 pairs the mean lies within four standard errors of J, and the spread is that of B
    independent bits.
    """
    jaccard, count = sizes[1] / sum(sizes), 400
    found = pairs_of(sizes, count, bits)
    spread = np.sqrt((1 - jaccard**2) / bits)

    assert abs(found.mean() - jaccard) <= 4 * spread / np.sqrt(count)
    assert found.std() == pytest.approx(spread, rel=0.2)


def test_it_is_independent_of_a_minhash_sketch() -> None:
    """The lowest bits of a `minhash` profile over the same shingles agree with the shared bits half
    of the time.
    """
    lowest = Profile(
        learn_minhash(
            "t", [], 0, MinHashSettings(bands=64, rows=1, bits=1, shingle=3, least_terms=1)
        ),
        "t",
    )
    agreeing = total = 0
    for document in made_up(100):
        data = document["text"].encode()
        sketched = lowest.sketch_many(data, np.array([len(data)], np.uint64), 0, 64).records[0]
        own, beside = (int.from_bytes(sketched[i : i + 8].tobytes(), "little") for i in (0, 8))
        agreeing, total = agreeing + 64 - (own ^ beside).bit_count(), total + 64

    assert agreeing / total == pytest.approx(0.5, abs=0.025)  # four standard errors


# Files


TEMPLATE = (
    "the village of {0} lies in the district of {1} in the north of the country and had {2} "
    "inhabitants at the last count"
)
NAMES = ["".join(random.Random(i).choices(SYLLABLES, k=3)) for i in range(400)]


def documents() -> list[dict[str, str]]:
    """Other texts, pages out of one template, and a copy of one with a word changed."""
    pages = [
        {"id": f"page {i}", "text": TEMPLATE.format(*NAMES[3 * i : 3 * i + 3])} for i in range(40)
    ]
    return [
        *made_up(60),
        *pages,
        {"id": "edited", "text": made_up(1)[0]["text"].replace("colour", "color")},
    ]


def source(folder: Path) -> str:
    path = folder / "docs.jsonl"
    path.write_text(
        "".join(json.dumps(document) + "\n" for document in documents()), encoding="utf-8"
    )
    return str(path)


@pytest.fixture(scope="module", params=[64, 128, 256])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared")
    build([source(folder)], folder / "x.pocket", Settings(shared_bits=request.param))
    return folder / "x.pocket"


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("without")
    build([source(folder)], folder / "x.pocket")
    return folder / "x.pocket"


def test_hits_are_those_of_the_plain_reader(built: Path) -> None:
    with pocketindex.open(built) as index, PlainIndex.open(built) as plain:
        index.verify()
        plain.verify()
        for text in [d["text"] for d in documents()[::25]] + [
            "alpha beta " + documents()[0]["text"][30:]
        ]:
            hits = index.query(text, top=20, probes=20, min_similarity=0)
            expected = plain.query(text, top=20, probes=20)
            told = [h.shared_estimate for h in expected if h.shared_estimate is not None]

            assert [h.number for h in hits] == [h.document for h in expected]
            assert [h.shared_estimate for h in hits] == [each / 10_000 for each in told]
            assert next(iter(index.query_many([text], top=20, probes=20, min_similarity=0))) == hits
        everything = plain.query(text, top=101, exhaustive=True)
        estimates = [(h.shared_estimate or 0) / 10_000 for h in everything]
        assert [
            h.shared_estimate for h in index.query(text, top=101, exhaustive=True, min_similarity=0)
        ] == estimates


def test_they_cost_their_bytes_and_change_no_other_answer(built: Path, without: Path) -> None:
    with pocketindex.open(built) as index, pocketindex.open(without) as plain:
        bits, text = index.info().shared_bits, documents()[3]["text"]

        assert (
            index.info().sections["sketches"]
            - plain.info().sections["sketches"]
            - len(index) * bits // 8
            < 100
        )
        assert plain.info().shared_bits == 0
        questions: list[Callable[[pocketindex.Index], pocketindex.Hits]] = [
            lambda file: file.query(text, min_similarity=0),
            lambda file: file.like(3, min_similarity=0),
        ]
        for asked in questions:
            assert [(h.id, h.similarity, h.keys) for h in asked(index)] == [
                (h.id, h.similarity, h.keys) for h in asked(plain)
            ]
        assert {h.shared_estimate for h in plain.query(text)} == {None}


def test_a_template_shares_less_than_an_edited_copy(built: Path) -> None:
    with pocketindex.open(built) as index:
        (same, edited) = index.query(made_up(1)[0]["text"], top=2, min_similarity=0)
        pages = index.query(
            TEMPLATE.format("Alphaville", "Betaland", "many"), top=40, min_similarity=0
        )

        assert (same.id, same.similarity, same.shared_estimate) == ("doc-0", 1.0, 1.0)
        assert (edited.id, edited.similarity > 0.9) == ("edited", True)
        assert edited.shared_estimate is not None
        assert edited.shared_estimate > 0.7
        # 13 of the template's 22 shingles have no name in them: J is 13 / 31.
        assert len(pages) > 20
        assert np.mean(
            [h.shared_estimate for h in pages if h.shared_estimate is not None]
        ) == pytest.approx(13 / 31, abs=0.12)


def test_it_estimates_what_verify_counts(tmp_path: Path) -> None:
    """Over one definition of shingles: the standard error of 256 bits is at most 1 / 16.

    What is found below 0 is 0, hence the .1.
    """
    target = tmp_path / "x.pocket"
    build([source(tmp_path)], target, Settings(shared_bits=256, keep="text"))
    with pocketindex.open(target) as index:
        index.verify()
        text = TEMPLATE.format("Alphaville", "Betaland", "many")
        hits = index.query(text, top=101, exhaustive=True, exact=True, min_similarity=0)
        told = [
            (hit.shared_estimate, hit.shared.jaccard)
            for hit in hits
            if hit.shared and hit.shared_estimate is not None
        ]
        errors = [estimate - counted for estimate, counted in told if counted > 0.1]

        assert len(told) == 101
        assert len(errors) >= 40
        assert max(map(abs, errors)) < 4 / 16
        assert np.mean(errors) == pytest.approx(0, abs=0.05)
        plain = index.query(text, top=101, exhaustive=True, min_similarity=0)
        assert {h.number: h.shared_estimate for h in plain} == {
            h.number: h.shared_estimate for h in hits
        }


def test_files_with_and_without_them_merge(built: Path, without: Path) -> None:
    with pocketindex.open_many([without, built]) as files:
        hits = files.query(documents()[0]["text"], top=4)

        assert [(hit.id, hit.file, hit.shared_estimate is None) for hit in hits[:2]] == [
            ("doc-0", 0, True),
            ("doc-0", 1, False),
        ]
    assert {hit.file: hit.shared_estimate is None for hit in hits} == {0: True, 1: False}


def test_a_stored_document_finds_its_copy_and_shares_nothing(tmp_path: Path) -> None:
    """By its identity, which lies before the shared bits: a copy has 1, another text with the same
    terms has not.
    """
    text = made_up(1)[0]["text"]
    source = tmp_path / "docs.jsonl"
    texts = {"own": text, "copy": text, "other": text + "."} | {
        d["id"]: d["text"] for d in made_up(60)[1:]
    }
    source.write_text(
        "".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items())
    )
    build([str(source)], tmp_path / "x.pocket", Settings(shared_bits=64, identity_bits=32))
    with pocketindex.open(tmp_path / "x.pocket") as index:
        copy, other = index.like(0, top=2, min_similarity=0)

        assert (copy.id, copy.similarity, copy.shared_estimate) == ("copy", 1.0, None)
        assert (other.id, other.shared_estimate) == ("other", None)
    assert other.similarity < 1


def test_builds_are_reproducible(built: Path, tmp_path: Path) -> None:
    with pocketindex.open(built) as index:
        bits = index.info().shared_bits
    build([source(tmp_path)], tmp_path / "again.pocket", Settings(shared_bits=bits))

    assert (tmp_path / "again.pocket").read_bytes() == built.read_bytes()


def asked(
    path: Path, text: bytes, numbers: list[int]
) -> tuple[int, list[int], tuple[int, int, int, str]]:
    """Status, figures, and what the error says."""
    with pocketindex.open(path) as index:
        out, error = ffi.new("uint32_t[]", len(numbers) or 1), ffi.new("pocket_error *")
        status = lib.pocket_shared_estimate(
            index._core, text, len(text), numbers, len(numbers), out, error
        )
        field = ffi.string(error.field).decode() if error.field else ""
        return status, list(out)[: len(numbers)], (error.status, error.expected, error.found, field)


def test_the_core_refuses_what_it_cannot_tell(built: Path, without: Path) -> None:
    text = documents()[0]["text"].encode()

    assert asked(built, text, [0, 0])[:2] == (lib.POCKET_OK, [10_000, 10_000])
    assert asked(built, text, [])[:2] == (lib.POCKET_OK, [])
    assert asked(built, text, [0, 101])[::2] == (
        lib.POCKET_NOT_FOUND,
        (lib.POCKET_NOT_FOUND, 101, 101, "document"),
    )
    assert asked(built, b"2007 + 12", [0])[::2] == (
        lib.POCKET_TEXT_TOO_SHORT,
        (lib.POCKET_TEXT_TOO_SHORT, 1, 0, "terms"),
    )
    assert asked(without, text, [0])[::2] == (
        lib.POCKET_NO_SHARED_BITS,
        (lib.POCKET_NO_SHARED_BITS, 64, 0, "shared bits"),
    )


def test_a_damaged_record_is_named(built: Path, tmp_path: Path) -> None:
    """A flip in the last record's shared bits: the last bytes of the sketches section."""
    data = bytearray(built.read_bytes())
    entry = 32 + 40 * 2
    end = int.from_bytes(data[entry + 8 : entry + 16], "little") + int.from_bytes(
        data[entry + 16 : entry + 24], "little"
    )
    data[end - 1] ^= 128
    damaged = tmp_path / "damaged.pocket"
    damaged.write_bytes(data)

    status, _, (_, _, _, field) = asked(damaged, b"alpha beta gamma delta", [100])
    assert (status, field) == (lib.POCKET_DAMAGED_CHECKSUM, "CRC32C")
    with (
        pocketindex.open(damaged) as index,
        pytest.raises(pocketindex.Damaged, match=r"section sketches, block \d: CRC32C: expected"),
    ):
        index.query(documents()[100]["text"])


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="shared_bits is 32; it must be one of 0, 64, 128, 256"):
        Settings(shared_bits=32)
    with pytest.raises(ValueError, match="outside its documented range"):
        FOLDED.sketch_many(b"alpha", np.array([5], np.uint64), 0, 32)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, draft = str(tmp_path / "x.pocket"), tmp_path / "draft.txt"
    draft.write_text(made_up(1)[0]["text"], encoding="utf-8")
    assert main(["build", source(tmp_path), "-o", target, "--shared-bits", "128"]) == 0
    capsys.readouterr()

    assert main(["query", target, str(draft), "--top", "2"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "  1  1.000  both texts share ~100%  Document 0 — Übersicht  <doc-0>"
    assert re.fullmatch(r"  2  0\.9\d\d  both texts share  ~[789]\d%  edited", second)

    assert main(["query", target, str(draft), "--top", "1", "--json"]) == 0
    hit = json.loads(capsys.readouterr().out)
    assert list(hit) == [
        "rank",
        "id",
        "title",
        "url",
        "similarity",
        "similarity_error",
        "shared_estimate",
    ]
    assert hit["shared_estimate"] == 1.0

    (tmp_path / "batch.jsonl").write_text(
        json.dumps({"id": "q", "text": made_up(1)[0]["text"]}) + "\n"
    )
    assert main(["query", target, "--batch", str(tmp_path / "batch.jsonl"), "--top", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["shared_estimate"] == 1.0

    assert (
        main(["build", source(tmp_path), "-o", target, "--shared-bits", "128", "--keep", "text"])
        == 0
    )
    capsys.readouterr()
    assert main(["query", target, str(draft), "--top", "1", "--exact"]) == 0
    first, counted = capsys.readouterr().out.splitlines()[:2]
    assert first == "  1  1.000  Document 0 — Übersicht  <doc-0>"
    assert counted == (
        "       cosine 1.000; has 100% of your text's runs of 3 words; both texts share 100% of all"
    )
    assert main(["query", target, str(draft), "--top", "1", "--exact", "--json"]) == 0
    hit = json.loads(capsys.readouterr().out)
    assert (hit["shared"], hit["shared_estimate"]) == ({"jaccard": 1.0, "containment": 1.0}, 1.0)
    assert main(["info", target]) == 0
    assert (
        "  beside      8 bits a document for identity, 128 for shared text\n"
        in capsys.readouterr().out
    )
    assert main(["info", target, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["shared_bits"] == 128

    with pytest.raises(SystemExit) as caught:
        main(["build", source(tmp_path), "-o", target, "--shared-bits", "100"])
    assert caught.value.code == 2
    assert re.search(
        r"argument --shared-bits: invalid choice: '?100'? \(choose from 0, 64, 128, 256\)",
        capsys.readouterr().err,
    )
