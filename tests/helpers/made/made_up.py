"""A small collection that nobody wrote."""

from __future__ import annotations

from functools import cache
from random import Random

SENTENCES = [
    (
        "The lighthouse keeper wrote every evening about the colour of the sea and the ships that "
        "passed without answering his signal."
    ),
    (
        "A recipe for barley bread: soak the grain overnight, knead the dough with salt and honey, "
        "bake it slowly over charcoal."
    ),
    (
        "Minimal perfect hashing gives each of a fixed set of keys a slot of its own, so that a "
        "table "
        "needs no empty places."
    ),
    (
        "The railway between the two valleys was closed for the winter after an avalanche had "
        "buried "
        "the northern portal."
    ),
    (
        "In the third chapter the author compares medieval contracts from Genoa, Bruges and "
        "Novgorod "
        "and finds the same clauses."
    ),
    (
        "Volunteers counted four hundred herons along the river, twice as many as before the old "
        "weir "
        "had been removed."
    ),
    (
        "Der Leuchtturmwärter notierte jeden Abend die Farbe des Meeres und die Schiffe, die ohne "
        "Antwort vorüberzogen."
    ),
    (
        "Ночью метель занесла дорогу, и почтальон пришёл в деревню только к вечеру следующего дня "
        "со "
        "всеми письмами."
    ),
    "灯台守は毎晩、海の色と、合図に答えずに通り過ぎる船のことを日記に書いていました。",
]


SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "ke",
    "li",
    "mo",
    "nu",
    "pa",
    "qua",
    "re",
    "si",
    "to",
    "vu",
    "wa",
    "xe",
    "yi",
    "zo",
]


def made_up(count: int) -> list[dict[str, str]]:
    """count different documents: a sentence of the above and forty invented words each."""
    out = []
    for i in range(count):
        title = f"Document {i} — Übersicht"
        out.append({"id": f"doc-{i}", "title": title, "text": _text(i)})
    return out


@cache
def _text(i: int) -> str:
    random = Random(i)
    words = ("".join(random.choices(SYLLABLES, k=random.randint(2, 4))) for _ in range(40))
    return f"{SENTENCES[i % len(SENTENCES)]} {' '.join(words)}"
