"""The files of an index are what docs/format.md 13 says, read by a reader of its own."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.site import Entry, Posting, entries, entry_of, listed, pages, piece
from plain.site import words as words_of
from pocketindex.builder.site.counting.vocabulary import Vocabulary
from pocketindex.builder.site.counting.words import PageWords, without_number
from pocketindex.builder.site.dictionary import Dictionary
from pocketindex.builder.site.numbering import numbered, slots_for
from pocketindex.builder.site.texts import cut
from sites import made, page, write

pytest.importorskip("resiliparse")


def index_of(site: Path) -> Path:
    pocketindex.site(site, cache=False)
    return site / "_pocketindex"


def test_every_page_is_in_a_piece_and_every_word_leads_to_it(tmp_path: Path) -> None:
    folder = index_of(write(tmp_path / "site", made(50)))
    entry, index = listed(folder)
    (language,) = index["languages"]
    found, by_slot = words_of(folder, language), pages(folder, language)

    assert (entry["format"], language["pages"], len(by_slot)) == (1, 50, 50)
    slots = json.loads(piece(folder, f"a-{language['all']}"))["slots"]
    assert [by_slot[slot][0] for slot in slots] == sorted(one[0] for one in by_slot.values())
    for slot, (_, _, texts) in by_slot.items():
        text = "\n".join(part[3] for parts in texts for part in parts).lower()
        own = {w.strip(".").encode() for w in text.split()}
        listed_words = {
            word
            for word, one in found.items()
            if slot in [posting.slot for posting in one.postings] and b"\x01" not in word
        }
        assert own == listed_words


def test_weights_places_and_spellings(tmp_path: Path) -> None:
    text = "<h1>Alpha</h1><h2>Beta gamma</h2><p>Café cafe straße</p><p data-pagefind-weight=0>none"
    folder = index_of(write(tmp_path / "site", {"a.html": page(text, lang="de")}))
    (language,) = listed(folder)[1]["languages"]
    found = words_of(folder, language)
    slot = found[b"alpha"].postings[0].slot

    assert language["letters"] == {"ß": "ss", "é": "e"}
    assert sorted(found) == [
        *(b"alpha", entry_of([b"alpha"]), b"beta", entry_of([b"beta", b"gamma"])),
        *(b"cafe", b"cafe\0caf\xc3\xa9", b"gamma", b"none", b"strasse\0stra\xc3\x9fe"),
    ]
    assert found[b"none"].postings == [Posting(slot, 0, 0, (0,))]
    assert found[b"alpha"].postings[0].place == 0x11
    assert found[b"beta"].postings[0].place == 0x20
    assert found[b"alpha"].postings[0].level > found[b"beta"].postings[0].level


@pytest.mark.parametrize(
    ("heading", "rest"),
    [
        ("8.15.6. Searching in Arrays", "Searching in Arrays"),
        ("2.1 Installing", "Installing"),
        ("F.29. pg_prewarm", "pg_prewarm"),
        ("B.2 Names", "Names"),
        ("Chapter 5. Data", "Data"),
        ("Appendix A. Codes", "Codes"),
        ("Kapitel 3: Hafen", "Hafen"),
        ("Part II. Servers", "Servers"),
        ("3 ways", "ways"),
        ("Python 3 release", ""),
        ("A guide", ""),
        ("C++ 11", ""),
        ("5.", ""),
        ("5. ¶", ""),
        ("3.11.2", ""),
    ],
)
def test_a_heading_is_found_without_its_number(heading: str, rest: str) -> None:
    assert without_number(heading) == rest


def test_a_heading_with_a_number_has_two_entries(tmp_path: Path) -> None:
    folder = index_of(write(tmp_path / "site", {"a.html": page("<h2 id=h>5. Old harbours</h2>")}))
    (language,) = listed(folder)[1]["languages"]
    found = words_of(folder, language)

    assert found[entry_of([b"old", b"harbours"])].postings
    assert found[entry_of([b"5", b"old", b"harbours"])].postings


def test_forms_have_one_stem_and_endings_have_rules(tmp_path: Path) -> None:
    verbs = ["hunt", "plant", "lift", "count", "land", "nest", "rest", "jump"]
    body = " ".join(f"{verb}s {verb}ed {verb}ing" for verb in verbs)
    folder = index_of(write(tmp_path / "site", {"a.html": page(body)}))
    (language,) = listed(folder)[1]["languages"]
    found = words_of(folder, language)

    assert {found[word].stem for word in (b"hunted", b"hunting", b"hunts")} == {b"hunt"}
    rules = set(map(tuple, language["rules"]))
    assert {("", "s"), ("ed", "ing"), ("ed", "s"), ("ing", "s")} <= rules


@given(
    st.dictionaries(st.text(max_size=8), st.integers(1, 8), max_size=40),
    st.text(max_size=8),
    st.integers(1, 8),
)
def test_a_page_more_moves_hardly_any_slot(texts: dict[str, int], other: str, number: int) -> None:
    slots = slots_for(len(texts))
    number = texts.get(other, number)
    before = {address: slot for slot, address in numbered(texts, slots)}
    after = {address: slot for slot, address in numbered({**texts, other: number}, slots)}
    taken = [
        after[address] + n for address in after for n in range({**texts, other: number}[address])
    ]

    assert len(set(taken)) == len(taken)
    assert all(0 <= after[address] - slot <= number for address, slot in before.items())
    assert max(16, 32 * len(texts)) <= slots < 2 * max(16, 32 * len(texts))


def test_a_long_page_has_several_texts_and_a_word_says_which(tmp_path: Path) -> None:
    words = [f"{a}{b}" for a in "bcdfghjklm" for b in ("alla", "orro", "ussi", "intu", "elle")]
    sections = "".join(
        f"<h2 id=s{n}>{n}. Section {word}</h2><p>{word} {'filler ' * 400}</p>"
        for n, word in enumerate(words)
    )
    folder = index_of(
        write(
            tmp_path / "site", {"long.html": page(f"<h1>Long</h1>{sections}"), "b.html": page("b")}
        )
    )
    (language,) = listed(folder)[1]["languages"]
    found, by_slot = words_of(folder, language), pages(folder, language)
    ((slot, texts),) = ((slot, own[2]) for slot, own in by_slot.items() if own[0] == "long.html")
    whole = [" ".join(part[3] for part in parts) for parts in texts]

    assert len(texts) == 8
    assert all(len(text) <= 24_000 for text in whole[:-1])
    assert [part[0] for parts in texts for part in parts] == ["", *(f"s{n}" for n in range(50))]
    assert found[b"filler"].postings == [
        Posting(slot, found[b"filler"].postings[0].level, 0, tuple(range(8)))
    ]
    for word in words:
        (home,) = (n for n, text in enumerate(whole) if word in text)
        assert found[word.encode()].postings[0].texts == (home,)
        assert found[entry_of([b"section", word.encode()])].postings[0].texts == (home,)


@given(st.lists(st.text("ab\n", max_size=60), min_size=1, max_size=60))
def test_texts_hold_all_of_a_page_in_its_order(blocks: list[str]) -> None:
    parts = [(f"id{n}", f"Part {n}", 2, block * 200) for n, block in enumerate(blocks)]
    texts = cut(parts)
    whole = dict[str, list[str]]()
    for id, title, level, text in (part for own in texts for part in own):
        assert (title, level) == (f"Part {id[2:]}", 2)
        whole.setdefault(id, []).append(text)

    assert [(id, "\n".join(own)) for id, own in whole.items()] == [(p[0], p[3]) for p in parts]
    assert len(texts) <= 8
    assert all(texts)


def dictionary(
    pages: list[tuple[int, dict[bytes, tuple[int, int]]]], language: str = ""
) -> list[tuple[bytes, bytes]]:
    """Return the pieces of the dictionary of some pages. pages: the slot of each one, and the
    weight and the place of each of its words.
    """
    vocabulary = Vocabulary()
    counts = [(slot, vocabulary.counts(page_of(own))) for slot, own in pages]
    return list(Dictionary(lambda: counts, vocabulary.lines, language).pieces())


def page_of(own: dict[bytes, tuple[int, int]]) -> PageWords:
    lines = b"".join(word + b"\n" for word in own)
    weights = array("I", [weight for weight, _ in own.values()])
    return PageWords(lines, weights.tobytes(), bytes(place for _, place in own.values()))


def read(pieces: list[tuple[bytes, bytes]]) -> dict[bytes, Entry]:
    return {word: entry for _, data in pieces for word, entry in entries(data, {})}


LETTERS = st.text("ab\u00e9", min_size=1, max_size=4).map(str.encode)
OWN = st.dictionaries(
    st.one_of(LETTERS, LETTERS.map(lambda word: word + b"\0a"), LETTERS.map(lambda w: w + b"\1a")),
    st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 255)),
)


@given(st.dictionaries(st.integers(0, 2**31), OWN, max_size=8))
def test_what_pages_say_of_words_comes_back(pages: dict[int, dict[bytes, tuple[int, int]]]) -> None:
    found = read(dictionary(sorted(pages.items())))
    words = {word for own in pages.values() for word in own}

    assert list(found) == sorted(words)
    for word, entry in found.items():
        assert entry.stem == word.partition(b"\0")[0]
        assert [(one.slot, one.level, one.place) for one in entry.postings] == [
            (slot, level_of(own[word][0]), own[word][1])
            for slot, own in sorted(pages.items())
            if word in own
        ]


def level_of(weight: int) -> int:
    """As docs/format.md says, with squares in place of the numbers."""
    return (weight > 0) + sum(
        Fraction(weight, 24) ** 2 >= Fraction(2) ** step for step in range(-7, 32)
    ) * (weight > 0)


def test_levels_of_weights() -> None:
    weights = [0, 1, 2, 3, 23, 24, 33, 34, 48, 2**21, 2**22, 2**32 - 1]
    (entry,) = read(dictionary([(n, {b"w": (w, 0)}) for n, w in enumerate(weights)])).values()

    assert [one.level for one in entry.postings] == [*(0, 1, 1, 3, 8, 9, 9, 10, 11), *(40,) * 3]


def test_a_word_more_changes_few_pieces() -> None:
    words = sorted({f"{a}{b}".encode() for a in range(1000, 1090) for b in range(60)})
    own = dict.fromkeys(words, (1, 1))
    pages = [(n, own) for n in range(30)]
    before = dictionary(pages)
    after = dictionary([*pages[:-1], (29, {**own, b"105012a": (1, 1)})])
    common = Counter(data for _, data in before) & Counter(data for _, data in after)

    assert len(before) > 20
    assert len(after) - common.total() <= 2


def test_pieces_are_the_same_however_many_are_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    own = dict.fromkeys([f"{a}{b}".encode() for a in range(100, 150) for b in range(60)], (9, 2))
    pages = [(n, own) for n in range(9)]
    whole = dictionary(pages)
    monkeypatch.setattr("pocketindex.builder.site.dictionary.MOST", 20_000)

    assert len(whole) > 5
    assert dictionary(pages) == whole


def test_pages_that_say_something_else_the_second_time_are_an_error() -> None:
    vocabulary = Vocabulary()
    one = vocabulary.counts(page_of({b"a": (1, 1)}))
    two = vocabulary.counts(page_of({b"a": (1, 1), b"b": (1, 1)}))
    far = 1 << 20
    for first, second in (
        ([(1, one)], [(1, one), (2, one)]),
        ([(1, one)], [(far, one)]),
        ([(1, two)], [(1, two._replace(texts=b"\1\1"))]),
    ):
        turns = iter([first, second])
        words = Dictionary(turns.__next__, vocabulary.lines, "")
        with pytest.raises(ValueError, match="argument"):
            list(words.pieces())
    unknown = one._replace(numbers=two.numbers[4:])
    with pytest.raises(ValueError, match="argument"):
        Dictionary(lambda: [(1, unknown)], b"a\n", "")
