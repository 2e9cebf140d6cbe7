"""Short records: edited ones, statements that differ in a figure, collections of one form."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "made"))

import forms
from collection import SEED, replaced
from kit import ALONE, FILES, TEXTS, Kit, shown

WORD = re.compile(r"\w+")
SENTENCE = re.compile(r"[A-Z][^.!?\n]*[.!?]")
COUNT, ASKED, COPIES = 10_000, 2000, 200
Edit = Callable[[str], str]


def sentences(kit: Kit, questions: bool) -> list[str]:
    found = []
    for text in kit.texts("newsgroups20:body"):
        own = "\n".join(line for line in text.split("\n") if not line.startswith((">", "|", ":")))
        for one in SENTENCE.findall(re.sub(r"(?<=\S)[ \t]*\n[ \t]*(?=\S)", " ", own)):
            plain = sum(c.isalpha() or c == " " for c in one) > 0.85 * len(one)
            if plain and 5 <= len(WORD.findall(one)) <= 30 and (one[-1] == "?" or not questions):
                found.append(one)
    return found


def titles(kit: Kit) -> list[str]:
    """A title and the first sentence."""
    found = []
    for row in kit.rows("wiki_simple"):
        first = re.match(r"[^.!?\n]+[.!?]", row["text"])
        if first and 5 <= len(WORD.findall(one := f"{row['title']}: {first[0]}")) <= 30:
            found.append(one)
    return found


def addresses(kit: Kit, chance: random.Random) -> list[str]:
    """Of names of people and places that have articles."""
    cut = [row["title"].split() for row in kit.rows("wiki_simple")]
    people = [t for t in cut if len(t) == 2 and all(w.isalpha() and w.istitle() for w in t)]
    places = [t[0] for t in cut if len(t) == 1 and t[0].isalpha() and len(t[0]) > 3]

    def one() -> str:
        first, last, street = (chance.choice(people)[place] for place in (0, 1, 1))
        kind = chance.choice(("Street", "Road", "Avenue", "Lane", "Drive"))
        number, code = chance.randint(1, 250), chance.randint(10_000, 99_999)
        return f"{first} {last}, {number} {street} {kind}, {code} {chance.choice(places)}"

    return [one() for _ in range(COUNT)]


def products(chance: random.Random) -> list[str]:
    """Families of one model in several colours and sizes."""
    names, things, kinds = (forms.BLANKS[kind] for kind in ("name", "thing", "quality"))
    colours = "black white red blue green grey silver yellow".split()
    sizes = "500 ml|1 l|18V|12V|XL|L|M|S|256 GB|64 GB|27 inch|24 inch|1.5 m|3 m".split("|")
    found = list[str]()
    while len(found) < COUNT:
        model = f"{''.join(chance.choices('ABCDEFGHKLMPRSTX', k=2))}{chance.randint(10, 999)}"
        family = f"{chance.choice(names)} {model} {' '.join(map(str, chance.sample(kinds, 2)))} {chance.choice(things)}"
        for _ in range(chance.randint(1, 6)):
            more = f"{chance.choice(kinds)} {chance.choice(things)}"
            found.append(
                f"{family} {chance.choice(colours)} {chance.choice(sizes)} with {more} holder"
            )
    return found


def edits(pool: list[str], chance: random.Random) -> dict[str, Edit]:
    def other_words(text: str, count: int) -> str:
        for at in sorted(chance.sample(list(WORD.finditer(text)), count), key=lambda m: -m.start()):
            text = text[: at.start()] + chance.choice(pool) + text[at.end() :]
        return text

    def swapped(text: str) -> str:
        cut = text.split()
        return " ".join(cut[len(cut) // 2 :] + cut[: len(cut) // 2])

    def typos(text: str) -> str:
        """Make two typing errors: letters swapped, one left out, doubled or replaced."""
        for _ in range(2):
            at = chance.choice(
                [m for m in WORD.finditer(text) if len(m[0]) > 3] or [re.match("..", text)]
            )
            i = chance.randrange(at.start(), at.end() - 1)
            new = (text[i + 1] + text[i], text[i + 1], 2 * text[i] + text[i + 1])
            new = (*new, chance.choice("etaoinshrdlu") + text[i + 1])
            text = text[:i] + chance.choice(new) + text[i + 2 :]
        return text

    def less(text: str) -> str:
        cut = text.split()
        del cut[chance.randrange(len(cut))]
        return " ".join(cut)

    return {
        "one word": lambda text: other_words(text, 1),
        "two words": lambda text: other_words(text, 2),
        "halves swapped": swapped,
        "two typing errors": typos,
        "a word less": less,
    }


def any_word(records: list[str]) -> Callable[[str], list[int]]:
    """tantivy's ten best of the records that have any word of a text."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text")
    builder.add_integer_field("number", stored=True)
    fields = builder.build()
    index = tantivy.Index(fields)
    writer = index.writer(100_000_000, 1)
    for number, text in enumerate(records):
        writer.add_document(tantivy.Document(text=text, number=number))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(text: str) -> list[int]:
        some = sorted(set(WORD.findall(text.lower())))
        terms = [(tantivy.Occur.Should, tantivy.Query.term_query(fields, "text", w)) for w in some]
        hits = searcher.search(tantivy.Query.boolean_query(terms), 10).hits
        return [searcher.doc(address)["number"][0] for _, address in hits]

    return ask


