"""Shingles, passages and sources (docs/format.md 6.3 and 9): the core against the plain reader, on
collections that hypothesis makes up.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import golden_files
import make_golden
import numpy as np
import pocketindex
import pytest
from core_sources import harness, run
from core_sources_of import core_sources, options
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import opened
from make_vectors import BYTES, SCRIPTS, TEXTS
from optional_sections import shingle_hashes
from places import GOLDEN
from plain import sources as plain_sources
from plain.passages import Shingle, shingles, winnowed
from plain.terms import every_word, terms
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from pocketindex.builder.passes.shingle_keys import keys_of_texts
from pocketindex.builder.schemes.profile import MARKED
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from pocketindex.queries.spans import ordered
from vectors import load, shingles_line
from word_blocks import WordSettings

BAD_ARGUMENT = 4
NO_PASSAGES = 7
TEXT_TOO_LONG = 3


def golden(name: str) -> Any:
    return opened((GOLDEN / f"{name}.pocket").read_bytes())


def test_the_plain_reader_gives_the_recorded_sources() -> None:
    assert make_golden.sources() == load("sources")


@pytest.mark.parametrize(
    "name", [name for name, (_, _, own) in golden_files.FILES.items() if own.passages or own.words]
)
def test_the_core_gives_the_recorded_sources(name: str) -> None:
    with golden(name) as (core, _):
        cases = [case for case in load("sources") if case["file"] == name]
        assert len(cases) == 2 * len(make_golden.ASKED)
        for case in cases:
            found = core_sources(core, bytes.fromhex(case["text"]), case["top"], case["cold"])
            head = (found.all, found.terms, found.coverage, found.capped)
            assert head == (case["all"], case["terms"], case["coverage"], case["capped"])
            assert case["sources"] == [
                [
                    s.document,
                    s.coverage,
                    s.added,
                    s.evidence,
                    [list(map(int, astuple(p))) for p in s.passages],
                ]
                for s in found.sources
            ]


def test_the_recorded_sources_are_worth_recording() -> None:
    cases = load("sources")
    found = [case["sources"] for case in cases]

    assert any(len(sources) > 1 and sources[1][2] > 0 for sources in found)
    assert any(sources and sources[-1][2] == 0 for sources in found)
    assert any(len(source[4]) > 1 for sources in found for source in sources)
    assert sum(not sources for sources in found) >= 8
    passages = [passage for sources in found for source in sources for passage in source[4]]
    assert {verified for *_, verified in passages} == {0, 1}
    assert any(0 < edited < 10_000 and verified for *_, edited, _, verified in passages)
    assert any(documents > 1 for *_, documents, _ in passages)


# Places of terms

ODD = [*TEXTS.values(), "㌖½ﷺ x ﬁ㋿", "か\u0301\u3099が", "a\u00ad. \u00adb\u00ad", "1\u03452"]


def places_of(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each term, and the bytes that it was read from."""
    return ((term.bytes, text[term.start : term.end]) for term in every_word(text))


# Marks that are brought into another order stand in a text where their run does.
REORDERED = dict.fromkeys(map(ord, "\u3099\uff9e\uff9f\u0345ᾳ"))
mixtures = st.lists(st.sampled_from([c for script in SCRIPTS for c in script]), max_size=30)


def has_its_terms(text: bytes) -> None:
    for term, own in places_of(text):
        assert term in [other.bytes for other in every_word(own)], (text, own)


@pytest.mark.parametrize("text", [*(text.encode() for text in ODD), *BYTES.values()])
def test_the_bytes_of_a_term_have_it(text: bytes) -> None:
    # Marks that are sorted are read from all of their run, a mark that is left from one with a
    # voicing mark that belongs to the kana.
    if "\u3099" not in text.decode(errors="replace"):
        has_its_terms(text)


@settings(max_examples=150)
@given(mixtures)
def test_the_bytes_of_a_term_have_it_in_mixtures(pieces: list[str]) -> None:
    has_its_terms("".join(pieces).translate(REORDERED).encode())


def test_terms_lie_in_the_order_of_the_text() -> None:
    for text in (text.encode() for text in ODD):
        found = list(every_word(text))
        assert all(0 <= term.start < term.end <= len(text) for term in found)
        assert [term.start for term in found] == sorted(term.start for term in found)


