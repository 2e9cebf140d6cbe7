"""Scheme `simhash`: the interoperability draft's tokens, hash, tables and written form."""

from __future__ import annotations

import base64
import json
import struct
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import made_up
from plain import PlainIndex
from plain.interop import tokens
from plain.simhash import lookup3
from pocketindex.builder.pipeline import Settings, build
from pocketindex.builder.schemes.profile import INTEROP
from pocketindex.builder.schemes.simhash import (
    NAME,
    SimHashSettings,
    fingerprint,
    profile,
    table,
    written,
)
from pocketindex.cli import main
from pocketindex.queries.terms import terms_of
from vectors import load

# Of Jenkins' own lookup3.c, hashlittle2 with seeds 0; the first two stand in its self test.
JENKINS = {
    "": 0xDEADBEEFDEADBEEF,
    "Four score and seven years ago": 0xCE7226E617770551,
    "a": 0x582647AC58D68708,
    "token": 0x46E0020AB2F87F97,
    "naïve": 0xC1F0394E83086AC7,
    "東京": 0x2A810C1017AE4536,
    "abcdefghijkl": 0x75B50EC04012F87B,
    "abcdefghijklm": 0x0F04AB68928128F9,
    "0123456789012345678901234567890123456789x": 0x9A6BBE260F5B16AC,
}


@pytest.mark.parametrize("text", JENKINS)
def test_lookup3_is_jenkins(text: str) -> None:
    assert lookup3(text.encode()) == JENKINS[text]


@pytest.mark.parametrize("text", [text for text in JENKINS if text.isalnum()])
def test_the_simhash_of_one_token_is_its_hash(text: str) -> None:
    """Checked by hand: every sum is 1 or -1."""
    octets = JENKINS[text].to_bytes(8, "big")
    assert (
        fingerprint(text.encode())
        == f"simhash64-interop-u15-lookup3-tf:{base64.b32encode(octets).decode()[:13].lower()}"
    )


