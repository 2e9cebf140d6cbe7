"""What words and texts say of hits (docs/format.md 8.1): what they show, what they hide, and in
which order hits come.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near_duplicates import write
from plain.index import PlainIndex
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.errors import TextTooShort
from run_command import run

KINDS: Mapping[str, Mapping[str, Any]] = {
    "alone": {},
    "words": {"index": "documents,words"},
    "heaviest": {"index": "documents,words:5"},
    "texts": {"keep": "text"},
    "all": {"index": "documents,passages,words", "keep": "text"},
    "minhash": {"index": "documents,words", "keep": "text", "scheme": "minhash"},
}
SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu"]


def vocabulary(chance: random.Random, count: int) -> list[str]:
    return ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(count)]


def made(folder: Path, texts: Iterable[str], **choices: Any) -> pocketindex.Index:
    source = write(
        folder / "d.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)]
    )
    target = folder / "d.pocket"
    pocketindex.build(source, target, force=True, progress=False, **choices)
    return pocketindex.open(target)


# The core and the plain reader


@cache
def mixed_texts() -> list[str]:
    """Texts of one form, others, some that are equal but for a number, and short ones."""
    chance = random.Random(4)
    words = vocabulary(chance, 120)
    form = " ".join(chance.choices(words[:20], k=40))
    own = [
        f"{form} {chance.choice(words)} {chance.randint(1, 99)} {chance.choice(words)}"
        for _ in range(45)
    ]
    others = [" ".join(chance.choices(words, k=chance.randint(5, 60))) for _ in range(40)]
    figures = [f"the net income of the year was {number} thousand" for number in range(12)]
    long = [" ".join(chance.choices(words, k=400)) for _ in range(2)]
    return [*own, *others, *long, *figures, "ba", "ce 12", "li ce 7 mo", "\u4e2d\u6587\u5b57 12"]


@pytest.fixture(scope="module")
def asked_files(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, tuple[pocketindex.Index, PlainIndex]]]:
    folder = tmp_path_factory.mktemp("weighed")
    with ExitStack() as stack:
        files = {}
        for kind, choices in KINDS.items():
            (folder / kind).mkdir()
            index = stack.enter_context(made(folder / kind, mixed_texts(), **choices))
            files[kind] = index, stack.enter_context(PlainIndex.open(str(index.path)))
        yield files


@st.composite
def questions(draw: st.DrawFn) -> str:
    """A text of the collection, or of two, some words of it replaced."""
    words = [
        word
        for text in draw(st.lists(st.sampled_from(mixed_texts()), min_size=1, max_size=2))
        for word in text.split()
    ]
    start = draw(st.integers(0, len(words) - 1))
    words = words[start : draw(st.integers(start + 1, len(words)))]
    for place in draw(st.lists(st.integers(0, len(words) - 1), max_size=8)):
        words[place] = draw(st.sampled_from(["xyzzy", "bacedi", "12", "7", "ce", "\u4e2d\u6587"]))
    return " ".join(words)


@settings(deadline=None, max_examples=40)
@given(questions(), st.sampled_from(sorted(KINDS)), st.sampled_from([1, 3, 10, 50]), st.booleans())
def test_the_core_weighs_as_the_plain_reader(
    asked_files: dict[str, tuple[pocketindex.Index, PlainIndex]],
    text: str,
    kind: str,
    top: int,
    cold: bool,
) -> None:
    data, (index, plain) = text.encode(), asked_files[kind]
    hits, count = ffi.new("pocket_hit[]", top), ffi.new("uint32_t *", top)
    report, error = ffi.new("pocket_report *"), ffi.new("pocket_error *")
    options = query_options(lib.POCKET_COLD if cold else 0, report)
    status = lib.pocket_query(index._core, data, len(data), options, hits, count, error)
    try:
        wanted = plain.query(data, top, first=cold)
    except TextTooShort:
        assert status == lib.POCKET_TEXT_TOO_SHORT
        return
    assert status == lib.POCKET_OK
    assert [
        (hit.document, hit.similarity, hit.tables, hit.evidence, hit.words, hit.order)
        for hit in hits[0 : count[0]]
    ] == [
        (
            *(hit.document, hit.similarity, hit.tables, hit.evidence),
            *(hit.weighed.words or 0, hit.weighed.order),
        )
        for hit in wanted
    ]
    assert (report.candidates, report.words, report.texts) == (
        plain.report.candidates,
        plain.report.words,
        plain.report.texts,
    )
    assert report.candidates <= len(index)
    shown = lib.pocket_more_than_chance(index._core, 0, 0, hits, count[0])
    assert [hit.document for hit in hits[0:shown]] == [hit.document for hit in plain.shown(wanted)]


# What is shown


@pytest.fixture(scope="module")
def prose() -> list[str]:
    chance = random.Random(8)
    words = vocabulary(chance, 900)
    return [
        " ".join(chance.choices(words, [1 / (1 + i) for i in range(len(words))], k=80))
        for _ in range(400)
    ]


@pytest.mark.parametrize("kind", ["words", "all"])
def test_a_copy_below_the_noise_floor_is_shown(tmp_path: Path, prose: list[str], kind: str) -> None:
    """A third of its words are another text's: the sketches of some have less than the floor."""
    texts = {
        number: " ".join([*prose[number].split()[:52], *prose[number + 1].split()[:28]])
        for number in range(0, 60, 2)
    }
    with made(tmp_path, prose) as index:
        found = {
            number: [hit.number for hit in index.query(text)] for number, text in texts.items()
        }
        assert not all(number in own for number, own in found.items())
    with made(tmp_path, prose, **KINDS[kind]) as index:
        for number, text in texts.items():
            assert number in [hit.number for hit in index.query(text)]


