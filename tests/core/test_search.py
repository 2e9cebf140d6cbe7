"""Search (docs/format.md 6.4 and 10): the core against the plain reader, on collections that
hypothesis makes up.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import golden_files
import make_golden
import pocketindex
import pytest
from core_search_of import Found, core_search, options, plain_found, taken
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import opened
from places import GOLDEN
from plain import search as plain_search
from plain.question import Question
from plain.terms import terms
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from test_pieces import in_pieces
from test_sources import golden
from vectors import load
from word_blocks import WordSettings, collect, idf

BAD_ARGUMENT = 4
TEXT_TOO_LONG = 3
EXCLUDED = 1
QUOTED = 2
PREFIX = 4
PARTIAL = 8
FORMS = 16
DOCUMENTS = 4
TEXTS = 6
WORDS = 10
WORTHS = [4, 7, 11, 15, 19, 22, 24, 25, *[32] * 8]  # of the ranks (docs/format.md, section 10)
NAMES = ["words", "words-heaviest", "words-counted", "marked"]


def how_of(case: dict[str, Any]) -> list[bool]:
    return [bool(case[name]) for name in ("prefix", "cold", "titles", "replace")]


def found_of(case: dict[str, Any]) -> Found:
    return Found(*(case[name] for name in Found._fields))


def test_the_plain_reader_gives_the_recorded_answers() -> None:
    assert make_golden.searches() == load("search")


@pytest.mark.parametrize("name", NAMES)
def test_the_core_gives_the_recorded_answers(name: str) -> None:
    with golden(name) as (core, _):
        cases = [case for case in load("search") if case["file"] == name]
        asked = make_golden.OWN_SEARCHED.get(name, make_golden.SEARCHED)
        assert len(cases) == len(make_golden.SEARCH_WAYS) * len(asked)
        for case in cases:
            text = bytes.fromhex(case["text"])
            own = core_search(core, text, case["top"], *how_of(case))
            assert own == found_of(case), text.decode()


def test_the_recorded_answers_are_worth_recording() -> None:
    cases = load("search")
    flags = {word[3] for case in cases for word in case["words"]}

    assert {0, EXCLUDED, QUOTED, PREFIX, PARTIAL, EXCLUDED | QUOTED, PREFIX | PARTIAL} <= flags
    assert FORMS in flags
    assert sum(bool(case["hits"]) for case in cases) > len(cases) / 3
    assert any(case["capped"] and len(case["words"]) == 64 for case in cases)
    assert any(case["ignored"] for case in cases)
    assert {case["file"] for case in cases if case["pieces"]} >= {*NAMES} - {"marked"}
    assert {row[3] for case in cases for row in case["replacements"]} == {1, 2, 3, 4}
    assert any(case["hits"] and case["titles"] for case in cases)
    assert {case["file"] for case in cases if case["unchecked"]} == {*NAMES} - {"words", "marked"}
    assert any(0 < len(case["hits"]) < case["all"] for case in cases if case["top"] == 100)


# What a collection says, and what a question gets

WORD = st.sampled_from(
    [
        *(
            "alpha",
            "beta",
            "gamma",
            "mu",
            "nu",
            "al",
            "alp",
            "ça",
            "Müller",
            "Muller",
            "eleve\u0300",
            "năm",
            "東京",
            "の",
            "हिन्दी",
            "كتاب",
            "각",
        ),
    ]
)
NAME = st.sampled_from(
    [
        "al-mu",
        "alMu",
        "al_mu",
        "alp",
        "almu",
        "alphho",
        "C++",
        "C#",
        "c",
        "mu's",
        "mu",
        "mu-Müller",
        "élève_Mu",
        "ć++",
        "👍🏽",
        "1,250",
        "1250",
    ]
)


@st.composite
def collections(draw: st.DrawFn) -> list[Text]:
    """Up to 60 short texts, many of which have the same few words."""
    chance = random.Random(draw(st.integers(0, 10**6)))
    some = st.one_of(WORD, NAME)
    own = [*draw(st.lists(some, min_size=1, max_size=9)), *(f"w{i}" for i in range(30))]
    made = []
    for i in range(draw(st.integers(1, 60))):
        few = [own[int(len(own) * chance.random() ** 3)] for _ in range(chance.choice([1, 5, 40]))]
        title = " ".join(chance.choices(own, k=chance.randrange(4)))
        text = " ".join(few)
        made.append(Text(f"d{i}", text if any(terms(text.encode())) else f"{text} x", title))
    return made


@st.composite
def questions(draw: st.DrawFn) -> str:
    """Words, quotes that are closed or not, and words and quotes behind a minus."""
    some = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
    piece = st.one_of(
        WORD,
        NAME,
        st.integers(0, 30).map("w{}".format),
        some.map('"{}"'.format),
        some.map("-“{}”".format),
        st.one_of(WORD, NAME).map("-{}".format),
        st.sampled_from(['"', "-", "--a", "„", "w", "-w1-w2", "", "\t-mu"]),
    )
    return draw(st.sampled_from([" ", " ", ""])).join(draw(st.lists(piece, max_size=8)))


LAYOUTS = st.builds(
    lambda most, heaviest, weight, keep, forms, marks: Settings(
        posting_bits=6,
        part_keys=20,
        keep=keep,
        room=300,
        words=WordSettings(
            heaviest=heaviest,
            title_weight=weight,
            most=most,
            forms=forms,
            rules=(("", "ha"), ("", ""), ("a", "o")),
            marks=marks,
        ),
    ),
    st.sampled_from([1, 2, 5, 10**9]),
    st.sampled_from([0, 0, 1, 3]),
    st.sampled_from([0, 1, 3, 100]),
    st.sampled_from(["", "text"]),
    st.sampled_from([(), (("al", "alpha"), ("gamma", "mu", "nu", "w1"), ("w2", "w3"))]),
    st.booleans(),
)


@settings(max_examples=25, deadline=None)
@given(
    collections(),
    LAYOUTS,
    st.one_of(st.just([]), collections()),
    st.lists(questions(), min_size=1, max_size=4),
)
def test_the_core_finds_what_the_plain_reader_finds(
    documents: list[Text], layout: Settings, others: list[Text], asked: list[str]
) -> None:
    """Also where words were counted of another collection."""
    assert layout.words
    if layout.words.heaviest:
        counted_of = tuple((text.text, text.title) for text in others)
        layout = replace(layout, words=replace(layout.words, counted_of=counted_of))
    data = assemble(
        sections(documents, FF(marks=bool(layout.words and layout.words.marks)), layout)
    )
    with opened(data) as (core, plain):
        for question in asked:
            for how in (
                (1, False, False, False, False),
                (10, True, True, False, True),
                (1000, True, False, False, False),
                (3, True, False, True, False),
                (5, False, False, False, True),
            ):
                expected = plain_found(plain.search(question, *how))
                assert core_search(core, question.encode(), *how) == expected
        plain.verify()
        check(lib.pocket_verify(core, ffi.NULL), ffi.NULL, "x")


def test_without_texts_a_document_with_a_word_of_a_quote_is_a_hit() -> None:
    documents = [Text("a", "alpha beta", "mu"), Text("b", "beta", "mu")]
    layout = Settings(posting_bits=6, words=WordSettings())
    with opened(assemble(sections(documents, FF(), layout))) as (core, plain):
        found = core_search(core, b'"alpha beta"')
        assert [hit[:2] for hit in found.hits] == [[0, 2], [1, 1]]
        assert found == plain_found(plain.search('"alpha beta"'))


@settings(max_examples=20, deadline=None)
@given(questions(), st.binary(max_size=4), st.integers(0, 30))
def test_any_bytes(question: str, bad: bytes, at: int) -> None:
    asked = question.encode()[:at] + bad + question.encode()[at:]
    with golden("words-heaviest") as (core, plain):
        assert core_search(core, asked, 5, True) == plain_found(plain.search(asked, 5, True))


@settings(max_examples=40, deadline=None)
@given(
    collections(),
    st.sampled_from([0, 2]),
    st.sampled_from([0, 3]),
    st.one_of(st.just([]), collections()),
    WORD,
    WORD,
)
def test_scores_by_the_rule(
    documents: list[Text], heaviest: int, weight: int, others: list[Text], first: str, second: str
) -> None:
    """Of two words: the sum of what they are worth, a fifth more for both, more for a title."""
    own = WordSettings(heaviest=heaviest, title_weight=weight)
    if heaviest:
        own = replace(own, counted_of=tuple((text.text, text.title) for text in others))
    said = collect([(document.text, document.title) for document in documents], own)
    layout = Settings(posting_bits=6, words=own)
    found_ranks: dict[int, list[int]] = {}
    scores: dict[int, int] = {}
    asked = {term for word in (first, second) for term in map(one_term, [word]) if term}
    for term in asked:
        for document, rank in said.ranks.get(term, {}).items():
            worth = idf(len(documents), said.having[term]) * WORTHS[rank]
            scores[document] = scores.get(document, 0) + worth
            found_ranks.setdefault(document, []).append(rank)
    most = sum(bool(said.ranks.get(term)) for term in asked)
    for document, ranks in found_ranks.items():
        if len(ranks) == most > 1:
            scores[document] = scores[document] * 6 // 5
        if len(ranks) == len(asked) and min(ranks) > 7:
            alone = ranks[0] == 7 + len(asked)
            scores[document] = scores[document] * (15 if alone else 12) // 10
    order = sorted(scores, key=lambda i: (-scores[i], i))
    with opened(assemble(sections(documents, FF(), layout))) as (core, _):
        found = core_search(core, f"{first} {second}".encode(), 1000)
    if all(len(one_term(word).decode()) > 1 for word in (first, second)):  # no beginnings
        assert found.hits == [[i, len(found_ranks[i]), scores[i]] for i in order]
        assert found.any == len(scores)
        assert found.all == sum(len(own) == most for own in found_ranks.values())


def one_term(word: str) -> bytes:
    (term,) = terms(word.encode())
    return bytes(term)


def test_many_words_that_begin_so() -> None:
    """Of more than 4,096 beginnings, or 256, the first ones count."""
    documents = [
        Text(f"d{i}", " ".join(f"a{k:04}" for k in range(i * 100, i * 100 + 105)))
        for i in range(44)
    ]
    data = assemble(sections(documents, FF(), Settings(posting_bits=6, words=WordSettings())))
    with opened(data) as (core, plain):
        assert plain.words is not None
        for text in (b"a", b"a0", b"a00", b"a000", b"a47", b"a470"):
            begun = sum(word.startswith(text) for word in plain.words.all)
            for cold in (False, True):
                found = core_search(core, text, 1000, True, cold)
                assert found == plain_found(plain.search(text, 1000, True, cold))
                assert found.capped == (begun > (256 if cold else 4_096))


def test_more_texts_than_are_looked_at_for_a_quote(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [Text(f"d{i}", "alpha beta" if i > 65 else "beta alpha") for i in range(70)]
    layout = Settings(posting_bits=7, keep="text", room=300, words=WordSettings())
    with opened(assemble(sections(documents, FF(), layout))) as (core, plain):
        warm = core_search(core, b'"alpha beta"', 3)
        assert [hit[0] for hit in warm.hits] == [66, 67, 68]
        assert not warm.capped
        cold = core_search(core, b'"alpha beta"', 3, cold=True)
        assert (cold.hits, cold.capped) == ([], True)
        assert cold == plain_found(plain.search(b'"alpha beta"', 3, cold=True))
        monkeypatch.setattr(plain_search, "TEXTS", 67)
        found = plain.search('"alpha beta"', 3)
        assert found is not None
        assert (len(found.hits), found.capped) == (1, True)


def test_a_minus_excludes_a_compound_that_begins_with_a_letter() -> None:
    documents = [Text("a", "film of an x-ray"), Text("b", "film of a ray")]
    layout = Settings(keep="text", room=300, words=WordSettings())
    with opened(assemble(sections(documents, FF(), layout))) as (core, plain):
        for text, hits in ((b"film -x-ray", [1]), (b"film -x", [0, 1]), (b"film -u.s.", [0, 1])):
            found = core_search(core, text)
            assert sorted(hit[0] for hit in found.hits) == hits, text
            assert found == plain_found(plain.search(text))


def test_texts_that_lack_a_word_of_a_quote_are_not_looked_at() -> None:
    """Where a word is asked for beside the quote, or stands for a beginning, they may have it."""
    documents = [Text(f"d{i}", "alpha beta" if i > 67 else "alpha") for i in range(70)]
    layout = Settings(posting_bits=7, keep="text", room=300, words=WordSettings(title_weight=1))
    with opened(assemble(sections(documents, FF(), layout))) as (core, plain):
        for text, hits, capped in (
            (b'"alpha beta"', 2, False),
            (b'"alpha beta" -"beta mu"', 2, False),
            (b'"alpha beta" alpha', 2, False),
            (b'"beta alpha"', 0, False),
            (b'"alpha nowhere"', 0, False),
            (b'"alpha beta" nowhere', 2, True),
            (b'alpha -"beta alpha"', 3, False),
        ):
            found = core_search(core, text, 3, cold=True)
            assert (len(found.hits), found.capped) == (hits, capped), text
            assert found == plain_found(plain.search(text, 3, cold=True))


@pytest.mark.parametrize("weight", [0, 1, 3])
@pytest.mark.parametrize("heaviest", [0, 2])
@pytest.mark.parametrize("most", [5, 10**9])
def test_no_text_that_has_a_quote_is_passed_over(weight: int, heaviest: int, most: int) -> None:
    """Also where titles do not count, or not all words do, or a first answer reads few postings."""
    quote, rest = ["alpha", "beta"], ["gamma", "mu"]
    documents = [
        Text(
            f"d{i}",
            " ".join([*rest[: i % 3], *(quote if i % 5 == 0 else quote[:1]), "w" * (i + 1)]),
            " ".join(quote if i % 7 == 0 else rest),
        )
        for i in range(50)
    ]
    words = WordSettings(title_weight=weight, heaviest=heaviest, most=most)
    layout = Settings(posting_bits=6, keep="text", room=300, words=words)
    with opened(assemble(sections(documents, FF(), layout))) as (core, plain):
        all_hits = {hit[0] for hit in core_search(core, b"alpha beta", 1000).hits}
        having = {i for i in all_hits if i % 5 == 0 or i % 7 == 0}
        assert having
        for cold in (False, True):
            found = core_search(core, b'"alpha beta"', 1000, cold=cold)
            assert found == plain_found(plain.search(b'"alpha beta"', 1000, cold=cold))
            assert cold or {hit[0] for hit in found.hits} == having


def test_a_file_with_many_documents_of_rare_words() -> None:
    """Sums of few postings lie in a table, and not in an array."""
    documents = [Text(f"d{i}", f"u{i} all") for i in range(900)]
    layout = Settings(posting_bits=10, per_block=100, part_keys=900, words=WordSettings())
    with opened(assemble(sections(documents, FF(), layout))) as (core, plain):
        for text in (b"u7 u8 u899 -u8", b"all u7", b"u1 -all", b"u2 u3 u4", b"-u2 u2"):
            assert core_search(core, text, 5) == plain_found(plain.search(text, 5))


def test_options_that_are_none() -> None:
    with golden("words") as (core, _):
        out, error = ffi.new("pocket_search_found **"), ffi.new("pocket_error *")
        small = ffi.new("pocket_search_options *", (40, 1, 0, 0, 0, 0, 0, ffi.NULL, 0))
        for wrong, field in (
            (options(1001), b"most hits"),
            (small, b"size of the options"),
        ):
            assert lib.pocket_search(core, b"a", 1, wrong, out, error) == BAD_ARGUMENT
            assert out[0] == ffi.NULL
            assert ffi.string(error.field) == field
        assert lib.pocket_search(core, b"a", 2**28 + 1, ffi.NULL, out, error) == TEXT_TOO_LONG
        assert out[0] == ffi.NULL
        assert lib.pocket_search(core, b"the", 3, ffi.NULL, out, ffi.NULL) == 0
        assert len(taken(out[0]).hits) == 10
        assert lib.pocket_search(core, ffi.NULL, 0, ffi.NULL, out, ffi.NULL) == 0
        assert taken(out[0]) == Found([], [], 0, 0, False, False, False, False, "", [], 0, 0, [])
        lib.pocket_search_free(ffi.NULL)


def test_a_file_without_words() -> None:
    with golden("radix") as (core, plain):
        out, error = ffi.new("pocket_search_found **"), ffi.new("pocket_error *")
        assert lib.pocket_search(core, b"a", 1, ffi.NULL, out, error) == lib.POCKET_NO_WORDS
        assert (out[0], error.status) == (ffi.NULL, lib.POCKET_NO_WORDS)
        assert plain.search("a") is None


def test_without_documents() -> None:
    with opened(assemble(sections([], FF(), Settings(words=WordSettings())))) as (core, plain):
        for text in (b"a", b"\xe3\x81\xae", b'"a b" -c'):
            assert core_search(core, text) == plain_found(plain.search(text))


# In pieces


def search_in_pieces(pieces: Any, text: bytes, *asked: Any) -> Found:
    out, how = ffi.new("pocket_search_found **"), options(*asked)
    pieces.answer(lambda error: lib.pocket_search(pieces.handle, text, len(text), how, out, error))
    return taken(out[0])


@pytest.mark.parametrize("name", NAMES)
def test_a_file_in_pieces(name: str) -> None:
    data = (GOLDEN / f"{name}.pocket").read_bytes()
    for case in (case for case in load("search") if case["file"] == name):
        asked = bytes.fromhex(case["text"])
        with in_pieces(data) as pieces:
            assert search_in_pieces(pieces, asked, case["top"], *how_of(case)) == found_of(case)
            kinds = {section for section, _ in pieces.lent}
            quotes = case["replace"] or Question(asked, bool(case["prefix"])).quotes
            titles = {DOCUMENTS} if case["titles"] else set()
            assert kinds <= ({WORDS, DOCUMENTS, TEXTS} if quotes else {WORDS, *titles})
            if not case["prefix"] and not quotes:
                assert pieces.rounds <= 4  # words, another of their class, its postings


def test_a_first_answer_reads_the_beginning_of_a_long_list() -> None:
    """At most the first block and three in which the word goes on."""
    data = (GOLDEN / "words.pocket").read_bytes()
    for cold, blocks in ((False, 5), (True, 4)):
        with in_pieces(data) as pieces:
            found = search_in_pieces(pieces, b"the", 5, False, cold)
            assert len(pieces.lent) == blocks
            assert found.words[0][3] == (PARTIAL if cold else 0)


def test_an_old_reader_ignores_the_section(tmp_path: Path) -> None:
    texts, profile, layout = golden_files.FILES["words"]
    known = sections(texts, profile, layout)
    path = tmp_path / "x.pocket"
    path.write_bytes(
        assemble([replace(own, kind=77) if own.kind == WORDS else own for own in known])
    )
    with pocketindex.open(path) as other, pocketindex.open(GOLDEN / "words.pocket") as index:
        other.verify()
        asked = texts[3].text
        assert [hit.id for hit in other.query(asked)] == [hit.id for hit in index.query(asked)]
    assert [own.flags for own in known if own.kind == WORDS] == [0]
