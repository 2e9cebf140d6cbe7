"""What a text quotes or cites, and a text without it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pocketindex import quotations
from pocketindex.queries.spans import left_out


def quoted(text: str) -> list[str]:
    return [text[start:end] for start, end in quotations(text)]


@pytest.mark.parametrize(
    "quotation",
    [
        '"one two three"',
        "“one two three”",
        "„one two three“",
        "„one two three”",
        "”one two three”",
        "«one two three»",
        "»one two three«",
        "‹one two›",
        "›one two‹",
        "‚one two‘",
        "‘one two three’",
        "‘it’s one of two’",
        "'one two, three.'",
        "「一二三」",
        "『一二三』",
        "“one ‘two’ three”",
    ],
)
def test_paired_marks_quote(quotation: str) -> None:
    assert quoted(f"He says: {quotation} and goes on.") == [quotation]


@pytest.mark.parametrize(
    "text",
    [
        'A screen of 15" and one of 17" are too small.',
        "The boys' books and the girls' pens.",
        "It’s the authors’ own; they don’t quote.",
        "'Tis not one.",
        'An open " mark in this paragraph.\n\nAnd another " in the next.',
        "An open “ mark here.\n\nNone closes it.",
        "5 > 3 and 4 < 6",
        "-one -two --three",
        "",
    ],
)
def test_marks_without_a_partner_quote_nothing(text: str) -> None:
    assert quoted(text) == []


def test_a_quotation_of_several_paragraphs_opens_each() -> None:
    text = "She says:\n\n“One two.\n\n“Three four.\n\n“Five six.”\n\nNobody else does."
    assert quoted(text) == ["“One two.", "“Three four.", "“Five six.”"]


def test_block_quotations() -> None:
    text = "Own words.\n\n> Quoted words\n> on two lines.\n\nOwn again.\n\n"
    assert quoted(f"{text}    Set off\n    by spaces.\n\nThe end.") == [
        "> Quoted words\n> on two lines.\n",
        "Set off\n    by spaces.",
    ]


def test_paragraphs_that_are_all_indented_quote_nothing() -> None:
    assert quoted("    One two.\n\n    Three four.\n\n    Five six.") == []
    assert quoted("    The first line\nis indented.\n\nThree four.\n\n    Five\nsix.") == []


@pytest.mark.parametrize(
    "heading",
    [
        "References",
        "REFERENCES:",
        "7. References",
        "VII. Bibliography",
        "Works Cited",
        "Literatur",
        "Literaturverzeichnis",
        "Quellen- und Literaturverzeichnis",
        "**Bibliographie**",
        "Références bibliographiques",
        "Bibliografía",
    ],
)
def test_a_bibliography_goes_to_the_end(heading: str) -> None:
    rest = f"{heading}\n\nA. Author. A title. 1999.\nB. Author. Another. 2001.\n"
    text = f"The references of others are many.\nReferences are no heading here.\n\n{rest}"
    assert quoted(text) == [rest]


def test_a_bibliography_in_markdown_goes_to_the_next_heading() -> None:
    text = "# One\nOwn.\n## References\nA title.\n### More\nAnother.\n## Appendix\nOwn again.\n"
    assert quoted(text) == ["## References\nA title.\n### More\nAnother.\n"]


def test_of_several_headings_without_marks_the_last_counts() -> None:
    text = "Contents\n\nReferences\n\nText of one's own.\n\nReferences\n\nA title."
    assert quoted(text) == ["References\n\nA title."]


@given(st.text(st.sampled_from("ab \n\"'“”„«»‘’>"), max_size=80))
def test_what_is_left_out_changes_no_place(text: str) -> None:
    spans = quotations(text)
    rest = left_out(text, spans)

    assert len(rest) == len(text)
    assert all(a < b <= c < d for (a, b), (c, d) in pairwise(spans))
    inside = {place for start, end in spans for place in range(start, end)}
    for place, (before, after) in enumerate(zip(text, rest, strict=True)):
        assert after.isspace() if place in inside else after == before


def test_a_place_outside_of_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"2 \.\. 9 is not within a text of 5 characters"):
        left_out("a b c", [(2, 9)])
