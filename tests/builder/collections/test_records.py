"""pairs and dedup of records: --measure records."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near_duplicates import write
from places import ROOT
from pocketindex.builder.collections.records.alike import likeness, record_words
from run_command import run

RECORD = "Cordless hammer drill AB280 with two batteries, charger and green case"
# Statements of the same words or figures that say something else.
APART = [
    (
        "Open the red tap before you close the blue tap of the pump",
        "Close the red tap before you open the blue tap of the pump",
    ),
    (
        "Mia lent Tom nine coins and Tom lent Kai four coins",
        "Tom lent Mia nine coins and Kai lent Tom four coins",
    ),
    (
        "The board did not accept the offer although the owner did accept it",
        "The board did accept the offer although the owner did not accept it",
    ),
    ("def g(y): return y*2", "def g(y): return y/2"),
    (
        "Solve for x: 5 + 2 * x = 9 and write the answer below",
        "Solve for x: 5 * 2 - x = 9 and write the answer below",
    ),
    (
        "Steel bolt 40 mm, pack of twenty, zinc plated",
        "Steel bolt 45 mm, pack of twenty, zinc plated",
    ),
    ("Ada Brook, 12 Mill Lane, 20045 Norwich", "Ada Brook, 14 Mill Lane, 20045 Norwich"),
]


def alike(one: str, other: str) -> float:
    return likeness(record_words(one), record_words(other), lambda word: 2)


@pytest.mark.parametrize(
    "copy",
    [
        RECORD,
        RECORD.lower(),
        RECORD.replace("green", "yellow"),
        RECORD.replace("two ", ""),
        "with two batteries, charger and green case Cordless hammer drill AB280",
        RECORD.replace("hammer", "hamer").replace("batteries", "bateries"),
    ],
)
def test_an_edited_copy_is_near(copy: str) -> None:
    assert alike(RECORD, copy) >= 0.82
    assert alike(copy, RECORD) >= 0.82


@pytest.mark.parametrize(("one", "other"), APART)
def test_the_same_words_in_another_sense_and_other_figures_stay_apart(one: str, other: str) -> None:
    assert alike(one, other) < 0.82
    assert not pocketindex.pairs([one, other], measure="records")


def test_the_cases_of_other_sense_stay_apart() -> None:
    path = ROOT.parent / "shared" / "cases" / "05" / "pairs.jsonl"
    if not path.exists():
        pytest.skip("the cases are not here")
    assert not pocketindex.pairs(path, measure="records")


def test_a_rare_word_weighs_more_than_those_of_a_form() -> None:
    names = [a + b for a in ("Quor", "Bant", "Elv", "Skai") for b in ("meda", "lith", "o", "unsby")]
    form = [f"{name}: {name} is a village in the south of the county" for name in names]
    assert not pocketindex.pairs(form, measure="records")
    assert pocketindex.pairs([*form, form[0] + " west"], measure="records").numbers.tolist() == [
        [0, len(form)]
    ]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_every_pair_that_the_rule_names_is_found(seed: int) -> None:
    chance = random.Random(seed)
    # Words of three letters never nearly agree.
    words = [f"{a}{b}r" for a in "bcdfghk" for b in "aeiou"]
    records = [" ".join(chance.choices(words, k=9)) for _ in range(25)]
    for _ in range(10):
        own = chance.choice(records).split()
        own[chance.randrange(len(own))] = chance.choice(words)
        records.append(" ".join(own))
    found = {
        (pair.a_number, pair.b_number): pair.similarity
        for pair in pocketindex.pairs(records, measure="records")
        if pair.kind == "near"
    }
    # By weights of their own all words weigh about the same among so few records.
    for (first, one), (second, other) in itertools.combinations(enumerate(records), 2):
        if one != other and alike(one, other) >= 0.87:
            assert (first, second) in found
        if alike(one, other) < 0.77:
            assert (first, second) not in found


def test_dedup_drops_what_is_near_to_one_that_stays(tmp_path: Path) -> None:
    others = [f"Tent {n} for {n + 2} persons, {word} canvas" for n, word in enumerate("abcdefghij")]
    copies = [RECORD.replace("green", "yellow"), RECORD.replace("two ", "")]
    records = [RECORD, *others, *copies]
    path = write(tmp_path / "r.jsonl", [{"id": f"r{n}", "text": t} for n, t in enumerate(records)])

    found = pocketindex.dedup(records, measure="records")
    done = run("dedup", path, "-o", tmp_path / "out.jsonl", "--measure", "records", "--json")

    assert [(one.number, one.kept_number) for one in found] == [(11, 0), (12, 0)]
    assert json.loads(done.stdout)["dropped_near"] == 2
    again = run("dedup", tmp_path / "out.jsonl", "-o", path, "--measure", "records", "--json")
    assert json.loads(again.stdout)["dropped_near"] == 0


def test_the_first_line_names_the_measure_where_most_texts_are_records(tmp_path: Path) -> None:
    records = [RECORD, RECORD.replace("green", "yellow")]
    path = write(tmp_path / "r.jsonl", [{"id": str(n), "text": t} for n, t in enumerate(records)])
    hint = "most documents have fewer than 30 words"

    dropped = run("dedup", path, "-o", tmp_path / "out.jsonl")
    pairs = run("pairs", path)

    for done in (dropped, pairs):
        assert done.stderr.splitlines()[0].startswith(hint)
        assert "--measure records" in done.stderr.splitlines()[0]
    assert hint not in run("pairs", path, "--measure", "records").stderr
    long = write(tmp_path / "l.jsonl", [{"id": "a", "text": " ".join([RECORD] * 4)}])
    assert hint not in run("pairs", long).stderr


def test_functions_name_the_measure_as_python_has_it() -> None:
    texts = [RECORD, RECORD.replace("green", "yellow")]
    for said in (pocketindex.pairs(texts).said, str(pocketindex.dedup(texts).report.notes)):
        assert 'measure="records" compares such texts' in said.replace("\\", "")
        assert "--" not in said
