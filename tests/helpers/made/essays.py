"""Sixty essays that nobody wrote, each on one of five subjects. Ten have something of one another,
or quote it.
"""

from __future__ import annotations

import random

SYLLABLES = [a + b for a in "bdfgklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "il")]
COMMON = ["the", "of", "and", "to", "in", "a", "is", "that", "it", "was", "for", "as", "on", "with"]


def _vocabulary(seed: int, size: int) -> list[str]:
    chance = random.Random(seed)
    words = set[str]()
    while len(words) < size:
        words.add("".join(chance.choices(SYLLABLES, k=chance.randint(2, 3))))
    return sorted(words)


GENERAL = _vocabulary(0, 2500)
SUBJECTS = [_vocabulary(subject, 120) for subject in range(1, 6)]


def sentence(chance: random.Random, subject: int) -> str:
    """Return a sentence of 9 to 24 words."""
    words = [
        chance.choice(chance.choices([COMMON, SUBJECTS[subject], GENERAL], weights=[45, 15, 40])[0])
        for _ in range(chance.randint(9, 24))
    ]
    return " ".join(words).capitalize() + "."


def paragraph(chance: random.Random, subject: int, sentences: int = 5) -> list[str]:
    return [sentence(chance, subject) for _ in range(sentences)]


def edited(text: str, every: int, chance: random.Random) -> str:
    """Return a text in which one word of so many is another."""
    words = text.split()
    for place in range(every // 2, len(words), every):
        words[place] = chance.choice(GENERAL)
    return " ".join(words)


def essays() -> tuple[dict[str, str], dict[str, list[tuple[str, str]]]]:
    """Return the essays by their names, and which pairs have something in common: "copied" (a
    paragraph word for word), "edited" (one with every eighth word replaced), "sentence" (one
    sentence) and "quoted" (a paragraph within quotation marks).
    """
    chance = random.Random(7)
    own = {
        f"essay{number:02}.txt": [paragraph(chance, number % 5) for _ in range(8)]
        for number in range(60)
    }
    names = list(own)
    pairs = {
        "copied": [(names[0], names[11]), (names[5], names[32])],
        "edited": [(names[3], names[48])],
        "sentence": [(names[7], names[22])],
        "quoted": [(names[9], names[54])],
    }
    for first, second in pairs["copied"]:
        own[second][3] = own[first][2]
    for first, second in pairs["edited"]:
        own[second][5] = [edited(" ".join(own[first][4]), 8, chance)]
    for first, second in pairs["sentence"]:
        own[second][6].insert(2, own[first][1][3])
    for first, second in pairs["quoted"]:
        own[second][2] = ["As one of us says:", f"“{' '.join(own[first][6])}”"]
    texts = {
        name: "\n\n".join(" ".join(sentences) for sentences in paragraphs) + "\n"
        for name, paragraphs in own.items()
    }
    return texts, pairs