def test_the_core_reads_the_same_places_and_shingles(tmp_path: Path) -> None:
    """400 mixtures, with ill-formed bytes."""
    chance = random.Random(63)
    lines = []
    expected = []
    for number in range(400):
        pieces = [chance.choice(chance.choice(SCRIPTS)).encode() for _ in range(70)]
        pieces += [chance.randbytes(chance.randrange(4)) for _ in range(number % 3)]
        chance.shuffle(pieces)
        text = b"".join(pieces)
        size = chance.randint(1, 16)
        window = chance.randint(1, 40)
        words = list(every_word(text))
        found = shingles([term.bytes for term in words], size)
        lines.append(f"r {size} {window} {text.hex()}\n")
        expected.append(
            shingles_line(
                {
                    "places": [(term.start, term.end) for term in words],
                    "runs": [f"{own.hash:016x}" for own in found],
                    "kept": [own.number for own in winnowed(found, window)],
                }
            )
        )
    cases = tmp_path / "cases"
    cases.write_text("".join(lines))

    assert (
        run(harness(tmp_path / "answers", "answers.c", "-O0"), cases).stdout.splitlines()
        == expected
    )


# Winnowing

hashes = st.lists(st.integers(0, 9), max_size=40)


@given(hashes, st.integers(1, 12))
def test_every_window_has_a_shingle_that_is_kept(values: list[int], window: int) -> None:
    found = [Shingle(value, number) for number, value in enumerate(values)]
    kept = winnowed(found, window)

    assert bool(kept) == bool(found)
    for first in range(max(0, len(found) - window) + 1):
        own = found[first : first + window]
        assert not own or min(own) in kept
    if 0 < len(found) <= window:
        assert kept == [min(found)]


WORDS = [
    "alpha",
    "beta",
    "12",
    "ça",
    "東京都",
    "ไทย",
    "🙂 x",
    "ﬁx½",
    "の",
    "mu",
    "_",
    "d\xad",
    "각",
]
words = st.sampled_from(WORDS)


@given(st.lists(words, max_size=40), st.integers(1, 16), st.integers(1, 30))
def test_the_builders_keys(text: list[str], size: int, window: int) -> None:
    """pocket_shingle_keys, for texts one after the other."""
    texts = [" ".join(text).encode(), b"", b"\xff\xfe alpha", " ".join(text * 2).encode()]
    ends = np.cumsum([len(one) for one in texts]).astype(np.uint64)
    keys, key_ends = keys_of_texts(b"".join(texts), ends, MARKED, size, window)
    expected = [
        sorted(
            {
                own.hash
                for own in winnowed(
                    shingles([t.bytes for t in every_word(one, True)], size), window
                )
            }
        )
        for one in texts
    ]

    assert [int(key) for key in keys] == [key for own in expected for key in own]
    assert np.diff(key_ends.astype(np.int64), prepend=0).tolist() == list(map(len, expected))
    assert [
        own.hash for own in shingles([t.bytes for t in every_word(texts[3])], size)
    ] == shingle_hashes(texts[3].decode(), size)


# Sources