@pytest.mark.parametrize("kind", ["words", "all"])
def test_a_long_document_is_not_shown_for_many_words_of_a_text(tmp_path: Path, kind: str) -> None:
    """It has 28 of the 80 words among 2,728; a document that has them in 75 is shown."""
    chance = random.Random(8)
    words = vocabulary(chance, 900)
    text = [f"{word}x" for word in words[:80]]
    shared = text[:28]
    long = shared + 3 * [f"{word}y" for word in words]
    short = shared + chance.choices(words, k=47)
    others = [chance.choices(words, k=75) for _ in range(300)]
    for one in (long, short, *others):
        chance.shuffle(one)
    texts = [" ".join(one) for one in (long, short, *others)]
    with made(tmp_path, texts, **KINDS[kind]) as index:
        assert [hit.id for hit in index.query(" ".join(text))] == ["1"]


def test_the_most_frequent_words_of_a_rare_language_show_nothing(tmp_path: Path) -> None:
    """Ten words are half of every text of a language, of which the file has three documents."""
    chance = random.Random(5)
    frequent = [f"q{word}" for word in vocabulary(chance, 10)]
    rare = [f"x{word}{place}" for place, word in enumerate(vocabulary(chance, 5000))]
    others = [" ".join(chance.choices(vocabulary(chance, 300), k=60)) for _ in range(80)]

    def of_the_language(count: int) -> str:
        words = [*chance.choices(frequent, k=count), *chance.sample(rare, k=count)]
        chance.shuffle(words)
        return " ".join(words)

    own = [of_the_language(30) for _ in range(3)]
    with made(tmp_path, [*others, *own], **KINDS["all"]) as index:
        data = of_the_language(300).encode()
        with PlainIndex.open(str(index.path)) as plain:
            weighed = [hit.weighed for hit in plain.query(data, 10)]
        assert any(hit.by_terms is False and hit.similarity > 5000 for hit in weighed)
        assert not index.query(data.decode())
        edited = own[1].split()
        edited[::4] = rare[:15]
        assert index.query(" ".join(edited))[0].id == "81"


@pytest.mark.parametrize("alike", [1, 2])
def test_common_words_are_asked_unless_the_rare_ones_single_out_a_document(
    tmp_path: Path, alike: int
) -> None:
    """As many documents as are alike have all four rare words; every one has the common words."""
    texts = [
        " ".join([*(f"{rare}{number // alike}" for rare in "qvwx"), "of the and to", f"z{number}"])
        for number in range(300)
    ]
    with made(tmp_path, texts, **KINDS["words"]) as index:
        text = texts[7].rsplit(" ", 1)[0].upper().encode()
        hits, count = ffi.new("pocket_hit[]", 10), ffi.new("uint32_t *", 10)
        report, error = ffi.new("pocket_report *"), ffi.new("pocket_error *")
        options = query_options(0, report)
        assert lib.pocket_query(index._core, text, len(text), options, hits, count, error) == 0
        assert report.words == (4 if alike == 1 else 6)
        assert 7 in {hit.document for hit in hits[0:alike]}


def test_words_that_no_document_has_are_similar_to_nothing(
    tmp_path: Path, prose: list[str]
) -> None:
    chance = random.Random(2)
    unknown = ["x" + word for word in vocabulary(chance, 300)]
    for kind in ("alone", "all"):
        with made(tmp_path, prose, **KINDS[kind]) as index:
            for _ in range(20):
                text = " ".join([*chance.choices(unknown, k=60), *prose[3].split()[:8]])
                assert not index.query(text)