def test_by_hand_of_two_tokens() -> None:
    """a twice, token once: the sums are those of a alone in sign.

    a and token once: a bit is set where both have it, ties are 0.
    """
    assert fingerprint(b"a token a") == fingerprint(b"a")
    both = JENKINS["a"] & JENKINS["token"]
    assert fingerprint(b"a token") == f"{NAME}:{written(both.to_bytes(8, 'little'))}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 2007: b2b, x_y, ___, R2-D2", ["It", "s", "b2b", "x_y", "R2", "D2"]),
        ("Straße STRASSE ﬁx", ["Straße", "STRASSE", "ﬁx"]),
        ("co\u00adope\u200drate cafe\u0301 caf\u00e9", ["cooperate", "cafe\u0301", "caf\u00e9"]),
        ("हिन्दी", ["ह", "न्द"]),  # Mc is not among the draft's categories: vowel signs end a token
        ("東京は大きい。", ["東京は大きい"]),
        ("x" * 200 + " " + "1" * 128 + "a", ["x" * 128]),
        ("½ ² Ⅷ 12", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert [token.decode() for token in tokens(text.encode())] == expected
    assert terms_of(text.encode(), INTEROP) == expected


@pytest.mark.parametrize("case", load("tokens"), ids=lambda case: case["about"])
def test_vector(case: dict[str, Any]) -> None:
    """What is left out of a text, as the draft asks: URLs, identifiers, numbers."""
    text = bytes.fromhex(case["text"])
    expected = [bytes.fromhex(term).decode() for term in case["terms"]]

    assert [token.decode() for token in tokens(text)] == expected
    assert terms_of(text, INTEROP) == expected


def test_vectors_say_what_the_draft_says() -> None:
    """By hand, so that they are more than what both readers do."""
    by_hand = {
        "numbers are none": ["B2B", "R2", "D2", "MP3", "1st", "0x1F"],
        "no tokens from URLs": ["see", "or", "then"],
        "ends before what": ["d", "e", "ße", "東京", "見よ", "を見る"],
        "without a scheme": ["www", "www", "wwww", "a"],
        "no tokens from identifiers": ["DOI"],
        "four to nine": ["abc", "abc", "1234abc", "abc"],
        "a letter checks": ["ISSN", "ISBN", "ORCID"],
    }
    for words, expected in by_hand.items():
        (case,) = (case for case in load("tokens") if words in case["about"])
        assert [bytes.fromhex(term).decode() for term in case["terms"]] == expected, words


def test_a_url_does_not_change_a_fingerprint() -> None:
    assert fingerprint(
        b"words of a page https://example.org/words-of-a-url (doi:10.1000/182-words)"
    ) == fingerprint(b"words of a page")


@given(
    st.lists(
        st.sampled_from(
            [
                "http",
                "://",
                "www.",
                "DOI:",
                "10.1234/",
                "0-1234567",
                "X",
                "a",
                " ",
                "\u0130",
                "\u017f",
                "\u212a",
                "_",
                ".",
                "-",
            ]
        )
    )
)
def test_core_and_plain_reader_leave_out_the_same(pieces: list[str]) -> None:
    text = "".join(pieces).encode()
    assert [token.decode() for token in tokens(text)] == terms_of(text, INTEROP)


@given(
    st.one_of(
        st.text(max_size=60).map(lambda t: t.encode("utf-8", "surrogatepass")),
        st.binary(max_size=40),
    )
)
def test_core_and_plain_reader_cut_the_same_tokens(text: bytes) -> None:
    assert [token.decode() for token in tokens(text)] == terms_of(text, INTEROP)


@given(st.text(alphabet=st.sampled_from("aé東क\u093f\u0301\u200d \uff21_1"), max_size=300))
def test_core_and_plain_reader_cut_long_tokens_alike(text: str) -> None:
    assert [token.decode() for token in tokens(text.encode())] == terms_of(text.encode(), INTEROP)


def test_the_sixteen_tables_of_28_bits_find_any_three_differences() -> None:
    tables = [
        {bit for first, count in table(i, m) for bit in range(first, first + (count & 0x3FFF))}
        for i in range(4)
        for m in range(4)
    ]

    assert [len(bits) for bits in tables] == [28] * 16
    assert Counter(bit for bits in tables for bit in bits) == dict.fromkeys(range(64), 7)
    assert all(
        any(not bits & set(flipped) for bits in tables) for flipped in combinations(range(64), 3)
    )


def test_the_profile_names_what_the_draft_leaves_open() -> None:
    data = profile(SimHashSettings())
    assert struct.unpack_from("<HHH", data) == (6, 2, 16)
    assert data[32 : 32 + len(NAME)].decode() == NAME


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simhash")
    documents = [
        {"id": f"{i}", "text": " ".join(d["text"] for d in made_up(12)[i : i + 3])}
        for i in range(10)
    ]
    (folder / "docs.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
    build([str(folder / "docs.jsonl")], folder / "x.pocket", Settings(scheme="simhash"))
    return folder / "x.pocket"


def test_the_index_asks_what_the_fingerprint_says(index: Path) -> None:
    with pocketindex.open(index) as opened, PlainIndex.open(str(index)) as plain:
        info = opened.info()
        assert (
            info.scheme,
            info.profile,
            len(info.tables),
            {t.components for t in info.tables},
        ) == ("simhash", NAME, 16, {28})
        text = "words of their own, with a few changes Words"
        digits, _, _ = plain.sketch(text)
        packed = sum(digit << j for j, digit in enumerate(digits)).to_bytes(8, "little")
        assert fingerprint(text.encode()) == f"{NAME}:{written(packed)}"
        for number in range(10):
            text = (index.parent / "docs.jsonl").read_text().splitlines()[number]
            hits = opened.query(json.loads(text)["text"] + " more")
            assert hits[0].number == number
            assert opened.explain(json.loads(text)["text"], hits[0]).terms


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("token")
    (tmp_path / "b.txt").write_text("12 ...")

    assert main(["fingerprint", str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]) == 0
    assert (
        capsys.readouterr().out
        == f"{NAME}:i3qaecvs7b7zo  {tmp_path / 'a.txt'}\nno token  {tmp_path / 'b.txt'}\n"
    )
    assert main(["fingerprint", "--json", str(tmp_path / "b.txt")]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "file": str(tmp_path / "b.txt"),
        "fingerprint": None,
    }
    assert main(["fingerprint", str(tmp_path / "absent")]) == 2
    assert (
        capsys.readouterr().err
        == f"pocketindex: {tmp_path / 'absent'}: No such file or directory\n"
    )