def records(kit: Kit) -> None:
    chance = random.Random(SEED)
    kinds = {
        "sentences": sentences(kit, questions=False),
        "questions": sentences(kit, questions=True),
        "products": products(chance),
        "addresses": addresses(kit, chance),
        "titles": titles(kit),
    }
    for kind, some in kinds.items():
        base = list(dict.fromkeys(some))
        base = chance.sample(base, min(COUNT, len(base)))
        ways = edits([word for text in base for word in WORD.findall(text)], chance)
        ask = any_word(base)
        for way, edit in ways.items():
            chosen = chance.sample(range(len(base)), ASKED // len(ways))
            texts = [edit(base[n]) for n in chosen]
            found = {of: shown(kit.file(kind, base, of), texts) for of in (ALONE, TEXTS)}
            found["tantivy OR"] = [ask(text) for text in texts]
            asked = list(zip(texts, chosen, strict=True))
            row = "edited record among ten hits"
            kit.judge(row, f"{kind}, {way}", asked, found, lambda n, hits: n in hits)


def statements(kit: Kit) -> None:
    """Asked word for word, with other capitals and spaces, so that they are no identical copies."""
    for kind in forms.STATEMENTS:
        texts = forms.statements(kind)
        asked = random.Random(SEED).sample(range(len(texts)), 1000)
        plain = [texts[n].upper().replace(",", " ,") for n in asked]
        for way, some in (("", plain), (" and a word more", [f"{text} Indeed." for text in plain])):
            found = {of: shown(kit.file(f"{kind} statements", texts, of), some) for of in FILES}
            pairs = list(zip(some, asked, strict=True))
            row = "statement that differs in a figure first"
            kit.judge(row, kind + way, pairs, found, lambda n, hits: hits[:1] == [n])


def of_a_form(kit: Kit) -> None:
    for name in forms.FORMS:
        documents = forms.collection(name)
        texts, form = [one.text for one in documents], documents[0].form
        chance = random.Random(SEED)
        chosen = [chance.randrange(len(texts)) for _ in range(COPIES)]
        own = [f"{word} " for one in documents for value in one.values for word in value.split()]
        asked = {
            "5 % of its own words edited": [documents[n].edited(0.05, chance).text for n in chosen],
            "5 % of all words edited": [replaced(texts[n], 0.05, own, chance) for n in chosen],
            "all own words other": [forms.filled(form, chance, True).text for _ in chosen],
        }
        for what, some in asked.items():
            found = {of: shown(kit.file(name, texts, of), some) for of in (ALONE, TEXTS)}
            pairs = list(zip(some, chosen, strict=True))
            if what == "all own words other":
                row = "of one form: shown though only the form agrees"
                kit.judge(row, name, pairs, found, lambda _, hits: bool(hits), 0)
            else:
                row = "of one form: copy first"
                kit.judge(row, f"{name}, {what}", pairs, found, lambda n, hits: hits[:1] == [n])
