"""A collection with all that a search for sources distinguishes: sentences that few documents have
and that very many have, copies of a document, forms of words, texts that are joined from many.
"""

from __future__ import annotations

import random

VERY_MANY = 400
FORM = "this form is sent to every member of the house before the end of each quarter of a year"
LONG_FORM = " ".join(f"{FORM} number {n} of the rules" for n in range(8))
ENDS = (". ", "! ", "? ", "\n\n", ".\n", " ")


def words_of(chance: random.Random, vocabulary: list[str], count: int) -> str:
    """Draw words as a language does, each tenth the end of a sentence."""
    return "".join(
        vocabulary[int(len(vocabulary) * chance.random() ** 3)]
        + (chance.choice(ENDS) if n % 10 == 9 else " ")
        for n in range(count)
    )


def traced_texts(seed: int = 5) -> tuple[list[str], list[str]]:
    """Returns documents, and texts that are asked: some of the documents first."""
    chance = random.Random(seed)
    syllables = ["ba", "ke", "mi", "lo", "ru", "sha", "te", "vo"]
    vocabulary = ["".join(chance.choices(syllables, k=1 + n % 4)) for n in range(3000)]
    documents = [words_of(chance, vocabulary, 20 + n % 300) for n in range(120)]
    documents += [f"{LONG_FORM}. {words_of(chance, vocabulary, 12)}" for _ in range(VERY_MANY)]
    documents += [documents[3]] * 8 + [documents[7] + " " + documents[9]]
    documents += ["one two", LONG_FORM]
    asked = documents[:130]
    for n in range(30):
        own = documents[n].split()
        at = chance.randrange(max(1, len(own) - 20))
        piece = own[at : at + 5 + n]
        asked.append(" ".join(piece))
        asked.append(" ".join(word for word in piece if chance.random() < 0.85))
        asked.append(" ".join(chance.sample(piece, len(piece))))
        asked.append(words_of(chance, vocabulary, 8) + ". " + " ".join(piece[:12]) + ". " + FORM)
    asked.append(f"{LONG_FORM}. " + words_of(chance, vocabulary, 300))
    asked.append(" ".join(documents[:60]))
    asked.append("never seen by anybody " * 30)
    return documents, asked
