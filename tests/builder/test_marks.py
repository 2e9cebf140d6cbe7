"""Marks that tell words apart, those of Vietnamese: words of a file keep them, a plain spelling
finds them all, and sketches tell texts apart that differ in nothing else.
"""

from __future__ import annotations

import json
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from plain import PlainIndex
from pocketindex.builder import Settings, build
from pocketindex.queries.word_search import search

TEXTS = {
    "năm": "năm người đi về phía bắc trong một mùa mưa dài",
    "nam": "nam giới ở phía đông của con sông lớn",
    "nấm": "nấm mọc ở trong rừng vào những ngày mưa",
    "hoà": "hoà bình là điều mà ai cũng muốn có",
    "hòa": "chúng tôi sống trong hòa bình từ lâu rồi",
    "plain": "nguoi viet khong dau van co the doc duoc",
}


def built(folder: Path, texts: dict[str, str] = TEXTS, **more: Any) -> Path:
    source, target = folder / "docs.jsonl", folder / "x.pocket"
    lines = (json.dumps({"id": name, "text": text}) for name, text in texts.items())
    source.write_text("\n".join(lines) + "\n")
    build(
        [str(source)],
        target,
        Settings(**{"profile": "learn", "index": ("documents", "words"), **more}),
    )
    with pocketindex.open(target) as index:
        index.verify()
    with PlainIndex.open(target) as plain:
        plain.verify()
    return target


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("marks"))


def found(path: Path, text: str, **how: Any) -> list[str]:
    with pocketindex.open(path) as index:
        return [hit.id for hit in index.search(text, **how)]


def test_a_word_with_marks_finds_itself_and_behind_it_its_plain_spelling(path: Path) -> None:
    assert found(path, "năm") == ["năm", "nam"]
    assert found(path, "nấm rừng")[0] == "nấm"
    assert "năm" not in found(path, "nấm rừng")


def test_a_plain_spelling_finds_every_word_that_it_may_stand_for(path: Path) -> None:
    assert found(path, "nam")[0] == "nam"
    assert set(found(path, "nam")) == {"nam", "năm", "nấm"}


def test_a_plain_word_beside_one_with_marks_is_itself(path: Path) -> None:
    assert set(found(path, "nam bắc")) == {"nam", "năm"}
    assert found(path, "nam giới") == ["nam"]


def test_a_plain_text_is_found_by_words_with_marks(path: Path) -> None:
    assert found(path, "người") == ["năm", "plain"]


@pytest.mark.parametrize("typed", ["hoà", "hòa", "HOÀ", "hoa\u0300", "HO\u0300A"])
def test_a_tone_is_the_same_wherever_it_is_written(path: Path, typed: str) -> None:
    assert set(found(path, typed)) == {"hoà", "hòa"}


def test_a_beginning_is_looked_for_by_its_letters_and_the_marks_that_were_typed(path: Path) -> None:
    assert set(found(path, "na*")) == {"nam", "năm"} | {"nấm"}
    assert found(path, "nấ*") == ["nấm"]
    assert found(path, "nă", prefix=True) == ["năm"]


def test_a_word_with_marks_that_no_text_has_stands_for_all_with_its_letters(path: Path) -> None:
    assert found(path, "rứng") == ["nấm"]
    assert set(found(path, "nạm")) == {"nam", "năm", "nấm"}
    with pocketindex.open(path) as index:
        assert index.search("nạm").words[0].forms


def test_documents_that_may_have_several_spellings_are_not_counted_twice(tmp_path: Path) -> None:
    both = {f"{i}": "nam giới và năm người" for i in range(4)}
    target = built(tmp_path, both | {f"{i}": "đi về phía bắc" for i in range(4, 8)})
    with pocketindex.open(target) as index, PlainIndex.open(target) as plain:
        own, other = index.search("nam"), plain.search("nam")
    assert other
    assert own.words[0].documents == other.words[0].documents == 6  # 4 + 4 - 4 * 4 / 8
    assert len(own) == 4


