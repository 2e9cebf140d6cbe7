"""What the page shows of texts: snippets and common passages as Python finds them, and excerpts
around the longest.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from random import Random

from core_sources import tool
from made_up import made_up
from places import ROOT
from pocketindex.wording.passages import WORD, passages
from pocketindex.wording.snippet import snippet

ALPHABETS = (
    "ab",
    "ab. ",
    "aAßẞſs ",
    "σςΣ ος",
    "\u0e01\u0e02 a",
    "灯台守は x",
    "e\u0301é E",
    "a_1², ",
    "𠀀𝐀a ",
    "\t\n\x1f\x85\u3000a ",
    "ÅÅİiI ",
)
Cases = list[tuple[str, str, int]]


def on_page(cases: Cases) -> list[tuple[list[list[object]], str, list[list[object]]]]:
    """(passages, snippet of the document, excerpt) of each case, by the page's scripts."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    command = [tool("node"), ROOT / "tests" / "wasm" / "excerpts.mjs", ROOT / "builder" / "disc"]
    done = subprocess.run(
        list(map(str, command)), input=lines, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.split("\n")[:-1]]


def words(random: Random, alphabet: str, count: int) -> str:
    return " ".join("".join(random.choices(alphabet, k=random.randint(1, 3))) for _ in range(count))


def test_passages_and_snippets_are_pythons() -> None:
    random = Random(5)
    cases: Cases = [
        ("one two three", "one two three", 3),
        ("", "a b c d e", 3),
        ("a " * 300, "a " * 200, 3),
        ("a " * 60_000, "a " * 50_000, 3),
        ("a " * 900, "a a a a b " * 200, 3),
        ("a a b " * 300, ("a " * 9 + "b ") * 40, 3),
        ("灯台守は毎晩日記", "この灯台守は毎日", 3),
    ]
    for alphabet in ALPHABETS:
        for size in (3, 12, 40, 90):
            cases.append((words(random, alphabet, size), words(random, alphabet, size), 3))
        shared = words(random, alphabet, 30)
        cases.append(
            (
                f"{words(random, alphabet, 9)} {shared}",
                f"{shared.upper()} {words(random, alphabet, 9)}",
                2,
            )
        )
    documents = [d["text"] for d in made_up(40)]
    cases += [
        (a, f"{b} {a[30:400]} {b}", 3) for a, b in zip(documents[:20], documents[20:], strict=True)
    ]
    cases += [(documents[0], "x" * size, 3) for size in (159, 160, 161, 400)]
    cases += [(documents[0], "x" * 100 + " " * size + "y" * 100, 3) for size in (1, 59, 5000)]
    cases += [(documents[0], "x" * left + " yy" * 40, 3) for left in (79, 80, 81, 159, 160)]

    for (text, document, most), (found, start, _) in zip(cases, on_page(cases), strict=True):
        assert found == [[p.text, p.words] for p in passages(text, document, most)], (
            text,
            document,
        )
        assert start == snippet(document), document


def test_letters_are_the_same_ones() -> None:
    """Every letter and number of this Python's Unicode: what folds to the same word here does
    there.
    """
    letters = [chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c))[0] in "LN"]
    folded = [unicodedata.normalize("NFKC", letter).casefold() for letter in letters]
    pairs = [
        (letter, fold)
        for letter, fold in zip(letters, folded, strict=True)
        if letter != fold and WORD.fullmatch(fold)
    ]
    cases: Cases = [(f"{letter} b c d", f"{fold} b c d", 1) for letter, fold in pairs]
    assert len(cases) > 2500
    for case, (found, *_) in zip(cases, on_page(cases), strict=True):
        assert [size for _, size in found] == [4], case


def test_an_excerpt_lies_around_the_longest_passage() -> None:
    filler = "there is nothing in these words that the other text would have " * 9
    same = "soak the grain overnight and knead the dough with salt and honey"
    (_, _, far), (_, _, whole), (_, start, none) = on_page(
        [
            (f"first {same} last", f"{filler}So, {same.upper()}! {filler}", 3),
            (same, same, 3),
            ("a b c d e", filler, 3),
        ]
    )

    assert [text for text, marked in far if marked] == [same.upper()]
    shown = "".join(str(text) for text, _ in far)
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert f"So, {same.upper()}! there is" in shown
    assert 200 < len(shown) < 300
    assert whole == [[same, True]]
    assert none == [[start, False]]


def test_an_excerpt_splits_no_character() -> None:
    random = Random(6)
    letters = "𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇"
    cases: Cases = []
    for size in range(0, 70, 3):
        same = "".join(random.choices(letters, k=160))
        cases.append(
            (same, "x" * size + "".join(random.choices(letters, k=99)) + same + "y" * 300, 3)
        )
    for (_, document, _), (_, _, pieces) in zip(cases, on_page(cases), strict=True):
        shown = "".join(str(text) for text, _ in pieces)
        assert shown.strip("… ") in document
        assert not any(0xD800 <= ord(c) < 0xE000 for c in shown)
