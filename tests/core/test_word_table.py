"""Words with numbers and sums, as a site's index counts them."""

from __future__ import annotations

import subprocess
from array import array
from collections import Counter
from pathlib import Path

import pytest
from compiled import core_file
from core_sources import SANITIZE, harness
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.builder.site.counting.word_table import MOST, UNKNOWN, WordTable
from pocketindex.queries.terms import terms_of

WORDS = 4  # the stream

TEXTS = st.lists(
    st.tuples(
        st.text(st.sampled_from("ab cß-\né+ C\0\u0301中文")) | st.text(max_size=40),
        st.integers(0, 300),
    ),
    max_size=4,
)


def table_of(texts: list[tuple[str, int]]) -> WordTable:
    table = WordTable()
    for text, weight in texts:
        table.weigh(text.encode(errors="replace"), weight)
    return table


@given(TEXTS)
def test_sums_are_those_of_counting_terms(texts: list[tuple[str, int]]) -> None:
    expected = Counter[str]()
    for text, weight in texts:
        for term in terms_of(text.encode(errors="replace"), WORDS):
            expected[term] += weight
    table = table_of(texts)
    words = table.lines().decode().split("\n")[:-1]

    assert dict(zip(words, array("I", table.sums()), strict=True)) == dict(expected)
    assert words == list(expected)  # in the order in which they come first
    assert len(table) == len(expected)


@given(TEXTS)
def test_each_word_has_a_bit_for_each_text_that_it_is_in(texts: list[tuple[str, int]]) -> None:
    expected, table = dict[str, int](), WordTable()
    for number, (text, weight) in enumerate(texts):
        table.within(1 << number)
        table.weigh(text.encode(errors="replace"), weight)
        for term in terms_of(text.encode(errors="replace"), WORDS):
            expected[term] = expected.get(term, 0) | 1 << number
    table.within(0)
    table.add([b"one word more"], [1])
    words = table.lines().decode().split("\n")[:-1]

    assert dict(zip(words, table.texts(), strict=True)) == {**expected, "one word more": 0}


def test_a_text_tells_how_many_words_it_has() -> None:
    assert WordTable().weigh(b"one two one", 7) == 3
    assert WordTable().weigh(b"", 7) == 0


def test_many_words_keep_their_numbers() -> None:
    words = [b"%d" % n for n in range(20_000)]
    table = WordTable()
    table.add(words, [*range(20_000)])
    again = array("I", table.numbers(b"7\nnew\n19999\n"))

    assert list(again) == [7, 20_000, 19_999]
    assert table.find([b"19999", b"none", b"new"]) == [19_999, UNKNOWN, 20_000]
    assert list(array("I", table.sums())) == [*range(20_000), 0]
    assert table.lines() == b"".join(word + b"\n" for word in [*words, b"new"])


def test_a_sum_stays_below_two_to_the_32() -> None:
    table = WordTable()
    table.add([b"word", b"other"], [MOST - 1, 5])
    table.add([b"word"], [3])
    table.weigh(b"word other", 300)

    assert list(array("I", table.sums())) == [MOST, 305]


def test_what_is_no_line_is_an_error() -> None:
    with pytest.raises(ValueError, match="argument"):
        WordTable().numbers(b"a line\nand none")


def test_no_word_beyond_a_text(tmp_path: Path) -> None:
    """Changed texts under the sanitizers."""
    program = harness(
        tmp_path / "count", "count_words.c", *SANITIZE, libraries=(str(core_file("word_table.c")),)
    )
    texts = " ".join(f"wi-fi{n} Straße{n % 7} 中文{n} fooBar_{n} e\u0301 C++" for n in range(300))
    done = subprocess.run([program, "300"], input=texts.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    words, distinct = map(int, done.stdout.split())
    assert words > 100_000
    assert distinct > 10_000
