"""Filters of a search (docs/format.md 10): the core against the plain reader, on collections and
questions that hypothesis makes up, and what they find by example.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from core_search_of import Found, core_search, options, plain_found, taken
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import opened
from plain import filters as plain_filters
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from pocketindex.cbits import ffi, lib
from test_pieces import in_pieces
from word_blocks import WordSettings

LANGUAGE, OPTION = 2, 4
WORDS, LABELS_KIND = 10, 11
LABELS = ("earn", "Earn", "earning", "crude oil", "Crude-Oil!", "crude", "?", "é", "lang", "lang:")
LANGUAGES = ("lang:en", "lang:en-gb", "lang:de", "lang:PT_br", "lang:eng")
DOCUMENTS = [
    Text("a", "alpha beta", "one", labels=("earn", "crude oil", "lang:en")),
    Text("b", "alpha gamma", "two", labels=("Earn", "lang:en-gb")),
    Text("c", "beta gamma mu", "three", labels=("acq", "lang:de")),
    Text("d", "beta beta alpha", "four"),
]


def layout(**more: object) -> Settings:
    own = Settings(posting_bits=6, keep="text", labels=(2, 3), words=WordSettings())
    return replace(own, **more)  # type: ignore[arg-type]


def search(question: str, filters: str = "", documents: list[Text] = DOCUMENTS) -> Found:
    """The answer of both readers."""
    with opened(assemble(sections(documents, FF(), layout()))) as (core, plain):
        found = core_search(core, question.encode(), 10, filters=filters.encode())
        assert found == plain_found(plain.search(question, filters=filters.encode()))
        return found


def documents_of(question: str, filters: str = "") -> list[int]:
    return sorted(document for document, *_ in search(question, filters).hits)


VALUES = st.sampled_from(
    [*LABELS, *(tag[5:] for tag in LANGUAGES), "ear", "EN", "x", 'crude "', ""]
)
PIECES = st.one_of(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "-", "--", "x"]),
        st.sampled_from(["label:", "lang:", "Label:", "LANG:", "label :", "language:"]),
        st.one_of(VALUES, VALUES.map('"{}"'.format), VALUES.map("„{}”".format)),
    ),
    st.sampled_from(["alpha", "beta", "-gamma", '"alpha beta"', '"', '-"beta mu"', "mu*", "1 2 3"]),
)
QUESTIONS = st.builds(
    lambda between, pieces: between.join(pieces),
    st.sampled_from([" ", " ", "\t", ""]),
    st.lists(PIECES, max_size=7),
)
LABELLED = st.lists(
    st.builds(
        lambda text, labels, language: Text("", text, "mu", labels=(*labels, *language)),
        st.sampled_from(["alpha beta", "beta", "gamma mu beta", "alpha"]),
        st.lists(st.sampled_from(LABELS), max_size=3, unique=True),
        st.one_of(st.just(()), st.sampled_from(LANGUAGES).map(lambda tag: (tag,))),
    ),
    max_size=30,
).map(lambda texts: [replace(text, id=f"d{i}") for i, text in enumerate(texts)])


@settings(max_examples=40, deadline=None)
@given(
    LABELLED,
    st.sampled_from([None, (1, 1), (2, 3), (100, 1000)]),
    st.sampled_from(["", "text"]),
    st.lists(st.tuples(QUESTIONS, QUESTIONS), min_size=1, max_size=5),
)
def test_the_core_finds_what_the_plain_reader_finds(
    documents: list[Text],
    labels: tuple[int, int] | None,
    keep: str,
    asked: list[tuple[str, str]],
) -> None:
    data = assemble(sections(documents, FF(), layout(labels=labels, keep=keep)))
    with opened(data) as (core, plain):
        for question, filters in asked:
            for how in (
                (1, False, False, False, False),
                (10, True, True, False, True),
                (1000, False, False, True, False),
            ):
                expected = plain_found(plain.search(question, *how, filters=filters.encode()))
                own = core_search(core, question.encode(), *how, filters=filters.encode())
                assert own == expected, (question, filters, how)


@settings(max_examples=20, deadline=None)
@given(QUESTIONS, st.binary(max_size=4), st.integers(0, 30))
def test_any_bytes(question: str, bad: bytes, at: int) -> None:
    asked = question.encode()[:at] + bad + question.encode()[at:]
    with opened(assemble(sections(DOCUMENTS, FF(), layout()))) as (core, plain):
        assert core_search(core, asked, filters=asked) == plain_found(
            plain.search(asked, filters=asked)
        )


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("alpha", [0, 1, 3]),
        ("alpha label:earn", [0]),  # the label that is the value is meant alone
        ("alpha label:EARN", [0, 1]),
        ("label:acq label:Earn", [1, 2]),
        ("lang:en", [0, 1]),
        ("lang:EN_gb", [1]),
        ("lang:e", []),
        ("lang:en label:acq", []),
        ("beta -lang:de", [0, 3]),
        ("-label:earn", [1, 2, 3]),
        ('label:"Crude-Oil"', [0]),
        ("label:crude oil", []),
        ('"alpha beta" lang:en', [0]),
        ("lang:en -beta", [1]),
        ("-label:acq -beta", [1]),
        ("nothing lang:en", []),
        ("lang:de lang:en gamma", [1, 2]),
    ],
)
def test_a_filter_leaves_documents_with_its_labels(question: str, documents: list[int]) -> None:
    assert documents_of(question) == documents


def test_counts_are_of_documents_that_pass() -> None:
    found = search("alpha beta lang:en")

    assert (found.all, found.any, found.allowed) == (1, 2, 2)
    assert found.filters == [[16, 18, 2, LANGUAGE, 2]]
    assert [word[2] for word in found.words] == [3, 3]  # of all documents


def test_a_text_of_eight_words_has_no_filters_but_those_beside_it() -> None:
    many = "alpha beta gamma mu one two three"
    found = search(f"{many} label:acq")
    pasted = search(f"{many} four label:acq")
    beside = search(f"{many} four", "label:acq")

    assert ([hit[0] for hit in found.hits], found.ignored) == ([2], False)
    assert (len(pasted.hits), pasted.ignored, pasted.filters) == (4, True, [])
    assert ([hit[0] for hit in beside.hits], beside.ignored) == ([2], False)
    assert beside.filters == [[6, 9, 1, OPTION, 1]]


def test_filters_in_a_quote_are_words() -> None:
    assert search('"alpha label:earn"').filters == []
    assert len(search('alpha" label:earn').filters) == 1


def test_labels_that_are_spelt_alike_are_named() -> None:
    labels = ("corn", "crude oil", "crude oils", "earn", "earnings", "yearn")
    documents = [Text(f"d{i}", "alpha", "", labels=(own,)) for i, own in enumerate(labels)]

    def near(value: str) -> list[str]:
        (own,) = search(f"label:{value}", "", documents).filters
        return [labels[number] for number in own[5:]]

    assert near("earns") == ["earn", "yearn", "earnings"]
    assert near('"cruede oil"') == ["crude oil", "crude oils"]
    assert near("zzz") == near("e") == near("earn") == []


def test_a_file_without_such_labels_says_so() -> None:
    texts = [replace(text, labels=("earn",)) for text in DOCUMENTS]

    assert (search("alpha lang:en", "", texts).unlabelled, documents_of("lang:en")) == (2, [0, 1])
    assert search("alpha -lang:en", "", texts).allowed == 4
    with opened(assemble(sections(texts, FF(), layout(labels=None)))) as (core, _):
        for question, unlabelled in (("label:x", 1), ("-lang:x", 2), ("lang:x label:x", 3)):
            found = core_search(core, question.encode())
            assert (found.unlabelled, found.allowed, found.hits) == (unlabelled, 0, [])


def test_no_more_than_sixteen_filters() -> None:
    found = search("label:x " * 17)

    assert (len(found.filters), found.capped, len(found.words)) == (16, True, 2)
    assert search("label:x " * 9, "label:x " * 8).capped


def test_words_of_filters_are_not_marked() -> None:
    text, asked = b"alpha label acq", b"alpha label:acq"
    places, count = ffi.new("uint64_t[]", 20), ffi.new("uint32_t *", 10)
    assert lib.pocket_mark_words(text, len(text), asked, len(asked), 0, places, count) == 0
    assert list(places[0 : 2 * count[0]]) == [0, 5]


def test_a_first_answer_reads_so_many_blocks_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [
        Text(f"d{i}", "alpha", "", labels=(f"topic {i:03} {'x' * 20}", "lang:en"))
        for i in range(300)
    ]
    data = assemble(sections(documents, FF(), layout(labels=(1, 1), posting_bits=9)))
    with opened(data) as (core, plain):
        cold = core_search(core, b"alpha lang:en", 1000, cold=True)
        assert cold == plain_found(plain.search("alpha lang:en", 1000, cold=True))
        assert (cold.allowed, cold.capped, len(cold.hits)) == (256, True, 256)
        whole = core_search(core, b"alpha lang:en", 1000)
        assert (whole.allowed, whole.capped) == (300, False)
        assert core_search(core, b'label:"topic 299"', cold=True).allowed == 0
    monkeypatch.setattr(plain_filters, "LABELLED_BLOCKS_COLD", 300)
    with opened(data) as (_, plain):
        assert plain_found(plain.search("alpha lang:en", 1000, cold=True)) != cold


def test_a_file_in_pieces_is_read_in_two_rounds() -> None:
    data = assemble(sections(DOCUMENTS, FF(), layout()))
    with in_pieces(data) as pieces, opened(data) as (core, _):
        out, text = ffi.new("pocket_search_found **"), b"alpha lang:en"
        pieces.answer(
            lambda error: lib.pocket_search(pieces.handle, text, len(text), options(10), out, error)
        )
        assert taken(out[0]) == core_search(core, text)
        assert pieces.rounds == 1  # all labels and the word together
        assert {section for section, _ in pieces.lent} == {WORDS, LABELS_KIND}
