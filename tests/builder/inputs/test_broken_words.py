"""Words broken at the ends of lines: whole where the hyphen is the line's, as they are where it is
the word's own.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.pages.broken_words import joined
from reading import read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every lan-\ntern along", "every lantern\nalong"),
        ("every lan-\ntern, along", "every lantern,\nalong"),
        ("every lan-  \r\n   tern along", "every lantern  \r\n   along"),
        ("every lan-\ntern", "every lantern"),
        ("every lan-\ntern\nalong", "every lantern\nalong"),
        ("every lan\u2010\ntern\n\nalong", "every lantern\n\nalong"),
        ("a light\u00ad\nHouse of a well¬\nknown", "a lightHouse\nof a wellknown"),
        ("(inter-\nnational) and INTER-\nNATIONAL", "(international)\nand INTERNATIONAL"),
        ("> every lan-\n> tern along\n> it", "> every lantern\n> along\n> it"),
        ("Fußgän-\ngerzone und Ge-\nbäude", "Fußgängerzone\nund Gebäude"),
        ("con-\nsider an ex-\nample", "consider\nan example"),
    ],
)
def test_a_word_is_whole_again(text: str, expected: str) -> None:
    assert joined(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a well-\nknown lamp, self-\nmade, a car-\nbased one",
        "Haus-\nund Hof, Ein-\noder Ausgang, pre-\nand post-war",
        "state-of-the-\nart lamps",
        "the Anglo-\nSaxon town",
        "use --long-\noption, or see www.a-\nb.example, x1-\nab and a_b-\ncd",
        "- lamps -\nand more",
        "- lamps-\n- lights",
        "first-\n\nsecond",
        "one word-\n123 words",
        "name     kind-\nlamp     light",
        "a -\nb -\nc",
        "a lamp --\nthat is",
        "x-\ny",
        "the long-term plan, a long-\nterm plan",
        "a high price and a low bid, a high-\nlow price of a low bid on high",
        # Lines that end in a hyphen once in so many are of a text that breaks no words.
        "words of a line\n" * 40 + "the low-\ncost lamp",
    ],
)
def test_a_hyphen_of_the_word_stays(text: str) -> None:
    assert joined(text) == text


def test_the_text_says_which_it_is() -> None:
    assert joined("a well-\nbeing of wellbeing") == "a wellbeing\nof wellbeing"
    assert joined("a lan-\ntern and a lan-tern") == "a lan-\ntern and a lan-tern"
    many = "words of a line\n" * 40 + "an un-\nseen lamp"
    assert joined(many) == many
    assert joined(many + ", unseen\n").endswith("an unseen\nlamp, unseen\n")
    assert joined(many, breaks=True).endswith("an unseen\nlamp")


def test_a_text_file_has_whole_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("He counted every lan-\ntern along the quay.\n")
    assert read(tmp_path)[0] == [
        Document("a.txt", "a", "He counted every lantern\nalong the quay.\n")
    ]


_WORDS = st.lists(st.from_regex(r"[a-zé]{2,9}", fullmatch=True), min_size=1, max_size=30)


@settings(max_examples=100)
@given(_WORDS, st.integers(10, 30), st.booleans())
def test_words_come_out_as_they_went_in(words: list[str], width: int, crlf: bool) -> None:
    """Broken anywhere into halves of two letters or more; where a half is a word of the text, the
    text may be taken at that.
    """
    halves, lines, line = set[str](), list[str](), ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            room = width - len(line) - 2
            at = min(room, len(word) - 2)
            if at >= 2:
                lines.append(f"{line} {word[:at]}-")
                halves |= {word[:at], word[at:]}
                line = word[at:]
                continue
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    text = ("\r\n" if crlf else "\n").join([*lines, line])
    links = {"and", "or", "nor", "to", "but", "und", "oder", "bis", "et", "ou", "ed", "en", "of"}
    links |= {"og", "och", "eller", "bzw", "sowie"}
    found = joined(text, breaks=True)
    if not halves & {*words, *links} and not re.search(
        r"\b(self|well|ill|ever|one|two|six)-", text
    ):
        assert found.split() == words
    assert re.sub(r"[-\s]", "", found) == "".join(words)
    assert joined("\n".join(words)) == "\n".join(words)


@settings(max_examples=100)
@given(st.text(st.sampled_from("ab -\n\r\t>¬\u00ad.1|A")))
def test_any_text_keeps_its_letters(text: str) -> None:
    sign = re.compile(r"[-\s>|\u00ad¬]")
    assert sign.sub("", joined(text)) == sign.sub("", text)


def test_it_takes_no_time() -> None:
    for piece in ("a", "-\n", "ab-\n", "ab-\nab ", "- ", "ab-\n> ", "a-", "> ", "ab-\n" + "> " * 9):
        assert len(joined("ab-\n" + piece * 20_000 + "ab-\nab")) <= len(piece) * 20_000 + 10
