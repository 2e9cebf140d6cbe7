"""What the page shows of texts: snippets as Python makes them, and excerpts around the longest
passage that another text has, too.
"""

from __future__ import annotations

import json
import subprocess
from random import Random

from core_sources import tool
from made_up import made_up
from places import ROOT
from pocketindex.wording.snippet import snippet

ALPHABETS = (
    "ab",
    "灯台守は x",
    "e\u0301é E",
    "𠀀𝐀a ",
    "\t\n\x1f\x85\u3000a ",
)
Cases = list[tuple[str, str]]


def on_page(cases: Cases) -> list[tuple[str, list[list[object]]]]:
    """(snippet of the document, excerpt) of each case, by the page's scripts."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    command = [tool("node"), ROOT / "tests" / "wasm" / "excerpts.mjs"]
    done = subprocess.run(
        list(map(str, command)), input=lines, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.split("\n")[:-1]]


def words(random: Random, alphabet: str, count: int) -> str:
    return " ".join("".join(random.choices(alphabet, k=random.randint(1, 3))) for _ in range(count))


def test_snippets_are_pythons() -> None:
    random = Random(5)
    documents = [d["text"] for d in made_up(40)]
    documents += [words(random, alphabet, 90) for alphabet in ALPHABETS]
    documents += ["", *("x" * size for size in (159, 160, 161, 400))]
    documents += ["x" * 100 + " " * size + "y" * 100 for size in (1, 59, 5000)]
    documents += ["x" * left + " yy" * 40 for left in (79, 80, 81, 159, 160)]

    found = on_page([(document, "") for document in documents])
    assert [start for start, _ in found] == list(map(snippet, documents))


def test_an_excerpt_lies_around_the_longest_passage() -> None:
    filler = "there is nothing in these words that the other text would have " * 9
    same = "soak the grain overnight and knead the dough with salt and honey"
    (_, far), (_, whole), (start, none) = on_page(
        [(f"{filler}So, {same}! {filler}", same), (same, same), (filler, "")]
    )

    assert [text for text, marked in far if marked] == [same]
    shown = "".join(str(text) for text, _ in far)
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert f"So, {same}! there is" in shown
    assert 200 < len(shown) < 300
    assert whole == [[same, True]]
    assert none == [[start, False]]


def test_an_excerpt_splits_no_character() -> None:
    random = Random(6)
    letters = "𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇"
    cases: Cases = []
    for size in range(0, 70, 3):
        same = "".join(random.choices(letters, k=160))
        before = "x" * size + "".join(random.choices(letters, k=99))
        cases.append((before + same + "y" * 300, same))
    for (document, _), (_, pieces) in zip(cases, on_page(cases), strict=True):
        shown = "".join(str(text) for text, _ in pieces)
        assert shown.strip("… ") in document
        assert not any(0xD800 <= ord(c) < 0xE000 for c in shown)
