"""Other forms of words: the classes of a file are those that stemmers and lemmas tell, and a search
finds them behind the word itself.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import PlainIndex
from pocketindex.builder import Settings, build
from pocketindex.builder.report import Report
from pocketindex.builder.write.forms import Words, endings_of
from pocketindex.builder.write.stems import language_stated

TEXTS = {
    "one": "a table with partitions and a mouse, which the manual says little of",
    "other": "each partition of the disk has a number, and this text is longer than others",
    "mice": "partitioning is what mice do not know about",
    "user_partitions": "user_partitions 7partitions are names",
}
# Enough words that most of the documents have to tell that this is English.
ENGLISH = (
    "there was nothing that they could have done about it because everyone would rather wait "
    "until the others came with what had been promised before the meeting where these questions "
    "should have been answered from the beginning through the end without any further delay"
)


def built(folder: Path, texts: dict[str, str] = TEXTS, **more: Any) -> tuple[Path, Report]:
    source, target = folder / "docs.jsonl", folder / "x.pocket"
    lines = (json.dumps({"id": name, "text": text}) for name, text in texts.items())
    source.write_text("\n".join(lines) + "\n")
    settings = Settings(**{"profile": "learn", "index": ("documents", "words"), **more})
    report = build([str(source)], target, settings)
    with pocketindex.open(target) as index:
        index.verify()
    with PlainIndex.open(target) as plain:
        plain.verify()
    return target, report


def found(path: Path, text: str, **how: Any) -> list[str]:
    with pocketindex.open(path) as index:
        return [hit.id for hit in index.search(text, **how)]


def test_the_word_itself_comes_before_its_other_forms(tmp_path: Path) -> None:
    path, report = built(tmp_path, stem="en")
    assert found(path, "partition") == ["other", "user_partitions", "one", "mice"]
    assert found(path, "Partitions") == ["user_partitions", "one", "other", "mice"]
    assert found(path, "partition -mouse")[0] == "other"
    assert report.forms.startswith("en folding-3 PyStemmer-")
    assert f"other forms of words by {report.forms}" in report.text()
    with pocketindex.open(path) as index:
        assert index.info().word_forms == report.forms
        (word,) = index.search("partition").words
        assert (word.documents, word.forms) == (1, True)
        (word,) = index.search("disk").words
        assert (word.documents, word.forms) == (1, False)


APART = {
    "en": "customer custom, animal animated, important import, negligent negligible, "
    "informal inform, conservative conserve, numerous numerical, morality morale",
    "german": "freundlich Freunde, herzig Herz, politisch Politik",
    "fr": "activiste activer, formel former, national nation",
    "es": "objetivo objeto, numeroso numérico, normalidad normales",
    "it": "numeroso numerico, operativo operazione, importabile importare",
}
TOGETHER = {
    "en": "customers customer, animals animal, removal removing, logical logic, "
    "available availability, partition partitioning, quickly quick, development developing",
    "german": "freundlicher freundlich, Herzen Herz, Verbindung verbinden",
    "fr": "importants importante, formelle formelles, activation activer",
    "es": "objetivos objetivas, numérica numéricos, configuración configurar",
    "it": "numerosi numerosa, operative operativi, azioni azione",
}


@pytest.mark.parametrize("language", APART)
def test_derived_words_are_other_words(tmp_path: Path, language: str) -> None:
    apart, together = (
        [pair.split() for pair in pairs[language].split(", ")] for pairs in (APART, TOGETHER)
    )
    words = {word: word for pair in [*apart, *together] for word in pair}
    path, report = built(tmp_path, words, stem=language)
    assert [pair for pair in apart if pair[1] in found(path, pair[0])] == []
    assert [pair for pair in together if pair[1] not in found(path, pair[0])] == []
    assert report.forms.endswith(" derived-1")


def test_languages_without_a_rule_have_stems_alone(tmp_path: Path) -> None:
    _, report = built(tmp_path, stem="sv")
    assert report.forms.startswith("sv folding-3 PyStemmer-")
    assert "derived" not in report.forms


def test_a_quote_asks_for_the_words_as_they_are(tmp_path: Path) -> None:
    path, _ = built(tmp_path, stem="en", keep="text")
    assert found(path, '"partition of"') == ["other"]
    assert found(path, '"partitions and"') == ["one"]
    assert found(path, '"partition and"') == []


def test_a_language_by_another_name(tmp_path: Path) -> None:
    path, _ = built(tmp_path, {"a": "die Häuser", "b": "ein Haus"}, stem="german")
    assert found(path, "haus") == ["b", "a"]


def test_irregular_forms_take_lemmas(tmp_path: Path) -> None:
    path, _ = built(tmp_path, stem="en")
    assert found(path, "mouse") == ["one"]
    path, report = built(tmp_path, stem="en", lemmas=True)
    assert found(path, "mouse") == ["one", "mice"]
    assert " simplemma-" in report.forms


@pytest.mark.parametrize("index", ["words", "words:4"])
@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("Straße", "STRASSE"),
        ("cœur", "coeur"),
        ("Łódź", "lodz"),
        ("smørrebrød", "smorrebrod"),
        ("Iğdır", "igdir"),
        ("þorn", "thorn"),
        ("đường", "duong"),
        ("ɓera", "bera"),
        ("ایران", "ايران"),
        ("كتــاب", "كتاب"),
    ],
)
def test_a_plain_spelling_finds_the_word(tmp_path: Path, word: str, typed: str, index: str) -> None:
    """Also where no document has it spelled so, which is behind in the other case."""
    texts = {"a": f"one {word} two", "b": "three four"}
    path, report = built(tmp_path, texts, index=("documents", index))
    assert found(path, typed) == ["a"]
    with pocketindex.open(path) as opened:
        assert not opened.search(typed).replacements
    assert report.forms == "none folding-3"
    path, _ = built(tmp_path, {**texts, "b": f"{typed} three"}, index=("documents", index))
    assert found(path, typed) == ["b", "a"]
    assert found(path, word) == ["a", "b"]
    assert found(path, f"one -{typed}") == ["a"]


def test_without_forms(tmp_path: Path) -> None:
    path, report = built(tmp_path, stem="none")
    assert found(path, "partition") == ["other"]
    assert report.forms == ""
    with pocketindex.open(path) as index:
        assert index.info().word_forms == ""


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (TEXTS, ""),  # too few words
        ({f"{i}": f"{ENGLISH} {text}" for i, text in enumerate(TEXTS.values())}, "en"),
        ({f"{i}": f"word{i} {'bato quake di ' * 40}" for i in range(9)}, ""),
    ],
)
def test_auto_takes_a_language_that_the_words_tell(
    tmp_path: Path, texts: dict[str, str], language: str
) -> None:
    _, report = built(tmp_path, texts)
    assert report.forms.partition(" ")[0] == language


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"stem": "xx"}, "stem is 'xx'; it may be auto, none, or a language"),
        ({"stem": "none", "lemmas": True}, "lemmas goes with a language; leave it away"),
    ],
)
def test_what_is_no_language(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Settings(**settings)


def test_lemmas_of_no_language_are_told(tmp_path: Path) -> None:
    _, report = built(tmp_path, lemmas=True)
    assert report.notes == ("the language of the words is not sure: no lemmas; stem names it",)


def test_a_language_without_lemmas(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="simplemma has no lemmas of 'ta'; omit lemmas"):
        built(tmp_path, stem="ta", lemmas=True)


@given(
    st.sets(st.text("abcé", min_size=1, max_size=5), max_size=60),
    st.lists(st.sampled_from([lambda word: word[:1], lambda word: word[-2:], len]), max_size=2),
)
def test_endings_lead_through_each_class(texts: set[str], ways: list[Any]) -> None:
    """And every word of a class has, with some other of it, a key in common."""
    order = sorted(word.encode() for word in texts)
    ends = np.cumsum([len(word) for word in order], dtype=np.uint64)
    words = Words(np.frombuffer(b"".join(order), np.uint8), ends)
    keys = [lambda batch, way=way: [str(way(word)) for word in batch] for way in ways]
    endings = endings_of(words, keys)
    spelled = list(spelled_apart(endings.spelled))
    after = dict[bytes, bytes]()
    for word, number in zip(order, endings.numbers.tolist(), strict=True):
        if number:
            own = endings.table[number - 1] if number <= len(endings.table) else spelled.pop(0)
            after[word] = word[: len(word) - own[0]] + own[2:]
    assert not spelled
    for word in order:
        others = {word}
        while True:
            more = {
                other
                for other in order
                if any(way(other.decode()) == way(one.decode()) for one in others for way in ways)
            }
            if more <= others:
                break
            others |= more
        ring, at = [word], after.get(word, word)
        while at != word:
            ring.append(at)
            at = after[at]
        assert sorted(ring) == sorted(others)


def spelled_apart(data: bytes) -> list[bytes]:
    found = []
    while data:
        found.append(data[: 2 + data[1]])
        data = data[2 + data[1] :]
    return found


def test_documents_tell_the_language_where_words_do_not(tmp_path: Path) -> None:
    """By more than half of them; a mixed collection has no stemmer."""
    stated = [("de", "zwei Partitionen"), ("de_AT", "eine Partition"), ("en", "x"), ("xx", "y")]

    def forms(*own: tuple[str, str]) -> str:
        documents = [{"id": f"{i}", "text": text, "lang": tag} for i, (tag, text) in enumerate(own)]
        source = tmp_path / "stated.jsonl"
        source.write_text("".join(f"{json.dumps(each)}\n" for each in documents))
        settings = Settings(profile="learn", index=("documents", "words"))
        return build([str(source)], tmp_path / "stated.pocket", settings).forms

    assert forms(*stated[:3]).startswith("de folding-3 PyStemmer-")
    assert "PyStemmer" not in forms(*stated)
    assert "PyStemmer" not in forms(*[("", text) for _, text in stated])
    assert language_stated(Counter({"nb": 2, "nn-NO": 2, "": 3})) == "no"
    assert language_stated(Counter({"xx": 9})) == language_stated(Counter()) == ""


def test_a_word_that_a_thousand_times_more_documents_have_spelled_otherwise(tmp_path: Path) -> None:
    many = {f"m{i}": f"the kingdom number {i}" for i in range(1_100)}
    path, _ = built(tmp_path, many | {"x": "a kindom", "y": "a kidom lies here"})
    with pocketindex.open(path) as index, pocketindex.open_many([path]) as alone:
        for asked in (index, alone):
            found = asked.search("kindom 17")
            assert found.text == "kingdom 17"
            assert found[0].id == "m17"
            assert found.replacements[0].documents == 1
            assert "kindom is in only 1 document; these are the hits for kingdom" in found.notes
            assert asked.search("kindom").text == "kingdom"
            assert [hit.id for hit in asked.search("kindom", replace=False)] == ["x"]
            # In quotes; one document has both words; two edits; four letters.
            for text in (
                '"kindom"',
                "a kindom",
                "kidom",
                "lies",
                "kindom a number of words is not typed",
            ):
                assert asked.search(text).text == text
    with pocketindex.open_many([path, path]) as both:
        assert both.search("kindom").text == "kindom"
    with PlainIndex.open(path) as plain, pocketindex.open(path) as index:
        for text in (
            "kindom",
            "kindom 17",
            "a kindom",
            "kidom",
            "kindon",
            "kindom knigdom",
            "lies",
        ):
            said = plain.search(text, replace=2)
            assert said
            found = index.search(text)
            assert (said.text or text.encode()) == found.text.encode()
            assert [one.documents for one in said.replacements] == [
                one.documents for one in found.replacements
            ]