WORDED = st.builds(
    WordSettings,
    heaviest=st.sampled_from([0, 0, 12]),
    title_weight=st.sampled_from([0, 3]),
    most=st.sampled_from([4, 10**9]),
)
SHINGLED = st.tuples(
    st.integers(1, 5), st.sampled_from([1, 2, 5, 12, 60]), st.sampled_from([1, 2, 5, 1000])
)
LAYOUTS = st.builds(
    lambda sections, bits, key_range, keep: Settings(
        rest_bits=bits,
        part_keys=40,
        posting_bits=4,
        passages=sections[0],
        words=sections[1],
        key_range=key_range,
        keep=keep,
        characters=80 if keep == "snippet" else 0,
    ),
    st.one_of(
        st.tuples(SHINGLED, st.none()), st.tuples(st.none(), WORDED), st.tuples(SHINGLED, WORDED)
    ),
    st.sampled_from([8, 16, 24, 32]),
    st.sampled_from([1, 64, 4096]),
    st.sampled_from(["", "text", "text", "snippet"]),
)
BETWEEN = [" "] * 14 + [", ", ". ", ".", "!) ", "?\n", "。", "\n \n", "\n", "। ", "؟ ", "｡"]


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[str], str]:
    """Texts of few words, of which some come again, and one that has parts of them, some of them
    edited.
    """
    # Numbers make words that are rare, so that there are matches and what is none.
    chance = random.Random(draw(st.integers(0, 10**6)))
    kinds = draw(st.sampled_from([3, 30, 2000]))

    def fresh(count: int) -> list[str]:
        return [
            f"{chance.choice(WORDS)}{chance.randrange(kinds)}" if chance.random() < 0.8 else word
            for word in chance.choices(WORDS, k=count)
        ]

    def said(words: list[str]) -> str:
        return "".join(word + chance.choice(BETWEEN) for word in words)

    texts = [fresh(chance.randrange(70)) for _ in range(draw(st.integers(1, 9)))]
    for _ in range(draw(st.integers(0, 9))):
        one, other = chance.choice(texts), chance.choice(texts)
        at = chance.randrange(len(one) + 1)
        one[at:at] = other[chance.randrange(len(other) + 1) :][:40]
    asked = fresh(chance.randrange(12))
    for _ in range(draw(st.integers(0, 6))):
        one = chance.choice(texts)
        at = chance.randrange(len(one) + 1)
        copied = one[at : at + chance.randrange(70)] * chance.choice([1, 1, 1, 2])
        if chance.random() < 0.1:
            chance.shuffle(copied)
        for _ in range(chance.choice([0, 0, 1, 2, 5])):
            place = chance.randrange(len(copied) + 1)
            copied[place : place + chance.randrange(2)] = fresh(chance.randrange(2))
        asked += copied + fresh(chance.choice([0, 1, 5, 90]))
    return [said(text) for text in texts], said(asked)


def same(
    texts: list[str], asked: bytes, layout: Settings, most: int = 3
) -> plain_sources.PlainSources:
    # A document has a term of the profile's stream.
    with_terms = (text if any(terms(text.encode())) else f"{text} x" for text in texts)
    documents = [Text(f"d{i}", text, f"alpha{i}") for i, text in enumerate(with_terms)]
    data = assemble(sections(documents, FF(), layout))
    with opened(data) as (core, plain):
        for top, cold in ((10, True), (most, False), (1000, False)):
            expected = plain.sources(asked, top, cold)
            assert expected is not None
            assert core_sources(core, asked, top, cold) == expected
        plain.verify()
        check(lib.pocket_verify(core, ffi.NULL), ffi.NULL, "x")
    assert expected is not None
    return expected


@settings(max_examples=30, deadline=None)
@given(collections(), LAYOUTS, st.integers(1, 4))
def test_the_core_finds_what_the_plain_reader_finds(
    case: tuple[list[str], str], layout: Settings, most: int
) -> None:
    texts, asked = case
    same(texts, asked.encode(), layout, most)


@settings(max_examples=12, deadline=None)
@given(collections(), LAYOUTS, st.binary(max_size=3), st.integers(0, 400))
def test_any_bytes(case: tuple[list[str], str], layout: Settings, bad: bytes, at: int) -> None:
    texts, asked = case
    data = asked.encode()
    same(texts, data[:at] + bad + data[at:], layout)


NUMBERS = [f"w{i}" for i in range(400)]
LAYOUT = Settings(part_keys=100, posting_bits=4, passages=(4, 12, 50))


def text(first: int, last: int) -> str:
    return " ".join(NUMBERS[first:last])


@pytest.mark.parametrize(
    "asked", ["", "w1 w2 w3", "w1 w2 w3 w4", ". , \u00ad", text(0, 15), text(0, 16), text(0, 14)]
)
def test_short_texts(asked: str) -> None:
    """Without a term, without a shingle, with one, with one window exactly, with one shingle less;
    one shingle that a passage of a window is sure of is less evidence than a source needs.
    """
    found = same([text(0, 60), text(200, 260)], asked.encode(), LAYOUT)

    assert found.terms == (len(asked.split()) if "w" in asked else 0)
    assert found.sources == ()