def test_exact_words_are_those_that_were_typed(path: Path) -> None:
    with pocketindex.open(path) as index:
        hits = search(index, "nam", 5, prefix=False, group=False, exact=True)
    assert [hit.id for hit in hits] == ["nam"]


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    ("typed", "hits"),
    [
        ('"nam gioi"', {"nam"}),
        ('"nguoi di"', {"năm"}),
        ('"hoa binh"', {"hoà", "hòa"}),
        ('"người đi"', {"năm"}),
        ('"ngươi đi"', set()),  # with other marks than a text has
        ('"người viết"', {"plain"}),  # the text has none
        ("trong -nam", {"năm", "nấm", "hòa"}),  # what is excluded is so as it was typed
        ('trong -"mua dai"', {"năm", "nấm", "hòa"}),
        ('trong -"mùa mưa"', {"nấm", "hòa"}),
    ],
)
def test_a_word_in_quotes_finds_what_its_letters_find(
    tmp_path: Path, typed: str, hits: set[str], exact: bool
) -> None:
    target = built(tmp_path, keep="text")
    with pocketindex.open(target) as index, PlainIndex.open(target) as plain:
        own = search(index, typed, 9, prefix=False, group=False, exact=exact)
        other = plain.search(typed, top=9, exact=exact)
    assert other
    assert [hit.number for hit in own] == [hit.document for hit in other.hits]
    if not exact:
        assert {hit.id for hit in own} == hits


def test_the_answer_says_that_a_quoted_word_stands_for_other_spellings(tmp_path: Path) -> None:
    target = built(tmp_path, keep="text")
    with pocketindex.open(target) as index:
        assert index.search('"nguoi di"').notes == [
            "nguoi, di also stand for other spellings, with or without accents"
        ]
        assert index.search('"hoa binh"').notes == [
            "hoa, binh also stand for other spellings, with or without accents"
        ]
        assert index.search('"trong rừng"').notes == []
        assert index.search('"giới ở"').notes == []


@pytest.mark.parametrize(
    ("typed", "hits", "instead"),
    [
        ("mueller", ["de"], "muller"),
        ("uebergang", ["de"], "ubergang"),
        ("Aarhus", ["da"], "arhus"),
        ("oel", ["de"], "ol"),
        ("goethe", ["da"], None),  # a document has it
        ("queue", [], None),
        ("muel", [], None),
    ],
)
def test_a_letter_and_e_stand_for_an_umlaut_where_no_document_has_them(
    tmp_path: Path, typed: str, hits: list[str], instead: str | None
) -> None:
    texts = {"de": "Müller mahlt Öl im Übergang", "da": "Goethe war nie in Århus"}
    target = built(tmp_path, texts)
    with pocketindex.open(target) as index, PlainIndex.open(target) as plain:
        own, other = index.search(typed), plain.search(typed, replace=True)
    assert other
    assert [hit.id for hit in own] == hits
    assert [one.instead for one in own.replacements] == ([instead] if instead else [])
    assert [hit.number for hit in own] == [hit.document for hit in other.hits]


NAMES = {
    "umlaut": "Müller kam nach Köln",
    "plain": "Muller kam nach Koln",
    "macron": "Mu\u0304ller kam nach Köln",
    "both": "der Müller und der Muller",
    "long": "ein Übergangsmetall und ein Übergang",
    "long plain": "ein Ubergangsmetall und ein Ubergang",
}


@pytest.mark.parametrize(
    ("typed", "first", "others"),
    [
        ("Müller", {"umlaut", "both"}, {"plain", "macron"}),
        ('"Müller"', {"umlaut", "both"}, {"plain", "macron"}),
        ("Muller", {"umlaut", "plain", "macron", "both"}, set()),
        ("Köln", {"umlaut", "macron"}, {"plain"}),
        ("Übergang", {"long"}, {"long plain"}),
        ("Übergangsmetall", {"long", "long plain"}, set()),  # has more than ten letters
        ("Möller", set(), set()),
        ("Mu\u0308\u0304ller", {"umlaut", "plain", "macron", "both"}, set()),  # nobody has it so
    ],
)
def test_a_word_of_any_language_prefers_documents_that_have_its_marks(
    tmp_path: Path, typed: str, first: set[str], others: set[str]
) -> None:
    target = built(tmp_path, NAMES)
    with pocketindex.open(target) as index:
        answer = index.search(typed, replace=False)
    found = [hit.id for hit in answer]
    assert set(found[: len(first)]) == first
    assert set(found[len(first) :]) == others
    assert not found or answer.words[0].documents == len(first)
    assert answer.words[0].forms == bool(others)


