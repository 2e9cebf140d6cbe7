"""What happens to documents: words deleted, replaced, inserted; paragraphs lost; half of the text
gone; paragraphs of several recombined.
"""

from __future__ import annotations

import random
from collections.abc import Callable

KINDS = ("deleted", "replaced", "inserted", "mixed")
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
PARAGRAPH = 50  # words, where a text has no line breaks


def edited(text: str, kind: str, share: float, words: list[str], chance: random.Random) -> str:
    """Return text with a share of its words edited; inserted and replacing words are drawn from
    words.
    """
    out = []
    for word in text.split():
        what = chance.choice(KINDS[:3]) if kind == "mixed" else kind
        if chance.random() >= share:
            out.append(word)
        elif what == "replaced":
            out.append(chance.choice(words))
        elif what == "inserted":
            out += [word, chance.choice(words)]
    return " ".join(out)


def without_first_quarter(text: str) -> str:
    words = text.split()
    return " ".join(words[len(words) // 4 :])


def first_half(text: str) -> str:
    words = text.split()
    return " ".join(words[: len(words) // 2])


def second_half(text: str) -> str:
    words = text.split()
    return " ".join(words[len(words) // 2 :])


LOSSES: dict[str, Callable[[str], str]] = {
    "first quarter lost": without_first_quarter,
    "first half only": first_half,
    "second half only": second_half,
}


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of 20 words or more; a text without line breaks is cut every PARAGRAPH
    words.
    """
    found = [line for line in text.split("\n") if len(line.split()) >= 20]
    if len(found) < 2:
        words = text.split()
        found = [
            " ".join(words[i : i + PARAGRAPH])
            for i in range(0, len(words) - PARAGRAPH // 2, PARAGRAPH)
        ]
    return found


def plagiarised(texts: list[str], count: int, seed: int) -> list[str]:
    """Return count documents, each of paragraphs extracted from a few sources and recombined (DIR
    2007, 4.1).
    """
    chance = random.Random(seed)
    sources = [
        p for p in map(paragraphs, chance.sample(texts, min(len(texts), max(count // 12, 10)))) if p
    ]
    out = []
    for _ in range(count):
        pool = [
            p
            for source in chance.sample(sources, min(len(sources), chance.randint(1, 3)))
            for p in source
        ]
        chance.shuffle(pool)
        out.append("\n".join(pool[: chance.randint(2, 6)]))
    return out