def test_equal_documents_are_named_and_add_nothing() -> None:
    found = same([text(0, 90)] * 3 + [text(100, 200)], text(20, 80).encode(), LAYOUT)

    assert [(s.document, s.added > 0) for s in found.sources] == [(0, True), (1, False), (2, False)]
    assert len({s.coverage for s in found.sources}) == 1
    assert found.coverage == found.sources[0].coverage


def test_a_shingle_that_the_text_repeats_is_evidence_once() -> None:
    again = " ".join(f"{text(3, 7)} x{i} y{i}" for i in range(30))
    assert same([text(0, 15)], again.encode(), replace(LAYOUT, passages=(4, 1, 50))).sources == ()


def test_a_passage_twice_in_a_text() -> None:
    filler = " ".join(f"z{i}" for i in range(200))
    asked = f"{text(20, 60)} {filler} {text(20, 60)}"
    (source,) = same([text(0, 90)], asked.encode(), LAYOUT).sources

    # What is repeated far away is evidence in its second place, too.
    assert [passage.first for passage in source.passages] == [0, 234]


def test_two_sources_and_what_each_adds() -> None:
    asked = f"{text(0, 60)} {text(100, 140)}"
    found = same([text(90, 150), text(0, 70)], asked.encode(), LAYOUT)

    assert [(s.document, s.added) for s in found.sources] == [(1, 5800), (0, 3500)]
    assert found.coverage == 9300


def test_without_documents() -> None:
    assert same([], b"alpha beta gamma", LAYOUT).sources == ()


def test_a_file_without_passages() -> None:
    with golden("radix") as (core, plain):
        out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
        assert lib.pocket_sources(core, b"a", 1, ffi.NULL, out, error) == NO_PASSAGES
        assert (out[0], error.status) == (ffi.NULL, NO_PASSAGES)
        assert plain.sources("a") is None


def test_options_that_are_none() -> None:
    with golden("passages") as (core, _):
        out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
        small = ffi.new("pocket_sources_options *", (8, 1, 0))
        for wrong, field in (
            (options(1001, False), b"most sources"),
            (small, b"size of the options"),
        ):
            assert lib.pocket_sources(core, b"a", 1, wrong, out, error) == BAD_ARGUMENT
            assert out[0] == ffi.NULL
            assert ffi.string(error.field) == field
        assert lib.pocket_sources(core, b"a", 2**28 + 1, ffi.NULL, out, error) == TEXT_TOO_LONG
        assert out[0] == ffi.NULL
        assert lib.pocket_sources(core, ffi.NULL, 0, ffi.NULL, out, ffi.NULL) == 0
        assert out[0].count == out[0].terms == out[0].capped == 0
        lib.pocket_sources_free(out[0])
        lib.pocket_sources_free(ffi.NULL)


def test_an_old_reader_ignores_the_section(tmp_path: Path) -> None:
    """It is not required: with another kind in its place the file is asked all the same."""
    texts, profile, layout = golden_files.FILES["passages"]
    known = sections(texts, profile, layout)
    path = tmp_path / "x.pocket"
    path.write_bytes(assemble([*known[:5], replace(known[5], kind=77)]))
    with pocketindex.open(path) as other, pocketindex.open(GOLDEN / "passages.pocket") as index:
        other.verify()
        asked = texts[3].text
        assert [h.id for h in other.query(asked)] == [h.id for h in index.query(asked)]
    assert known[5].flags == 0


@pytest.mark.parametrize("case", load("ordering"), ids=lambda case: case["about"])
def test_sources_of_several_files_are_ordered_by_what_each_adds(case: dict[str, Any]) -> None:
    found = ordered(case["sources"], case["least"], case["top"])

    assert found == list(zip(case["order"], case["added"], strict=True))


def test_a_text_of_any_length_is_ordered_by_the_ends_of_spans_alone() -> None:
    most = 2**32 - 1

    assert ordered([[(5, most)], [(0, most)], [(0, 5)]], 0, 3) == [(1, most), (0, 0), (2, 0)]


@pytest.mark.parametrize("spans", [[(3, 2)], [(0, 9), (8, 12)]])
def test_spans_of_a_source_that_do_not_rise_are_refused(spans: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="spans"):
        ordered([spans], 0, 1)