def test_marks_count_beside_other_words_and_exclude_nothing_else(tmp_path: Path) -> None:
    target = built(tmp_path, NAMES)
    assert found(target, "kam nach Müller")[0] == "umlaut"
    assert set(found(target, "kam -Müller")) == set()
    assert set(found(target, "Müll*")) == {"umlaut", "plain", "macron", "both"}
    assert set(found(target, "Müll", prefix=True)) == {"umlaut", "plain", "macron", "both"}


def test_of_files_that_are_asked_together_those_with_the_marks_come_first(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = built(tmp_path / "a", {"plain": "Muller", "other": "Muller kam", "x": "nach"})
    two = built(tmp_path / "b", {"umlaut": "Müller kam über den Rhein und blieb", "y": "Rhein"})
    with pocketindex.open_many([one, two]) as index:
        first, *others = (hit.id for hit in index.search("Müller"))
    assert first == "umlaut"
    assert set(others) == {"plain", "other"}


def test_words_in_a_row_are_found_however_they_are_spelled(tmp_path: Path) -> None:
    target = built(tmp_path, NAMES, keep="text")
    assert set(found(target, '"Müller kam"')) == {"umlaut", "plain", "macron"}
    assert found(target, 'Müller "kam nach"')[0] == "umlaut"


@pytest.mark.parametrize("letters", [6, 7, 8])
def test_a_word_is_found_whose_spelling_begins_the_next_block(letters: int, tmp_path: Path) -> None:
    """A word of seven bytes and its spelling have the same first eight, with zeros at the end."""
    signs = "bcdfghjk"
    words = ["".join(one) + "ü" + "x" * (letters - 5) for one in product(signs, repeat=4)]
    target = built(tmp_path, {"all": " ".join(words), "plain": " ".join(words).replace("ü", "u")})
    with PlainIndex.open(target) as plain:
        assert plain.words is not None
        apart = [
            one.word.decode()
            for one, other in pairwise(plain.words.every())
            if one.blocks[0][0] != other.blocks[0][0] and other.word.startswith(one.word + b"\0")
        ]
    assert apart
    with pocketindex.open(target) as index:
        for word in apart:
            assert [hit.id for hit in index.search(word.replace("u", "ü"))] == ["all", "plain"]


def test_titles_are_found_with_and_without_marks(tmp_path: Path) -> None:
    source, target = tmp_path / "docs.jsonl", tmp_path / "x.pocket"
    rows = [{"id": title, "title": title, "text": "một hai ba"} for title in ("Hà Nội", "Hạ Nội")]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build([str(source)], target, Settings(profile="learn", index=("documents", "words")))
    with pocketindex.open(target) as index:
        plain, marked = (index.titles(text) for text in ("ha noi", "hà nội"))
    assert {record.id for record in plain} == {"Hà Nội", "Hạ Nội"}
    assert [record.id for record in marked] == ["Hà Nội"]


def test_no_word_with_marks_is_replaced_by_another(path: Path) -> None:
    with pocketindex.open(path) as index:
        assert not index.search("nhiễu").replacements


def test_texts_that_differ_in_marks_alone_have_different_sketches(tmp_path: Path) -> None:
    words = (
        *("ma", "mua", "nam", "ban", "cam", "tam", "lan", "hang", "thang", "sang", "dang"),
        *("vang", "tinh", "minh", "linh", "cu", "tu"),
    )
    tones = ("\u0300", "\u0301", "\u0309", "\u0303", "\u0323")

    def text(at: int) -> str:
        """The words, each with a tone behind its first vowel."""
        out = []
        for i, word in enumerate(words):
            place = next(k for k, letter in enumerate(word) if letter in "aeiou") + 1
            out.append(word[:place] + tones[(at + i) % 5] + word[place:])
        return " ".join(out)

    target = built(tmp_path, {f"{at}": text(at) for at in range(5)}, index=("documents",))
    with pocketindex.open(target) as index:
        hits = index.query(text(3), top=5, min_similarity=0)
    assert hits[0].id == "3"
    assert all(hit.similarity < 0.5 for hit in hits[1:])
