"""`pocketindex search`, and Index.search: what a few words find, and what is said about it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from plain_layout import FF, Settings, Text
from plain_writer import write
from pocketindex.queries.marked import excerpt, marks
from run_command import run
from word_blocks import WordSettings

LAYOUT = Settings(posting_bits=6, keep="text", room=400, words=WordSettings(most=2))
DOCUMENTS = [
    Text("a", "The volcano of Iceland is asleep", "Hekla", "https://example.org/a"),
    Text("b", "The volcano of Iceland is awake, and so is a second volcano", "Katla"),
    Text("c", "In Iceland there are sheep", "Sheep"),
    Text("d", "New York has no volcano but a subway", "New York"),
    Text("e", "York has a new wall", "York"),
    Text("f", "東京都の火山", "東京"),
]


def file(path: Path, documents: list[Text] = DOCUMENTS, layout: Settings = LAYOUT) -> Path:
    path.write_bytes(write(documents, FF(), layout))
    return path


@pytest.fixture
def pocket(tmp_path: Path) -> Path:
    return file(tmp_path / "a.pocket")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("volcano iceland", "bacd"),
        ("VOLCANO -iceland", "d"),
        ('"new york"', "d"),
        ('"new york" wall', "d"),
        ('york -"new york"', "e"),
        ("hekla", "a"),
        ("火", "f"),
        ("nothing such", ""),
        ("", ""),
    ],
)
def test_what_is_found(pocket: Path, text: str, ids: str) -> None:
    with pocketindex.open(pocket) as index:
        assert "".join(hit.id for hit in index.search(text)) == ids


def test_an_answer(pocket: Path) -> None:
    with pocketindex.open(pocket) as index:
        found = index.search("volcano nowhere iceland", top=2)
        assert [(word.word, word.documents) for word in found.words] == [
            ("volcano", 3),
            ("nowhere", 0),
            ("iceland", 3),
        ]
        assert (found.all, found.any, found.wanted, len(found)) == (2, 4, 2, 2)
        assert found[0].score > found[1].score > 0  # it has one of them twice
        assert (found[0].title, found[0].url, found[0].words) == (
            "Katla",
            "",
            2,
        )
        assert found.notes == ["nowhere is in no document"]
        assert index.search("volc").hits == ()
        assert len(index.search("volc", prefix=True)) == 3
        for top in (0, 1001):
            with pytest.raises(ValueError, match=f"top is {top}; it must be between 1 and 1000"):
                index.search("volcano", top=top)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("volcano -iceland", "d"),
        ("volcano -is", "abd"),  # two letters
        ("volcano --iceland", "abcd"),
        ("volcano - iceland", "abcd"),
        ("-iceland volcano", "abcd"),
        ("volcano-iceland", "abcd"),
        ("volcano -2iceland", "abd"),
        ('"second volcano" -asleep', "b"),
        ("火山 -東京", ""),
        ("volcano -iceland -york", ""),
        ("volcano of iceland is asleep with sheep -awake", "abcd"),
        ('in "iceland are" there is no such thing', "abcd"),
        ("volc* sheep", "abcd"),
        ("ice* -asleep", "bc"),
        ("volc*xyz", ""),
        ("*volc*", ""),
    ],
)
def test_what_is_syntax(pocket: Path, text: str, ids: str) -> None:
    with pocketindex.open(pocket) as index:
        found = index.search(text)
        assert "".join(sorted(hit.id for hit in found)) == ids
        assert found.ignored == (len(text.split()) > 7)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("the compiler of C++ is old", "C++"),
        ("a server in Node.js runs", "nodejs"),
        ("call foo_bar_baz before", "bar_baz"),
        ("the camelCaseName parser", "camel case name"),
        ("the XMLHttpRequest object", "xml http request"),
        ("his WiFi is slow", "wi fi"),
        ("his wi-fi is slow", "wifi"),
        ("an email came", "e-mail"),
        ("it costs 1250000 pounds", "1,250,000"),
        ("it costs 1 250 000 kroner", "1250000"),
        ("the US army", "U.S."),
        ("the U.S. army", "US"),
        ("they don't know", "dont"),
        ("the O'Briens came", "OBriens"),
        ("Iceland is far", "Iceland's"),
        ("the zero\u200bwidth word", "zero width"),
        ("I like 👩\u200d💻 work", "👩\u200d💻"),
        ("TCP/IP is used", '"tcp ip"'),
        ("C++ code", '"c++ code"'),
    ],
)
def test_a_name_is_found_as_people_write_it(tmp_path: Path, text: str, asked: str) -> None:
    with pocketindex.open(file(tmp_path / "n.pocket", [*DOCUMENTS, Text("x", text)])) as index:
        found = index.search(asked)
        assert found[0].id == "x"
        assert found[0].words == found.wanted


@pytest.mark.parametrize(
    ("meant", "other", "asked"),
    [
        ("a compiler of C", "a compiler of C++", "C"),
        ("a compiler of C++", "a compiler of C", "C++"),
        ("a compiler of C#", "a compiler of C++", "C#"),
        ("the code foo_bar", "the code foo", "foo_bar"),
    ],
)
def test_names_that_differ(tmp_path: Path, meant: str, other: str, asked: str) -> None:
    documents = [Text("other", other), Text("meant", meant)]
    with pocketindex.open(file(tmp_path / "n.pocket", documents)) as index:
        assert index.search(asked)[0].id == "meant"


def test_a_run_of_characters_comes_first_and_is_not_said_to_be_there(tmp_path: Path) -> None:
    """Documents with its pieces apart come behind those that have it as a whole."""
    own = [Text(f"n{i}", "東京と京都") for i in range(3)]
    own += [Text("p0", "京都の東京タワー、都の 東京都"), *DOCUMENTS]
    whole = file(tmp_path / "w.pocket", own)
    with pocketindex.open(whole) as index:
        found = index.search("東京都")
        assert {hit.id for hit in found[:2]} == {"p0", "f"}
        assert [hit.words for hit in found] == [2, 2, 1, 1, 1]
        assert (found.all, found.any, found.pieces) == (2, 5, False)
        assert not index.search("東京 京都").pieces
        assert {hit.id for hit in index.search("都")} >= {"p0", "f", "n0"}
    bare = file(tmp_path / "b.pocket", own, replace(LAYOUT, keep=""))
    with pocketindex.open(bare) as index:
        found = index.search("東京都")
        assert {hit.words for hit in found} == {1}
        assert (found.all, found.pieces, len(found)) == (5, True, 5)
    done = run("search", bare, "東京都")
    assert done.stderr == "up to 5 documents may have all words, 5 have a part of one\n"


def test_titles_are_found_by_any_word(tmp_path: Path) -> None:
    titles = ["Volcanoes of Iceland", "Iceland", "The light of Iceland", "Light bulb", "Bulbs"]
    named = [Text(f"t{i}", "some text about iceland bulb", title) for i, title in enumerate(titles)]
    path = file(tmp_path / "t.pocket", named, replace(LAYOUT, titles=3))
    with pocketindex.open(path) as index:
        for asked, first, ids in (
            ("ice", "t1", "012"),
            ("light", "t3", "23"),
            ("iceland light", "t2", "2"),
            ("bulb", "t4", "34"),
            ("of", "t0", "02"),
            ("text", None, ""),
        ):
            found = [record.id for record in index.titles(asked)]
            assert sorted(found) == [f"t{i}" for i in ids], asked
            assert not found or found[0] in (first, "t2"), asked
    done = run("titles", path, "iceland")
    assert done.stdout.splitlines()[0].split("\t")[0] == "t1"
    assert len(done.stdout.splitlines()) == 3
    without = file(tmp_path / "u.pocket", named)
    with pocketindex.open(without) as index:
        assert {record.id for record in index.titles("bulb")} == {"t3", "t4"}


def test_a_beginning_with_many_completions_loses_no_document(tmp_path: Path) -> None:
    many = [Text(f"m{i}", " ".join(f"conf{k:03}" for k in range(80))) for i in range(3)]
    one = Text("one", "the configurable partition")
    with pocketindex.open(file(tmp_path / "m.pocket", [*many, one])) as index:
        assert index.search("partition conf", prefix=True)[0].words == 2


@pytest.mark.parametrize(
    ("text", "how", "instead", "ids"),
    [
        ("volcnao", "spelled", "volcano", "abd"),
        ("volcanoo iceland", "spelled", "volcano", "abcd"),
        ("icelnad sheap", "spelled", "iceland", "abc"),
        ("newyork", "parted", "new york", "de"),
        ("is land", "joined", "island", "x"),
        ("jumpsuit wall", "spelled", "jumpsuits", "ex"),
        ('"volcnao"', None, None, ""),
        ("colcano", None, None, ""),  # another first letter
        ("wal", None, None, ""),  # too short
        ("volcnao-lava", None, None, ""),
        ("volcnao*", None, None, ""),
        ("wallsubway", None, None, ""),  # no neighbours
    ],
)
def test_a_word_that_no_document_has(
    tmp_path: Path, text: str, how: str | None, instead: str | None, ids: str
) -> None:
    path = file(tmp_path / "w.pocket", [*DOCUMENTS, Text("x", "an island of jumpsuits")])
    with pocketindex.open(path) as index, pocketindex.open_many([path, path]) as both:
        for found in (index.search(text), both.search(text)):
            assert {hit.id for hit in found} == set(ids)
            if how is None:
                assert not found.replacements
                assert found.text == text
                continue
            first = found.replacements[0]
            assert (first.how, first.instead) == (how, instead)
            assert (
                f"{first.word} is in no document; these are the hits for {instead}" in found.notes
            )
            assert str(instead) in found.text
        assert not index.search(text, replace=False).replacements
    done = run("search", path, text)
    assert ("is in no document; these are the hits for" in done.stderr) == (how is not None)


def test_a_word_is_as_rare_in_one_file_as_in_the_other(tmp_path: Path) -> None:
    """The score is that of one file with the documents of both; before, rare words of a large file
    were worth more than those of a small one.
    """
    large = [Text(f"l{i}", "a quiet harbour and a meadow") for i in range(40)]
    small = [Text("s0", "volcano"), Text("s1", "a volcano and a meadow"), Text("s2", "volcano")]
    large[7] = Text("l7", "a quiet volcano and a meadow")
    paths = [file(tmp_path / f"{i}.pocket", own) for i, own in enumerate((large, small))]
    one = file(tmp_path / "one.pocket", [*large, *small])
    with pocketindex.open_many(paths) as both, pocketindex.open(one) as index:
        for asked in ("volcano", "meadow volcano", "quiet -harbour"):
            found = {hit.id: round(hit.score) for hit in both.search(asked, 50)}
            expected = {hit.id: round(hit.score) for hit in index.search(asked, 50)}
            assert found.keys() == expected.keys()
            assert max(abs(found[id] - expected[id]) for id in found) <= 1
        alone = pocketindex.open(paths[0])
        assert alone.search("volcano")[0].score > both.search("volcano")[0].score
        alone.close()


def test_two_files_score_as_one_with_the_documents_of_both(tmp_path: Path) -> None:
    """Also where each lacks a word of the other, whose documents then have not all words."""
    texts = [Text("a", "volcano ash"), Text("b", "volcano sheep")]
    paths = [file(tmp_path / f"{text.id}.pocket", [text]) for text in texts]
    with pocketindex.open(file(tmp_path / "all.pocket", texts)) as index:
        one = index.search("volcano ash sheep")
    with pocketindex.open_many(paths) as both:
        joint = both.search("volcano ash sheep")
    assert [(hit.id, hit.score, hit.words) for hit in joint] == [
        (hit.id, hit.score, hit.words) for hit in one
    ]
    assert (joint.all, joint.any) == (one.all, one.any) == (0, 2)


def test_each_file_knows_its_words_when_one_is_replaced(tmp_path: Path) -> None:
    """A word that one of two files has is asked of both as it is."""
    one = file(tmp_path / "one.pocket")
    other = file(tmp_path / "other.pocket", [Text("x", "a volcnao is misspelt here")])
    with pocketindex.open_many([one, other]) as both:
        found = both.search("volcnao")
        assert [hit.id for hit in found] == ["x"]
        assert not found.replacements
        found = both.search("volcanno")
        assert found.replacements[0].instead == "volcano"
        assert {hit.id for hit in found} == {"a", "b", "d"}


def test_what_is_left_out_is_named(pocket: Path) -> None:
    said = 'documents with second or "in iceland" are left out'
    with pocketindex.open(pocket) as index:
        found = index.search('volcano -second -"in iceland"')
        assert (found.excluded, found.notes) == (["second", '"in iceland"'], [said])
        found = index.search('the volcano of "iceland is" asleep and so -awake')
        assert found.notes == [
            "in a search for eight words or more, quotation marks, minus signs and filters have "
            "no effect"
        ]
    done = run("search", pocket, "volcano", "sheep", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[-1])["any"] == 4


def test_quotes_where_no_texts_are_kept(tmp_path: Path) -> None:
    path = file(tmp_path / "b.pocket", layout=replace(LAYOUT, keep=""))
    with pocketindex.open(path) as index:
        found = index.search('"new york"')
        assert {hit.id for hit in found} == {"d", "e"}
        assert found.unchecked == (str(path),)
        assert found.notes == [
            "b.pocket keeps no whole texts, so only the words of quotes were searched for there"
        ]


def test_groups(tmp_path: Path) -> None:
    same = [replace(DOCUMENTS[1], id=f"b{i}") for i in range(3)]
    path = file(tmp_path / "c.pocket", [*same, DOCUMENTS[3]])
    with pocketindex.open(path) as index:
        alone, grouped = index.search("second volcano"), index.search("second volcano", group=True)
        assert len(alone) == 4
        assert grouped[0].id == "b0"
        assert {"b1", "b2"} <= {hit.id for hit in grouped[0].like}
        assert len(grouped) + sum(len(hit.like) for hit in grouped) == 4


def test_several_files(tmp_path: Path) -> None:
    one, other = (file(tmp_path / f"{i}.pocket", DOCUMENTS[3 * i : 3 * i + 3]) for i in range(2))
    with pocketindex.open_many([one, other]) as both:
        found = both.search("volcano iceland")
        assert {hit.id for hit in found[:2]} == {"a", "b"}
        assert {hit.file for hit in found} == {str(one), str(other)}
        assert found.words[0].documents == 3
        assert found.any == 4


def test_the_command(pocket: Path) -> None:
    done = run("search", pocket, "volcano -second")
    assert done.returncode == 0
    assert done.stderr == "2 documents have the word; documents with second are left out\n"
    lines = done.stdout.splitlines()
    assert lines[0].startswith("  1.")
    assert any("Hekla  <https://example.org/a>" in line for line in lines)
    assert "       The volcano of Iceland is asleep" in lines

    done = run("search", pocket, "iceland volcano nowhere")
    assert done.stderr == ("2 documents have all words, 4 one of them; nowhere is in no document\n")


def test_json_and_standard_input(pocket: Path) -> None:
    done = run("search", pocket, "-", "--json", "--top", "1", stdin="volcano iceland")
    found, answer = map(json.loads, done.stdout.splitlines())
    assert answer == {
        "words": [
            {"word": word, "documents": 3}
            | dict.fromkeys(("excluded", "quoted", "prefix", "partial", "forms"), False)
            for word in ("volcano", "iceland")
        ],
        "all": 2,
        "any": 4,
        "capped": False,
        "unchecked": False,
        "ignored": False,
        "pieces": False,
        "replacements": [],
        "filters": [],
        "allowed": None,
        "unlabelled": False,
        "notes": [],
    }
    assert list(found) == ["rank", "id", "title", "url", "score", "words", "file"]
    assert (found["rank"], found["id"], found["words"]) == (1, "b", 2)


def test_nothing_found(pocket: Path) -> None:
    done = run("search", pocket, "nowhere")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "no document has any of these words; nowhere is in no document\n"
    for nothing in ("!", '"-"'):
        done = run("search", pocket, "--", nothing)
        assert (done.returncode, done.stderr) == (1, "this has no word to search for\n")
    done = run("search", pocket, "--", "-iceland")
    assert (done.returncode, done.stderr) == (0, "3 documents have the word\n")
    done = run("search", pocket, "iceland -iceland")
    said = (
        "every document with these words also has a word that was excluded; documents with iceland "
        "are left out\n"
    )
    assert (done.returncode, done.stderr) == (1, said)


def test_what_is_refused(pocket: Path, tmp_path: Path) -> None:
    done = run("search", pocket, "a", "--top", "0")
    assert done.returncode == 2
    assert "top is 0; it must be between 1 and 1000" in done.stderr
    assert run("search", pocket).returncode == 2
    bare = file(tmp_path / "d.pocket", layout=replace(LAYOUT, words=None))
    done = run("search", bare, "a")
    assert done.returncode == 2
    assert "words" in done.stderr
    data = bytearray(pocket.read_bytes())
    data[-1] ^= 1
    pocket.write_bytes(data)
    done = run("search", pocket, "york")
    assert done.returncode == 3
    assert "section words" in done.stderr


@pytest.mark.parametrize(
    ("text", "asked", "shown"),
    [
        ("Café au lait", "CAFE", ["Café"]),
        ("🙂 東京都の火山", "火山", ["火山"]),
        ("यह हिन्दी है", "हिन्दी", ["हिन्दी"]),
        ("هذا كِتاب", "كتاب", ["كِتاب"]),
        ("a volcano, volcanoes", "volc", []),
        ("his Wi-Fi and foo_bar", "wifi bar", ["Wi-Fi", "bar"]),
        ("東京都 is 東京", "東京都", ["東京都", "東京"]),
        ("the O'Brien's e-mail", "o'brien e-mail", ["O'Brien", "e-mail"]),
    ],
)
def test_marks(text: str, asked: str, shown: list[str]) -> None:
    assert [text[span[0] : span[1]] for span in marks(text, asked)] == shown
    piece, spans = excerpt(text, asked)
    assert piece == text
    assert [piece[start:end] for start, end in spans] == shown


def test_an_excerpt_has_most_words() -> None:
    text = f"volcano {'filler ' * 80}iceland has a volcano {'filler ' * 80}"
    piece, spans = excerpt(text, "iceland volcano", 100)
    assert piece.startswith("… ")
    assert piece.endswith(" …")
    assert [piece[start:end] for start, end in spans] == ["iceland", "volcano"]
    assert len(piece) <= 104


def test_one_file_and_several_group_what_is_alike_when_they_are_asked_to(tmp_path: Path) -> None:
    same = [replace(DOCUMENTS[1], id=f"b{i}") for i in range(3)]
    path = file(tmp_path / "c.pocket", [*same, DOCUMENTS[3]])
    with pocketindex.open(path) as index, pocketindex.open_many([path]) as several:
        for asked in (index, several):
            assert [len(hit.like) for hit in asked.search("second volcano")] == [0] * 4
            assert len(asked.search("second volcano", group=True)) < 4
            # Ten at most, unless another number is asked for; the end of a word is not guessed.
            assert len(asked.search("second volcano", 3)) == 3
            assert not asked.search("volcan", replace=False)
            assert asked.search("volcan", prefix=True)
