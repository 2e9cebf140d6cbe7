"""The files of an index are what docs/format.md 13 says, read by a reader of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.site import Posting, listed, next_numbers, numbers, pages, piece, words
from pocketindex.builder.site.counting.vocabulary import Vocabulary
from pocketindex.builder.site.dictionary import dictionary, levels_of, varints
from pocketindex.builder.site.numbering import numbered, slots_for
from pocketindex.builder.site.words import PageWords
from sites import made, page, write

pytest.importorskip("resiliparse")


def index_of(site: Path) -> Path:
    pocketindex.site(site, cache=False)
    return site / "_pocketindex"


def test_every_page_is_in_a_piece_and_every_word_leads_to_it(tmp_path: Path) -> None:
    folder = index_of(write(tmp_path / "site", made(50)))
    entry, index = listed(folder)
    (language,) = index["languages"]
    found, by_slot = words(folder, language), pages(folder, language)

    assert (entry["format"], language["pages"], len(by_slot)) == (1, 50, 50)
    slots = json.loads(piece(folder, f"a-{language['all']}"))["slots"]
    assert [by_slot[slot][0] for slot in slots] == sorted(one[0] for one in by_slot.values())
    for slot, (_, _, parts) in by_slot.items():
        text = "\n".join(part[3] for part in parts).lower()
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
    found = words(folder, language)
    slot = found[b"alpha"].postings[0].slot

    assert language["letters"] == {"ß": "ss", "é": "e"}
    assert sorted(found) == [
        *(b"alpha", b"beta", b"beta\x01gamma", b"cafe", b"cafe\0caf\xc3\xa9", b"gamma", b"none"),
        b"strasse\0stra\xc3\x9fe",
    ]
    assert found[b"none"].postings == [Posting(slot, 0, 0)]
    assert found[b"alpha"].postings[0].place == 0x11
    assert found[b"beta"].postings[0].place == 0x20
    assert found[b"alpha"].postings[0].level > found[b"beta"].postings[0].level


def test_forms_have_one_stem_and_endings_have_rules(tmp_path: Path) -> None:
    verbs = ["hunt", "plant", "lift", "count", "land", "nest", "rest", "jump"]
    body = " ".join(f"{verb}s {verb}ed {verb}ing" for verb in verbs)
    folder = index_of(write(tmp_path / "site", {"a.html": page(body)}))
    (language,) = listed(folder)[1]["languages"]
    found = words(folder, language)

    assert {found[word].stem for word in (b"hunted", b"hunting", b"hunts")} == {b"hunt"}
    assert sorted(map(tuple, language["rules"])) == [("ed", "ing"), ("ed", "s"), ("ing", "s")]


@given(st.sets(st.text(max_size=8), max_size=40), st.text(max_size=8))
def test_a_page_more_moves_hardly_any_slot(addresses: set[str], other: str) -> None:
    slots = slots_for(len(addresses))
    before = {address: slot for slot, address in numbered(addresses, slots)}
    after = {address: slot for slot, address in numbered(addresses | {other}, slots)}

    assert len(set(after.values())) == len(after)
    assert all(after[address] - slot in (0, 1) for address, slot in before.items())
    assert max(16, 32 * len(addresses)) <= slots < 2 * max(16, 32 * len(addresses))


@given(st.lists(st.integers(0, 2**32)))
def test_numbers_come_back(given_numbers: list[int]) -> None:
    data, ends = varints(np.array(given_numbers, np.int64))

    assert list(numbers(data)) == given_numbers
    assert ends[-1] == len(data)
    assert [next_numbers(data, int(end))[0][0] for end in ends[:-1]] == given_numbers


@given(st.lists(st.integers(0, 2**32 - 1)))
def test_levels_rise_with_weights(weights: list[int]) -> None:
    own = np.array(sorted(weights), np.uint32)
    levels = levels_of(own).tolist()

    assert levels == sorted(levels)
    assert all((level == 0) == (weight == 0) for level, weight in zip(levels, own, strict=True))
    assert max(levels, default=0) <= 40
    assert levels_of(np.array([23, 24, 48], np.uint32)).tolist() == [8, 9, 11]


def of_ones(words: list[bytes]) -> PageWords:
    lines = b"".join(word + b"\n" for word in words)
    return PageWords(lines, np.ones(len(words), np.uint32).tobytes(), bytes([1] * len(words)), 100)


def made_now(_: bytes, make: Callable[[], bytes]) -> bytes:
    return make()


def test_a_word_more_changes_few_pieces() -> None:
    words = sorted({f"{a}{b}".encode() for a in range(1000, 1090) for b in range(60)})
    vocabulary = Vocabulary()
    own = vocabulary.counts(of_ones(words))
    more = vocabulary.counts(of_ones([*words, b"105012a"]))
    pages = [(n, own) for n in range(30)]
    before = dictionary(pages, vocabulary, "", made_now).pieces
    after = dictionary([*pages[:-1], (29, more)], vocabulary, "", made_now).pieces
    common = Counter(data for _, data in before) & Counter(data for _, data in after)

    assert len(before) > 20
    assert len(after) - common.total() <= 2
