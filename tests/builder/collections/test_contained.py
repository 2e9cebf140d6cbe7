"""Which documents contain an item: the rule by which training data are cleaned."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from pocketindex.builder.collections.contained import ContainedItems
from pocketindex.builder.document import Document
from pocketindex.builder.spill.threads import Threads

TEXTS = [document["text"] for document in made_up(60)]


def words(number: int, count: int) -> list[str]:
    """Words of a text that no two texts have in common."""
    return TEXTS[number].split()[-40:][:count]


def around(text: str) -> str:
    return f"{TEXTS[50]} {text} {TEXTS[51]}"


def contained(items: Sequence[str], documents: Sequence[str]) -> list[list[int]]:
    with ContainedItems(items) as found:
        given = [Document(str(number), "", text) for number, text in enumerate(documents)]
        return [[item for item, _ in one] for one in found.look(given)]


def replaced(some: list[str], *places: int) -> str:
    return " ".join("besides" if place in places else word for place, word in enumerate(some))


@pytest.mark.parametrize("size", [5, 8, 13, 25, 40])
def test_a_document_with_the_whole_item_contains_it(size: int) -> None:
    items = [" ".join(words(number, size)) for number in range(3)]
    assert contained(items, [around(items[1]), TEXTS[52], items[2]]) == [[1], [], [2]]


@pytest.mark.parametrize(("size", "places"), [(13, (3, 9)), (25, (4, 17)), (40, (5, 25))])
def test_two_words_of_an_item_may_have_been_replaced(size: int, places: tuple[int, ...]) -> None:
    own = words(4, size)
    assert contained([" ".join(own)], [around(replaced(own, *places))]) == [[0]]


def test_a_third_of_the_words_may_not() -> None:
    own = words(5, 24)
    assert contained([" ".join(own)], [around(replaced(own, *range(0, 24, 3)))]) == [[]]


def test_thirteen_words_in_a_row_of_a_long_item_are_enough_and_eight_are_not() -> None:
    own = words(6, 40)
    for count, expected in ((13, [[0]]), (8, [[]])):
        part = " ".join(own[20 : 20 + count])
        assert contained([" ".join(own)], [around(part)]) == expected


@pytest.mark.parametrize(
    "form", ["{q}\nA. {a}\nB. {b}\nC. {c}", "{q} (1) {c} (2) {a} (3) {b}", "{q}"]
)
def test_an_item_with_choices_is_found_in_another_form(form: str) -> None:
    q = " ".join(words(7, 14)) + "?"
    a, b, c = ("meadow", "quarry", "two lanterns")
    item = f"{q}\nA. {a}\nB. {b}\nC. {c}"
    text = form.format(q=q, a=a, b=b, c=c)
    assert contained([item], [around(text)]) == [[0]]


def test_a_single_item_is_found_though_nothing_tells_how_rare_its_words_are() -> None:
    assert contained([" ".join(words(8, 9))], [around(" ".join(words(8, 9))), TEXTS[9]]) == [
        [0],
        [],
    ]


def test_an_item_of_four_words_is_not_looked_for() -> None:
    with ContainedItems(["one two three four", "one two three four five", ""]) as found:
        (one,) = found.look([Document("d", "", "zero one two three four five six")])
        assert ([item for item, _ in one], found.too_short) == ([1], {0, 2})
        assert found.finding(0, str).looked == []
        assert found.finding(1, str).looked == ["source"]


def test_every_document_that_has_an_item_is_found_and_the_best_are_named() -> None:
    item = " ".join(words(10, 13))
    documents = [Document(f"d{n}", "", around(f"{item} {n}")) for n in range(300)]
    documents[299] = Document("d299", "", item)
    with ContainedItems([item], top=3) as found:
        assert all(len(one) == 1 for one in found.look(documents))
        finding = found.finding(0, lambda place: f"source {place}")
    assert (finding.documents, finding.verdict) == (300, "copy")
    assert [(one.id, one.file) for one in finding.evidence] == [
        ("d299", "source 299"),
        ("d0", "source 0"),
        ("d1", "source 1"),
    ]


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6))
def test_a_document_is_judged_by_itself(seed: int) -> None:
    chance = random.Random(seed)
    own = [chance.randrange(40) for _ in range(5)]
    items = [" ".join(words(number, chance.choice([6, 13, 25]))) for number in own]
    documents = [around(" ".join(words(chance.randrange(40), 25))) for _ in range(8)]
    together = contained(items, documents)

    assert together == [one for text in documents for one in contained(items, [text])]
    with Threads(3) as threads, ContainedItems(items, each=threads.map) as found:
        given = [Document("d", "", text) for text in documents * 40]
        assert [[item for item, _ in one] for one in found.look(given)] == together * 40