@pytest.mark.parametrize("kind", ["words", "all"])
def test_a_record_is_never_too_short(tmp_path: Path, kind: str) -> None:
    streets = ["Ash Road", "Elm Lane", "Oak Drive", "Yew Street"]
    records = [f"{i} {streets[i % 4]}, {10_000 + 7 * i}" for i in range(300)]
    with made(tmp_path, records, **KINDS[kind]) as index:
        for number in (0, 17, 131, 299):
            record = records[number]
            assert index.query(record.replace(",", " ,"))[0].id == str(number)
            asked = record.split(",")[0] + " 99999"
            assert str(number) in [hit.id for hit in index.query(asked, min_similarity=0)]
        with pytest.raises(TextTooShort):
            index.query("Ash")


# Numbers


@pytest.mark.parametrize("kind", ["words", "all"])
def test_of_texts_that_differ_in_their_figures_the_asked_one_comes_first(
    tmp_path: Path, kind: str
) -> None:
    statements = [
        f"In the quarter net income was {1000 + 37 * i} thousand and revenue {9000 + 113 * i} "
        f"thousand, with {500 + 7 * i} shares; a dividend of {10 + i % 5} cents is payable."
        for i in range(20)
    ]
    with made(tmp_path, statements, **KINDS[kind]) as index:
        for number, statement in enumerate(statements):
            assert index.query(statement.upper())[0].id == str(number)


@pytest.mark.parametrize("kind", ["words", "all"])
def test_a_number_that_many_documents_have_tells_statements_of_one_form_apart(
    tmp_path: Path, kind: str
) -> None:
    """A third of the documents have each number, so it is not among the words that find them."""
    names = vocabulary(random.Random(5), 6 * 110)
    statements = [
        f"{' '.join(names[2 * i - 2 * (i % 3) :][:6])} opened {50 + i % 3} shops in the quarter, "
        "and paid no dividend to those who hold shares in the north."
        for i in range(330)
    ]
    with made(tmp_path, statements, **KINDS[kind]) as index:
        first = [
            index.query(f"{statements[number].upper()} Indeed.")[0].id == str(number)
            for number in range(1, 330, 17)
        ]
    assert sum(first) >= 0.95 * len(first)


# Collections of one form


def letter(chance: random.Random, known: bool) -> str:
    names = vocabulary(chance, 2)
    if not known:
        names = ["Q" + name for name in names]
    figures = chance.sample(range(10_000, 99_999), 3)
    if not known:
        figures = [1_000_000 + figure for figure in figures]
    return (
        f"Dear {names[0]} {names[1]}, we write about account {figures[0]} that you hold with our "
        f"office. Our records show that the amount of {figures[1]} pounds, which became due on the "
        "first day of the month, has not been received. We should be grateful if you would pay it "
        f"within fourteen days. Please quote {figures[2]} whenever you write or telephone to us."
    )


def test_of_one_form_the_copy_comes_first_and_a_strange_letter_finds_nothing(
    tmp_path: Path,
) -> None:
    chance = random.Random(3)
    letters = [letter(chance, known=True) for _ in range(60)]
    with made(tmp_path, letters, **KINDS["all"]) as index:
        for number, own in enumerate(letters):
            words = own.split()
            words[1] = "Somebody"
            assert index.query(" ".join(words))[0].id == str(number)
        assert sum(bool(index.query(letter(chance, known=False))) for _ in range(50)) <= 1


# How it is said


def test_the_command_says_what_the_evidence_was(tmp_path: Path, prose: list[str]) -> None:
    document = tmp_path / "asked.txt"
    own, other = prose[5].split(), prose[6].split()
    document.write_text(" ".join([*own[:52], *other[:28]]))
    for kind in ("words", "all"):
        with made(tmp_path, prose, **KINDS[kind]) as index:
            (hit, *_) = index.query(document.read_text())
        line = json.loads(run("query", index.path, document, "--json").stdout.splitlines()[0])
        assert (line["id"], line["words"]) == ("5", round(hit.words or 0, 4))
        assert line.get("evidence", "sketch") == hit.evidence
        assert hit.evidence in ("words", "text")
        shown = run("query", index.path, document).stdout
        if hit.evidence == "words":
            assert f"has {hit.words:.0%} of your text's rarest words" in shown
        else:
            assert hit.similarity_error == 0
